/* The parser of LALA: recursive descent, one function per construct (docs/LALA.md).
 *
 *     file        use* (annotation* class)*
 *     class       class N ( "regex" ) ;   |   class N { declaration* production* }
 *     production  annotation* name ( "text" ) { statement* }
 *               | annotation* name ( NS:fn expr* ) : T { statement* }
 *     statement   loc x = expr ;   |   node . attribute = expr ;
 *
 * No word is reserved: whether `loc` begins a local or names a child shows in what follows it. A
 * function that fails has told why and answers false or NULL; the loop around the construct then
 * skips to the next `;` or `}` of its own depth and goes on, so that one run tells several
 * mistakes. After an error the result is incomplete, and nobody looks at it (spec.h).
 *
 * Names are not looked up here, with one exception: built-in functions, which are part of the
 * syntax. Arrays grow as VECs and are frozen into the arena once complete. */
#include "ag/parse_internal.h"
#include "base/text.h"

enum {
    MAX_DEPTH = 200, /* of nested expressions and types: a limit for our stack */
    DEFAULT_COUNT = 50,
};

/* -- the parser and its small tools ------------------------------------------------------------ */

void parse_next(struct parser *p)
{
    ag_lex_next(&p->lex);
}

bool parse_at_end(const struct parser *p)
{
    return p->lex.token.kind == AG_T_END;
}

static bool token_is(const struct parser *p, enum ag_token_kind kind, const char *text)
{
    const struct ag_token *t = &p->lex.token;
    return t->kind == kind && t->size == strlen(text) && !memcmp(t->text, text, t->size);
}

bool parse_at_sign(const struct parser *p, const char *sign)
{
    return token_is(p, AG_T_SIGN, sign);
}

static bool at_word(const struct parser *p, const char *word)
{
    return token_is(p, AG_T_WORD, word);
}

const char *parse_found(struct parser *p)
{
    const struct ag_token *t = &p->lex.token;
    if (t->kind == AG_T_END)
        return "the end of the file";
    if (t->kind == AG_T_QUOTE)
        return "a string";
    return arena_printf(p->a, "'%.*s'", (int)(t->size < 40 ? t->size : 40), t->text);
}

static bool expect_or(struct parser *p, const char *sign, const char *where, const char *hint)
{
    if (parse_at_sign(p, sign)) {
        parse_next(p);
        return true;
    }
    /* What is missing at the end of a line is missed there, not at the start of the next one. */
    struct ag_place end = p->lex.last_end, here = p->lex.token.place;
    return fail(p, end.line < here.line ? end : here, hint, "expected '%s' %s, found %s", sign,
                where, parse_found(p));
}

bool parse_expect(struct parser *p, const char *sign, const char *where)
{
    return expect_or(p, sign, where, NULL);
}

const char *parse_name(struct parser *p, const char *what)
{
    const struct ag_token *t = &p->lex.token;
    if (t->kind != AG_T_WORD) {
        tell(p, t->place, NULL, "expected %s, found %s", what, parse_found(p));
        return NULL;
    }
    const char *name = arena_memdup(p->a, t->text, t->size);
    parse_next(p);
    return name;
}

void parse_skip_token(struct parser *p)
{
    size_t size;
    if (p->lex.token.kind == AG_T_QUOTE)
        ag_lex_string(&p->lex, AG_STRING_REGEX, &size);
    else
        parse_next(p);
}

/* `class N`: no production and no child has a name followed by a name, so a class begins here,
 * whatever is still open. */
static bool at_class(const struct parser *p)
{
    int c = at_word(p, "class") ? ag_lex_after(&p->lex) : -1;
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* After an error: behind the next `;` or the next {...}, or before the `}` that closes what we
 * are in. */
static void skip_statement(struct parser *p)
{
    int depth = 0;
    while (!parse_at_end(p) && !at_class(p)) {
        bool closes = parse_at_sign(p, "}"), ends = parse_at_sign(p, ";") && !depth;
        if (closes && !depth)
            return;
        depth += parse_at_sign(p, "{") - closes;
        parse_skip_token(p);
        if (ends || (closes && !depth))
            return;
    }
}

static bool at_top_level(const struct parser *p)
{
    return at_class(p) ||
           (p->lex.token.place.column == 1 && (parse_at_sign(p, "@") || at_word(p, "use")));
}

static void skip_to_top_level(struct parser *p)
{
    while (!parse_at_end(p) && !at_top_level(p))
        parse_skip_token(p);
}

/* The `;` behind a statement. Where it was forgotten at the end of a line the next line is still
 * good; otherwise the rest of the statement is skipped. */
static void end_statement(struct parser *p, const char *where)
{
    if (parse_expect(p, ";", where) || p->lex.last_end.line < p->lex.token.place.line)
        return;
    skip_statement(p);
}

/* A type: a name, or List<T>. */
static const char *type_name(struct parser *p)
{
    const char *name = parse_name(p, "a type");
    if (!name || !parse_at_sign(p, "<"))
        return name;
    if (++p->depth > MAX_DEPTH) {
        tell(p, p->lex.token.place, NULL, "types are nested more than %d deep", MAX_DEPTH);
        return NULL;
    }
    parse_next(p);
    const char *inner = type_name(p);
    p->depth--;
    if (!inner || !parse_expect(p, ">", "after the type of the elements"))
        return NULL;
    return arena_printf(p->a, "%s<%s>", name, inner);
}

/* -- expressions ------------------------------------------------------------------------------- */

static struct ag_expr *expression(struct parser *p);

static const char *const builtin_names[] = {
#define X(text, name, least, most) text,
    AG_BUILTINS(X)
#undef X
};

static struct ag_expr *new_expr(struct parser *p, enum ag_expr_kind kind)
{
    struct ag_expr *e = arena_new(p->a, struct ag_expr);
    e->kind = kind;
    e->place = p->lex.token.place;
    e->child = AG_THIS;
    e->slot = -1;
    return e;
}

static bool set_builtin(struct parser *p, struct ag_expr *e, const char *name,
                        struct ag_place place)
{
    for (int i = 0; i < AG_N_BUILTINS; i++) {
        if (!strcmp(name, builtin_names[i])) {
            e->builtin = (enum ag_builtin)i;
            return true;
        }
    }
    const char *near = text_nearest(name, builtin_names, AG_N_BUILTINS);
    return fail(
        p, place,
        arena_printf(p->a, "%s%s%sa function of the runtime is called as (Namespace:%s ...)",
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", name),
        "there is no built-in function '%s'", name);
}

/* What is called: NS:fn, or a built-in function. */
static bool callee(struct parser *p, struct ag_expr *e)
{
    struct ag_token t = p->lex.token;
    if (t.kind != AG_T_WORD && !(t.kind == AG_T_SIGN && !strchr("(){},.;:@$", *t.text)))
        return fail(p, t.place, "calls are written (NS:fn a b) or (+ a b)",
                    "expected the name of a function, found %s", parse_found(p));
    const char *name = arena_memdup(p->a, t.text, t.size);
    parse_next(p);
    if (t.kind == AG_T_WORD && parse_at_sign(p, ":")) {
        parse_next(p);
        e->kind = AG_E_CALL;
        e->space = name;
        return (e->text = parse_name(p, "the name of a function"));
    }
    e->kind = AG_E_BUILTIN;
    set_builtin(p, e, name, t.place); /* its arguments are read even if there is no such function */
    return true;
}

/* The callee, the arguments and the closing parenthesis; the opening one has been read. `e` holds
 * its place. */
static bool call(struct parser *p, struct ag_expr *e)
{
    if (!callee(p, e))
        return false;
    VEC(struct ag_expr *) args = {0};
    bool good = true;
    while (good && !parse_at_sign(p, ")")) {
        if (parse_at_end(p) || parse_at_sign(p, ";") || parse_at_sign(p, "{") ||
            parse_at_sign(p, "}")) {
            good = fail(p, e->place, NULL, "this '(' is not closed");
            break;
        }
        struct ag_expr *arg = expression(p);
        good = arg;
        if (good)
            vec_push(&args, arg);
    }
    freeze(p, &args, &e->args, &e->n_args);
    if (good)
        parse_next(p);
    return good;
}

static struct ag_expr *number(struct parser *p)
{
    struct ag_expr *e = new_expr(p, AG_E_INT);
    const char *digits = arena_memdup(p->a, p->lex.token.text, p->lex.token.size);
    if (!text_parse_int(digits, LALA_INT_MIN, LALA_INT_MAX, &e->number))
        tell(p, e->place, NULL, "the number %s is out of range: integers have 63 bits", digits);
    parse_next(p);
    return e;
}

/* A dot that makes an attribute of the name before it: `this.a`, or `this . a` with blanks on both
 * sides. One that is glued to the name behind it alone begins a local: `(f this .x)` has two
 * arguments. */
static bool at_dot_of_name(const struct parser *p)
{
    int after = ag_lex_char(&p->lex, 0);
    return parse_at_sign(p, ".") &&
           (p->lex.token.glued || (after >= 0 && strchr(" \t\r\n", after)));
}

/* this, child, this.a, child.a, true, false, nil. */
static struct ag_expr *word(struct parser *p)
{
    static const struct {
        const char *word;
        enum ag_expr_kind kind;
    } constants[] = {{"true", AG_E_TRUE}, {"false", AG_E_FALSE}, {"nil", AG_E_NIL}};

    struct ag_expr *e = new_expr(p, AG_E_NODE);
    e->text = parse_name(p, "a name");
    if (at_dot_of_name(p)) {
        parse_next(p);
        e->kind = AG_E_ATTR;
        return (e->attribute = parse_name(p, "the name of an attribute")) ? e : NULL;
    }
    if (parse_at_sign(p, ":")) {
        tell(p, e->place, "calls stand in parentheses: (NS:fn a b)",
             "'%s:' calls a function without parentheses", e->text);
        return NULL;
    }
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (!strcmp(e->text, constants[i].word))
            e->kind = constants[i].kind;
    return e;
}

static struct ag_expr *sign(struct parser *p)
{
    struct ag_expr *e = new_expr(p, AG_E_VALUE);
    if (parse_at_sign(p, "$")) {
        parse_next(p);
        return e;
    }
    if (parse_at_sign(p, ".")) {
        parse_next(p);
        e->kind = AG_E_LOC;
        return (e->text = parse_name(p, "the name of a local")) ? e : NULL;
    }
    if (parse_at_sign(p, "(")) {
        parse_next(p);
        return call(p, e) ? e : NULL;
    }
    tell(p, e->place, NULL, "expected an expression, found %s", parse_found(p));
    return NULL;
}

static struct ag_expr *string(struct parser *p)
{
    struct ag_expr *e = new_expr(p, AG_E_STRING);
    if (p->lex.token.kind == AG_T_QUOTE)
        return (e->text = ag_lex_string(&p->lex, AG_STRING_VALUE, &e->size)) ? e : NULL;
    e->text = arena_memdup(p->a, &p->lex.token.value, 1);
    e->size = 1;
    parse_next(p);
    return e;
}

static struct ag_expr *expression(struct parser *p)
{
    if (p->depth >= MAX_DEPTH) {
        tell(p, p->lex.token.place, "name a part of it: loc x = ...;",
             "expressions are nested more than %d deep", MAX_DEPTH);
        return NULL;
    }
    p->depth++;
    struct ag_expr *e = NULL;
    switch (p->lex.token.kind) {
    case AG_T_NUMBER:
        e = number(p);
        break;
    case AG_T_WORD:
        e = word(p);
        break;
    case AG_T_CHAR:
    case AG_T_QUOTE:
        e = string(p);
        break;
    case AG_T_SIGN:
    case AG_T_END:
        e = sign(p);
        break;
    }
    p->depth--;
    return e;
}

/* -- a production's text ----------------------------------------------------------------------- */

struct text {
    struct strbuf pending; /* characters that are not yet a piece */
    VEC(struct ag_piece) pieces;
    VEC(struct ag_child) children;
};

static void flush(struct parser *p, struct text *t)
{
    if (!t->pending.n)
        return;
    vec_push(&t->pieces, (struct ag_piece){.kind = AG_P_TEXT,
                                           .text = arena_memdup(p->a, t->pending.s, t->pending.n),
                                           .size = t->pending.n,
                                           .child = -1});
    strbuf_clear(&t->pending);
}

static struct ag_piece *add_piece(struct parser *p, struct text *t, enum ag_piece_kind kind)
{
    flush(p, t);
    vec_push(&t->pieces, (struct ag_piece){.kind = kind, .child = -1});
    return &t->pieces.at[t->pieces.n - 1];
}

/* child : Class}, behind "${". The lexer ends right behind the brace. */
static bool child_hole(struct parser *p, struct text *t)
{
    parse_next(p);
    struct ag_child child = {.place = p->lex.token.place};
    if (!(child.name = parse_name(p, "the name of a child")))
        return false;
    if (!parse_at_sign(p, ":"))
        return fail(p, p->lex.token.place,
                    "${child : Class} declares a child, #{expr} prints a value",
                    "expected ':' after the child's name, found %s", parse_found(p));
    parse_next(p);
    if (!(child.class_name = parse_name(p, "the name of a class")))
        return false;
    add_piece(p, t, AG_P_CHILD)->child = (int)t->children.n;
    vec_push(&t->children, child);
    return parse_at_sign(p, "}") ||
           fail(p, p->lex.token.place, NULL, "expected '}' after the child's class, found %s",
                parse_found(p));
}

/* expr}, behind "#{". */
static bool value_hole(struct parser *p, struct text *t)
{
    parse_next(p);
    struct ag_expr *e = expression(p);
    if (!e)
        return false;
    add_piece(p, t, AG_P_EXPR)->expr = e;
    return parse_at_sign(p, "}") ||
           fail(p, p->lex.token.place, NULL, "expected '}' after the expression, found %s",
                parse_found(p));
}

static bool at_hole(const struct parser *p)
{
    int c = ag_lex_char(&p->lex, 0);
    return (c == '$' || c == '#') && ag_lex_char(&p->lex, 1) == '{';
}

/* One hole. After a mistake in it the text goes on behind the next '}', or ends at the next '"'. */
static void hole(struct parser *p, struct text *t)
{
    bool is_child = ag_lex_take(&p->lex) == '$';
    ag_lex_take(&p->lex);
    p->lex.in_hole = true;
    bool good = is_child ? child_hole(p, t) : value_hole(p, t);
    p->lex.in_hole = false;
    if (good || parse_at_sign(p, "}"))
        return;
    if (token_is(p, AG_T_QUOTE, "\"")) /* the end of the text, not a string in the hole */
        p->lex.at = p->lex.token.text;
    while (ag_lex_char(&p->lex, 0) >= 0 && ag_lex_char(&p->lex, 0) != '"') {
        char c = ag_lex_take(&p->lex);
        if (c == '}')
            return;
        if (c == '\\' && ag_lex_char(&p->lex, 0) == '"')
            ag_lex_take(&p->lex);
    }
}

/* \(${c : C}\), behind the "\(". */
static void hole_in_parentheses(struct parser *p, struct text *t, struct ag_place place)
{
    static const char hint[] = "\\(${child : Class}\\) prints a child with parentheses where its "
                               "@precedence asks for them; a plain '(' needs no backslash";
    if (!at_hole(p)) {
        tell(p, place, hint, "'\\(' stands right before a child");
        return;
    }
    int errors = p->m->errors;
    hole(p, t);
    if (p->m->errors > errors)
        return;
    if (ag_lex_char(&p->lex, 0) != '\\' || ag_lex_char(&p->lex, 1) != ')') {
        tell(p, place, hint, "no '\\)' follows the child after this '\\('");
        return;
    }
    ag_lex_take(&p->lex);
    ag_lex_take(&p->lex);
    t->pieces.at[t->pieces.n - 1].parens = true;
}

/* Behind a backslash. One that escapes nothing is a character. */
static void escape(struct parser *p, struct text *t, struct ag_place place)
{
    int c = ag_lex_char(&p->lex, 0);
    if (c <= 0 || !strchr("n+-()$#\"\\", c)) {
        strbuf_addc(&t->pending, '\\');
        return;
    }
    ag_lex_take(&p->lex);
    if (c == 'n' || c == '+' || c == '-')
        add_piece(p, t, c == 'n' ? AG_P_NEWLINE : c == '+' ? AG_P_INDENT : AG_P_OUTDENT);
    else if (c == '(')
        hole_in_parentheses(p, t, place);
    else if (c == ')')
        tell(p, place, NULL, "'\\)' without a child in '\\(' before it");
    else
        strbuf_addc(&t->pending, (char)c);
}

/* The text behind its opening quote; the lexer stands behind the closing one. */
static bool text_pieces(struct parser *p, struct text *t)
{
    struct ag_place opened = p->lex.token.place;
    while (ag_lex_char(&p->lex, 0) >= 0) {
        if (ag_lex_line_break(&p->lex))
            continue;
        if (at_hole(p)) {
            hole(p, t);
            continue;
        }
        struct ag_place place = ag_lex_place(&p->lex);
        char c = ag_lex_take(&p->lex);
        if (c == '"') {
            flush(p, t);
            return true;
        }
        if (c == '\\')
            escape(p, t, place);
        else
            strbuf_addc(&t->pending, c);
    }
    return fail(p, opened, NULL, "this text is not closed");
}

/* The `{` of ") {" or ") {}" at the end of the line from `start` to `end`; NULL when it does not
 * end like that. */
static const char *brace_of_rules(const char *start, const char *end)
{
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '}'))
        end--;
    if (end - start < 2 || end[-1] != '{')
        return NULL;
    const char *brace = end - 1;
    for (end = brace; end > start && (end[-1] == ' ' || end[-1] == '\t');)
        end--;
    return end > start && end[-1] == ')' ? brace : NULL;
}

/* A forgotten quote turns the rest of a file inside out: what stood in texts stands outside of
 * them. Goes back to where the rules begin, at the end of the first line from `here` on that ends
 * as said above, as long as that is before `limit`. False: there is no such line. */
static bool go_back_to_rules(struct parser *p, struct ag_token here, const char *limit)
{
    const char *start = here.text;
    for (int line = here.place.line; start < limit; line++) {
        const char *end = memchr(start, '\n', (size_t)(p->lex.end - start));
        if (!end)
            end = p->lex.end;
        const char *brace = brace_of_rules(start, end);
        if (brace && brace < limit) {
            p->lex.at = brace;
            p->lex.line = line;
            p->lex.line_start = start == here.text ? start - (here.place.column - 1) : start;
            parse_next(p);
            return true;
        }
        start = end + 1;
    }
    return false;
}

static bool production_text(struct parser *p, struct ag_production *out)
{
    struct ag_token quote = p->lex.token;
    struct text t = {0};
    strbuf_init(&t.pending, 0);
    bool closed = text_pieces(p, &t);
    freeze(p, &t.pieces, &out->pieces, &out->n_pieces);
    freeze(p, &t.children, &out->children, &out->n_children);
    strbuf_release(&t.pending);
    if (closed && ag_lex_after(&p->lex) != ')' && go_back_to_rules(p, quote, p->lex.at)) {
        tell(p, quote.place, NULL, "this text is not closed");
        return true;
    }
    parse_next(p);
    return closed && expect_or(p, ")", "after the text",
                               arena_printf(p->a,
                                            "it began in line %d; is a quote in it that should "
                                            "be \\\"?",
                                            quote.place.line));
}

/* -- productions ------------------------------------------------------------------------------- */

struct body {
    VEC(struct ag_loc) locs;
    VEC(struct ag_rule) rules;
};

/* loc x = expr */
static bool local(struct parser *p, struct body *b)
{
    parse_next(p);
    struct ag_loc loc = {.place = p->lex.token.place};
    if (!(loc.name = parse_name(p, "the name of a local")) ||
        !parse_expect(p, "=", "after the name of the local") || !(loc.expr = expression(p)))
        return false;
    vec_push(&b->locs, loc);
    return true;
}

/* node.attribute = expr */
static bool rule(struct parser *p, struct body *b)
{
    struct ag_rule r = {.place = p->lex.token.place, .child = AG_THIS, .slot = -1};
    if (!(r.node = parse_name(p, "a rule")))
        return false;
    if (!parse_at_sign(p, "."))
        return fail(p, p->lex.token.place,
                    "rules are this.a = e; or child.a = e;, locals loc x = e;",
                    "expected '.' and an attribute after '%s', found %s", r.node, parse_found(p));
    parse_next(p);
    if (!(r.attribute = parse_name(p, "the name of an attribute")) ||
        !parse_expect(p, "=", "after the attribute") || !(r.expr = expression(p)))
        return false;
    vec_push(&b->rules, r);
    return true;
}

/* Here begins something that cannot stand in a production's body: its `}` was forgotten. */
static bool at_outside(const struct parser *p)
{
    return parse_at_end(p) || at_class(p) || parse_at_sign(p, "@") ||
           (p->lex.token.kind == AG_T_WORD && ag_lex_after(&p->lex) == '(');
}

/* Up to the '}'. Where it is missing, what follows can be read all the same. */
static void statements(struct parser *p, struct body *b, const struct ag_production *out)
{
    while (!parse_at_sign(p, "}")) {
        if (at_outside(p)) {
            tell(p, out->place, "it ends with '}'", "the production '%s' is not closed", out->name);
            return;
        }
        bool is_local = at_word(p, "loc") && ag_lex_after(&p->lex) != '.';
        if (is_local ? local(p, b) : rule(p, b))
            end_statement(p, is_local ? "after the local" : "after the rule");
        else
            skip_statement(p);
    }
    parse_next(p);
}

static bool production_body(struct parser *p, struct ag_production *out)
{
    if (!parse_expect(p, "{", "before the rules of the production"))
        return false;
    struct body b = {0};
    statements(p, &b, out);
    freeze(p, &b.locs, &out->locs, &out->n_locs);
    freeze(p, &b.rules, &out->rules, &out->n_rules);
    return true;
}

/* NS:fn args) : T, behind the '('. */
static bool generator(struct parser *p, struct ag_production *out)
{
    struct ag_expr *e = new_expr(p, AG_E_CALL);
    if (!call(p, e))
        return false;
    if (e->kind != AG_E_CALL)
        return fail(p, e->place, "a generator is name (NS:fn this.a) : T { ... }",
                    "what a generator calls is a function of the runtime");
    out->generator = e;
    return expect_or(p, ":", "and a type after the generator's call",
                     "a generator is name (NS:fn this.a) : T { ... }") &&
           (out->value_type = type_name(p));
}

/* A text without its opening quote: the line goes on to the rules, and a quote in it has no other.
 * A generator has a type before its rules. */
static bool lacks_opening_quote(struct parser *p)
{
    struct ag_token here = p->lex.token;
    const char *end = memchr(here.text, '\n', (size_t)(p->lex.end - here.text));
    int quotes = 0;
    for (const char *c = here.text; end && c < end; c++)
        quotes += *c == '"' && c[-1] != '\\';
    if (quotes % 2 == 0 || !go_back_to_rules(p, here, end))
        return false;
    tell(p, here.place, NULL, "expected '\"' before the text");
    return true;
}

static bool production(struct parser *p, struct ag_production *out)
{
    out->place = p->lex.token.place;
    if (!(out->name = parse_name(p, "a declaration or a production")) ||
        !parse_expect(p, "(", "after the name of the production"))
        return false;
    bool good = p->lex.token.kind == AG_T_QUOTE ? production_text(p, out)
                                                : lacks_opening_quote(p) || generator(p, out);
    return good && production_body(p, out);
}

/* -- classes ----------------------------------------------------------------------------------- */

typedef VEC(struct ag_attr) attrs;
typedef VEC(struct ag_production) productions;

/* inh, syn or grd, and no production of that name. */
static bool at_declaration(const struct parser *p, enum ag_attr_kind *kind)
{
    static const char *const words[] = {[AG_INH] = "inh", [AG_SYN] = "syn", [AG_GRD] = "grd"};
    for (int i = AG_INH; i <= AG_GRD; i++) {
        if (at_word(p, words[i]) && ag_lex_after(&p->lex) != '(') {
            *kind = (enum ag_attr_kind)i;
            return true;
        }
    }
    return false;
}

/* inh a : T;  syn a : T;  grd g; */
static bool declaration(struct parser *p, enum ag_attr_kind kind, attrs *out)
{
    parse_next(p);
    struct ag_attr a = {.kind = kind, .place = p->lex.token.place, .type = "boolean"};
    if (!(a.name = parse_name(p, "the name of an attribute")))
        return false;
    if (kind != AG_GRD || parse_at_sign(p, ":")) {
        if (!parse_expect(p, ":", "and a type after the attribute"))
            return false;
        struct ag_place place = p->lex.token.place;
        if (!(a.type = type_name(p)))
            return false;
        if (kind == AG_GRD && strcmp(a.type, "boolean"))
            return fail(p, place, "leave the type out", "a guard is a boolean, not a '%s'", a.type);
    }
    vec_push(out, a);
    end_statement(p, "after the declaration");
    return true;
}

static struct ag_production new_production(void)
{
    return (struct ag_production){.weight = 1, .precedence = -1};
}

static void members(struct parser *p, struct ag_class *c, attrs *declared, productions *made)
{
    int errors = p->m->errors;
    while (!parse_at_sign(p, "}")) {
        parse_annotations(p);
        if (parse_at_end(p) && p->m->errors > errors)
            return; /* what swallowed the rest of the file has been told */
        if (parse_at_end(p) || at_class(p)) {
            tell(p, c->place, "it ends with '}'", "the class '%s' is not closed", c->name);
            return;
        }
        enum ag_attr_kind kind;
        bool good;
        if (at_declaration(p, &kind)) {
            if (p->annotations.n)
                tell(p, p->annotations.at[0].place, NULL, "an attribute has no annotations");
            p->annotations.n = 0;
            good = declaration(p, kind, declared);
        } else {
            struct ag_production new = new_production();
            parse_annotate_production(p, &new);
            if ((good = production(p, &new)))
                vec_push(made, new);
        }
        if (!good)
            skip_statement(p);
    }
    parse_next(p);
}

/* A class holds tree productions, or exactly one generator production. */
static void set_kind(struct parser *p, struct ag_class *c)
{
    int generators = 0;
    const struct ag_production *last = NULL;
    for (int i = 0; i < c->n_productions; i++) {
        if (c->productions[i].generator) {
            generators++;
            last = &c->productions[i];
        }
    }
    c->kind = generators ? AG_GENERATOR : AG_TREE;
    if (!c->n_productions)
        tell(p, c->place, NULL, "the class '%s' has no production", c->name);
    else if (generators && c->n_productions > 1)
        tell(p, last->place, "make it a class of its own",
             "a generator is the only production of its class, and '%s' has %d", c->name,
             c->n_productions);
}

static void tree_class(struct parser *p, struct ag_class *c)
{
    int errors = p->m->errors;
    attrs declared = {0};
    productions made = {0};
    members(p, c, &declared, &made);
    freeze(p, &declared, &c->attrs, &c->n_attrs);
    freeze(p, &made, &c->productions, &c->n_productions);
    if (p->m->errors == errors)
        set_kind(p, c);
}

/* ("regex");  and what is implied: syn str : String, and one production. */
static bool literal_class(struct parser *p, struct ag_class *c)
{
    c->kind = AG_LITERAL;
    parse_next(p);
    c->regex_place = p->lex.token.place;
    c->regex_place.column++; /* of its first character */
    if (p->lex.token.kind != AG_T_QUOTE)
        return fail(p, p->lex.token.place, "a literal class is class N(\"regex\");",
                    "expected a regular expression, found %s", parse_found(p));
    size_t size;
    if (!(c->regex = ag_lex_string(&p->lex, AG_STRING_REGEX, &size)))
        return false;
    if (memchr(c->regex, 0, size))
        return fail(p, c->regex_place, NULL, "a regular expression holds no byte 0");
    c->attrs = arena_new(p->a, struct ag_attr);
    *c->attrs = (struct ag_attr){AG_SYN, "str", "String", c->place};
    c->n_attrs = 1;
    c->productions = arena_new(p->a, struct ag_production);
    *c->productions = new_production();
    c->productions->name = c->name;
    c->productions->place = c->place;
    c->n_productions = 1;
    if (!parse_expect(p, ")", "after the regular expression"))
        return false;
    end_statement(p, "after the literal class");
    return true;
}

static bool class_(struct parser *p, struct ag_class *c)
{
    parse_next(p);
    c->count = DEFAULT_COUNT;
    parse_annotate_class(p, c);
    c->place = p->lex.token.place;
    if (!(c->name = parse_name(p, "the name of a class")))
        return false;
    if (parse_at_sign(p, "("))
        return literal_class(p, c);
    if (!expect_or(p, "{", "after the name of the class",
                   "a class is class N { ... } or class N(\"regex\");"))
        return false;
    tree_class(p, c);
    return true;
}

/* -- the file ---------------------------------------------------------------------------------- */

struct file {
    VEC(struct ag_class) classes;
    VEC(const char *) uses;
    VEC(struct ag_place) use_places;
};

static bool use(struct parser *p, struct file *f)
{
    parse_next(p);
    struct ag_place place = p->lex.token.place;
    const char *name = parse_name(p, "the name of a namespace");
    if (!name)
        return false;
    vec_push(&f->uses, name);
    vec_push(&f->use_places, place);
    if (!parse_expect(p, ";", "after the namespace") && !at_top_level(p))
        return false;
    return true;
}

static bool top_level(struct parser *p, struct file *f)
{
    parse_annotations(p);
    if (at_class(p) || at_word(p, "class")) {
        struct ag_class c = {0};
        bool good = class_(p, &c);
        if (c.name)
            vec_push(&f->classes, c);
        return good;
    }
    if (p->annotations.n) {
        tell(p, p->annotations.at[0].place, NULL, "no class follows this annotation");
        p->annotations.n = 0;
    }
    if (at_word(p, "use"))
        return use(p, f);
    if (parse_at_end(p))
        return true;
    bool brace = parse_at_sign(p, "}");
    return fail(p, p->lex.token.place, brace ? "a '}' too many before it?" : NULL,
                "expected 'class' or 'use', found %s", parse_found(p));
}

struct ag_spec *ag_parse(struct arena *a, const char *text, size_t size, struct ag_messages *m)
{
    struct parser p = {.a = a, .m = m};
    ag_lex_init(&p.lex, a, text, size, m);
    struct file f = {0};
    while (!parse_at_end(&p)) {
        if (!top_level(&p, &f)) {
            if (!at_top_level(&p))
                parse_skip_token(&p);
            skip_to_top_level(&p);
        }
    }
    struct ag_spec *s = arena_new(a, struct ag_spec);
    s->file = m->file;
    s->arena = a;
    if (!f.classes.n && !m->errors)
        tell(&p, p.lex.token.place, NULL, "there is no class: the first one is the root");
    int n_places;
    freeze(&p, &f.classes, &s->classes, &s->n_classes);
    freeze(&p, &f.uses, &s->uses.at, &s->uses.n);
    freeze(&p, &f.use_places, &s->use_places, &n_places);
    vec_release(&p.annotations);
    for (int i = 0; i < s->n_classes; i++)
        for (int k = 0; k < s->classes[i].n_productions; k++)
            s->classes[i].productions[k].class = &s->classes[i];
    return s;
}

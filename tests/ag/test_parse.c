/* The parser of LALA: every construct once, every mistake with its line and column, several
 * mistakes in one run, and no text that it cannot bear.
 *
 * What was parsed is printed back in a form that spells out what the parser understood, pieces of
 * text and all; expectations are in that form. */
#include "ag/spec.h"
#include "base/choice.h"
#include "base/fs.h"
#include "tap.h"

static struct arena arena;
static struct ag_messages messages;

/* -- what was understood, as text -------------------------------------------------------------- */

static const char *const builtins[] = {
#define X(text, name, least, most) text,
    AG_BUILTINS(X)
#undef X
};

static void show_expr(struct strbuf *out, const struct ag_expr *e)
{
    switch (e->kind) {
    case AG_E_INT:
        strbuf_addf(out, "%lld", (long long)e->number);
        return;
    case AG_E_STRING:
        strbuf_addf(out, "'%s'", e->text);
        return;
    case AG_E_TRUE:
        strbuf_adds(out, "TRUE");
        return;
    case AG_E_FALSE:
        strbuf_adds(out, "FALSE");
        return;
    case AG_E_NIL:
        strbuf_adds(out, "NIL");
        return;
    case AG_E_VALUE:
        strbuf_adds(out, "$");
        return;
    case AG_E_ATTR:
        strbuf_addf(out, "%s.%s", e->text, e->attribute);
        return;
    case AG_E_LOC:
        strbuf_addf(out, ".%s", e->text);
        return;
    case AG_E_NODE:
        strbuf_addf(out, "<%s>", e->text);
        return;
    case AG_E_BUILTIN:
        strbuf_addf(out, "(%s", builtins[e->builtin]);
        break;
    case AG_E_CALL:
        strbuf_addf(out, "(%s:%s", e->space, e->text);
        break;
    }
    for (int i = 0; i < e->n_args; i++) {
        strbuf_addc(out, ' ');
        show_expr(out, e->args[i]);
    }
    strbuf_addc(out, ')');
}

static void show_piece(struct strbuf *out, const struct ag_production *p, const struct ag_piece *it)
{
    static const char *const marks[] = {
        [AG_P_NEWLINE] = "[n]", [AG_P_INDENT] = "[+]", [AG_P_OUTDENT] = "[-]"};
    switch (it->kind) {
    case AG_P_TEXT:
        strbuf_addf(out, "[%.*s]", (int)it->size, it->text);
        return;
    case AG_P_CHILD:
        strbuf_addf(out, "{%s%s:%s}", it->parens ? "()" : "", p->children[it->child].name,
                    p->children[it->child].class_name);
        return;
    case AG_P_EXPR:
        strbuf_adds(out, it->parens ? "#{()" : "#{");
        show_expr(out, it->expr);
        strbuf_addc(out, '}');
        return;
    default:
        strbuf_adds(out, marks[it->kind]);
    }
}

static void show_names(struct strbuf *out, const char *what, const struct ag_names *names)
{
    strbuf_addf(out, "@%s", what);
    for (int i = 0; i < names->n; i++)
        strbuf_addf(out, "%c%s", i ? ',' : ':', names->at[i]);
    strbuf_addc(out, ' ');
}

static void show_production(struct strbuf *out, const struct ag_production *p)
{
    strbuf_adds(out, "  ");
    if (p->weight != 1)
        strbuf_addf(out, "@weight:%u ", p->weight);
    if (p->precedence != -1)
        strbuf_addf(out, "@precedence:%d ", p->precedence);
    if (p->hidden)
        strbuf_adds(out, "@hidden ");
    if (p->features.n)
        show_names(out, "feature", &p->features);
    if (p->copy)
        show_names(out, "copy", &p->copy_only);
    strbuf_addf(out, "%s ", p->name);
    for (int i = 0; i < p->n_pieces; i++)
        show_piece(out, p, &p->pieces[i]);
    if (p->generator) {
        show_expr(out, p->generator);
        strbuf_addf(out, " : %s", p->value_type);
    }
    strbuf_addc(out, '\n');
    for (int i = 0; i < p->n_locs; i++) {
        strbuf_addf(out, "    .%s = ", p->locs[i].name);
        show_expr(out, p->locs[i].expr);
        strbuf_addc(out, '\n');
    }
    for (int i = 0; i < p->n_rules; i++) {
        strbuf_addf(out, "    %s.%s = ", p->rules[i].node, p->rules[i].attribute);
        show_expr(out, p->rules[i].expr);
        strbuf_addc(out, '\n');
    }
}

static void show_class(struct strbuf *out, const struct ag_class *c)
{
    static const char *const kinds[] = {
        [AG_TREE] = "tree", [AG_LITERAL] = "literal", [AG_GENERATOR] = "generator"};
    static const char *const attributes[] = {[AG_INH] = "inh", [AG_SYN] = "syn", [AG_GRD] = "grd"};
    if (c->list)
        strbuf_addf(out, "@list:%d ", c->list_max);
    if (c->unit)
        strbuf_adds(out, "@unit ");
    if (c->hidden)
        strbuf_adds(out, "@hidden ");
    if (c->count != 50)
        strbuf_addf(out, "@count:%d ", c->count);
    if (c->max_height)
        strbuf_addf(out, "@max_height:%d ", c->max_height);
    if (c->max_alternatives)
        strbuf_addf(out, "@max_alternatives:%d ", c->max_alternatives);
    if (c->copy)
        show_names(out, "copy", &c->copy_only);
    strbuf_addf(out, "%s %s%s%s\n", kinds[c->kind], c->name, c->regex ? " " : "",
                c->regex ? c->regex : "");
    for (int i = 0; i < c->n_attrs; i++)
        strbuf_addf(out, "  %s %s : %s\n", attributes[c->attrs[i].kind], c->attrs[i].name,
                    c->attrs[i].type);
    for (int i = 0; i < c->n_productions && c->kind != AG_LITERAL; i++)
        show_production(out, &c->productions[i]);
}

static struct ag_spec *parse_bytes(const char *text, size_t size)
{
    ag_messages_release(&messages);
    arena_reset(&arena);
    ag_messages_init(&messages, &arena, "t.lala");
    return ag_parse(&arena, text, size, &messages);
}

static const char *text_of_messages(void)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    ag_messages_text(&messages, &out);
    const char *text = arena_strdup(&arena, out.s);
    strbuf_release(&out);
    return text;
}

/* What the parser understood, or what it said where it found a mistake. */
static const char *parsed(const char *text)
{
    struct ag_spec *s = parse_bytes(text, strlen(text));
    if (messages.list.n)
        return text_of_messages();
    struct strbuf out;
    strbuf_init(&out, 0);
    for (int i = 0; i < s->uses.n; i++)
        strbuf_addf(&out, "use %s\n", s->uses.at[i]);
    for (int i = 0; i < s->n_classes; i++)
        show_class(&out, &s->classes[i]);
    const char *shown = arena_strdup(&arena, out.s);
    strbuf_release(&out);
    return shown;
}

/* -- constructs -------------------------------------------------------------------------------- */

/* One production of this text. */
#define TEXT(text) "class C { p (\"" text "\") {} }"
#define TEXT_SHOWN(pieces) "tree C\n  p " pieces "\n"
/* One rule with this expression. */
#define EXPR(expr) "class C { p (\"\") { this.a = " expr "; } }"
#define EXPR_SHOWN(expr) "tree C\n  p \n    this.a = " expr "\n"

static void test_classes(void)
{
    is_str(parsed("use A; use B;\n# comment\nclass C { p (\"x\") { } } # another"),
           "use A\nuse B\ntree C\n  p [x]\n", "namespaces, comments");
    is_str(parsed("class C {\n inh a : int; syn b: List<List<T>>; grd g; grd h : boolean;\n"
                  " p (\"\") {} q(\"\"){}\n}"),
           "tree C\n  inh a : int\n  syn b : List<List<T>>\n  grd g : boolean\n"
           "  grd h : boolean\n  p \n  q \n",
           "attributes");
    is_str(parsed("class N (\"[a-z]\\\\\\.\\\"{1,3}\\n\n   x\");"),
           "literal N [a-z]\\\\\\.\"{1,3}\\nx\n  syn str : String\n",
           "a literal class: only \\\" is undone, a line break is dropped");
    is_str(parsed("class G { inh s : T; v (Sym:defs this.s (Ty:any)) : List<String> "
                  "{ this.x = $; } }"),
           "generator G\n  inh s : T\n  v (Sym:defs this.s (Ty:any)) : List<String>\n"
           "    this.x = $\n",
           "a generator");
    is_str(parsed("\xef\xbb\xbf"
                  "class C {\r\n  p (\"a\r\n   b\") {\r\n }\r\n}\r\n"),
           "tree C\n  p [ab]\n", "a byte order mark and the line ends of Windows");
}

static void test_annotations(void)
{
    is_str(
        parsed("@list @unit @hidden @count(7) @max_height(8) @max_alternatives(9)\n@copy(a, b,)\n"
               "class C {\n @weight(0) @precedence(3) @hidden @feature(\"x, y\") p (\"\") {} }"),
        "@list:0 @unit @hidden @count:7 @max_height:8 @max_alternatives:9 @copy:a,b tree C\n"
        "  @weight:0 @precedence:3 @hidden @feature:x,y p \n",
        "all of them");
    is_str(parsed("@list(3)\n# between\n@copy() class C { @feature(a, \"b\")\n # between\n p "
                  "(\"\") {} }"),
           "@list:3 @copy tree C\n  @feature:a,b p \n", "arguments of all kinds");
    is_str(parsed("@copy(a) class C { @copy(b) p (\"\") {} @copy q (\"\") {} r (\"\") {} }"),
           "@copy:a tree C\n  @copy:b p \n  @copy q \n  r \n",
           "@copy of a class and of its productions: each has its own, ag_bind adds them up");
}

static void test_texts(void)
{
    is_str(parsed(TEXT("a${c : D}b${ e:F }")), TEXT_SHOWN("[a]{c:D}[b]{e:F}"), "children");
    is_str(parsed(TEXT("#{.x}#{c}#{(A:f this \"q\")}")),
           TEXT_SHOWN("#{.x}#{<c>}#{(A:f <this> 'q')}"), "values, a string among them");
    is_str(parsed(TEXT("#{(A:f \\\"q\\n}\\\" \\\"\\\")}\\\"")),
           TEXT_SHOWN("#{(A:f 'q\n}' '')}[\"]"),
           "a string in a value may be quoted as the text around it asks");
    is_str(parsed(TEXT("a\\n\\+b\\-")), TEXT_SHOWN("[a][n][+][b][-]"), "newlines and indents");
    is_str(parsed(TEXT("\\$\\#\\\"\\\\ \\${x}")), TEXT_SHOWN("[$#\"\\ ${x}]"), "escapes");
    is_str(parsed(TEXT("\\d\\t$ #b#{.l} %{}")), TEXT_SHOWN("[\\d\\t$ #b]#{.l}[ %{}]"),
           "a backslash, $ and # that mean nothing are themselves");
    is_str(parsed(TEXT("\\\\n")), TEXT_SHOWN("[\\n]"), "an escaped backslash escapes nothing");
    is_str(parsed(TEXT("(\\(${c : D}\\))")), TEXT_SHOWN("[(]{()c:D}[)]"), "parentheses");
    is_str(parsed("class C { p (\n  \"one \n     two\\n\n\n     ${c : D}\n\") {} }"),
           TEXT_SHOWN("[one two][n]{c:D}"), "line breaks and the blanks after them are dropped");
}

static void test_expressions(void)
{
    is_str(parsed(EXPR("(- .a -1)")), EXPR_SHOWN("(- .a -1)"), "minus and a negative number");
    is_str(parsed(EXPR("(f:g this .x this.x c c.y)")), EXPR_SHOWN("(f:g <this> .x this.x <c> c.y)"),
           "a dot that is glued to the name behind it alone begins a local");
    is_str(parsed(EXPR("(f:g this . x c. y)")), EXPR_SHOWN("(f:g this.x c.y)"),
           "blanks may stand around the dot of an attribute");
    is_str(parsed(EXPR("(A:f true false nil true.x \"a\\n\\t\\\\\\\"\\d\" 'c' '\\n' '\\'' '\\')")),
           EXPR_SHOWN("(A:f TRUE FALSE NIL true.x 'a\n\t\\\"\\d' 'c' '\n' ''' '\\')"), "constants");
    is_str(parsed(EXPR("(and (or .a .b) (not .c) (isNil .d) (if .e 1 2) (int .f))")),
           EXPR_SHOWN("(and (or .a .b) (not .c) (isNil .d) (if .e 1 2) (int .f))"), "built-ins");
    is_str(parsed(EXPR("(== (!= 1 2) (< (> 1 2) (<= 1 (>= 2 (+ 1 (* 2 (/ 3 4)))))))")),
           EXPR_SHOWN("(== (!= 1 2) (< (> 1 2) (<= 1 (>= 2 (+ 1 (* 2 (/ 3 4)))))))"), "operators");
    is_str(parsed(EXPR("(equals (max 1 2) (min 3 (len .s)))")),
           EXPR_SHOWN("(equals (max 1 2) (min 3 (len .s)))"), "more built-ins");
    is_str(parsed(EXPR("4611686018427387903")), EXPR_SHOWN("4611686018427387903"), "63 bits");
}

/* No word is reserved where the grammar leaves no doubt. */
static void test_words(void)
{
    is_str(parsed("class class { inh inh : syn; inh (\"${loc : use}${true : grd}\")\n"
                  "  { loc loc = nil; loc.inh = .loc; true.a = (len loc); }\n"
                  "  class (\"\") {} loc (\"\") {} use(\"\"){} if (\"\"){} _true (\"true\"){} }"),
           "tree class\n  inh inh : syn\n  inh {loc:use}{true:grd}\n    .loc = NIL\n"
           "    loc.inh = .loc\n    true.a = (len <loc>)\n  class \n  loc \n  use \n  if \n"
           "  _true [true]\n",
           "keywords as names");
}

/* How published specifications write: what is unusual in them, in words of our own. */
static void test_dialect(void)
{
    is_str(
        parsed("class Stmt {\n  inh kinds : List; #a list\n  syn after  : T;\n"
               "  @weight(2)\n  # a comment between the two\n  @copy(kinds,\n    after,)\n"
               "  for\n      (\"#include <x>\\n\\n\n       for (${ i : I}; ${n :N}) {\\+\n"
               "        ${b:B}\\-\n       }\") {\n    loc n = (int n.str);  # like the child\n"
               "    this.after= (max 1 (- .n -1));\n  }\n"
               "  int (\"{}\") { } else(\"{${f : F}}\"){}\n"
               "  eq   (\"=\")  { this.after = \"<>\"; } # on one line\n}\n"
               "class Sign (\"+|-\"); # (\"*|/\");\n#class Old(\"x\");\n"),
        "tree Stmt\n  inh kinds : List\n  syn after : T\n"
        "  @weight:2 @copy:kinds,after for [#include <x>][n][n][for (]{i:I}[; ]{n:N}[) {][+]{b:B}"
        "[-][}]\n    .n = (int n.str)\n    this.after = (max 1 (- .n -1))\n"
        "  int [{}]\n  else [{]{f:F}[}]\n  eq [=]\n    this.after = '<>'\n"
        "literal Sign +|-\n  syn str : String\n",
        "comments, blanks and names");
    is_str(
        parsed(TEXT("-- { 'a' : #{(L:u this.l)}, 'b' : #{this.c} } \\\"${q : Q}\\\" #(${e : E})")),
        TEXT_SHOWN("[-- { 'a' : ]#{(L:u this.l)}[, 'b' : ]#{this.c}[ } \"]{q:Q}[\" #(]{e:E}[)]"),
        "signs of other languages in a text");
}

/* -- mistakes ---------------------------------------------------------------------------------- */

static void test_mistakes(void)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "t.lala:1:1: error: there is no class: the first one is the root\n"},
        {"use A",
         "t.lala:1:6: error: expected ';' after the namespace, found the end of the file\n"},
        {"class C {\n p (\"\") {}\n q (\"x\") {\n  this.a = 1\n  this.b = 2; }\n}",
         "t.lala:4:13: error: expected ';' after the rule, found 'this'\n"},
        {"@unti class C { p (\"\") {} }", "t.lala:1:1: error: there is no annotation '@unti'\n"
                                          "    hint: did you mean '@unit'?\n"},
        {"@weight(2) class C { p (\"\") {} }",
         "t.lala:1:1: error: '@weight' belongs to a production\n"},
        {"class C { @list p (\"\") {} }", "t.lala:1:11: error: '@list' belongs to a class\n"},
        {"class C { @weight p (\"\") {} }", "t.lala:1:11: error: '@weight' takes a number\n"},
        {"@unit(3) class C { p (\"\") {} }", "t.lala:1:1: error: '@unit' takes nothing\n"},
        {"@count(0) class C(\"x\");", "t.lala:1:1: error: the number of '@count' is at least 1\n"},
        {"@list(1, 2) class C { p (\"\") {} }", "t.lala:1:10: error: one number is enough\n"},
        {"@list @list(2) class C { p (\"\") {} }",
         "t.lala:1:7: warning: '@list' stands here twice, the last one counts\n"},
        {"class C {\n @weight(1) inh a : T; p (\"\") {} }",
         "t.lala:2:2: error: an attribute has no annotations\n"},
        {"class C { grd g : int; p (\"\") {} }",
         "t.lala:1:19: error: a guard is a boolean, not a 'int'\n    hint: leave the type out\n"},
        {"class C { inh a; p (\"\") {} }",
         "t.lala:1:16: error: expected ':' and a type after the attribute, found ';'\n"},
        {"class C { }", "t.lala:1:7: error: the class 'C' has no production\n"},
        {"class C { p (\"\") {} q (A:f) : T {} }",
         "t.lala:1:21: error: a generator is the only production of its class, and 'C' has 2\n"
         "    hint: make it a class of its own\n"},
        {"class C { p (+ 1 2) : T {} }",
         "t.lala:1:14: error: what a generator calls is a function of the runtime\n"
         "    hint: a generator is name (NS:fn this.a) : T { ... }\n"},
        {"class C { p (A:f) {} }",
         "t.lala:1:19: error: expected ':' and a type after the generator's call, found '{'\n"
         "    hint: a generator is name (NS:fn this.a) : T { ... }\n"},
        {EXPR("(nto 1)"),
         "t.lala:1:30: error: there is no built-in function 'nto'\n    hint: did you mean 'not'? "
         "a function of the runtime is called as (Namespace:nto ...)\n"},
        {EXPR("A:f"), "t.lala:1:29: error: 'A:' calls a function without parentheses\n"
                      "    hint: calls stand in parentheses: (NS:fn a b)\n"},
        {EXPR("(A:f (A:g 1)"), "t.lala:1:29: error: this '(' is not closed\n"},
        {EXPR("(A:f"), "t.lala:1:29: error: this '(' is not closed\n"},
        {EXPR("()"), "t.lala:1:30: error: expected the name of a function, found ')'\n"
                     "    hint: calls are written (NS:fn a b) or (+ a b)\n"},
        {EXPR(""), "t.lala:1:29: error: expected an expression, found ';'\n"},
        {EXPR("1 2"), "t.lala:1:31: error: expected ';' after the rule, found '2'\n"},
        {EXPR("4611686018427387904"),
         "t.lala:1:29: error: the number 4611686018427387904 is out of "
         "range: integers have 63 bits\n"},
        {EXPR("'ab'"), "t.lala:1:29: error: a character is written 'c'\n"
                       "    hint: more than one character is a string: \"...\"\n"
                       "t.lala:1:31: error: expected ';' after the rule, found 'b'\n"},
        {EXPR("\xc3\xa9 1"),
         "t.lala:1:29: error: the byte 0xc3 means nothing here\n"
         "    hint: outside of texts and comments a specification is plain ASCII\n"},
        {TEXT("${c}"), "t.lala:1:18: error: expected ':' after the child's name, found '}'\n"
                       "    hint: ${child : Class} declares a child, #{expr} prints a value\n"},
        {TEXT("${c : D x} ${}"),
         "t.lala:1:23: error: expected '}' after the child's class, found 'x'\n"
         "t.lala:1:28: error: expected the name of a child, found '}'\n"},
        {TEXT("#{.x y} #{"), "t.lala:1:14: error: this text is not closed\n"
                             "t.lala:1:20: error: expected '}' after the expression, found 'y'\n"
                             "t.lala:1:25: error: this string is not closed\n"},
        {TEXT("a#{.x"), "t.lala:1:20: error: expected '}' after the expression, found a string\n"},
        {TEXT("#{\\\"x}"), "t.lala:1:17: error: this string is not closed\n"},
        {EXPR("\\\"x\\\""),
         "t.lala:1:11: error: the production 'p' is not closed\n    hint: it ends with '}'\n"
         "t.lala:1:29: error: the character '\\' means nothing here\n"},
        {TEXT("\\(x\\)"),
         "t.lala:1:15: error: '\\(' stands right before a child\n    hint: \\(${child : Class}\\) "
         "prints a child with parentheses where its @precedence asks for them; a plain '(' needs "
         "no "
         "backslash\nt.lala:1:18: error: '\\)' without a child in '\\(' before it\n"},
        {"class C { p (\"abc", "t.lala:1:14: error: this text is not closed\n"},
        {"class C {\n p (\"a\"b\") {}\n}",
         "t.lala:2:8: error: expected ')' after the text, found 'b'\n"
         "    hint: it began in line 2; is a quote in it that should be \\\"?\n"
         "t.lala:2:9: error: this string is not closed\n"},
        {"class C {\n p (\"\") {\n", "t.lala:2:2: error: the production 'p' is not closed\n"
                                     "    hint: it ends with '}'\n"},
        {"}", "t.lala:1:1: error: expected 'class' or 'use', found '}'\n"
              "    hint: a '}' too many before it?\n"},
        {"class N(x);", "t.lala:1:9: error: expected a regular expression, found 'x'\n"
                        "    hint: a literal class is class N(\"regex\");\n"},
        {"@list\nuse A;\nclass C { p (\"\") {} }",
         "t.lala:1:1: error: no class follows this annotation\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = parsed(rows[i].text);
        /* Only what comes first is promised; a mistake may bring others behind it. */
        char start[600];
        snprintf(start, sizeof start, "%.*s", (int)strlen(rows[i].says), got);
        is_str(start, rows[i].says, "mistake %zu and its place", i);
    }
}

/* Five mistakes of different kinds, all told, and what stands between them is still understood. */
static void test_recovery(void)
{
    static const char text[] = "use A\n"                        /* 1: ; */
                               "class First {\n"                /* 2 */
                               "  inh a T;\n"                   /* 3: : */
                               "  syn b : T;\n"                 /* 4 */
                               "  p (\"${c : D}\") {\n"         /* 5 */
                               "    this.b = (A:f c.x;\n"       /* 6: ) */
                               "    c.y = = 1;\n"               /* 7: expression */
                               "    c.z = 2;\n"                 /* 8 */
                               "  }\n"                          /* 9 */
                               "  @wieght(2)\n"                 /* 10: annotation */
                               "  q \"\") { this.b = nil; }\n"  /* 11: ( */
                               "  r (\"\") { this.b = nil; }\n" /* 12 */
                               "}\n"                            /* 13 */
                               "class Second {\n"               /* 14: } */
                               "  p (\"\") {\n"                 /* 15: } */
                               "    this.b = 1;\n"              /* 16 */
                               "  q (\"\") {}\n"                /* 17 */
                               "@unit\n"                        /* 18 */
                               "class Third { p (\"\") {} }\n"  /* 19 */
                               "class Fourth(\"[a-z]\")\n"      /* 20: ; */
                               "class Fifth { p (\"\") {} }\n"; /* 21 */
    struct ag_spec *s = parse_bytes(text, strlen(text));
    is_str(text_of_messages(),
           "t.lala:1:6: error: expected ';' after the namespace, found 'class'\n"
           "t.lala:3:9: error: expected ':' and a type after the attribute, found 'T'\n"
           "t.lala:6:14: error: this '(' is not closed\n"
           "t.lala:7:11: error: expected an expression, found '='\n"
           "t.lala:10:3: error: there is no annotation '@wieght'\n"
           "    hint: did you mean '@weight'?\n"
           "t.lala:11:5: error: expected '(' after the name of the production, found a string\n"
           "t.lala:14:7: error: the class 'Second' is not closed\n"
           "    hint: it ends with '}'\n"
           "t.lala:15:3: error: the production 'p' is not closed\n"
           "    hint: it ends with '}'\n"
           "t.lala:20:22: error: expected ';' after the literal class, found 'class'\n",
           "several mistakes in one run, in the order of the text");
    is_int(s->n_classes, 5, "all five classes are there");
    is_int(s->classes[0].n_attrs, 1, "the good declaration");
    is_int(s->classes[0].n_productions, 2, "the good productions");
    is_int(s->classes[0].productions[0].n_rules, 1, "the good rule");
    is_int(s->classes[1].n_productions, 2, "both productions of the class that is not closed");
    ok(s->classes[2].unit, "an annotation behind the unclosed class belongs to the next one");

    struct error e;
    is_int(ag_messages_error(&messages, &e), -1, "the first as an error");
    is_int(e.line, 1, "with its line");
    is_str(e.message, "expected ';' after the namespace, found 'class'", "and its text");
}

/* One quote that is forgotten is one mistake, not one in each line behind it. */
static void test_quotes(void)
{
    static const char text[] = "class First {\n"                         /* 1 */
                               "  p (\"(${c : D}) {) {\n"                /* 2: closing " */
                               "    c.x = \"a\";\n"                      /* 3 */
                               "    c.y = = 2;\n"                        /* 4: expression */
                               "  }\n"                                   /* 5 */
                               "  q (while ${c : D}\") {\n"              /* 6: opening " */
                               "    c.x = \"b\";\n"                      /* 7 */
                               "  }\n"                                   /* 8 */
                               "  r (\"one\n     ${c : D}) { }\n"        /* 9: closing " */
                               "  s (\"\\\"${c : D}\") { c.x = nil; }\n" /* 11 */
                               "}\n"
                               "class Second { p (\"x\") {} q (\"y) {} }\n"; /* 13: to the end */
    struct ag_spec *s = parse_bytes(text, strlen(text));
    is_str(text_of_messages(),
           "t.lala:2:6: error: this text is not closed\n"
           "t.lala:4:11: error: expected an expression, found '='\n"
           "t.lala:6:6: error: expected '\"' before the text\n"
           "t.lala:9:6: error: this text is not closed\n"
           "t.lala:13:30: error: this text is not closed\n",
           "what follows a forgotten quote is read as if it were there");
    is_int(s->classes[0].n_productions, 4, "all productions are there");
    is_int(s->classes[0].productions[0].n_rules, 1, "and their rules");
    is_int(s->classes[0].productions[1].n_rules, 1, "behind the second, too");
}

static void test_places(void)
{
    static const char text[] = "use A;\nclass C {\n  inh a : T;\n  p (\"x${c : D}\") {\n"
                               "    loc l = 1;\n    c.b = (+ .l\n      this.a);\n  }\n}\n"
                               "class N(\"[a]\");\n";
    struct ag_spec *s = parse_bytes(text, strlen(text));
    const struct ag_class *c = s->classes, *n = s->classes + 1;
    const struct ag_production *p = c->productions;
    const struct {
        struct ag_place at;
        int line, column;
        const char *what;
    } rows[] = {
        {s->use_places[0], 1, 5, "use"},
        {c->place, 2, 7, "class"},
        {c->attrs[0].place, 3, 7, "attribute"},
        {p->place, 4, 3, "production"},
        {p->children[0].place, 4, 10, "child"},
        {p->locs[0].place, 5, 9, "local"},
        {p->rules[0].place, 6, 5, "rule"},
        {p->rules[0].expr->place, 6, 11, "expression"},
        {p->rules[0].expr->args[1]->place, 7, 7, "argument on the next line"},
        {n->regex_place, 10, 10, "regular expression"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ok(rows[i].at.line == rows[i].line && rows[i].at.column == rows[i].column,
           "place of the %s: %d:%d", rows[i].what, rows[i].at.line, rows[i].at.column);
    ok(p->class == c && n->productions->class == n, "productions know their classes");
}

/* -- any text at all --------------------------------------------------------------------------- */

/* Parsed from a copy that ends where the text ends, so that a sanitizer sees a read beyond. */
static bool bears(const char *text, size_t size)
{
    char *copy = mem_alloc(size + 1);
    if (size)
        memcpy(copy, text, size);
    char *exact = mem_resize(copy, size ? size : 1);
    struct ag_spec *s = parse_bytes(exact, size);
    const char *said = text_of_messages();
    free(exact);
    return s && (messages.errors == 0 || *said);
}

static const char everything[] =
    "use A;\n@list(3) @copy(a,)\nclass C {\n  inh a : List<T>; syn b : T; grd g;\n"
    "  @weight(2) @feature(\"x,y\")\n  p (\"t\\n${c : D}\n  \\(${d : D}\\)#{c}\\+#{(A:f \\\"e\\\" "
    "\"s\")}\\-\") {\n"
    "    loc l = (- 1 -2);  # comment\n    this.b = (if .l 'c' c.a);\n    this.g = (not true);\n"
    "  }\n}\nclass G { q (A:f this.a) : T { this.v = $; } }\nclass N(\"[a-z]{1,3}\\\"\");\n";

static void test_prefixes(void)
{
    size_t n = sizeof everything - 1;
    ok(bears(everything, n) && !messages.list.n, "the whole specification is right");
    int bad = 0, clean = 0;
    for (size_t i = 0; i < n; i++) {
        bad += !bears(everything, i);
        clean += !messages.errors;
    }
    is_int(bad, 0, "every prefix is borne");
    ok(clean >= 5 && clean < 12, "%d of %zu prefixes are whole", clean, n);
}

static void test_mutations(void)
{
    static const char bytes[] = "\"(){}#$\\@;:.,'<=-1x \n\0\x80";
    size_t n = sizeof everything - 1;
    char *copy = mem_alloc(n + 1);
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof bytes - 1; k++) {
            memcpy(copy, everything, n);
            copy[i] = bytes[k];
            bad += !bears(copy, n);
        }
        memcpy(copy, everything, i); /* and one byte left out */
        memcpy(copy + i, everything + i + 1, n - i - 1);
        bad += !bears(copy, n - 1);
    }
    is_int(bad, 0, "every change of one byte is borne");

    struct choice c;
    choice_init_random(&c, 11);
    for (int i = 0; i < 3000; i++) { /* tokens in any order */
        static const char *const tokens[] = {"class", " ",   "C",   "{",   "}",  "(",    ")",
                                             "\"",    ";",   ":",   ".",   "@",  "list", "$",
                                             "#{",    "${",  "\\(", "\\)", "=",  "-1",   "'",
                                             "use",   "loc", "inh", "grd", "\n", "(A:f", "List<"};
        struct strbuf text;
        strbuf_init(&text, 0);
        for (int k = 0; k < 60; k++) {
            size_t t = (size_t)choose(&c, sizeof tokens / sizeof *tokens);
            strbuf_adds(&text, tokens[t]);
        }
        bad += !bears(text.s, text.n);
        strbuf_release(&text);
    }
    is_int(bad, 0, "tokens in any order are borne");
    choice_release(&c);
    free(copy);
}

static void test_depth(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_adds(&text, "class C { p (\"\") { this.a = ");
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&text, "(not ");
    bears(text.s, text.n);
    has_str(text_of_messages(), "nested more than 200 deep", "a hundred thousand parentheses");
    strbuf_clear(&text);
    strbuf_adds(&text, "class C { inh a : ");
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&text, "List<");
    bears(text.s, text.n);
    has_str(text_of_messages(), "nested more than 200 deep", "and as many types");
    strbuf_release(&text);
}

/* The paper's example, both variants. */
static void test_figure(const char *folder)
{
    static const struct {
        const char *file;
        int rules;
    } rows[] = {{"plain.lala", 10}, {"generator.lala", 9}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, rows[i].file);
        struct strbuf text;
        strbuf_init(&text, 0);
        struct error e = {0};
        if (fs_read(path, &text, &e))
            printf("# %s: %s\n", path, e.message);
        struct ag_spec *s = parse_bytes(text.s, text.n);
        is_str(text_of_messages(), "", "%s is right", rows[i].file);
        is_int(s->n_classes, 8, "with eight classes");
        int rules = 0;
        for (int k = 0; k < s->n_classes; k++)
            for (int j = 0; j < s->classes[k].n_productions; j++)
                rules += s->classes[k].productions[j].n_rules;
        is_int(rules, rows[i].rules, "and all rules");
        strbuf_release(&text);
    }
}

int main(int argc, char **argv)
{
    arena_init(&arena);
    ag_messages_init(&messages, &arena, "t.lala");
    test_classes();
    test_annotations();
    test_texts();
    test_expressions();
    test_words();
    test_dialect();
    test_mistakes();
    test_recovery();
    test_quotes();
    test_places();
    test_prefixes();
    test_mutations();
    test_depth();
    test_figure(argc > 1 ? argv[1] : "tests/ag/fig3");
    ag_messages_release(&messages);
    arena_release(&arena);
    return tap_done();
}

/* The lexer over the text so far, and the mask.
 *
 * What has not ended yet (half a word, `<` that may become `<<`) is pending: the parser has not
 * seen it. A token either goes on with it, or ends it and begins something else. So a mask needs
 * two parsers: the one at hand, for what could go on, and one that has seen the pending lexeme end,
 * for what could begin. The second is a copy, of which only the parts in use are copied.
 *
 * Words are decided by class, not one by one (`float` and `int4` are alike), names by the few that
 * are declared, so that a mask costs a few microseconds. */
#include "gen/lm/scope_internal.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum pending { P_NONE, P_WORD, P_NUMBER, P_OP, P_STRING, P_CHAR, P_LINE };
enum { MOST_PENDING = 64, MOST_STRING = 40 };

static const char *const operators[] = {
    "(", ")",  "[",  "]",  "{", "}",  ";", ",",  ":",  "?",   "~", ".",  "...", "+",   "++", "+=",
    "-", "--", "-=", "->", "*", "*=", "/", "/=", "%",  "%=",  "&", "&&", "&=",  "|",   "||", "|=",
    "^", "^=", "!",  "!=", "=", "==", "<", "<=", "<<", "<<=", ">", ">=", ">>",  ">>=",
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

struct lm_scope {
    struct lm_parser parser, next; /* `next`: a copy, see above */
    enum pending pending;
    char text[MOST_PENDING]; /* of it */
    size_t n;
    bool whole;      /* the word came as one token */
    lm_token token;  /* the word is this one, so far; LM_END: it came in pieces */
    bool escaped;    /* in a string: behind a backslash */
    bool line_start; /* nothing but blanks since the last line end */
    int blanks;      /* bytes of them since the last lexeme, or on this line */
    int lines;       /* line ends since the last lexeme */
};

static size_t op_size(int i)
{
    const char *text = operators[i];
    return !text[1] ? 1 : !text[2] ? 2 : 3;
}

static int op_code(const char *text, size_t n)
{
    int code = 0;
    for (size_t i = 0; i < n && i < 3; i++)
        code |= (unsigned char)text[i] << (8 * i);
    return code;
}

static bool is_operator(const char *text, size_t n, bool whole)
{
    for (int i = 0; i < N_OPERATORS; i++)
        if (operators[i][0] == text[0] && op_size(i) >= n && !memcmp(operators[i], text, n) &&
            (!whole || !operators[i][n]))
            return true;
    return false;
}

/* -- numbers (C11 6.4.4) ----------------------------------------------------------------------- */

enum number { NUMBER_BAD, NUMBER_BEGUN, NUMBER_WHOLE };

static bool is_digit(char c, int base)
{
    return (c >= '0' && c <= (base == 8 ? '7' : '9')) ||
           (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static enum number suffix_state(const char *s, size_t n, bool real)
{
    static const char *const integers[] = {"u",   "U",   "l",   "L",   "ul", "UL",  "uL",
                                           "Ul",  "lu",  "LU",  "ll",  "LL", "ull", "ULL",
                                           "uLL", "llu", "LLU", "LLu", "Lu"},
                             *const reals[] = {"f", "F", "l", "L", "h", "H"};
    if (!n)
        return NUMBER_WHOLE;
    const char *const *table = real ? reals : integers;
    size_t rows = real ? sizeof reals / sizeof *reals : sizeof integers / sizeof *integers;
    for (size_t i = 0; i < rows; i++)
        if (strlen(table[i]) == n && !memcmp(table[i], s, n))
            return NUMBER_WHOLE;
    return NUMBER_BAD;
}

static enum number number_state(const char *s, size_t n)
{
    static const char most[] = "9223372036854775807";
    size_t i = 0, digits = 0;
    if (n > MOST_PENDING - 2)
        return NUMBER_BAD;
    bool hex = n > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'), real = false, zero = false;
    i = hex ? 2 : 0;
    zero = !hex && n > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9';
    for (; i < n && is_digit(s[i], hex ? 16 : 10); i++)
        digits++;
    bool whole = i == n || !strchr(".eE", s[i]);
    if (whole && (digits > (hex ? 16 : 19) || (!hex && digits == 19 && memcmp(s, most, 19) > 0)))
        return NUMBER_BAD; /* no type holds it */
    if (i < n && s[i] == '.' && !hex) {
        real = true;
        zero = false;
        for (i++; i < n && is_digit(s[i], 10); i++)
            digits++;
    }
    if (i == n)
        return !digits ? NUMBER_BEGUN : zero ? NUMBER_BAD : NUMBER_WHOLE;
    if (!digits)
        return NUMBER_BAD;
    if (!hex && (s[i] == 'e' || s[i] == 'E')) {
        real = true;
        zero = false;
        size_t begin = ++i;
        if (i < n && (s[i] == '+' || s[i] == '-'))
            begin = ++i;
        for (; i < n && is_digit(s[i], 10); i++)
            ;
        if (i == begin)
            return i == n ? NUMBER_BEGUN : NUMBER_BAD;
    }
    return zero ? NUMBER_BAD : suffix_state(s + i, n - i, real);
}

/* Octal numbers, which nobody writes but by mistake, are none: 0 is followed by no digit. */
static bool continues_number(const char *s, size_t n, char c)
{
    char all[MOST_PENDING + 1];
    if (n >= MOST_PENDING)
        return false;
    memcpy(all, s, n);
    all[n] = c;
    return number_state(all, n + 1) != NUMBER_BAD;
}

/* -- feeding ----------------------------------------------------------------------------------- */

static void pending_lexeme(const struct lm_scope *s, struct lm_scope_lexeme *x)
{
    static const enum lm_scope_kind kinds[] = {[P_NUMBER] = LM_SCOPE_NUMBER,
                                               [P_OP] = LM_SCOPE_OP,
                                               [P_STRING] = LM_SCOPE_STRING,
                                               [P_CHAR] = LM_SCOPE_CHAR};
    if (s->pending == P_WORD && s->token != LM_END) {
        *x = s->parser.words->words[s->token];
        return;
    }
    if (s->pending == P_WORD) {
        lm_scope_word(x, s->text, s->n);
        return;
    }
    *x = (struct lm_scope_lexeme){.kind = kinds[s->pending], .text = s->text, .size = s->n};
    for (int k = 0; k < LM_NAME_KINDS; k++)
        x->number[k] = -1;
    x->op = s->pending == P_OP ? op_code(s->text, s->n) : 0;
}

static void end_pending(struct lm_scope *s)
{
    struct lm_scope_lexeme x;
    if (s->pending == P_NONE)
        return;
    if (s->pending == P_LINE) {
        s->pending = P_NONE;
        return;
    }
    pending_lexeme(s, &x);
    lm_parser_take(&s->parser, &x);
    s->pending = P_NONE;
    s->n = 0;
}

static bool is_letter(char c)
{
    return lm_is_word_byte(c) && !(c >= '0' && c <= '9');
}

static bool extends_pending(const struct lm_scope *s, char c)
{
    char all[4];
    switch (s->pending) {
    case P_WORD:
        return lm_is_word_byte(c);
    case P_NUMBER: /* whatever C calls a number, right or not */
        return lm_is_word_byte(c) || c == '.' ||
               ((c == '+' || c == '-') && strchr("eEpP", s->text[s->n - 1]) &&
                !(s->n > 1 && (s->text[1] == 'x' || s->text[1] == 'X')));
    case P_OP:
        if (s->n == 1 && s->text[0] == '.' && c >= '0' && c <= '9')
            return true;
        if (s->n == 2 && s->text[0] == '.' && s->text[1] == '.')
            return c == '.';
        if (s->n >= 3)
            return false;
        memcpy(all, s->text, s->n);
        all[s->n] = c;
        return is_operator(all, s->n + 1, false) && !(s->text[0] == '.' && c != '.');
    case P_STRING:
    case P_CHAR:
    case P_LINE:
        return true;
    default:
        return false;
    }
}

static void append(struct lm_scope *s, char c)
{
    if (s->pending == P_OP && s->text[0] == '.' && c >= '0' && c <= '9')
        s->pending = P_NUMBER;
    if (s->n < MOST_PENDING - 1)
        s->text[s->n++] = c;
    s->text[s->n] = '\0';
}

static void begin(struct lm_scope *s, char c)
{
    bool line_start = s->line_start;
    s->whole = false;
    s->escaped = false;
    s->line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
    if (strchr(" \t\r\n\f\v", c)) {
        s->blanks = c == '\n' ? 0 : s->blanks + 1;
        s->lines += c == '\n';
        return;
    }
    s->n = 0;
    s->blanks = s->lines = 0;
    s->pending = is_letter(c)             ? P_WORD
                 : c >= '0' && c <= '9'   ? P_NUMBER
                 : c == '"'               ? P_STRING
                 : c == '\''              ? P_CHAR
                 : c == '#' && line_start ? P_LINE
                                          : P_OP;
    append(s, c);
}

/* Strings, characters and directives end by a byte of their own. */
static bool feed_quoted(struct lm_scope *s, char c)
{
    char quote = s->pending == P_STRING ? '"' : '\'';
    if (s->pending == P_LINE) {
        if (c != '\n')
            return true;
        end_pending(s);
        s->line_start = true;
        s->blanks = 0;
        s->lines = 1;
        return true;
    }
    append(s, c);
    if (s->escaped)
        s->escaped = false;
    else if (c == '\\')
        s->escaped = true;
    else if (c == quote || c == '\n')
        end_pending(s);
    return true;
}

static void feed_byte(struct lm_scope *s, char c)
{
    if (s->pending >= P_STRING) {
        feed_quoted(s, c);
        return;
    }
    if (extends_pending(s, c)) {
        append(s, c);
        return;
    }
    end_pending(s);
    begin(s, c);
    /* brackets and the like never go on: the parser may see them at once */
    if (s->pending == P_OP && strchr("()[]{};,?~", c))
        end_pending(s);
}

void lm_scope_feed_text(struct lm_scope *s, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        feed_byte(s, text[i]);
    s->whole = false;
    s->token = LM_END;
}

void lm_scope_feed(struct lm_scope *s, lm_token token)
{
    const struct lm_encoder *e = s->parser.words->encoder;
    bool word = s->parser.words->kinds[token] == LM_TOK_WORD, joins = s->pending == P_WORD;
    lm_scope_feed_text(s, e->texts[token], e->sizes[token]);
    s->whole = e->sizes[token] > 1 && lm_is_word_byte(e->texts[token][0]);
    if (word && !joins && s->pending == P_WORD)
        s->token = token;
}

struct lm_scope *lm_scope_new(const struct lm_words *w)
{
    struct lm_scope *s = mem_alloc(sizeof *s);
    *s = (struct lm_scope){0};
    s->parser.words = w;
    lm_scope_reset(s);
    return s;
}

void lm_scope_free(struct lm_scope *s)
{
    free(s);
}

void lm_scope_reset(struct lm_scope *s)
{
    lm_parser_init(&s->parser, s->parser.words);
    s->pending = P_NONE;
    s->n = 0;
    s->whole = s->escaped = false;
    s->line_start = true;
    s->blanks = s->lines = 0;
}

bool lm_scope_is_boundary(const struct lm_scope *s)
{
    return s->pending == P_NONE && s->parser.boundary;
}

bool lm_scope_is_clear(const struct lm_scope *s)
{
    return !s->parser.lost;
}

/* A label that a goto names and nobody has defined; -1: there is none. */
static int label_to_define(const struct lm_parser *p)
{
    for (int i = 0; i < p->symbols.n_labels && !p->lost; i++)
        if (p->symbols.labels[i] == LM_LABEL_USED)
            return i;
    return -1;
}

bool lm_scope_closer(struct lm_scope *s, struct strbuf *out)
{
    const struct lm_parser *p = &s->parser;
    const struct lm_frame *top = lm_top(&s->parser);
    char label[LM_NAME_SIZE];
    strbuf_clear(out);
    if (!p->lost && top->kind == LM_F_DO && top->at == 1)
        strbuf_adds(out, " while (0);");
    else if (p->n_open == 1 && label_to_define(p) >= 0)
        strbuf_addf(out, "\n  %s:\n  ;", lm_name(LM_NAME_LABEL, (size_t)label_to_define(p), label));
    else if (p->n_open && p->open[p->n_open - 1] == '{')
        strbuf_addf(out, "\n%*s}", 2 * (p->n_open - 1), "");
    else if (p->n_open)
        strbuf_addc(out, p->open[p->n_open - 1] == '(' ? ')' : ']');
    return out->n > 0;
}

/* -- the mask ---------------------------------------------------------------------------------- */

struct masking {
    const struct lm_words *words;
    const struct lm_parser *parser; /* what is asked */
    uint8_t *mask;
    const char *before; /* the pending word, whose next byte is asked for; "" */
    size_t n_before;
};

/* A word that is allowed: as its token, or by the byte that comes next of it. */
static void allow_spelling(struct masking *m, const char *text, size_t n)
{
    const struct lm_encoder *e = m->words->encoder;
    if (n <= m->n_before || memcmp(text, m->before, m->n_before) != 0)
        return;
    for (size_t i = m->n_before; i < n; i++)
        if (e->by_byte[(unsigned char)text[i]] == LM_END)
            return; /* it could not be written to its end */
    m->mask[e->by_byte[(unsigned char)text[m->n_before]]] = 1;
}

static void allow_name(struct masking *m, enum lm_name_kind kind, int n)
{
    struct lm_scope_lexeme x;
    char name[LM_NAME_SIZE];
    if (n < 0 || n >= LM_NAMES)
        return;
    lm_scope_name(&x, kind, n);
    if (!lm_decide(m->parser, &x))
        return;
    lm_name(kind, (size_t)n, name);
    lm_token token = m->words->names[kind][n];
    if (token == LM_END)
        allow_spelling(m, name, strlen(name));
    else if (!m->n_before)
        m->mask[token] = 1;
}

static void allow_names(struct masking *m)
{
    const struct lm_symbols *s = &m->parser->symbols;
    int members = 1;
    for (int i = 0; i < s->n_records; i++) {
        int n = s->record_members[i] + s->record_base[i];
        members = n > members ? n : members;
    }
    const int counts[LM_NAME_KINDS] = {
        [LM_NAME_FUNCTION] = s->n_functions, [LM_NAME_VARIABLE] = s->n_variables,
        [LM_NAME_GLOBAL] = s->n_globals,     [LM_NAME_TYPE] = s->n_types,
        [LM_NAME_MEMBER] = members,          [LM_NAME_LABEL] = s->n_labels};
    for (int k = 0; k < LM_NAME_KINDS; k++)
        for (int i = 0; i <= counts[k]; i++)
            allow_name(m, (enum lm_name_kind)k, i);
}

static bool decide_word(const struct masking *m, const char *text, size_t n, struct lm_word word)
{
    struct lm_scope_lexeme x = {.kind = LM_SCOPE_WORD, .word = word, .text = text, .size = n};
    for (int k = 0; k < LM_NAME_KINDS; k++)
        x.number[k] = -1;
    return lm_decide(m->parser, &x);
}

/* Are words of the class told apart here? Types among specifiers, components behind a dot, results
 * where an operator stands before them. */
static bool is_mixed(const struct lm_parser *p, int class)
{
    const struct lm_frame *f = &p->frames[p->n_frames - 1];
    switch (class) {
    case LM_W_TYPE:
    case LM_W_SIGN:
        return f->kind == LM_F_DECL;
    case LM_W_COMPONENT:
        return f->kind == LM_F_EXPR && f->at == LM_E_MEMBER;
    case LM_W_FUNCTION:
        return f->kind == LM_F_DECL || (f->kind == LM_F_EXPR && (f->op || f->n_prefixes));
    default:
        return false;
    }
}

static void allow_classes(struct masking *m)
{
    const struct lm_words *w = m->words;
    const struct lm_encoder *e = w->encoder;
    for (int c = LM_W_NONE + 1; c < LM_N_CLASSES; c++) {
        bool all = false, mixed = is_mixed(m->parser, c);
        for (int i = w->first[c]; i < w->first[c + 1]; i++) {
            lm_token t = w->in_class[i];
            if (mixed || i == w->first[c])
                all = decide_word(m, e->texts[t], e->sizes[t], w->words[t].word);
            if (!all && !mixed)
                break;
            m->mask[t] |= all;
        }
    }
}

/* Components that are no tokens: the bytes that begin or go on with one. */
static void allow_components(struct masking *m)
{
    static const char bytes[] = "xyzwsSlheo0123456789abcdefABCDEFivn";
    const struct lm_frame *f = &m->parser->frames[m->parser->n_frames - 1];
    const struct lm_encoder *e = m->words->encoder;
    char text[MOST_PENDING + 1];
    int lanes;
    if (m->parser->lost || f->kind != LM_F_EXPR || f->at != LM_E_MEMBER ||
        f->type.base == LM_T_RECORD || m->n_before >= MOST_PENDING)
        return;
    memcpy(text, m->before, m->n_before);
    int width = f->type.base == LM_T_UNKNOWN ? 0 : f->type.width;
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        text[m->n_before] = bytes[i];
        lm_token t = e->by_byte[(unsigned char)bytes[i]];
        if (t != LM_END && lm_component(text, m->n_before + 1, width, false, &lanes))
            m->mask[t] = 1;
    }
}

static void allow_words(struct masking *m)
{
    if (!m->n_before)
        allow_classes(m);
    allow_names(m);
    allow_components(m);
    for (size_t i = 0; i < m->words->spelled.n; i++) {
        const struct lm_spelled *word = &m->words->spelled.at[i];
        size_t n = strlen(word->text);
        if (n > m->n_before && !memcmp(word->text, m->before, m->n_before) &&
            decide_word(m, word->text, n, word->word))
            allow_spelling(m, word->text, n);
    }
}

static bool decide_kind(const struct lm_parser *p, enum lm_scope_kind kind)
{
    struct lm_scope_lexeme x = {.kind = kind, .text = "0", .size = 1};
    return lm_decide(p, &x);
}

static void allow_byte(struct masking *m, char c)
{
    lm_token t = m->words->encoder->by_byte[(unsigned char)c];
    if (t != LM_END)
        m->mask[t] = 1;
}

/* Operators that begin with what is pending: their next byte. */
static void allow_operators(struct masking *m)
{
    struct lm_scope_lexeme x = {.kind = LM_SCOPE_OP};
    for (int i = 0; i < N_OPERATORS; i++) {
        size_t n = op_size(i);
        if (n <= m->n_before || memcmp(operators[i], m->before, m->n_before) != 0)
            continue;
        x.op = op_code(operators[i], n);
        if (lm_decide(m->parser, &x))
            allow_byte(m, operators[i][m->n_before]);
    }
}

/* The one style of a corpus: a blank within a line, a line end, between definitions two, and lines
 * indented by two blanks for each bracket that is open, and in a switch by two more. A network that
 * has seen a second blank is where it never was in its training, and goes on with blanks to the
 * end. */
static bool fits_style(const struct lm_scope *s, const char *text)
{
    const struct lm_parser *p = &s->parser;
    bool line_start = s->line_start && s->pending == P_NONE;
    int blanks = s->pending == P_NONE ? s->blanks : 0, lines = s->pending == P_NONE ? s->lines : 0;
    for (; *text; text++) {
        if (*text == '\n') {
            if (blanks || ++lines > (p->n_open ? 1 : 2))
                return false;
            line_start = true;
        } else if (++blanks > (line_start ? 2 * (p->n_open + p->switches) : 1)) {
            return false;
        }
    }
    return true;
}

/* Is the line not yet where a statement begins? `closing`: nor a bracket that closes. */
static bool is_outdented(const struct lm_scope *s, bool closing)
{
    return s->line_start && s->lines && s->pending == P_NONE &&
           s->blanks < 2 * (s->parser.n_open - closing);
}

static void allow_blanks(const struct lm_scope *s, struct masking *m)
{
    const struct lm_words *w = m->words;
    for (int t = 1; t < w->encoder->n; t++)
        if (w->kinds[t] == LM_TOK_BLANK && fits_style(s, w->encoder->texts[t]))
            m->mask[t] = 1;
}

static void allow_numbers(struct masking *m, const char *before, size_t n, bool atoms)
{
    const struct lm_encoder *e = m->words->encoder;
    for (int i = 0; i < m->words->n_numeric; i++) {
        char all[MOST_PENDING * 2 + 256];
        lm_token t = m->words->numeric[i];
        size_t size = e->sizes[t];
        if (n + size >= sizeof all || (size > 1 && !atoms))
            continue;
        if (!n && m->words->kinds[t] != LM_TOK_DIGITS)
            continue;
        memcpy(all, before, n);
        memcpy(all + n, e->texts[t], size);
        if (number_state(all, n + size) != NUMBER_BAD)
            m->mask[t] = 1;
    }
}

/* What may begin once the pending lexeme has ended. `glued`: it was a word or a number, and no
 * other may follow without a blank. */
static void allow_beginnings(const struct lm_scope *s, struct masking *m, bool glued)
{
    bool starts_line = s->line_start && s->pending == P_NONE;
    allow_blanks(s, m);
    if (is_outdented(s, false)) {
        struct lm_scope_lexeme brace = {.kind = LM_SCOPE_OP, .op = '}'};
        if (!is_outdented(s, true) && lm_decide(m->parser, &brace))
            allow_byte(m, '}');
        return;
    }
    allow_operators(m);
    bool number = decide_kind(m->parser, LM_SCOPE_NUMBER);
    if (!glued) {
        allow_words(m);
        if (number)
            allow_numbers(m, "", 0, true);
    }
    if (number)
        allow_byte(m, '.');
    if (starts_line && m->parser->n_frames == 1 && !m->parser->lost)
        allow_byte(m, '#'); /* a directive */
    if (decide_kind(m->parser, LM_SCOPE_STRING))
        allow_byte(m, '"');
    if (decide_kind(m->parser, LM_SCOPE_CHAR))
        allow_byte(m, '\'');
}

static bool is_at_end(const struct lm_parser *p)
{
    if (p->lost)
        return !p->n_open;
    bool done = p->words->opencl ? p->kernel : false;
    for (int i = 0; i < p->symbols.n_functions && !p->words->opencl; i++)
        done |= p->symbols.functions[i].defined;
    return p->n_frames == 1 && done;
}

/* Copies what is in use. */
static void copy_parser(struct lm_parser *to, const struct lm_parser *from)
{
    size_t head = offsetof(struct lm_parser, frames);
    memcpy(to, from, head);
    memcpy(to->frames, from->frames, (size_t)from->n_frames * sizeof *from->frames);
    struct lm_symbols *t = &to->symbols;
    const struct lm_symbols *f = &from->symbols;
    memcpy(t, f, offsetof(struct lm_symbols, functions));
    memcpy(t->functions, f->functions, (size_t)f->n_functions * sizeof *f->functions);
    memcpy(t->variables, f->variables, (size_t)f->n_variables * sizeof *f->variables);
    memcpy(t->hidden, f->hidden, sizeof f->hidden);
    memcpy(t->globals, f->globals, (size_t)f->n_globals * sizeof *f->globals);
    memcpy(t->types, f->types, (size_t)f->n_types * sizeof *f->types);
    memcpy(t->record_members, f->record_members, sizeof f->record_members);
    memcpy(t->record_outer, f->record_outer, sizeof f->record_outer);
    memcpy(t->record_base, f->record_base, sizeof f->record_base);
    memcpy(t->members, f->members, (size_t)f->n_members * sizeof *f->members);
    memcpy(t->labels, f->labels, sizeof f->labels);
}

static void mask_quoted(const struct lm_scope *s, struct masking *m)
{
    const struct lm_encoder *e = m->words->encoder;
    for (int t = 1; t < e->n; t++)
        m->mask[t] = s->pending == P_LINE || !strchr(e->texts[t], '\n');
    lm_token end = e->by_byte['"'], quote = e->by_byte['\''], nul = LM_END;
    if (s->pending == P_STRING && s->n > MOST_STRING && !s->escaped && end != nul) {
        memset(m->mask, 0, (size_t)e->n);
        m->mask[end] = 1;
    }
    if (s->pending != P_CHAR || quote == nul)
        return;
    if (s->n == 1 && !s->escaped) /* '' is no character */
        m->mask[quote] = 0;
    for (int t = 1; t < e->n && s->n > 1 && !s->escaped; t++)
        m->mask[t] = t == quote;
    for (int t = 1; t < e->n; t++)
        if (e->sizes[t] > 1)
            m->mask[t] = 0;
}

/* The pending lexeme goes on. */
static void mask_extensions(struct lm_scope *s, struct masking *m)
{
    m->parser = &s->next;
    m->before = s->text;
    m->n_before = s->n;
    bool number_ends_open = s->n && !lm_is_word_byte(s->text[s->n - 1]);
    switch (s->pending) {
    case P_WORD:
        if (!s->whole)
            allow_words(m);
        break;
    case P_NUMBER:
        if (!s->whole)
            allow_numbers(m, s->text, s->n, number_ends_open);
        for (const char *c = s->whole ? ".+-" : ""; *c; c++)
            if (continues_number(s->text, s->n, *c))
                allow_byte(m, *c);
        break;
    case P_OP:
        allow_operators(m);
        if (s->n == 1 && s->text[0] == '.' && decide_kind(m->parser, LM_SCOPE_NUMBER))
            allow_numbers(m, ".", 1, true);
        break;
    default:
        break;
    }
}

/* Would the pending lexeme be right as it is? */
static bool may_end(const struct lm_scope *s, struct lm_parser *p)
{
    struct lm_scope_lexeme x;
    if (s->pending == P_NONE)
        return true;
    if (s->pending == P_NUMBER && number_state(s->text, s->n) != NUMBER_WHOLE)
        return false;
    if (s->pending == P_OP && !is_operator(s->text, s->n, true))
        return false;
    pending_lexeme(s, &x);
    bool is_else = x.kind == LM_SCOPE_WORD && x.word.class == LM_W_ELSE;
    if (!is_else)
        lm_parser_settle(p);
    if (!lm_decide(p, &x))
        return false;
    lm_parser_take(p, &x);
    return true;
}

/* `else` is the one word that is asked for before the if is taken to be over. */
static void allow_else(struct lm_scope *s, struct masking *m)
{
    struct masking asked = *m;
    asked.parser = &s->next;
    const struct lm_words *w = m->words;
    for (int i = w->first[LM_W_ELSE]; i < w->first[LM_W_ELSE + 1]; i++)
        m->mask[w->in_class[i]] = 1;
    if (w->first[LM_W_ELSE] == w->first[LM_W_ELSE + 1])
        allow_spelling(&asked, "else", 4);
}

/* A token that goes on with the pending lexeme cannot begin another: what is known of it stands. */
static void keep_extensions(const struct lm_scope *s, uint8_t *mask, const uint8_t *extensions)
{
    const struct lm_encoder *e = s->parser.words->encoder;
    if (s->pending != P_OP && s->pending != P_NUMBER)
        return;
    for (int t = 1; t < e->n; t++)
        if (extends_pending(s, e->texts[t][0]))
            mask[t] = extensions[t];
}

static void mask_all(struct lm_scope *s, struct masking *m)
{
    uint8_t extensions[LM_MOST_TOKENS];
    struct lm_parser *p = &s->next;
    bool glued = s->pending == P_WORD || s->pending == P_NUMBER;
    bool may_else = lm_parser_may_else(&s->parser);
    copy_parser(p, &s->parser);
    if (s->pending != P_NONE) {
        lm_parser_settle(p);
        mask_extensions(s, m);
        if (may_else && s->pending == P_WORD && !s->whole)
            allow_spelling(m, "else", 4);
        if (may_else) /* once more: it may be `else` that ends */
            copy_parser(p, &s->parser);
        m->before = "";
        m->n_before = 0;
        if (!may_end(s, p))
            return;
    }
    memcpy(extensions, m->mask, (size_t)m->words->encoder->n);
    m->parser = p;
    if (lm_parser_may_else(p)) {
        if (!glued)
            allow_else(s, m);
        lm_parser_settle(p);
    }
    allow_beginnings(s, m, glued);
    keep_extensions(s, m->mask, extensions);
    m->mask[LM_END] = is_at_end(p);
}

bool lm_scope_mask(struct lm_scope *s, uint8_t *mask)
{
    const struct lm_words *w = s->parser.words;
    struct masking m = {.words = w, .parser = &s->parser, .mask = mask, .before = ""};
    memset(mask, 0, (size_t)w->encoder->n);
    if (s->pending >= P_STRING)
        mask_quoted(s, &m);
    else
        mask_all(s, &m);
    for (int t = 0; t < w->encoder->n; t++)
        if (mask[t])
            return true;
    memset(mask, 1, (size_t)w->encoder->n);
    return false;
}

/* Reading a kernel's text: a scanner, object-like macros, typedefs, and prototypes.
 *
 * This is no compiler. It looks for `kernel void NAME(` outside of braces and reads the list behind
 * it. The runtime's own compiler has accepted the program before any of this matters. */
#include "testbed/opencl/source.h"
#include "base/scan.h"
#include "base/text.h"

enum {
    MACRO_DEPTH = 16,
    MOST_TOKENS = 1 << 20,
    GROUP = 64, /* threads of a work-group where none is required */
    LOCAL_BYTES = 16 << 10,
};

const unsigned source_threads[LAUNCHES] = {1, 2048};

struct named {
    const char *name;
    struct token *body; /* of a macro */
    size_t n;
    struct kernel_arg type; /* of a typedef */
};

struct reader {
    struct arena *a;
    VEC(struct named) macros, types;
    VEC(struct kernel_text) kernels;
    token_list tokens;
};

/* -- the scanner ------------------------------------------------------------------------------- */

/* The next token behind blanks and comments; false: there is none. */
static bool read_token(struct reader *r, struct scan *s, struct token *out)
{
    static const enum token_kind kinds[] = {[SCAN_WORD] = TOKEN_WORD,
                                            [SCAN_NUMBER] = TOKEN_NUMBER,
                                            [SCAN_STRING] = TOKEN_TEXT,
                                            [SCAN_MARK] = TOKEN_SIGN};
    scan_space(s);
    struct scan_token t = scan_token(s);
    if (t.kind != SCAN_END)
        *out = (struct token){kinds[t.kind], arena_memdup(r->a, s->text + t.from, t.to - t.from)};
    return t.kind != SCAN_END;
}

static const struct named *find_macro(const struct reader *r, const char *name)
{
    for (size_t i = r->macros.n; i-- > 0;)
        if (!strcmp(r->macros.at[i].name, name))
            return &r->macros.at[i];
    return NULL;
}

/* The line behind its "#". Only object-like macros count. */
static void read_directive(struct reader *r, struct scan s)
{
    token_list line = {0};
    bool function = false;
    for (struct token t; read_token(r, &s, &t);) {
        vec_push(&line, t);
        function = function || (line.n == 2 && scan_peek(&s, 0) == '(');
    }
    if (line.n >= 2 && !strcmp(line.at[0].s, "define") && !function &&
        !find_macro(r, line.at[1].s)) {
        struct named m = {.name = line.at[1].s, .n = line.n - 2};
        m.body = arena_array(r->a, struct token, m.n + 1);
        memcpy(m.body, line.at + 2, m.n * sizeof *m.body);
        vec_push(&r->macros, m);
    }
    vec_release(&line);
}

static void expand(struct reader *r, struct token t, int depth)
{
    const struct named *m = t.kind == TOKEN_WORD && depth < MACRO_DEPTH ? find_macro(r, t.s) : NULL;
    if (r->tokens.n >= MOST_TOKENS)
        return;
    if (!m) {
        vec_push(&r->tokens, t);
        return;
    }
    for (size_t i = 0; i < m->n; i++) /* a macro that means itself stays as it is */
        expand(r, m->body[i], strcmp(m->body[i].s, t.s) ? depth + 1 : MACRO_DEPTH);
}

static void read_all(struct reader *r, const char *text)
{
    struct scan s = scan_of(&scan_c, text, strlen(text));
    for (struct token t;;) {
        scan_space(&s);
        struct scan line = s;
        if (scan_directive(&s)) {
            line.at++;
            line.n = s.at;
            read_directive(r, line);
        } else if (read_token(r, &s, &t)) {
            expand(r, t, 0);
        } else {
            return;
        }
    }
}

/* -- types ------------------------------------------------------------------------------------- */

static bool one_of(const char *word, const char *list)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return n > 0;
    return false;
}

static bool read_width(const char *digits, unsigned *width)
{
    int64_t n;
    if (!*digits)
        *width = 1;
    else if (text_parse_int(digits, 2, 16, &n) && one_of(digits, "2 3 4 8 16"))
        *width = (unsigned)n;
    else
        return false;
    return true;
}

/* "uint4", "size_t", or a typedef. */
static bool named_type(const struct reader *r, const char *word, struct kernel_arg *out)
{
    for (int b = 0; b < VALUE_BASE_COUNT; b++) {
        size_t n = strlen(value_bases[b].name);
        if (!strncmp(word, value_bases[b].name, n) && read_width(word + n, &out->width)) {
            out->base = (enum value_base)b;
            return true;
        }
    }
    out->width = 1;
    if (one_of(word, "size_t uintptr_t"))
        out->base = VALUE_ULONG;
    else if (one_of(word, "ptrdiff_t intptr_t"))
        out->base = VALUE_LONG;
    else {
        for (size_t i = r->types.n; i-- > 0;)
            if (!strcmp(r->types.at[i].name, word)) {
                out->base = r->types.at[i].type.base;
                out->width = r->types.at[i].type.width;
                return true;
            }
        return false;
    }
    return true;
}

struct declarator {
    struct kernel_arg arg;
    int stars;
    bool space, is_const, is_unsigned, is_signed, typed;
    const char *name, *why;
};

/* Behind a type, a word is the name. */
static void read_word(const struct reader *r, const char *w, struct declarator *d)
{
    struct kernel_arg type;
    if (one_of(w, "global __global") || one_of(w, "local __local") ||
        one_of(w, "constant __constant")) {
        const char *bare = w + 2 * (*w == '_');
        d->space = true;
        d->arg.kind = *bare == 'g' ? ARG_GLOBAL : *bare == 'l' ? ARG_LOCAL : ARG_CONSTANT;
    } else if (!strcmp(w, "const") || !strcmp(w, "__const")) {
        d->is_const = d->is_const || !d->stars;
    } else if (!strcmp(w, "unsigned")) {
        d->is_unsigned = true;
    } else if (!strcmp(w, "signed")) {
        d->is_signed = true;
    } else if (one_of(w, "private __private restrict __restrict __restrict__ volatile")) {
        return;
    } else if (one_of(w, "struct union enum")) {
        d->why = "an argument is a structure";
    } else if (strstr(w, "image") || one_of(w, "read_only write_only read_write __read_only "
                                               "__write_only __read_write")) {
        d->why = "an argument is an image";
    } else if (one_of(w, "sampler_t event_t pipe queue_t clk_event_t reserve_id_t")) {
        d->why = "an argument is a sampler, an event or a pipe";
    } else if (!d->typed && !d->stars && named_type(r, w, &type)) {
        d->typed = true;
        d->arg.base = type.base;
        d->arg.width = type.width;
    } else if (d->typed && !d->stars && !strcmp(w, "int")) { /* long int */
        return;
    } else if (d->typed || d->stars || d->is_unsigned || d->is_signed) {
        d->name = w;
    } else if (!d->why) {
        d->why = strcmp(w, "void") ? "an argument has a type of the program's own"
                                   : "an argument points to void";
    }
}

static void finish_type(struct declarator *d)
{
    static const enum value_base unsigned_of[VALUE_BASE_COUNT] = {
        [VALUE_CHAR] = VALUE_UCHAR,    [VALUE_UCHAR] = VALUE_UCHAR,  [VALUE_SHORT] = VALUE_USHORT,
        [VALUE_USHORT] = VALUE_USHORT, [VALUE_INT] = VALUE_UINT,     [VALUE_UINT] = VALUE_UINT,
        [VALUE_LONG] = VALUE_ULONG,    [VALUE_ULONG] = VALUE_ULONG,  [VALUE_HALF] = VALUE_HALF,
        [VALUE_FLOAT] = VALUE_FLOAT,   [VALUE_DOUBLE] = VALUE_DOUBLE};
    if (!d->typed && (d->is_unsigned || d->is_signed)) {
        d->typed = true;
        d->arg.base = VALUE_INT;
        d->arg.width = 1;
    }
    if (d->is_unsigned && d->typed)
        d->arg.base = unsigned_of[d->arg.base];
    if (!d->typed && !d->why)
        d->why = "an argument has a type of the program's own";
    if (d->stars > 1 && !d->why)
        d->why = "an argument is a pointer to a pointer";
    if (d->stars && !d->space && !d->why)
        d->why = "a pointer has no address space";
    if (!d->stars)
        d->arg.kind = ARG_SCALAR;
    d->arg.read_only = d->stars && (d->is_const || d->arg.kind == ARG_CONSTANT);
}

/* The tokens of one argument or typedef. */
static struct declarator read_declarator(const struct reader *r, const struct token *t, size_t n)
{
    struct declarator d = {.arg = {.kind = ARG_SCALAR}};
    for (size_t i = 0; i < n; i++) {
        if (t[i].kind == TOKEN_WORD && !strcmp(t[i].s, "__attribute__"))
            break;
        if (t[i].kind == TOKEN_WORD)
            read_word(r, t[i].s, &d);
        else if (*t[i].s == '*')
            d.stars++;
        else if (*t[i].s == '[' && !d.why) { /* int a[] is int *a */
            d.stars++;
            break;
        } else if (!d.why)
            d.why = "an argument is none that can be read";
    }
    finish_type(&d);
    return d;
}

/* -- the text as a whole ----------------------------------------------------------------------- */

static bool is_sign(const struct reader *r, size_t i, char c)
{
    return i < r->tokens.n && r->tokens.at[i].kind == TOKEN_SIGN && *r->tokens.at[i].s == c;
}

static bool is_word(const struct reader *r, size_t i, const char *word)
{
    return i < r->tokens.n && r->tokens.at[i].kind == TOKEN_WORD &&
           !strcmp(r->tokens.at[i].s, word);
}

/* Behind the bracket that closes the one at `i`. */
static size_t behind(const struct reader *r, size_t i)
{
    int depth = 0;
    for (; i < r->tokens.n; i++) {
        depth += is_sign(r, i, '(') - is_sign(r, i, ')');
        if (depth <= 0)
            return i + 1;
    }
    return i;
}

static void read_typedef(struct reader *r, size_t i)
{
    size_t end = i + 1;
    while (end < r->tokens.n && !is_sign(r, end, ';') && !is_sign(r, end, '{'))
        end++;
    if (!is_sign(r, end, ';'))
        return;
    struct declarator d = read_declarator(r, r->tokens.at + i + 1, end - i - 1);
    if (!d.why && !d.stars && d.name)
        vec_push(&r->types, (struct named){.name = d.name, .type = d.arg});
}

/* __attribute__((reqd_work_group_size(8, 8, 1))), at `i` the word; returns what is behind. */
static size_t read_attribute(struct reader *r, size_t i, struct kernel_text *k)
{
    size_t end = behind(r, i + 1);
    for (size_t j = i; j + 6 < end; j++)
        if (is_word(r, j, "reqd_work_group_size") || is_word(r, j, "__reqd_work_group_size__"))
            for (int d = 0; d < 3; d++) {
                int64_t n;
                if (text_parse_int(r->tokens.at[j + 2 + 2 * (size_t)d].s, 1, 1024, &n))
                    k->group[d] = (unsigned)n;
                else
                    k->why_not = "the size of its work-groups cannot be read";
            }
    return end;
}

static void read_args(struct reader *r, size_t i, size_t end, struct kernel_text *k)
{
    VEC(struct kernel_arg) args = {0};
    if (end - i == 1 && is_word(r, i, "void"))
        i = end;
    for (size_t from = i; from < end;) {
        size_t to = from;
        for (int depth = 0; to < end && (depth || !is_sign(r, to, ',')); to++)
            depth += is_sign(r, to, '(') - is_sign(r, to, ')');
        struct declarator d = read_declarator(r, r->tokens.at + from, to - from);
        if (d.why && !k->why_not)
            k->why_not = d.why;
        vec_push(&args, d.arg);
        from = to + 1;
    }
    k->n_args = (int)args.n;
    struct kernel_arg *own = arena_array(r->a, struct kernel_arg, args.n + 1);
    if (args.n)
        memcpy(own, args.at, args.n * sizeof *own);
    k->args = own;
    vec_release(&args);
}

/* At `i` the word `kernel`. */
static void read_kernel(struct reader *r, size_t i)
{
    struct kernel_text k = {0};
    for (i++; i < r->tokens.n && !is_sign(r, i, '(');) {
        if (is_word(r, i, "__attribute__")) {
            i = read_attribute(r, i, &k);
            continue;
        }
        if (r->tokens.at[i].kind == TOKEN_WORD)
            k.name = r->tokens.at[i].s;
        i++;
    }
    size_t end = behind(r, i);
    if (!k.name || !is_sign(r, end - 1, ')'))
        return;
    read_args(r, i + 1, end - 1, &k);
    while (is_word(r, end, "__attribute__"))
        end = read_attribute(r, end, &k);
    if (!is_sign(r, end, '{')) /* a declaration */
        return;
    for (size_t j = 0; j < r->kernels.n; j++)
        if (!strcmp(r->kernels.at[j].name, k.name))
            return;
    vec_push(&r->kernels, k);
}

static bool is_floating(const struct token *t)
{
    if (t->kind == TOKEN_WORD)
        return strstr(t->s, "float") || strstr(t->s, "double") || strstr(t->s, "half");
    if (t->kind != TOKEN_NUMBER)
        return false;
    bool hex = t->s[0] == '0' && (t->s[1] == 'x' || t->s[1] == 'X');
    return strpbrk(t->s, hex ? ".pP" : ".eEfF");
}

void source_read(const char *text, struct arena *a, struct source_text *out)
{
    struct reader r = {.a = a};
    *out = (struct source_text){0};
    read_all(&r, text);
    int depth = 0;
    for (size_t i = 0; i < r.tokens.n; i++) {
        out->floats = out->floats || is_floating(&r.tokens.at[i]);
        depth += is_sign(&r, i, '{') - is_sign(&r, i, '}');
        if (depth == 0 && is_word(&r, i, "typedef"))
            read_typedef(&r, i);
        if (depth == 0 && (is_word(&r, i, "kernel") || is_word(&r, i, "__kernel")))
            read_kernel(&r, i);
    }
    out->n_tokens = r.tokens.n;
    out->tokens = arena_array(a, struct token, r.tokens.n + 1);
    if (r.tokens.n)
        memcpy(out->tokens, r.tokens.at, r.tokens.n * sizeof *out->tokens);
    out->n_kernels = (int)r.kernels.n;
    struct kernel_text *kernels = arena_array(a, struct kernel_text, r.kernels.n + 1);
    if (r.kernels.n)
        memcpy(kernels, r.kernels.at, r.kernels.n * sizeof *kernels);
    out->kernels = kernels;
    vec_release(&r.tokens);
    vec_release(&r.macros);
    vec_release(&r.types);
    vec_release(&r.kernels);
}

/* -- launches ---------------------------------------------------------------------------------- */

/* One dimension: a kernel for two then computes y * n + x with y = 0 and stays in its buffers. */
bool source_launch(const struct kernel_text *k, unsigned threads, struct launch *out)
{
    *out = (struct launch){.dims = 1, .global = {threads, 1, 1}, .local = {GROUP, 1, 1}};
    if (threads < GROUP)
        out->local[0] = threads;
    if (!k->group[0])
        return true;
    unsigned group = k->group[0] * k->group[1] * k->group[2];
    if (!group || group > threads || threads % group)
        return false;
    out->dims = 3;
    for (int d = 0; d < 3; d++)
        out->local[d] = out->global[d] = k->group[d];
    out->global[0] *= threads / group;
    return true;
}

size_t source_local_elements(const struct kernel_text *k, int arg, unsigned threads)
{
    size_t locals = 0;
    for (int i = 0; i < k->n_args; i++)
        locals += k->args[i].kind == ARG_LOCAL;
    size_t most = LOCAL_BYTES / locals / value_size(k->args[arg].base, k->args[arg].width);
    return threads < most ? threads : most > 0 ? most : 1;
}

#include "gen/graft/library.h"

#include "base/fs.h"
#include "base/text.h"
#include "cc/build.h"
#include "cc/import/import.h"
#include "gen/graft/run.h"

#include <ctype.h>
#include <inttypes.h>

enum {
    LOAD_SECONDS = 60,
    TRY_STEPS = 10 * 1000 * 1000, /* of interp, for a run that is recorded */
    MOST_LENGTH = 4096,
    MOST_TRIES = 64,
};

/* -- what goes in and comes out ---------------------------------------------------------------- */

int graft_inputs(const struct graft_function *f)
{
    int n = 0;
    for (int i = 0; i < f->n_params; i++)
        n += (int)f->params[i].length;
    return n;
}

int graft_outputs(const struct graft_function *f)
{
    int n = f->returns;
    for (int i = 0; i < f->n_params; i++)
        n += f->params[i].written ? (int)f->params[i].length : 0;
    return n;
}

/* Integers whose values are numbers of 64 bits. */
static bool is_number(const struct cc_type *t)
{
    return cc_is_integer(t) && t->kind != CC_INT128 && t->kind != CC_UINT128;
}

const char *graft_describe(const struct cc_func *f, uint32_t length, struct arena *a,
                           struct graft_function *out)
{
    const struct cc_type *result = f->type->to;
    *out = (struct graft_function){.name = f->name, .func = f, .n_params = f->n_params};
    out->params = arena_array(a, struct graft_param, f->n_params + 1);
    out->returns = is_number(result);
    if (!out->returns && result->kind != CC_VOID)
        return "a result that is no integer";
    if (!f->n_params)
        return "no parameters";
    bool written = false;
    for (int i = 0; i < f->n_params; i++) {
        struct graft_param *p = &out->params[i];
        const struct cc_type *t = f->params[i]->type;
        *p = (struct graft_param){.name = f->params[i]->name, .length = 1};
        if (t->kind == CC_POINTER && is_number(t->to)) {
            p->array = true;
            p->written = !(t->to->quals & CC_CONST);
            p->length = length;
            t = t->to;
        }
        if (!is_number(t))
            return "a parameter that is neither an integer nor a pointer to integers";
        p->type = t->plain;
        p->low = cc_int_min(t->plain);
        p->high = (cc_wide)cc_int_max(t->plain);
        written |= p->written;
    }
    return out->returns || written ? NULL : "nothing comes out of it";
}

/* -- drawing ----------------------------------------------------------------------------------- */

cc_wide graft_clamp(const struct graft_param *p, cc_wide v)
{
    return v < p->low ? p->low : v > p->high ? p->high : v;
}

static bool is_character(const struct graft_param *p)
{
    return p->array && p->type->bits == 8;
}

cc_wide graft_draw(const struct graft_param *p, struct choice *c)
{
    static const char characters[] = "0123456789abcxyzABCXYZ (){}[]<>'\"-+*/.,;:=_#?&|\n";
    cc_uwide span = (cc_uwide)(p->high - p->low);
    cc_wide near = (cc_wide)choose(c, 3), power;
    switch (choose(c, 8)) {
    case 0:
        return graft_clamp(p, near - 1);
    case 1:
        return graft_clamp(p, p->low + near);
    case 2:
        return graft_clamp(p, p->high - near);
    case 3:
        power = (cc_wide)1 << choose(c, 64);
        return graft_clamp(p, (choose(c, 2) ? -power : power) + near - 1);
    case 4: /* small in size */
        return graft_clamp(p, (cc_wide)choose_bits(c, (unsigned)choose(c, 17)));
    case 5:
    case 6:
        if (is_character(p))
            return graft_clamp(p, characters[choose(c, sizeof characters - 1)]);
        /* fall through */
    default:
        return p->low + (cc_wide)((cc_uwide)choose_bits(c, 64) % (span + 1));
    }
}

/* -- writing ----------------------------------------------------------------------------------- */

static void put_value(struct strbuf *out, cc_wide v)
{
    if (v < 0)
        strbuf_addf(out, "%" PRId64, (int64_t)v);
    else
        strbuf_addf(out, "%" PRIu64, (uint64_t)v);
}

void graft_write_domain(const struct graft_param *p, struct strbuf *out)
{
    if (p->array)
        strbuf_addf(out, "%s%s %" PRIu32 " of ", p->written ? "inout" : "in",
                    p->text ? " text" : "", p->length);
    put_value(out, p->low);
    strbuf_adds(out, "..");
    put_value(out, p->high);
}

static void put_elements(struct strbuf *out, const cc_wide *v, uint32_t n)
{
    strbuf_addc(out, '{');
    for (uint32_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && v[i + same] == v[i]; same++) {
        }
        strbuf_adds(out, i ? ", " : "");
        put_value(out, v[i]);
        if (same > 1)
            strbuf_addf(out, " x %" PRIu32, same);
    }
    strbuf_addc(out, '}');
}

void graft_write_try(const struct graft_function *f, const struct graft_try *t, struct strbuf *out)
{
    const cc_wide *in = t->in, *from = t->out;
    for (int i = 0; i < f->n_params; in += f->params[i++].length) {
        strbuf_adds(out, i ? ", " : "");
        if (f->params[i].array)
            put_elements(out, in, f->params[i].length);
        else
            put_value(out, *in);
    }
    strbuf_adds(out, " -> ");
    if (f->returns)
        put_value(out, *from++);
    bool more = f->returns;
    for (int i = 0; i < f->n_params; i++) {
        if (!f->params[i].written)
            continue;
        strbuf_adds(out, more ? ", " : "");
        put_elements(out, from, f->params[i].length);
        from += f->params[i].length;
        more = true;
    }
}

void graft_write(const struct graft_function *f, struct strbuf *out)
{
    strbuf_addf(out, "graft %s\n", f->name);
    for (int i = 0; i < f->n_params; i++) {
        strbuf_addf(out, "%s: ", f->params[i].name);
        graft_write_domain(&f->params[i], out);
        strbuf_addc(out, '\n');
    }
    strbuf_addf(out, "steps: %" PRIu64, f->steps);
    for (int i = 0; i < f->n_tries; i++) {
        strbuf_adds(out, "\ntry: ");
        graft_write_try(f, &f->tries[i], out);
    }
}

/* -- reading ----------------------------------------------------------------------------------- */

/* The lines of a comment, one after the other. */
struct reader {
    struct graft_library *l;
    struct error *e;
    const char *at, *end; /* of the comment */
    const char *line;     /* of it, without its marks; NUL-terminated */
    const char *s;        /* where in the line */
    int number;           /* in the file */
};

static int fail(struct reader *r, const char *name, const char *what)
{
    return error_at(r->e, ERROR_USAGE, r->l->path, r->number, "%s: %s", name, what);
}

static bool next_line(struct reader *r)
{
    if (r->at >= r->end)
        return false;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *stop = newline ? newline : r->end, *s = r->at;
    while (s < stop && (isspace((unsigned char)*s) || *s == '*'))
        s++;
    const char *last = stop;
    while (last > s && isspace((unsigned char)last[-1]))
        last--;
    r->line = r->s = arena_memdup(&r->l->arena, s, (size_t)(last - s));
    r->at = stop + 1;
    r->number++;
    return true;
}

static void skip_space(struct reader *r)
{
    while (isspace((unsigned char)*r->s))
        r->s++;
}

static bool takes(struct reader *r, const char *what)
{
    skip_space(r);
    size_t n = strlen(what);
    if (strncmp(r->s, what, n) != 0)
        return false;
    r->s += n;
    return true;
}

static bool take_value(struct reader *r, cc_wide *v)
{
    bool negative = takes(r, "-");
    if (!isdigit((unsigned char)*r->s))
        return false;
    cc_wide n = 0;
    for (; isdigit((unsigned char)*r->s); r->s++) {
        n = n * 10 + (*r->s - '0');
        if (n > (cc_wide)UINT64_MAX)
            return false;
    }
    *v = negative ? -n : n;
    return true;
}

static bool fits(const struct cc_type *t, cc_wide v)
{
    return v >= cc_int_min(t) && v <= (cc_wide)cc_int_max(t);
}

static bool take_domain(struct reader *r, struct graft_param *p)
{
    cc_wide length;
    if (p->array) {
        bool inout = takes(r, "inout");
        if (!inout && !takes(r, "in"))
            return false;
        if (inout && !p->written)
            return false;
        p->written = inout;
        p->text = takes(r, "text");
        if (!take_value(r, &length) || length < 1 || length > MOST_LENGTH || !takes(r, "of"))
            return false;
        p->length = (uint32_t)length;
    }
    bool both = take_value(r, &p->low) && takes(r, "..") && take_value(r, &p->high);
    return both && p->low <= p->high && fits(p->type, p->low) && fits(p->type, p->high) && !*r->s;
}

static bool take_elements(struct reader *r, uint32_t n, cc_wide *out)
{
    uint32_t i = 0;
    if (!takes(r, "{"))
        return false;
    while (i < n) {
        cc_wide v, times = 1;
        if ((i && !takes(r, ",")) || !take_value(r, &v))
            return false;
        if (takes(r, "x") && (!take_value(r, &times) || times < 1))
            return false;
        for (; times > 0 && i < n; times--)
            out[i++] = v;
        if (times)
            return false;
    }
    return takes(r, "}");
}

static bool take_try(struct reader *r, const struct graft_function *f, struct graft_try *t)
{
    struct arena *a = &r->l->arena;
    cc_wide *in = t->in = arena_array(a, cc_wide, graft_inputs(f) + 1);
    cc_wide *out = t->out = arena_array(a, cc_wide, graft_outputs(f) + 1);
    for (int i = 0; i < f->n_params; in += f->params[i++].length) {
        if (i && !takes(r, ","))
            return false;
        if (!(f->params[i].array ? take_elements(r, f->params[i].length, in) : take_value(r, in)))
            return false;
        for (uint32_t k = 0; k < f->params[i].length; k++)
            if (!fits(f->params[i].type, in[k]))
                return false;
    }
    if (!takes(r, "->") || (f->returns && !take_value(r, out++)))
        return false;
    bool more = f->returns;
    for (int i = 0; i < f->n_params; i++) {
        if (!f->params[i].written)
            continue;
        if ((more && !takes(r, ",")) || !take_elements(r, f->params[i].length, out))
            return false;
        out += f->params[i].length;
        more = true;
    }
    skip_space(r);
    return !*r->s;
}

static const struct cc_func *find_function(const struct graft_library *l, const char *name)
{
    for (size_t i = 0; i < l->program.funcs.n; i++)
        if (!strcmp(l->program.funcs.at[i]->name, name) && l->program.funcs.at[i]->body)
            return l->program.funcs.at[i];
    return NULL;
}

static int read_tries(struct reader *r, struct graft_function *f)
{
    f->tries = arena_array(&r->l->arena, struct graft_try, MOST_TRIES);
    while (next_line(r)) {
        if (!*r->line)
            continue;
        if (f->n_tries == MOST_TRIES)
            return fail(r, f->name, "too many tries");
        if (!takes(r, "try:") || !take_try(r, f, &f->tries[f->n_tries]))
            return fail(r, f->name, "not a try of this function: `try: ARGUMENTS -> RESULTS`");
        f->n_tries++;
    }
    return f->n_tries ? 0 : fail(r, f->name, "no try");
}

/* From behind its name on. */
static int read_comment(struct reader *r, const char *name, struct graft_function *f)
{
    const struct cc_func *func = find_function(r->l, name);
    int line = r->number;
    if (!func)
        return fail(r, name, "there is no function of that name");
    const char *why = graft_describe(func, 1, &r->l->arena, f);
    if (why)
        return fail(r, name, why);
    f->line = line;
    for (int i = 0; i < f->n_params; i++) {
        struct graft_param *p = &f->params[i];
        if (!next_line(r) || !takes(r, p->name) || !takes(r, ":") || !take_domain(r, p))
            return fail(r, name,
                        arena_printf(&r->l->arena, "here must be the values of %s, as `%s: %s0..9`",
                                     p->name, p->name, p->array ? "in 8 of " : ""));
    }
    cc_wide steps;
    if (!next_line(r) || !takes(r, "steps:") || !take_value(r, &steps))
        return fail(r, name, "here must be its `steps:`");
    f->steps = (uint64_t)steps;
    return read_tries(r, f);
}

/* The runs end as they did. */
static int repeat_tries(struct reader *r, struct graft_function *f)
{
    struct arena a;
    struct strbuf why;
    const char *refused = NULL;
    int status = 0, n = graft_outputs(f);
    arena_init(&a);
    strbuf_init(&why, 512);
    r->number = f->line;
    struct graft_runner *runner = graft_runner_new(f, &a, &refused);
    if (!runner)
        status = fail(r, f->name, refused);
    cc_wide *out = arena_array(&a, cc_wide, n + 1);
    for (int i = 0; i < f->n_tries && !status; i++) {
        uint64_t steps;
        const struct graft_try *t = &f->tries[i];
        enum cc_ub rule = graft_runner_run(runner, t->in, TRY_STEPS, out, &steps, &why);
        if (rule) {
            status = fail(r, f->name, arena_printf(&a, "try %d: %s", i + 1, why.s));
        } else if (memcmp(out, t->out, (size_t)n * sizeof *out) != 0) {
            strbuf_clear(&why);
            graft_write_try(f, &(struct graft_try){t->in, out}, &why);
            status = fail(r, f->name, arena_printf(&a, "try %d is %s", i + 1, why.s));
        }
    }
    graft_runner_free(runner);
    strbuf_release(&why);
    arena_release(&a);
    return status;
}

static int read_functions(struct reader *r, const char *source)
{
    static const char mark[] = "/* graft ";
    VEC(struct graft_function) all = {0};
    int status = 0, line = 1;
    const char *counted = source;
    for (const char *s = source; !status && (s = strstr(s, mark));) {
        const char *end = strstr(s, "*/");
        if (!end)
            break;
        for (; counted < s; counted++)
            line += *counted == '\n';
        struct graft_function f;
        r->at = s + strlen(mark);
        r->end = end;
        r->number = line - 1;
        next_line(r);
        status = read_comment(r, r->line, &f);
        if (!status)
            status = repeat_tries(r, &f);
        vec_push(&all, f);
        s = end;
    }
    r->l->n = (int)all.n;
    r->l->at = arena_array(&r->l->arena, struct graft_function, all.n + 1);
    if (all.n)
        memcpy(r->l->at, all.at, all.n * sizeof *all.at);
    vec_release(&all);
    if (!status && !r->l->n)
        status = error_set(r->e, ERROR_USAGE,
                           "%s: there is no function with a comment /* graft NAME */", r->l->path);
    return status;
}

int graft_load(const char *path, struct graft_library *l, struct error *e)
{
    const struct parse_options o = {.seconds = LOAD_SECONDS};
    struct parsed parsed;
    struct import import;
    *l = (struct graft_library){0};
    arena_init(&l->arena);
    l->path = arena_strdup(&l->arena, path);
    cc_program_init(&l->program, &l->arena, &cc_lp64);
    struct reader r = {.l = l, .e = e};
    int status = parsed_load(path, &o, &l->arena, &parsed, e);
    if (!status)
        status = cc_import(&parsed, path, &l->program, &import, e);
    if (!status)
        status = read_functions(&r, parsed.source);
    if (status)
        graft_release(l);
    return status;
}

void graft_release(struct graft_library *l)
{
    if (l->program.arena)
        cc_program_release(&l->program);
    arena_release(&l->arena);
    *l = (struct graft_library){0};
}

const char *graft_library_file(const struct gen_context *context, const char *given,
                               struct arena *a)
{
    if (*given)
        return fs_is_file(given) ? given : NULL;
    string_list files = gen_beside(context, "grafts/own.c", a);
    const char *found = NULL;
    for (size_t i = 0; i < files.n; i++)
        if (fs_is_file(files.at[i]))
            found = files.at[i];
    vec_release(&files);
    return found;
}

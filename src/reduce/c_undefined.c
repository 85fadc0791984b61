/* Programs with one undefined operation (program/undefined.h): a candidate is two programs, by the
 * forks of its tree. The valid one must be valid, and the first undefined operation of the other
 * one must still be the marked one, by the same rule. */
#include "reduce/c_internal.h"

#include "cc/fork.h"
#include "program/undefined.h"

bool undefined_judge(struct shrink *k, struct cc_program *p, const struct interp_options *o)
{
    const struct cc_expr *marked = cc_marked(p);
    if (!marked || !cc_forks_go(p, true))
        return false;
    struct interp *in = interp_new(p, o);
    enum cc_ub rule = k->options.whole_main ? interp_main(in) : interp_call(in, p->entry);
    k->ub = *interp_violation(in);
    interp_free(in);
    cc_forks_go(p, false);
    return rule == k->c->undefined && cc_is_within(k->ub.expr, marked);
}

static struct program_file print_half(struct cc_program *p, struct cc_print_options print,
                                      const char *name, const char *header, struct arena *a)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    print.header = header;
    cc_print_unit(p, &print, &text);
    struct program_file f = program_file_new(a, name, bytes_in(&text));
    strbuf_release(&text);
    return f;
}

void undefined_print(struct shrink *k, struct cc_program *p, struct arena *a,
                     struct reduce_case *out)
{
    struct cc_print_options print = k->print;
    struct undefined u = {
        .rule = cc_ub_rules[k->c->undefined].name, .row = k->c->row, .func = "main"};
    print.whole_main = k->options.whole_main;
    print.site = true;
    *out = k->r->best;
    out->program.expected = (struct bytes){0};
    out->program.n_files = 2;
    out->program.files = arena_array(a, struct program_file, 2);
    cc_forks_go(p, true);
    for (int round = 0; round < 2; round++) { /* the numbers change no line */
        struct program_file *f = &out->program.files[0];
        *f = print_half(p, print, UNDEFINED_FILE, undefined_comment(&u, a), a);
        undefined_locate(f, CC_PRINT_SITE, &u);
        u.stored = cc_is_stored(k->ub.stmt, cc_marked(p));
        if (k->ub.stmt && k->ub.stmt->line)
            u.first = (int)k->ub.stmt->line;
        if (k->ub.func)
            u.func = k->ub.func->name;
    }
    cc_forks_go(p, false);
    out->program.files[1] =
        print_half(p, print, UNDEFINED_TWIN, "valid twin of " UNDEFINED_FILE, a);
}

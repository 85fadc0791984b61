/* Prints a C file again, from its tree: parsed by libclang, imported, printed with whole_main. For
 * the scripts that compare the two programs.
 *
 *     print-whole FILE [fixed]
 *
 * fixed: with fixed-width types. Status 2: the file cannot be imported, and the reason is said. */
#include "cc/import/import.h"
#include "cc/print.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct arena a;
    struct parsed parsed;
    struct import import;
    struct cc_program program;
    struct error e = {0};
    const struct parse_options none = {0};
    if (argc < 2)
        return 2;
    arena_init(&a);
    cc_program_init(&program, &a, &cc_lp64);
    int bad = parsed_load(argv[1], &none, &a, &parsed, &e);
    if (!bad)
        bad = cc_import(&parsed, argv[1], &program, &import, &e);
    if (bad) {
        fprintf(stderr, "%s:%d: %s\n", argv[1], e.line, e.message);
    } else {
        struct cc_print_options o = {.whole_main = true, .plain_types = argc < 3};
        struct strbuf text;
        strbuf_init(&text, 0);
        cc_print_unit(&program, &o, &text);
        fwrite(text.s, 1, text.n, stdout);
        strbuf_release(&text);
    }
    cc_program_release(&program);
    arena_release(&a);
    return bad ? 2 : 0;
}

/* Testbeds for programs that are scripts: a program both builds and runs itself, and is told which,
 * with whose flags (the name of the testbed, unless a test says otherwise) and with what inputs. So
 * the text of a test says what each compiler makes of it. */
#ifndef ASSAY_TESTS_INQUIRY_SCRIPTED_H
#define ASSAY_TESTS_INQUIRY_SCRIPTED_H

#include "base/arena.h"
#include "base/text.h"
#include "oracle/oracle.h"
#include "program/program.h"
#include "program/testbed.h"

#include <string.h>

static const char *const scripted_steps[] = {"sh {src} build {flags}", NULL};
static const char *const scripted_no_steps[] = {NULL};

/* Names, with a colon behind what is special:
 *   r a reference  f a filter  m of another model  b it only builds  n it needs no build  t it
 * traces d its flags are drawn  ? it may take as long as it likes  + it has other inputs g its
 * toolchain is gcc  k it is clang. */
static inline int scripted_testbeds(struct arena *a, const char *text, struct testbed *beds,
                                    struct pattern *suspect)
{
    char **words;
    int n = text_split(a, text, &words);
    for (int i = 0; i < n; i++) {
        const char *colon = strchr(words[i], ':'), *w = words[i];
        size_t kinds = colon ? (size_t)(colon - w) : 0;
        const char *name = colon ? colon + 1 : w;
#define IS(letter) (memchr(w, letter, kinds) != NULL)
        beds[i] = (struct testbed){
            .name = name,
            .compiler = name,
            .toolchain = IS('g')   ? "gcc"
                         : IS('k') ? "clang"
                                   : name,
            .path = "/bin/sh",
            .version = "1",
            .flags = name,
            .model = IS('m') ? "ilp32" : "lp64",
            .suffix = ".c",
            .compile = IS('n') ? scripted_no_steps : scripted_steps,
            .run = IS('b') ? NULL : "sh {src} run {flags} {inputs}",
            .reference = IS('r'),
            .filter = IS('f'),
            .traces = IS('t'),
            .random = IS('d'),
            .may_time_out = IS('?'),
            .other_inputs = IS('+') ? "other" : NULL,
            .suspect = suspect,
            .n_suspect = suspect != NULL,
            .limits = {.compile = {.wall_ms = 60000}, .run = {.wall_ms = 60000, .cpu_ms = 40}}};
#undef IS
    }
    return n;
}

static inline struct program scripted_program(struct program_file *file, const char *script)
{
    *file = (struct program_file){"t.c", script, strlen(script)};
    return (struct program){
        .language = "c", .files = file, .n_files = 1, .needs = "", .trusted = true};
}

#endif

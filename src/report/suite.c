/* The reduced cases as a regression suite, written and read back.
 *
 * A case is one file that carries its expectation. Its first lines are comments in the language of
 * the program:
 *
 *     // assay case: wrong-output
 *     // TESTBED: gcc-12 -O3           who was accused
 *     // VERSION: 12.2.0
 *     // FLAGS: -O2 -ftree-vrp         what was left of the flags; it is built with these
 *     // NEEDS: -I/usr/include/csmith  what every compiler must get
 *     // RUN: %cc_gcc_12 -O2 ...       for lit, whose config says what %cc_gcc_12 is
 *     // EXPECT: checksum = 1F3A       a line of the right output; EXPECT-FILE: where it is in a
 * file
 *     // STATUS: 3                     the right exit status, where it is not 0
 *     // CPU: 6 s   MEMORY: 512 MiB    what the build may take
 *     // BUILD-ONLY: yes               never run it
 *     // assay end
 *
 * What follows is the program, byte by byte. One of several files, or in a language whose comments
 * are not known, is under Inputs/, where lit does not look for tests, and the header stands alone
 * in a file *.test. `assay check DIR` reads the header, lit the RUN lines. */
#include "base/fs.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/language.h"
#include "report/report_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>

enum { LARGEST = 64 << 20 }; /* bytes of a file */
static const char begin_mark[] = "assay case: ", end_mark[] = "assay end";

/* -- writing ----------------------------------------------------------------------------------- */

struct writing {
    const struct report_bug *bug;
    const char *dir;
    const char *name;    /* of the bug: of the case and its files */
    bool alone;          /* the header stands in a file of its own */
    const char *comment; /* what begins its lines */
    struct strbuf out;
    struct arena arena;
};

__attribute__((format(printf, 3, 4))) static void line(struct writing *w, const char *key,
                                                       const char *format, ...)
{
    struct strbuf text;
    va_list args;
    strbuf_init(&text, 0);
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    strbuf_addf(&w->out, "%s %s%s", w->comment, key, *key ? ": " : "");
    size_t from = w->out.n;
    text_visible(&w->out, bytes_in(&text));
    for (char *at = w->out.s + from; *at; at++) /* one line, whatever it holds */
        if (*at == '\n')
            *at = ' ';
    strbuf_addc(&w->out, '\n');
    strbuf_release(&text);
}

/* Can the output stand in comments? A line that ends in a backslash would go on (C11 5.1.1.2), one
 * that ends in a blank would not survive an editor. */
static bool is_plain(struct bytes b)
{
    enum { MOST_LINES = 60 };
    const char *s = b.data;
    size_t n = b.size, length;
    if (text_lines(s, n) > MOST_LINES || (n && s[n - 1] != '\n'))
        return false;
    for (size_t i = 0; i < n; i += length) {
        int32_t c = text_character(s + i, n - i, &length);
        bool last = s[i + length] == '\n';
        if (c < 0 || (text_is_control(c) && c != '\n' && c != '\t'))
            return false;
        if (last && (c == '\\' || c == ' ' || c == '\t' || c == '/'))
            return false;
    }
    return true;
}

/* The name of the compiler in RUN lines: %cc_gcc_12. */
static const char *compiler_of(const struct report_bug *b, struct arena *a)
{
    char *name = arena_printf(a, "cc_%s", fs_name(b->bug.first->testbed->path));
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    return name;
}

/* A command of the case for lit: its own percent signs are doubled, the compiler is a substitution.
 */
static const char *for_lit(struct writing *w, const char *command, size_t n)
{
    const char *compiler = arena_printf(&w->arena, "%%%s", compiler_of(w->bug, &w->arena));
    return text_fill(&w->arena, arena_memdup(&w->arena, command, n), "%", "%%", "\"$cc\"", compiler,
                     NULL);
}

static const char *word_for_lit(struct writing *w, const char *word)
{
    struct strbuf quoted;
    strbuf_init(&quoted, 0);
    text_quote_shown(&quoted, word);
    const char *text = for_lit(w, quoted.s, quoted.n);
    strbuf_release(&quoted);
    return text;
}

static void add_lit_build(struct writing *w)
{
    const struct report_bug *b = w->bug;
    const char *limits = "";
    if (report_of_build(b->finding->verdict.anomaly) && report_cpu_limit_s(b))
        limits = arena_printf(&w->arena, "ulimit -t %" PRId64 " && ", report_cpu_limit_s(b));
    else if (report_memory_limit_kb(b))
        limits = arena_printf(&w->arena, "ulimit -v %" PRId64 " && ", report_memory_limit_kb(b));
    if (w->alone)
        line(w, "RUN", "rm -rf %%t && mkdir %%t && cp %%S/Inputs/%s/* %%t", w->name);
    else
        line(w, "RUN", "rm -rf %%t && mkdir %%t && cp %%s %%t/%s",
             word_for_lit(w, b->reduced.files[0].name));
    for (const char *at = b->script; *at;) {
        size_t n = strcspn(at, "\n");
        line(w, "RUN", "cd %%t && %s%s", limits, for_lit(w, at, n));
        at += n + (at[n] == '\n');
    }
}

static void add_lit_run(struct writing *w, bool inline_output)
{
    const struct report_bug *b = w->bug;
    int64_t limit = b->finding->verdict.anomaly == ANOMALY_RUN_HANG ? report_cpu_limit_s(b) : 60;
    const char *way = b->way.script;
    const char *judge = b->way.ignore_status ? "true"
                        : b->expected.data
                            ? arena_printf(&w->arena, "test $? -eq %d", b->expected_status)
                            : "test $? -lt 128";
    line(w, "RUN", "cd %%t && ulimit -t %" PRId64 " && { %s >assay.out; %s; }", limit,
         for_lit(w, way, strlen(way)), judge);
    if (!b->expected.data)
        return;
    if (*b->way.normalise)
        line(w, "RUN", "cd %%t && sed -E -e %s -i assay.out", word_for_lit(w, b->way.normalise));
    if (inline_output)
        line(w, "RUN", "sed -n 's|^%s EXPECT: ||p' %%s | diff - %%t/assay.out", w->comment);
    else
        line(w, "RUN", "diff %%S/Inputs/%s.expected %%t/assay.out", w->name);
}

static int write_input(struct writing *w, const char *name, const void *data, size_t n,
                       struct error *e)
{
    return fs_make_dirs(arena_printf(&w->arena, "%s/Inputs", w->dir), e) ||
           fs_write(arena_printf(&w->arena, "%s/Inputs/%s", w->dir, name), data, n, e);
}

static int add_expectation(struct writing *w, bool inline_output, struct error *e)
{
    const struct report_bug *b = w->bug;
    if (!b->expected.data)
        return 0;
    if (b->expected_status)
        line(w, "STATUS", "%d", b->expected_status);
    if (!inline_output) {
        line(w, "EXPECT-FILE", "Inputs/%s.expected", w->name);
        return write_input(w, arena_printf(&w->arena, "%s.expected", w->name), b->expected.data,
                           b->expected.size, e);
    }
    if (!b->expected.size)
        line(w, "EXPECT-NOTHING", "yes");
    for (const char *at = b->expected.data; *at;) {
        size_t n = strcspn(at, "\n");
        line(w, "EXPECT", "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    return 0;
}

static int add_header(struct writing *w, struct error *e)
{
    const struct report_bug *b = w->bug;
    enum anomaly kind = b->finding->verdict.anomaly;
    bool inline_output = b->expected.data && is_plain(b->expected);
    bool of_build = report_of_build(kind);
    line(w, "", "%s%s", begin_mark, anomaly_name[kind]);
    line(w, "TESTBED", "%s", b->finding->testbed);
    if (*b->bug.first->testbed->version)
        line(w, "VERSION", "%s", b->bug.first->testbed->version);
    line(w, "LANGUAGE", "%s", b->reduced.language);
    line(w, "FLAGS", "%s", b->flags);
    if (*b->reduced.needs)
        line(w, "NEEDS", "%s", b->reduced.needs);
    if (b->reduced.build_only)
        line(w, "BUILD-ONLY", "yes");
    if (w->alone)
        line(w, "FILES", "Inputs/%s", w->name);
    else
        line(w, "FILE", "%s", b->reduced.files[0].name);
    if (of_build && report_cpu_limit_s(b))
        line(w, "CPU", "%" PRId64 " s", report_cpu_limit_s(b));
    if (report_memory_limit_kb(b))
        line(w, "MEMORY", "%" PRId64 " MiB", report_memory_limit_kb(b) >> 10);
    if (b->way.by_hand || (!of_build && !*b->way.run)) {
        line(w, "UNSUPPORTED", "*"); /* lit passes it over */
        line(w, "RUN", "true");
    } else {
        add_lit_build(w);
        if (!of_build)
            add_lit_run(w, inline_output);
    }
    int status = add_expectation(w, inline_output, e);
    line(w, "", "%s", end_mark);
    return status;
}

static int write_inputs(struct writing *w, struct error *e)
{
    const char *dir = arena_printf(&w->arena, "%s/Inputs/%s", w->dir, w->name);
    fs_remove_tree(dir);
    return fs_make_dirs(dir, e) || program_write(&w->bug->reduced, dir, e) ? -1 : 0;
}

static int write_case(const struct report_bug *b, const char *dir, struct error *e)
{
    const char *comment = language_find(b->reduced.language)->scan.line_comment;
    struct writing w = {
        .bug = b, .dir = dir, .name = b->bug.name, .alone = !comment || b->reduced.n_files != 1};
    w.comment = w.alone ? "#" : comment;
    strbuf_init(&w.out, 0);
    arena_init(&w.arena);
    int status = add_header(&w, e);
    const char *suffix = ".test";
    if (!w.alone) {
        const struct program_file *f = &b->reduced.files[0];
        strbuf_add(&w.out, f->text, f->size);
        suffix = strrchr(f->name, '.') ? strrchr(f->name, '.') : ".txt";
    } else if (!status) {
        status = write_inputs(&w, e);
    }
    if (!status)
        status =
            fs_write(arena_printf(&w.arena, "%s/%s%s", dir, w.name, suffix), w.out.s, w.out.n, e);
    strbuf_release(&w.out);
    arena_release(&w.arena);
    return status ? -1 : 0;
}

/* A byte that is no UTF-8 is what Python takes it for in the name of a file (PEP 383). */
static void add_python_string(struct strbuf *out, const char *s)
{
    strbuf_addc(out, '\'');
    for (size_t left = strlen(s), length; left; s += length, left -= length) {
        int32_t c = text_character(s, left, &length);
        if (c == '\'' || c == '\\')
            strbuf_addc(out, '\\');
        if (c < 0)
            strbuf_addf(out, "\\udc%02x", (unsigned char)*s);
        else if (text_is_control(c))
            strbuf_addf(out, c < 0x80 ? "\\x%02x" : "\\U%08x", (unsigned)c);
        else
            strbuf_add(out, s, length);
    }
    strbuf_addc(out, '\'');
}

/* "'.c', '.test'": suffixes of the cases, each once. */
static void add_suffixes(const struct report_data *d, struct strbuf *out)
{
    strbuf_adds(out, "'.test'");
    for (int i = 0; i < d->n_bugs; i++) {
        const struct program *p = &d->bugs[i].reduced;
        const char *dot = p->n_files == 1 ? strrchr(p->files[0].name, '.') : NULL;
        if (!dot)
            continue;
        struct strbuf quoted;
        strbuf_init(&quoted, 0);
        add_python_string(&quoted, dot);
        if (!strstr(out->s, quoted.s))
            strbuf_addf(out, ", %s", quoted.s);
        strbuf_release(&quoted);
    }
}

static int write_config(const struct report_data *d, const char *dir, struct error *e)
{
    struct strbuf out;
    struct arena a;
    char path[PATH_MAX];
    strbuf_init(&out, 0);
    arena_init(&a);
    strbuf_adds(&out, "# For LLVM's lit: `lit DIR`. The compilers are those that were accused; "
                      "`lit -Dcc=PATH DIR` tries\n# another one on all cases, `-Dcc_gcc_12=PATH` "
                      "on those of gcc-12.\nimport lit.formats\n\n"
                      "config.name = 'assay'\nconfig.test_format = lit.formats.ShTest(True)\n"
                      "config.suffixes = [");
    struct strbuf suffixes;
    strbuf_init(&suffixes, 0);
    add_suffixes(d, &suffixes);
    strbuf_addf(&out, "%s]\nconfig.excludes = ['Inputs', 'lit.cfg.py']\n\ncompilers = {\n",
                suffixes.s);
    strbuf_release(&suffixes);
    for (int i = 0; i < d->n_bugs; i++) {
        const char *name = arena_printf(&a, "'%s': ", compiler_of(&d->bugs[i], &a));
        if (strstr(out.s, name))
            continue;
        strbuf_addf(&out, "    %s", name);
        add_python_string(&out, d->bugs[i].bug.first->testbed->path);
        strbuf_adds(&out, ",\n");
    }
    strbuf_adds(&out, "}\nfor name, path in compilers.items():\n"
                      "    path = lit_config.params.get(name, lit_config.params.get('cc', path))\n"
                      "    config.substitutions.append((r'%' + name + r'\\b', path))\n");
    snprintf(path, sizeof path, "%s/lit.cfg.py", dir);
    int status = fs_write(path, out.s, out.n, e);
    strbuf_release(&out);
    arena_release(&a);
    return status;
}

int report_suite(const struct report_data *d, const char *dir, int *n, struct error *e)
{
    *n = 0;
    if (fs_make_dirs(dir, e))
        return -1;
    for (int i = 0; i < d->n_bugs; i++) {
        if (d->bugs[i].reduced.n_files == 0)
            continue;
        if (write_case(&d->bugs[i], dir, e))
            return -1;
        ++*n;
    }
    return write_config(d, dir, e);
}

/* -- reading ----------------------------------------------------------------------------------- */

struct reading {
    struct report_case *c;
    const char *dir, *prefix; /* "// " */
    const char *files, *file; /* FILES, FILE */
    const char *expected_file;
    struct strbuf expected;
    bool expects;
    struct arena *arena;
};

static void take_key(struct reading *r, const char *key, const char *value, int line)
{
    struct report_case *c = r->c;
    int64_t number = strtoll(value, NULL, 10);
    if (!strcmp(key, "TESTBED")) {
        c->testbed = value;
    } else if (!strcmp(key, "VERSION")) {
        c->version = value;
    } else if (!strcmp(key, "LANGUAGE")) {
        c->program.language = value;
    } else if (!strcmp(key, "FLAGS")) {
        c->flags = value;
        c->flags_line = line;
    } else if (!strcmp(key, "NEEDS")) {
        c->program.needs = value;
        c->needs_line = line;
    } else if (!strcmp(key, "BUILD-ONLY")) {
        c->program.build_only = !strcmp(value, "yes");
    } else if (!strcmp(key, "FILES")) {
        r->files = value;
    } else if (!strcmp(key, "FILE")) {
        r->file = value;
    } else if (!strcmp(key, "CPU")) {
        c->cpu_ms = number * 1000;
    } else if (!strcmp(key, "MEMORY")) {
        c->memory_kb = number << 10;
    } else if (!strcmp(key, "STATUS")) {
        c->status = (int)number;
    } else if (!strcmp(key, "EXPECT-FILE")) {
        r->expected_file = value;
    } else if (!strcmp(key, "EXPECT")) {
        r->expects = true;
        strbuf_addf(&r->expected, "%s\n", value);
    } else if (!strcmp(key, "EXPECT-NOTHING")) {
        r->expects = true;
    } /* RUN and UNSUPPORTED are lit's */
}

/* A name in the header must stay below the folder of the suite. */
static bool is_inside(const char *name)
{
    return *name && *name != '/' && !strstr(name, "..");
}

/* Reads the header at *at and moves behind it. 1: it is none. */
static int read_header(struct reading *r, const char **at, const char *path, struct error *e)
{
    const char *text = *at, *mark = strstr(text, begin_mark);
    size_t first = strcspn(text, "\n");
    if (!mark || (size_t)(mark - text) >= first)
        return 1;
    size_t prefix = (size_t)(mark - text);
    const char *kind =
        arena_memdup(r->arena, mark + strlen(begin_mark), first - prefix - strlen(begin_mark));
    int anomaly = anomaly_from_name(kind);
    if (anomaly < 1)
        return error_at(e, ERROR_USAGE, path, 1, "there is no kind of anomaly '%s'", kind);
    r->c->kind = (enum anomaly)anomaly;
    r->prefix = arena_memdup(r->arena, text, prefix);
    int number = 1;
    for (const char *line = text + first; *line == '\n';) {
        line++;
        number++;
        size_t n = strcspn(line, "\n");
        if (n < prefix || memcmp(line, r->prefix, prefix) != 0)
            break;
        char *words = arena_memdup(r->arena, line + prefix, n - prefix);
        line += n;
        if (!strcmp(words, end_mark)) {
            *at = line + (*line == '\n');
            return 0;
        }
        char *colon = strstr(words, ": ");
        bool bare = n > prefix && words[n - prefix - 1] == ':'; /* an empty value, blank gone */
        if (!colon && !bare)
            break;
        if (colon)
            *colon = '\0';
        take_key(r, colon ? words : arena_memdup(r->arena, words, n - prefix - 1),
                 colon ? colon + 2 : "", number);
    }
    return error_at(e, ERROR_USAGE, path, number,
                    "the header of the case does not end: a line '%s%s' is missing", r->prefix,
                    end_mark);
}

static int read_files(struct reading *r, struct error *e)
{
    const char *dir = arena_printf(r->arena, "%s/%s", r->dir, r->files);
    string_list names = {0};
    int status = 0;
    if (fs_list(dir, r->arena, &names, NULL))
        return error_at(e, ERROR_USAGE, r->c->path, 0, "its files are not there: no folder %s",
                        dir);
    r->c->program.files = arena_array(r->arena, struct program_file, names.n + 1);
    for (size_t i = 0; i < names.n && !status; i++) {
        const char *path = arena_printf(r->arena, "%s/%s", r->files, names.at[i]);
        if (!fs_is_dir(arena_printf(r->arena, "%s/%s", r->dir, path)))
            status = program_file_read_in(r->dir, path, LARGEST, r->arena,
                                          &r->c->program.files[r->c->program.n_files++], e);
    }
    vec_release(&names);
    return status;
}

/* The program and its output, from the header and what follows it. */
static int complete(struct reading *r, const struct program_file *whole, const char *rest,
                    struct error *e)
{
    struct program *p = &r->c->program;
    if ((r->files && !is_inside(r->files)) || (r->file && !fs_is_plain_name(r->file)) ||
        (r->expected_file && !is_inside(r->expected_file)))
        return error_at(e, ERROR_USAGE, r->c->path, 1,
                        "it names a file outside its folder, or one that looks like an option");
    if (!p->language || !r->c->testbed)
        return error_at(e, ERROR_USAGE, r->c->path, 1, "its header lacks %s",
                        p->language ? "TESTBED" : "LANGUAGE");
    if (r->files && read_files(r, e))
        return -1;
    if (!r->files) {
        p->files = arena_new(r->arena, struct program_file);
        p->n_files = 1;
        p->files[0] = (struct program_file){r->file ? r->file : whole->name, rest,
                                            whole->size - (size_t)(rest - whole->text)};
    }
    if (r->expected_file) {
        struct program_file expected;
        if (program_file_read_in(r->dir, r->expected_file, LARGEST, r->arena, &expected, e))
            return -1;
        p->expected = program_bytes(&expected);
    } else if (r->expects) {
        p->expected = bytes_copy(r->arena, bytes_in(&r->expected));
    }
    return 0;
}

/* 1: the file is no case. */
static int read_case(const char *dir, const char *name, struct arena *a, struct report_case *out,
                     struct error *e)
{
    struct program_file whole;
    struct reading r = {.c = out, .dir = dir, .arena = a};
    *out = (struct report_case){.path = arena_printf(a, "%s/%s", dir, name),
                                .version = "",
                                .flags = "",
                                .program = {.needs = "", .made = {"file", "", "", 0, NULL}}};
    if (program_file_read(out->path, LARGEST, a, &whole, e))
        return -1;
    strbuf_init(&r.expected, 0);
    const char *rest = whole.text;
    int status = read_header(&r, &rest, out->path, e);
    if (!status)
        status = complete(&r, &whole, rest, e);
    strbuf_release(&r.expected);
    return status;
}

int report_suite_read(const char *dir, struct arena *a, struct report_case **out, int *n,
                      struct error *e)
{
    string_list names = {0};
    int status = 0;
    *n = 0;
    if (fs_list(dir, a, &names, NULL))
        return error_set(e, ERROR_USAGE, "%s cannot be read as a folder", dir);
    *out = arena_array(a, struct report_case, names.n + 1);
    for (size_t i = 0; i < names.n && status >= 0; i++) {
        if (!fs_is_file(arena_printf(a, "%s/%s", dir, names.at[i])))
            continue; /* a pipe in a suite that was sent would be read for ever */
        status = read_case(dir, names.at[i], a, &(*out)[*n], e);
        *n += status == 0;
    }
    vec_release(&names);
    return status < 0 ? -1 : 0;
}

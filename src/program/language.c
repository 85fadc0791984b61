#include "program/language.h"

#include <ctype.h>
#include <string.h>

#define C_KEYWORDS                                                                                 \
    " break case const continue default do else enum extern for goto if inline register restrict " \
    "return sizeof static struct switch typedef union volatile while _Alignas _Alignof _Atomic "   \
    "_Generic _Noreturn _Static_assert _Thread_local __attribute__ asm __asm__ "
#define C_TYPES                                                                                    \
    " char double float int long short signed unsigned void _Bool _Complex bool size_t int8_t "    \
    "int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t "

#define LIKE_C .scan = SCAN_C, .note = "/* ", .note_end = " */"

/* Those of C also use a volatile object: a testbed that traces must see it used. How often does not
 * matter here, or a compiler with that very fault would be left out as broken. */
#define C_SMOKE(before, parameters)                                                                \
    "/* volatile: 0 accesses, hash 0, of g_1 */\n" before                                          \
    "int printf(const char *, ...);\nvolatile int g_1;\n"                                          \
    "int main(" parameters ")\n{\n    g_1 = 42;\n    printf(\"assay %d\\n\", g_1);\n"              \
    "    return 0;\n}\n"

static const struct language languages[] = {
    {.name = "c",
     .suffixes = " .c .i ",
     LIKE_C,
     .keywords = C_KEYWORDS,
     .types = C_TYPES,
     .smoke = C_SMOKE("", "void"),
     .smoke_output = "assay 42\n"},
    {.name = "c++",
     .suffixes = " .cpp .cc .cxx .C .ii ",
     LIKE_C,
     .keywords =
         C_KEYWORDS " auto catch class constexpr consteval decltype delete explicit export final "
                    "friend mutable namespace new noexcept operator override private protected "
                    "public static_assert static_cast reinterpret_cast const_cast template this "
                    "throw try typename using virtual true false nullptr ",
     .types = C_TYPES,
     .smoke = C_SMOKE("extern \"C\" ", ""),
     .smoke_output = "assay 42\n"},
    {.name = "opencl",
     .suffixes = " .cl ",
     LIKE_C,
     .keywords = C_KEYWORDS " kernel global local constant private __kernel __global __local "
                            "__constant __private read_only write_only read_write true false ",
     .types = C_TYPES " uchar ushort uint ulong half image2d_t image3d_t sampler_t event_t ",
     .smoke = "kernel void A(global int* a) { a[get_global_id(0)] *= 42; }\n",
     .smoke_output =
         "kernel A 1 thread\nbuffer 0 int 1 hash 72d84ddf: 42\nkernel A 2048 threads\n"
         "buffer 0 int 2048 hash 4cde375d: 42 84 126 168 210 252 294 336 378 420 462 504 546 588 "
         "630 672\n"},
    {.name = "lua",
     .suffixes = " .lua ",
     .scan = {.line_comment = "--", .quotes = "\"'", .escapes = true, .long_brackets = true},
     .note = "-- ",
     .note_end = "",
     .open = " function do if repeat ",
     .close = " end until ",
     .then = " then ",
     .keywords = " and break do else elseif end for function goto if in local not or repeat return "
                 "then until while true false nil ",
     .smoke = "print(\"assay \" .. 6 * 7)\n",
     .smoke_output = "assay 42\n"},
    {.name = "sql",
     .suffixes = " .sql ",
     .scan = {.line_comment = "--",
              .comment = "/*",
              .comment_end = "*/",
              .quotes = "'\"`",
              .across_lines = true},
     .note = "-- ",
     .note_end = "",
     .any_case = true,
     .keywords =
         " select from where group by having order limit offset insert into values update "
         "set delete create table index view drop alter join left right inner outer cross "
         "on as and or not in exists between like is null case when then else end union all "
         "distinct primary key unique references default with cast explain begin commit "
         "rollback asc desc intersect except ",
     .types = " integer int text real numeric boolean varchar char double precision smallint "
              "bigint ",
     /* Shows how fields are separated and what NULL looks like, which must be the same everywhere.
      */
     .smoke = "create table t(a integer, b integer);\ninsert into t values (42, null);\n"
              "select 'assay', a, b from t;\n",
     .smoke_output = "assay|42|NULL\n"},
    {.name = "smtlib",
     .suffixes = " .smt2 ",
     .scan =
         {.line_comment = ";", .quotes = "\"|", .word = "-+*/.~!@$%^&<>=?:#", .across_lines = true},
     .note = "; ",
     .note_end = "",
     .lists = true,
     .keywords = " assert check-sat check-sat-assuming declare-const declare-fun define-fun "
                 "define-sort declare-sort exit get-model get-value get-unsat-core pop push reset "
                 "set-info set-logic set-option let forall exists ite and or not xor distinct true "
                 "false ",
     .types = " Bool Int Real Array BitVec String ",
     .smoke = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n"
              "(assert (= x #x2a))\n(check-sat)\n(exit)\n",
     .smoke_output = "sat\n"},
    /* A quote that is not closed in its line is no string, to those who mind. */
    {.name = "", .suffixes = "", .scan = {.quotes = "\"'", .escapes = true}},
};
enum { KNOWN = sizeof languages / sizeof *languages - 1 };

const struct language *language_find(const char *name)
{
    const struct language *l = languages;
    while (l < languages + KNOWN && strcmp(l->name, name) != 0)
        l++;
    return l;
}

const struct language *language_of_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    const struct language *l = languages;
    while (l < languages + KNOWN && !(dot && scan_listed(l->suffixes, dot, strlen(dot))))
        l++;
    return l;
}

void language_set_note(struct language *l, const char *text, struct arena *a)
{
    const char *hole = strstr(text, "%s");
    l->note = arena_memdup(a, text, (size_t)(hole - text));
    l->note_end = arena_strdup(a, hole + 2);
    if (*l->name || hole == text)
        return; /* what is known of a language stays */
    char *begin = arena_memdup(a, text, (size_t)(hole - text)), *end = (char *)l->note_end;
    for (size_t n = strlen(begin); n && begin[n - 1] == ' ';)
        begin[--n] = '\0';
    end += strspn(end, " ");
    if (*end)
        l->scan.comment = begin, l->scan.comment_end = end;
    else
        l->scan.line_comment = begin;
}

/* What ends a comment that begins so, where anything does: "*)" of "(*". */
static char *mirrored(struct arena *a, const char *begin)
{
    static const char pairs[] = "()[]{}<>";
    size_t n = strlen(begin);
    char *out = arena_memdup(a, begin, n);
    for (size_t i = 0; i < n; i++) {
        const char *pair = strchr(pairs, begin[n - 1 - i]);
        out[i] = pair ? pairs[(pair - pairs) ^ 1] : begin[n - 1 - i];
    }
    return out;
}

void language_of_text(const char *name, const char *text, struct arena *a, struct language *out)
{
    enum { LONGEST = 8 }; /* bytes that begin a comment */
    *out = *language_find(name);
    size_t n = strcspn(text, "\n"), begin = 0;
    while (begin < n && begin < LONGEST && ispunct((unsigned char)text[begin]))
        begin++;
    const char *line = arena_memdup(a, text, n), *said = line + begin + strspn(line + begin, " ");
    bool ours = !strncmp(said, "assay gen ", 10) || strstr(said, ", reduced by assay from ");
    if (*out->name || !begin || !ours)
        return;
    const char *end = mirrored(a, arena_memdup(a, text, begin));
    bool closed = n >= 2 * begin && !strcmp(line + n - begin, end);
    language_set_note(out,
                      arena_printf(a, "%.*s%%s%s%s", (int)(said - line), line, closed ? " " : "",
                                   closed ? end : ""),
                      a);
}

void language_of_program(const struct program *p, struct arena *a, struct language *out)
{
    const struct program_file *first = p->n_files ? &p->files[0] : NULL;
    for (int i = p->n_files - 1; i >= 0; i--)
        if (program_is_source(p->files[i].name))
            first = &p->files[i];
    language_of_text(p->language, first ? arena_memdup(a, first->text, first->size) : "", a, out);
}

static bool is_listed(const struct language *l, const char *list, const char *word, size_t n)
{
    char lower[32];
    if (l->any_case && n < sizeof lower) {
        for (size_t i = 0; i < n; i++)
            lower[i] = (char)tolower((unsigned char)word[i]);
        word = lower;
    }
    return list && scan_listed(list, word, n);
}

bool language_is_keyword(const struct language *l, const char *word, size_t n)
{
    return is_listed(l, l->keywords, word, n);
}

bool language_is_type(const struct language *l, const char *word, size_t n)
{
    return is_listed(l, l->types, word, n);
}

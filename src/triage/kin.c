#include "triage/kin.h"

#include <ctype.h>
#include <string.h>

/* Bytes that no source and no listing has. */
enum { END_OF_FIELD = 0x1f, END_OF_KIN = 0x1e };

void kin_add(struct strbuf *out, const struct kin *k)
{
    strbuf_addf(out, "%c%s%c%s%c%s%c%s%c", k->right ? '+' : '-', k->text, END_OF_FIELD, k->code,
                END_OF_FIELD, k->second, END_OF_FIELD, k->constructs, END_OF_KIN);
}

bool kin_next(const char **at, struct arena *a, struct kin *out)
{
    const char *from = *at, *end = *from ? strchr(from, END_OF_KIN) : NULL;
    const char *fields[] = {"", "", "", ""}; /* an older file has no constructs */
    int n = 0;
    for (const char *p = from + 1; end && p <= end && n < 4; n++) {
        size_t length = (size_t)(end - p);
        const char *stop = memchr(p, END_OF_FIELD, length);
        fields[n] = arena_memdup(a, p, stop ? (size_t)(stop - p) : length);
        p = stop ? stop + 1 : end + 1;
    }
    if (n < 3)
        return false;
    *out = (struct kin){*from == '+', fields[0], fields[3], fields[1], fields[2]};
    *at = end + 1;
    return true;
}

/* -- listings ---------------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (const char *p = text; (p = strstr(p, word)); p++)
        if ((p == text || !in_word(p[-1])) && !in_word(p[n]))
            return true;
    return false;
}

/* "0000000000001139 <main>:", and not what the C library brings along. A clone of a function,
 * "f.part.0", is a part of it. */
static bool begins_function(const char *line, size_t n, const char *program, struct strbuf *out)
{
    const char *open = memchr(line, '<', n);
    if (!n || line[n - 1] != ':' || !isxdigit((unsigned char)*line) || !open)
        return false;
    char name[128];
    size_t length = strcspn(open + 1, ".@>+");
    if (!length || length >= sizeof name || open[1 + length] == '@') /* it leads into a library */
        return false;
    memcpy(name, open + 1, length);
    name[length] = '\0';
    if (!has_word(program, name, length))
        return false;
    strbuf_addf(out, "%s:\n", name);
    return true;
}

/* The width of a register is told by its name; which one it is, is accident. */
static const char *register_kind(const char *s, size_t n)
{
    if (*s == '%') {
        bool numbered = n > 2 && s[1] == 'r' && isdigit((unsigned char)s[2]);
        char last = s[n - 1];
        if (!strncmp(s, "%xmm", 4) || !strncmp(s, "%ymm", 4) || !strncmp(s, "%st", 3))
            return "v";
        if (numbered)
            return last == 'd' ? "r32" : last == 'w' ? "r16" : last == 'b' ? "r8" : "r64";
        return s[1] == 'r'                  ? "r64"
               : s[1] == 'e'                ? "r32"
               : last == 'l' || last == 'h' ? "r8"
                                            : "r16";
    }
    bool numbered = n > 1 && isdigit((unsigned char)s[1]);
    if (numbered && strchr("xw", *s))
        return *s == 'x' ? "r64" : "r32";
    return numbered && strchr("bhsdqv", *s) ? "v" : "r";
}

static const char *operand_kind(const char *s, size_t n)
{
    bool memory = memchr(s, '(', n) || memchr(s, '[', n);
    if (memory)
        return "m";
    if (*s == '$' || *s == '#')
        return "i";
    if (isdigit((unsigned char)*s) || memchr(s, '<', n))
        return "to"; /* an address */
    return register_kind(s, n);
}

/* "subl $1,8(%rsp)": where no register tells the width, a letter behind the name does. 0: none. */
static int width_of_name(const char *name, size_t n)
{
    static const char letters[] = "bwlq";
    const char *letter = n > 2 ? strchr(letters, name[n - 1]) : NULL;
    bool other = !strncmp(name, "call", 4) || !strncmp(name, "set", 3) || !strncmp(name, "jmp", 3);
    return letter && *letter && !other ? 8 << (letter - letters) : 0;
}

/* "mov    -0x8(%rbp),%eax": "mov m,r32"; "add    $0x4,%eax": "add $0x4,r32". */
static void add_instruction(struct strbuf *out, const char *s, size_t n)
{
    const char *end = s + n, *comment = memmem(s, n, " # ", 3);
    if (comment)
        end = comment;
    while (end > s && isspace((unsigned char)end[-1]))
        end--;
    size_t name = 0;
    while (s + name < end && !isspace((unsigned char)s[name]))
        name++;
    if (!strncmp(s, "nop", 3) || !strncmp(s, "data16", 6) || !strncmp(s, "cs nop", 6))
        return; /* between functions and loops */
    if (!name)
        return;
    const char *kinds[4], *p = s + name, *constant = NULL;
    int n_kinds = 0;
    bool in_memory = false, in_register = false;
    while (p < end && n_kinds < 4) {
        while (p < end && (isspace((unsigned char)*p) || *p == ','))
            p++;
        const char *from = p;
        for (int depth = 0; p < end && (depth || *p != ','); p++)
            depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (p == from)
            continue;
        kinds[n_kinds] = operand_kind(from, (size_t)(p - from));
        if (*from == '$' || *from == '#')
            constant = from + 1;
        in_memory |= !strcmp(kinds[n_kinds], "m");
        in_register |= *kinds[n_kinds] == 'r' || *kinds[n_kinds] == 'v';
        n_kinds++;
    }
    int width = in_memory && !in_register ? width_of_name(s, name) : 0;
    strbuf_add(out, s, width ? name - 1 : name);
    for (int i = 0; i < n_kinds; i++) {
        strbuf_addc(out, i ? ',' : ' ');
        if (constant && !strcmp(kinds[i], "i"))
            strbuf_addf(out, "$%.*s", (int)strcspn(constant, ", \t\n"), constant);
        else
            strbuf_adds(out, kinds[i]);
        if (width && !strcmp(kinds[i], "m"))
            strbuf_addf(out, "%d", width);
    }
    strbuf_addc(out, '\n');
}

void kin_code(struct strbuf *out, const char *program, const char *listing)
{
    bool inside = false;
    for (const char *line = listing; *line;) {
        size_t n = strcspn(line, "\n");
        const char *colon = memchr(line, ':', n);
        if (isxdigit((unsigned char)*line))
            inside = begins_function(line, n, program, out);
        else if (inside && colon && colon[1] == '\t')
            add_instruction(out, colon + 2, n - (size_t)(colon + 2 - line));
        line += n + (line[n] == '\n');
    }
}

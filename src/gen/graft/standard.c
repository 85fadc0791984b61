/* Only characters are copied and compared: what copies other objects by bytes is none of what
 * interp runs for generators, and is refused when it is tried. memmove is not here, since which of
 * two objects comes first cannot be asked. */
#include "gen/graft/standard.h"

#include "cc/import/import.h"
#include "cc/library.h"

#include <string.h>

static const char source[] =
    "unsigned long standard_strlen(const char *s)\n"
    "{ unsigned long n = 0; while (s[n]) n++; return n; }\n"
    "unsigned long standard_strnlen(const char *s, unsigned long most)\n"
    "{ unsigned long n = 0; while (n < most && s[n]) n++; return n; }\n"
    "int standard_strcmp(const char *a, const char *b)\n"
    "{ while (*a && *a == *b) { a++; b++; }\n"
    "  return (unsigned char)*a - (unsigned char)*b; }\n"
    "int standard_strncmp(const char *a, const char *b, unsigned long n)\n"
    "{ for (; n; n--, a++, b++) {\n"
    "    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;\n"
    "    if (!*a) break; }\n"
    "  return 0; }\n"
    "char *standard_strchr(const char *s, int c)\n"
    "{ for (; *s != (char)c; s++) if (!*s) return 0;\n"
    "  return (char *)s; }\n"
    "char *standard_strrchr(const char *s, int c)\n"
    "{ const char *last = 0; do { if (*s == (char)c) last = s; } while (*s++);\n"
    "  return (char *)last; }\n"
    "char *standard_strcpy(char *to, const char *from)\n"
    "{ char *s = to; while ((*s++ = *from++)) { } return to; }\n"
    "char *standard_strncpy(char *to, const char *from, unsigned long n)\n"
    "{ unsigned long i = 0; for (; i < n && from[i]; i++) to[i] = from[i];\n"
    "  for (; i < n; i++) to[i] = 0; return to; }\n"
    "char *standard_strcat(char *to, const char *from)\n"
    "{ char *s = to; while (*s) s++; while ((*s++ = *from++)) { } return to; }\n"
    "unsigned long standard_strspn(const char *s, const char *in)\n"
    "{ unsigned long n = 0; for (; s[n]; n++) { const char *c = in;\n"
    "    while (*c && *c != s[n]) c++;\n"
    "    if (!*c) break; }\n"
    "  return n; }\n"
    "unsigned long standard_strcspn(const char *s, const char *in)\n"
    "{ unsigned long n = 0; for (; s[n]; n++) { const char *c = in;\n"
    "    while (*c && *c != s[n]) c++;\n"
    "    if (*c) break; }\n"
    "  return n; }\n"
    "void *standard_memcpy(void *to, const void *from, unsigned long n)\n"
    "{ unsigned char *d = to; const unsigned char *s = from;\n"
    "  while (n--) *d++ = *s++;\n"
    "  return to; }\n"
    "void *standard_memset(void *to, int c, unsigned long n)\n"
    "{ unsigned char *d = to; while (n--) *d++ = (unsigned char)c; return to; }\n"
    "int standard_memcmp(const void *a, const void *b, unsigned long n)\n"
    "{ const unsigned char *p = a, *q = b;\n"
    "  for (; n; n--, p++, q++) if (*p != *q) return *p - *q;\n"
    "  return 0; }\n"
    "void *standard_memchr(const void *s, int c, unsigned long n)\n"
    "{ const unsigned char *p = s; for (; n; n--, p++) if (*p == (unsigned char)c)\n"
    "    return (void *)p;\n"
    "  return 0; }\n"
    "int standard_isdigit(int c) { return c >= '0' && c <= '9'; }\n"
    "int standard_isupper(int c) { return c >= 'A' && c <= 'Z'; }\n"
    "int standard_islower(int c) { return c >= 'a' && c <= 'z'; }\n"
    "int standard_isalpha(int c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }\n"
    "int standard_isalnum(int c)\n"
    "{ return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }\n"
    "int standard_isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }\n"
    "int standard_isprint(int c) { return c >= 32 && c < 127; }\n"
    "int standard_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }\n"
    "int standard_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }\n";

int standard_load(struct cc_program *p, struct error *e)
{
    const struct parse_options o = {0};
    struct parsed parsed;
    struct import import;
    if (parsed_load_text("standard.c", source, sizeof source - 1, &o, p->arena, &parsed, e))
        return -1;
    return cc_import(&parsed, "standard.c", p, &import, e);
}

static const struct cc_func *find(const struct cc_program *standard, const char *name)
{
    for (size_t i = 0; i < standard->funcs.n; i++)
        if (!strcmp(standard->funcs.at[i]->name + strlen(STANDARD_PREFIX), name))
            return standard->funcs.at[i];
    return NULL;
}

void standard_adopt(struct cc_program *p, const struct cc_program *standard)
{
    for (size_t i = 0; i < p->funcs.n; i++) {
        struct cc_func *f = p->funcs.at[i];
        const struct cc_func *ours =
            f->library && !f->body ? find(standard, cc_library_name[f->library]) : NULL;
        if (!ours)
            continue;
        f->name = ours->name;
        f->type = ours->type;
        f->params = ours->params;
        f->n_params = ours->n_params;
        f->body = ours->body;
        f->library = CC_LIB_NONE;
    }
}

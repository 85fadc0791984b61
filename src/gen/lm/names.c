/* Canonical names as numbers in base 26 without a zero: a .. z, aa .. zz, aaa ..., behind the
 * letter of their kind. A keyword among them takes no number: those behind it move up by one, so
 * that numbers stay dense. There are few such words, and they are counted anew each time. */
#include "gen/lm/names.h"
#include "base/scan.h"

#include <stdint.h>
#include <string.h>

/* Words of C11, of OpenCL C 2.0 and of both with the underscores left out, names of scalar types
 * included: neither may be declared again. */
static const char keywords[] =
    " _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert "
    "_Thread_local __attribute__ __builtin_offsetof __builtin_va_arg __constant __global "
    "__kernel __local __private __read_only __read_write __write_only asm auto bool break case "
    "char complex const constant continue default do double else enum extern false float for "
    "generic global goto half if imaginary inline int kernel local long pipe private quad "
    "read_only read_write register restrict return short signed sizeof static struct switch true "
    "typedef typeof uchar uint ulong union unsigned ushort void volatile while write_only ";

bool lm_is_keyword(const char *text, size_t size)
{
    return scan_listed(keywords, text, size);
}

/* The letter before the counted ones, and the first of those. */
static const struct {
    char prefix; /* 0: none */
    char first;
} shapes[LM_NAME_KINDS] = {
    [LM_NAME_FUNCTION] = {0, 'A'}, [LM_NAME_VARIABLE] = {0, 'a'}, [LM_NAME_GLOBAL] = {'G', 'a'},
    [LM_NAME_TYPE] = {'T', 'a'},   [LM_NAME_MEMBER] = {'f', 'a'}, [LM_NAME_LABEL] = {'L', 'a'},
};

enum { LETTERS = 26, MOST_LETTERS = 4 };

/* Its number with the keywords counted. */
static bool raw_number(enum lm_name_kind kind, const char *text, size_t size, size_t *n)
{
    if (shapes[kind].prefix && (!size || *text++ != shapes[kind].prefix || !size--))
        return false;
    *n = 0;
    for (size_t i = 0; i < size; i++) {
        int digit = text[i] - shapes[kind].first;
        if (digit < 0 || digit >= LETTERS || size > MOST_LETTERS)
            return false;
        *n = *n * LETTERS + (size_t)digit + 1;
    }
    *n -= size > 0;
    return size > 0;
}

/* Keywords of the kind's shape up to a number. */
static size_t keywords_to(enum lm_name_kind kind, size_t raw)
{
    size_t count = 0, number;
    for (const char *at = keywords + 1; *at; at += strcspn(at, " ") + 1)
        count += raw_number(kind, at, strcspn(at, " "), &number) && number <= raw;
    return count;
}

const char *lm_name(enum lm_name_kind kind, size_t n, char out[LM_NAME_SIZE])
{
    size_t raw = n, passed = 0;
    for (size_t now; (now = keywords_to(kind, raw)) != passed; passed = now)
        raw = n + now;
    char *at = out + LM_NAME_SIZE;
    *--at = '\0';
    for (size_t rest = raw + 1; rest; rest = (rest - 1) / LETTERS)
        *--at = (char)(shapes[kind].first + (int)((rest - 1) % LETTERS));
    if (shapes[kind].prefix)
        *--at = shapes[kind].prefix;
    memmove(out, at, (size_t)(out + LM_NAME_SIZE - at));
    return out;
}

bool lm_name_number(enum lm_name_kind kind, const char *text, size_t size, size_t *n)
{
    size_t raw;
    if (!raw_number(kind, text, size, &raw) || lm_is_keyword(text, size))
        return false;
    *n = raw - keywords_to(kind, raw);
    return true;
}

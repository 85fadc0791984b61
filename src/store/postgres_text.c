/* SQL and texts on their way to PostgreSQL and back. */
#include "store/postgres.h"

#include <ctype.h>

void postgres_translate(const char *sql, struct strbuf *out)
{
    int last = 0;
    for (bool quoted = false; *sql; sql++) {
        quoted ^= *sql == '\'';
        if (*sql != '?' || quoted) {
            strbuf_addc(out, *sql);
            continue;
        }
        int number = 0;
        while (isdigit((unsigned char)sql[1]))
            number = 10 * number + (*++sql - '0');
        if (!number)
            number = last + 1;
        last = number > last ? number : last;
        strbuf_addf(out, "$%d", number);
    }
}

/* -- texts of any bytes ------------------------------------------------------------------------ */

/* U+10F780 .. U+10F7FF as UTF-8: four bytes, F4 8F 9E 80 .. F4 8F 9F BF. */
enum { ESCAPE_0 = 0xf4, ESCAPE_1 = 0x8f, ESCAPE_2 = 0x9e, ESCAPE_SIZE = 4 };

static bool is_escape(const unsigned char *at, size_t left)
{
    return left >= ESCAPE_SIZE && at[0] == ESCAPE_0 && at[1] == ESCAPE_1 &&
           (at[2] == ESCAPE_2 || at[2] == ESCAPE_2 + 1) && (at[3] & 0xc0) == 0x80;
}

/* Bytes of the character here as RFC 3629 has it; 0: it is none. */
static size_t character(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char from, to, second_from, second_to, size;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (*at < rows[i].from || *at > rows[i].to)
            continue;
        size_t size = rows[i].size;
        if (size > left || (size > 1 && (at[1] < rows[i].second_from || at[1] > rows[i].second_to)))
            return 0;
        for (size_t k = 2; k < size; k++)
            if ((at[k] & 0xc0) != 0x80)
                return 0;
        return size;
    }
    return 0;
}

void postgres_encode(struct bytes text, struct strbuf *out)
{
    const unsigned char *at = (const unsigned char *)text.data;
    for (size_t left = text.size; left;) {
        size_t size = character(at, left);
        if (size && !is_escape(at, left)) {
            strbuf_add(out, (const char *)at, size);
        } else { /* only bytes from 0x80 on come here, and NUL, which no text of ours has */
            size = 1;
            strbuf_addc(out, (char)ESCAPE_0);
            strbuf_addc(out, (char)ESCAPE_1);
            strbuf_addc(out, (char)(ESCAPE_2 + ((*at >> 6) & 1)));
            strbuf_addc(out, (char)(0x80 | (*at & 0x3f)));
        }
        at += size;
        left -= size;
    }
}

size_t postgres_decode(char *text, size_t size)
{
    unsigned char *from = (unsigned char *)text, *to = from, *end = from + size;
    while (from < end) {
        if (is_escape(from, (size_t)(end - from))) {
            *to++ = (unsigned char)(0x80 | ((from[2] & 1) << 6) | (from[3] & 0x3f));
            from += ESCAPE_SIZE;
        } else {
            *to++ = *from++;
        }
    }
    return (size_t)(to - (unsigned char *)text);
}

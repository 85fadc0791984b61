/* defined: main returned 0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct span { const char *from, *to; };
char a[8] = "one", b[8] = "two", c[8] = "three";
int main(void)
{
    struct span *s = malloc(sizeof *s), swap;
    s[0] = (struct span){a, a + 8};
    s = realloc(s, 3 * sizeof *s);
    s[1] = (struct span){b, b + 8};
    s[2] = (struct span){c, c + 8};
    memcpy(&swap, &s[0], sizeof swap);
    memcpy(&s[0], &s[2], sizeof swap);
    memcpy(&s[2], &swap, sizeof swap);
    for (int i = 0; i < 3; i++)
        for (const char *p = s[i].from; p != s[i].to; p++)
            if (*p)
                printf("%c", *p);
    puts("");
    free(s);
    return 0;
}

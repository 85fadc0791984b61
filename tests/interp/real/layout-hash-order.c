/* undecided */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int item[6];
int main(void)
{
    int table[8] = {0};
    for (int i = 0; i < 6; i++) {
        int *copy = malloc(sizeof *copy);
        *copy = i + 1;
        unsigned slot = (unsigned)((uintptr_t)copy >> 4) * 2654435761u >> 29;
        while (table[slot])
            slot = (slot + 1) % 8;
        table[slot] = *copy;
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", table[i]);
    puts("");
    return 0;
}

/* defined: main returned 0 */
#include <stdint.h>
#include <stdio.h>
struct entry { int *key; int value; };
int item[10];
int main(void)
{
    struct entry table[32] = {{0}};
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        unsigned slot = (unsigned)((uintptr_t)&item[i] >> 2) * 2654435761u >> 27;
        while (table[slot].key)
            slot = (slot + 1) % 32;
        table[slot] = (struct entry){&item[i], i * i};
    }
    for (int i = 0; i < 10; i++) {
        unsigned slot = (unsigned)((uintptr_t)&item[i] >> 2) * 2654435761u >> 27;
        while (table[slot].key != &item[i])
            slot = (slot + 1) % 32;
        sum = sum * 7 + table[slot].value;
    }
    printf("%d\n", sum);
    return 0;
}

/* defined: main returned 0 */
#include <stdint.h>
#include <stdio.h>
struct node { int value; uintptr_t both; };
int main(void)
{
    struct node n[4];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        n[i].value = i + 1;
        n[i].both = (i ? (uintptr_t)&n[i - 1] : 0) ^ (i < 3 ? (uintptr_t)&n[i + 1] : 0);
    }
    uintptr_t before = 0, at = (uintptr_t)&n[0];
    while (at) {
        struct node *here = (struct node *)at;
        sum = sum * 10 + here->value;
        at = here->both ^ before;
        before = (uintptr_t)here;
    }
    printf("%d\n", sum);
    return 0;
}

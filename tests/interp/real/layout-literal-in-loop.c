/* undecided */
#include <stdint.h>
int main(void)
{
    uintptr_t last = 0;
    int same = 0;
    for (int i = 0; i < 3; i++) {
        uintptr_t now = (uintptr_t)(int[2]){i};
        same += now == last;
        last = now;
    }
    return same;
}

/* defined: main returned 0 */
#include <stdlib.h>
struct list { int value; struct list *next; };
int main(void) { struct list *l = 0, *p; int i, sum = 0;
  for (i = 1; i <= 5; i++) { p = malloc(sizeof *p); p->value = i; p->next = l; l = p; }
  for (; l; l = p) { sum += l->value; p = l->next; free(l); }
  return sum == 15 ? 0 : 1; }

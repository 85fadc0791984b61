/* defined: main returned 0 */
int printf(const char *, ...);
static int run(const unsigned char *code)
{
  static void *const table[] = {&&push, &&add, &&mul, &&end};
  int stack[8], *top = stack;
  goto *table[*code++];
push: *top++ = *code++; goto *table[*code++];
add: top--; top[-1] += *top; goto *table[*code++];
mul: { top--; top[-1] *= *top; goto *table[*code++]; }
end: return top[-1];
}
static int twice(int n)
{
  void *next = n ? &&more : 0;
  int count = 0;
  if (next) goto *next;
  return -1;
more:
  count += n;
  next = count > 5 ? &&done : &&more;
  goto *next;
done:
  return count;
}
int main(void)
{
  static const unsigned char code[] = {0, 6, 0, 3, 1, 0, 5, 2, 3};
  printf("%d %d %d\n", run(code), twice(0), twice(2));
  return 0;
}

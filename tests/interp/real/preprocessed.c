/* defined: main returned 0 */
# 1 "t.c"
# 1 "/usr/include/some.h" 1 3 4
extern _Float128 wide (const char *__restrict from, char **__restrict end);
extern _Float64x wider (_Float32 x);
extern int shut (void *);
extern void *fresh (unsigned long) __attribute__ ((__nothrow__)) __attribute__ ((__malloc__ (shut, 1)));
extern int printf (const char *__restrict format, ...);
extern int getpid (void);
extern char **environ;
# 2 "t.c" 2
int main(int argc, char **argv)
{
  if (argc > 5)
    return getpid() + **environ;
  printf("%d\n", argc);
  return 0;
}

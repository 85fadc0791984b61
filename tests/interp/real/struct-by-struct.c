/* undefined: effective-type */
int main(void)
{
  struct { int x; } u = {0};
  *(struct { int y; } *)&u;
  return 0;
}

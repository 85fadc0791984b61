/* undecided */
int main(void)
{
  union { int x; float y; } u = {0};
  *(union { int x; float y; } *)&u;
  return 0;
}

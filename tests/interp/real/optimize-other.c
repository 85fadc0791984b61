/* undecided */
int main(void) {
#ifdef __OPTIMIZE__
  return 1;
#endif
  return 0;
}

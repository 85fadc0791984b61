int printf(const char *, ...);
int main() {
  int a=1, b=0;
  if(a){
    int c=3, d=5;
    b = c + d;
  }
  printf("%d", a);
  printf("%d", b);
  return 0;
}

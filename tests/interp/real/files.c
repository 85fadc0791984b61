/* defined: main returned 0 */
#include <stdio.h>
#include <string.h>
int main(void)
{
  FILE *f = tmpfile();
  char line[20], name[L_tmpnam]; int a = 0, b = 0, n; struct { int x, y; } s[2] = {{1, 2}, {3, 4}}, t[2];
  if (!f) return 1;
  setbuf(f, NULL); setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
  fprintf(f, "%d %s\n", 12, "first"); fputs("second line\n", f); fputc('x', f); putc('y', f);
  printf("%ld ", ftell(f));
  rewind(f);
  n = fscanf(f, "%d", &a); printf("%d %d ", n, a);
  fgets(line, 20, f); printf("<%s> ", line);
  n = fgetc(f); ungetc(n, f); printf("%c %c ", n, getc(f));
  printf("%s", fgets(line, 5, f)); printf("<%s> ", fgets(line, 20, f));
  n = fgetc(f); b = getc(f); printf("%c%c %d ", n, b, feof(f));
  n = getc(f); printf("%d %d %d ", n, feof(f) != 0, ferror(f));
  clearerr(f); printf("%d\n", feof(f));
  fseek(f, -1, SEEK_END); fputc('z', f); fflush(f); fseek(f, -2, SEEK_CUR); n = getc(f); b = getc(f); printf("%c%c ", n, b);
  fclose(f);
  if (!tmpnam(name) || (f = fopen(name, "r")) || !(f = fopen(name, "wb+"))) return 2;
  printf("%d ", (int)fwrite(s, sizeof *s, 2, f)); rewind(f);
  n = (int)fread(t, sizeof *t, 2, f); printf("%d %d %d ", n, t[1].x, t[1].y);
  fclose(f);
  f = fopen(name, "a"); fputs("more", f); fclose(f);
  f = fopen(name, "rb"); fseek(f, 0, SEEK_END); printf("%ld ", ftell(f)); fclose(f);
  n = remove(name); printf("%d %d\n", n, fopen(name, "r") == NULL);
  return 0;
}

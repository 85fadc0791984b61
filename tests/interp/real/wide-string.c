/* defined: main returned 0 */
#include <stddef.h>
wchar_t s[] = L"h\u00e9"; int main(void) { return s[0] == 'h' && s[1] == 0xe9 && s[2] == 0 && sizeof s == 12 ? 0 : 1; }

/* defined: main returned 0 */
int main(void) { unsigned __int128 x = (unsigned __int128)1 << 100; return (unsigned)(x >> 98) == 4 ? 0 : 1; }

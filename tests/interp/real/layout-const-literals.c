/* undecided */
int main(void) { return (const int[]){1, 2} == (const int[]){1, 2}; }

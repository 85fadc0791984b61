/* undecided */
void main(void) { }

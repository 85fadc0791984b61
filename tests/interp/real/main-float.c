/* undecided */
float main(void) { return 1.0f; }

/* undecided */
static _Complex double twice(_Complex double z) { return z * 2; }
int main(void) { twice(1); return 0; }

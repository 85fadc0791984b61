/* undecided */
int main(void){ return "abc"=="abc";}

/* undecided */
int main(void){ void(*f)(void)=(void(*)(void))1; return f!=0;}

/* undefined: indeterminately-sequenced */
#include <stdio.h>
#include <string.h>
static int quiet(const char *s) { return s[0] == '!'; }
static int (*say)(const char *) = puts;
static const char *text(void) { say = quiet; return "hello"; }
int main(void) { return say(text()) < 0; }

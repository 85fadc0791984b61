#!/bin/sh
# The banned functions do not compile. Arguments: tests folder, source root, compiler (with ccache: two
# words).
. "$1/tap.sh"
root=$2
shift 2
cc=$*
tmp=$(mktemp -d)
compiles() {
    printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\nint main(void) { char b[9] = ""; (void)b; %s; return 0; }\n' "$1" >"$tmp/t.c"
    $cc -std=gnu17 -D_GNU_SOURCE -include "$root/src/base/banned.h" -c "$tmp/t.c" -o "$tmp/t.o" 2>"$tmp/err"
}
compiles 'snprintf(b, sizeof b, "x")'
ok $? "an allowed function compiles"
for call in 'strcpy(b, "x")' 'strcat(b, "x")' 'strncpy(b, "x", 1)' 'sprintf(b, "x")' \
    'strtok(b, " ")' '(void)rand()' 'srand(1)' '(void)time(NULL)' '(void)system("ls")' \
    '(void)popen("ls", "r")'; do
    ! compiles "$call"
    ok $? "$call does not compile"
    grep -q BANNED_ "$tmp/err"
    ok $? "  and the message says that it is banned"
done
rm -r "$tmp"
tap_done

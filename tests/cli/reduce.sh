#!/bin/sh
# assay reduce SCRIPT FILE..., and --test: any file, by any test. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
mkdir jobs
export TMPDIR="$tmp/jobs"

cat >program.c <<'EOF'
int printf(const char *, ...);
int unused = 5;
int keep(int x)
{
    int y = x * 3;
    return y << 2;
}
int other(int x) { return x + unused; }
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 4; i++)
        sum += keep(i) + other(i);
    printf("%d\n", sum);
    return 0;
}
EOF
cat >shift.sh <<'EOF'
#!/bin/sh
echo "$PWD $(ls | tr '\n' ' ')" >>"$(dirname "$0")/seen"
grep -q '<<' program.c && tcc -w -o program program.c
EOF
cat >words.sh <<'EOF'
#!/bin/sh
grep -q needle hay.txt
EOF
printf 'a line of hay\nanother (with a needle in it) of hay\nand more\nhay\n' >hay.txt
printf '#!/bin/sh\nexit 1\n' >never.sh
printf '#!/bin/sh\n: >%s/waits\nwhile :; do sleep 0.1; done\n' "$tmp" >wait.sh
cp shift.sh not-executable.sh
chmod +x shift.sh words.sh never.sh wait.sh

# reduce ARGUMENTS...: sets out, err, rc.
reduce() {
    out=$("$assay" reduce "$@" 2>err)
    rc=$?
    err=$(cat err)
}

# A wrong value that shows only in what it decides: the compiler of this test shifts the other way.
cat >decides.c <<'EOF'
int printf(const char *, ...);
int a = 1, *b = &a, c;
int main(void)
{
    switch (1 + ((4294967295U << *b) & 7)) {
    case 7:
        b = 0;
    }
    if (b)
        c = 3;
    printf("%d", b != 0);
}
EOF
cat >wrong.sh <<'EOF'
#!/bin/sh
tcc -w -o right decides.c && sed 's/<</>>/' decides.c >wrong.c && tcc -w -o wrong wrong.c || exit 1
[ "$(./right)" != "$(./wrong)" ]
EOF
chmod +x wrong.sh
reduce --test ./wrong.sh decides.c
is $rc 0 "a decision is reduced"
has "$(cat decides.reduced.c)" "<<" "to the value that decided"
lacks "$(cat decides.reduced.c)" "switch" "without what it decided"

# A compiler that does not know that main returns 0 by itself is not to blame for that here: the last
# `return` goes last of all.
cat >returns.c <<'EOF'
int printf(const char *, ...);
int a = 5, b;
int main(void)
{
    b = a << 2;
    if (b > 3)
        a = 7;
    printf("%d", a);
    return 0;
}
EOF
cat >status.sh <<'EOF'
#!/bin/sh
# other than right: prints nothing for <<, and its main returns what it likes
grep -q '<<' returns.c && exit 0
grep -q 'main' returns.c && ! grep -q 'return' returns.c
EOF
chmod +x status.sh
reduce --test ./status.sh returns.c
has "$(cat returns.reduced.c)" "<<" "what was wrong at first is left, and not the end of main"

cp program.c before.c
reduce --test ./shift.sh program.c -j2
is $rc 0 "a C file is reduced"
has "$out" "program.reduced.c" "the result has a name"
cmp -s program.c before.c
ok $? "the file itself is left alone"
has "$(cat program.reduced.c)" "<<" "what is interesting is there"
lacks "$(cat program.reduced.c)" unused "what is not, is not"
tcc -w -o program program.reduced.c
ok $? "it compiles"
is "$(sed 's/[^ ]* //' seen | sort -u)" "program.c " "each test finds a fresh folder with the file in it"
has "$("$assay" check --ub program.reduced.c 2>&1)" "nothing undefined" "no behaviour is undefined"

mkdir include
echo '#define ANSWER 42' >include/answer.h
printf '#include <answer.h>\nint main(void) { return ANSWER; }\n' >needs.c
has "$("$assay" check --ub needs.c --needs "-I$tmp/include" 2>&1)" "main returned 42" "what a file needs is told to the checker"

reduce --test ./shift.sh --method text program.c -o small.c --json
is $rc 0 "by its text"
has "$out" '"method":"text"' "as the JSON says"
[ "$(wc -c <small.c)" -lt 60 ]
ok $? "it is small ($(wc -c <small.c) bytes)"
cat >octal.c <<'EOF'
int printf(const char *, ...);
int octal = 012U, hex = 0xABCD;
int main(void)
{
    printf("%d\n", octal + hex);
    return 0;
}
EOF
printf '#!/bin/sh\ngrep -q 012U octal.c\n' >octal.sh
printf '#!/bin/sh\ngrep -q "= *43981\\|= *0xABCD" octal.c\n' >hex.sh
chmod +x octal.sh hex.sh
reduce --test ./octal.sh octal.c
is "$(cat octal.reduced.c)" "int a = 012U;
int main(void) {}" "a number that must be octal stays octal, with its suffix"
reduce --test ./hex.sh octal.c
is "$(cat octal.reduced.c)" "int a = 43981;
int main(void) {}" "one that need not be hexadecimal is decimal"

reduce --test ./words.sh hay.txt
is "$rc $(tr -d ' \n()' <hay.reduced.txt)" "0 needle" "any other file is text"
is "$(ls jobs)" "" "nothing is left behind"

reduce --test ./never.sh program.c
is $rc 2 "a file that is not interesting"
has "$err" "program.c is not interesting: ./never.sh" "is told so"
reduce --test ./nowhere.sh program.c
is "$rc $err" "2 assay: --test: there is no file ./nowhere.sh" "a script that is not there"
reduce --test ./not-executable.sh program.c
is $rc 2 "one that cannot be executed"
has "$err" "chmod +x" "is told so"
reduce --test ./shift.sh nothing.c
is $rc 3 "no file to reduce"
reduce --test ./shift.sh
is $rc 2 "none named"
reduce --test ./shift.sh program.c hay.txt -o x.c
is $rc 2 "two of them into one"

# -- as C-Reduce and C-Vise are called: the script, then files, which become the result
mkdir several
cd several || exit 1
cat >main.c <<'EOF'
#include "twice.h"
int unused(void) { return 3; }
int main(void) { return twice(4) << 1; }
EOF
printf 'static int twice(int x) { return 2 * x; }\nstatic int other(int x) { return 3 * x; }\n' >twice.h
echo "nothing here matters" >notes.txt
cat >both.sh <<'EOF'
#!/bin/sh
[ -e notes.txt ] && grep -q 'twice.*<<' main.c && grep -q 'twice.*2' twice.h
EOF
chmod +x both.sh
cp main.c first.c
cp twice.h first.h
reduce ./both.sh main.c twice.h notes.txt -j2
is $rc 0 "several files"
has "$out" "main.c, twice.h, notes.txt: " "  are told"
has "$out" "in place" "  and where the result is"
./both.sh
ok $? "  the result is interesting where it stands"
is "$(cat main.c | tr -d ' \n') $(cat twice.h | tr -d ' \n')" "twice<< twice2" "  each is small"
is "$(wc -c <notes.txt | tr -d ' ')" 0 "  what is not needed is empty"
cmp -s main.c.orig first.c && cmp -s twice.h.orig first.h
ok $? "  what they were is beside them"
cp first.c main.c
cp first.h twice.h
reduce main.c twice.h notes.txt ./both.sh -q
is "$rc $(cat main.c | tr -d ' \n')" "0 twice<<" "the only one that can be the script is it, wherever it stands"
[ ! -e main.c.orig.1 ]
ok $? "  what was kept already is not kept twice"
cp first.c main.c
echo "int y = twice << 2;" >>main.c
cp main.c second.c
chmod +x main.c # as on file systems on which every file can be executed
reduce main.c ./both.sh twice.h notes.txt -q
is $rc 0 "  nor is one that merely may be executed"
cmp -s main.c.orig first.c && cmp -s main.c.orig.1 second.c
ok $? "  no original is lost for another"
cp first.c main.c
cp first.h twice.h
reduce --test ./both.sh main.c twice.h notes.txt -q
cmp -s main.c first.c && is "$(cat main.reduced.c | tr -d ' \n') $(cat twice.reduced.h | tr -d ' \n')" "twice<< twice2" "--test leaves the files alone"
reduce ./both.sh main.c twice.h notes.txt --json
has "$out" '"file":"twice.h","output":"twice.h"' "JSON has each file"
cp first.c main.c
reduce ../never.sh main.c
is $rc 2 "what is not interesting"
cmp -s main.c first.c
ok $? "  is left as it was"
reduce main.c
is $rc 2 "a file without a script"
has "$err" "assay reduce SCRIPT FILE..." "  is told how"
reduce first.c twice.h
is $rc 2 "no script among them"
has "$err" "first.c cannot be executed: the first argument is the interestingness test (chmod +x)" "  is told so"
reduce nowhere.sh main.c
has "$err" "nowhere.sh is neither the number of a finding nor a file" "nothing of that name"
mkdir sub
cp main.c sub
reduce ./both.sh main.c sub/main.c
has "$err" "main.c and sub/main.c have the same name" "two files of one name"
reduce 17
has "$err" "there is no campaign in ." "a number is a finding"
cd ..

reduce --test ./shift.sh program.c --method cvise
is $rc 2 "a method that no file is reduced by"
has "$err" "by c or text, not by cvise" "is told so"
reduce --test ./words.sh --method c hay.txt
is $rc 2 "what is no C cannot be reduced as such"
has "$err" "hay.txt cannot be reduced by the method 'c': " "and it says why"

"$assay" reduce --test ./wait.sh program.c -o stopped.c >told 2>/dev/null &
pid=$!
i=0
while [ ! -e waits ] && [ $i -lt 600 ]; do
    i=$((i + 1))
    sleep 0.1
done
kill -INT $pid
wait $pid
is $? 0 "Ctrl-C ends it"
cmp -s program.c stopped.c
ok $? "with the best so far, here the original"
has "$(cat told)" "bytes, " "it says how far it came"
has "$(cat told)" "assay reduce --test ./wait.sh stopped.c -o stopped.c" "and how to go on"
is "$(ls jobs)" "" "and nothing is left behind"

cd / && rm -rf "$tmp"
tap_done

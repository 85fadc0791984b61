#!/bin/sh
# The commands as a user types them: help, wrong usage, testbeds, gen, check. Arguments: tests
# folder, source root, the assay binary.
. "$1/tap.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=1"
root=$(realpath "$2")
assay=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"

out=$($assay 2>&1); is $? 2 "no command: exit 2"
has "$out" "assay COMMAND --help" "  and the list of commands"
out=$($assay --version); is $? 0 "--version"
has "$out" "assay $(sed -n "s/^ *version: '\(.*\)',/\1/p" "$root/meson.build")" "  says it"
for command in run gen check testbeds bugs show replay; do
    out=$($assay $command --help); is $? 0 "$command --help"
    has "$out" "example:" "  has an example"
    has "$out" "exit status:" "  and the exit statuses"
    out=$($assay $command --no-such-option 2>&1); is $? 2 "$command with a wrong option: exit 2"
    has "$out" "there is no option --no-such-option" "  says so"
done
out=$($assay rnu 2>&1); is $? 2 "a wrong command"
has "$out" "did you mean 'run'?" "  gets the nearest"
out=$($assay run --tiem 5s 2>&1); is $? 2 "a wrong option"
has "$out" "did you mean --time?" "  gets the nearest"
out=$($assay run --time soon 2>&1); is $? 2 "a wrong value"
has "$out" "20s, 5m" "  says what it should be"
out=$($assay run --time 2>&1); is $? 2 "a missing value"
for command in "bugs --dir a --dir b" "run -d a --dir=b" "gen smith -s 1 -s 2"; do
    out=$($assay $command 2>&1); is $? 2 "$command: exit 2"
done
out=$($assay bugs --dir a --dir b 2>&1)
has "$out" "--dir is given twice, as 'a' and as 'b': it takes one value" "an option of one value given twice"
out=$($assay bugs --dir a --dir a 2>&1); has "$out" "there is no campaign in a" "the same value is no contradiction"
out=$($assay run --sandbox --no-sandbox 2>&1); is $? 2 "options that exclude each other"
out=$($assay run --generator csmiht 2>&1); is $? 2 "an unknown generator"
has "$out" "did you mean 'csmith'?" "  gets the nearest"
out=$($assay run --testbeds gccc --tests 1 2>&1); is $? 2 "an unknown testbed"
has "$out" "did you mean 'gcc'?" "  gets the nearest"
out=$($assay run --generator lala:lua --testbeds gcc --tests 1 --dir none 2>&1); is $? 2 "a testbed of another language"
has "$out" "testbed 'gcc' takes c programs, not lua" "  which is said"
[ ! -e assay.lock ] && [ ! -e none ]; ok $? "  and nothing is left of a campaign that did not begin"
out=$($assay run --testbeds gcc:-fno-such-flag --tests 1 2>&1); is $? 3 "flags that the compiler does not take"
has "$out" "gcc -fno-such-flag does not work" "  it is not used with them"
out=$($assay bugs 2>&1); is $? 2 "bugs where there is no campaign"
has "$out" "there is no campaign in ." "  says so"
out=$($assay gen csmith 2>&1); is $? 2 "gen without a seed"
out=$($assay gen 2>&1); is $? 2 "gen without a generator"
out=$($assay gen --list); has "$out" "csmith" "gen --list"
$assay gen --list --json | python3 -c 'import json,sys; assert "csmith" in [g["name"] for g in json.load(sys.stdin)]'
ok $? "gen --list --json"
out=$($assay check nothing.c 2>&1); is $? 2 "check of a file that is not there"
out=$($assay check readme.txt 2>&1); is $? 2 "check of a language that nobody knows"

# gen: the same bytes each time, and how to make them again on the first line
$assay gen csmith -s 7 -o a.c; is $? 0 "gen csmith"
$assay gen csmith -s 7 >b.c
cmp -s a.c b.c; ok $? "the same seed gives the same bytes"
has "$(head -n 1 a.c)" "/* assay gen csmith -s 7 " "the first comment says how to make it again"
$assay gen csmith -s 8 >c.c
! cmp -s a.c c.c; ok $? "another seed gives another program"

[ ! -e platform.info ]; ok $? "csmith's own file does not land in our folder"

# A generator that writes several files: the yarpgen preset, with a stand-in for the program, which
# takes the same arguments and, like it, writes its command line into what it makes.
mkdir bin
cat >bin/yarpgen <<'EOF'
#!/bin/sh
[ "$1" = --version ] && { echo "yarpgen version 2.0 (build 1 on today)"; exit 0; }
[ "$1 $2 $4" = "--std=c -s -o" ] || exit 1
echo "extern int f(void); int printf(const char *, ...); int main(void) { printf(\"%d\\n\", f()); return 0; } /* $* */" >"$5/driver.c"
printf '#include "init.h"\nint f(void) { return SEED; }\n' >"$5/func.c"
echo "#define SEED $3" >"$5/init.h"
EOF
chmod +x bin/yarpgen
PATH=$tmp/bin:$PATH $assay gen yarpgen -s 5 -o y5; is $? 0 "gen yarpgen: several files into a folder"
is "$(cd y5 && echo *)" "driver.c func.c init.h" "  all of them"
has "$(head -n 1 y5/func.c)" "assay gen yarpgen -s 5   (yarpgen 2.0)" "  sources with their header"
has "$(cat y5/driver.c)" "-o . */" "  and no temporary path in the text"
out=$(PATH=$tmp/bin:$PATH $assay gen yarpgen -s 5 2>&1); is $? 2 "several files need a folder"
for name in y.c y.cxx y.lua; do
    out=$(PATH=$tmp/bin:$PATH $assay gen yarpgen -s 5 -o $name 2>&1); is $? 2 "and '$name' looks like no folder"
done
out=$(PATH=$tmp/bin:$PATH $assay run --dir y --generator yarpgen --testbeds gcc,clang --seed 1 --tests 2 2>&1)
is $? 0 "run --generator yarpgen"
has "$out" "2 tests, 0 findings" "  both programs agree everywhere"

# options of a generator
out=$($assay gen csmith --options 2>&1); is $? 0 "gen --options of a generator that is a command"
has "$out" "args                    =  " "  which takes words for it"
cat >echo.ini <<'EOF'
[generator]
name = echo
language = c
command = sh -c 'for w; do echo "// <$w>"; done; echo "int main(void) { return 0; }"' echo {seed}
trusted = yes
EOF
out=$($assay gen ./echo.ini -s 7 --args='--max-funcs 3 "a  b" $(id) {seed}'); is $? 0 "gen --args"
is "$(echo "$out" | grep '^//' | tr -d '\n')" '// <7>// <--max-funcs>// <3>// <a  b>// <$(id)>// <{seed}>' "  each word as it is, behind the command's"
has "$(echo "$out" | head -n 1)" "assay gen ./echo.ini -s 7 --args=" "  the first comment has them"
eval "$(echo "$out" | sed -n '1s|^/[*] \(.*\)   (.*|\1|p' | sed "s|^assay|$assay|")" >again.c
is "$(cat again.c)" "$out" "  and can be typed again"
out=$($assay gen ./echo.ini -s 7 --args="'a" 2>&1); is $? 2 "a quote that is not closed"
has "$out" "--args: a quote is not closed in 'a" "  is told"
out=$($assay gen ./echo.ini -s 7 --args='a*/int' 2>&1); is $? 2 "what would end a comment"
has "$out" "'a*/int' contains a control character or */, which is not allowed" "  is refused"
out=$($assay gen smith -s 7 --args=x 2>&1); is $? 2 "--args of a generator that is no command"
run="$assay run --dir args --testbeds gcc:-O0 --tests 1"
out=$($run --generator ./echo.ini --seed 1 --args='-a   b' 2>&1); has "$out" "campaign 1 in args" "run --args"
out=$($run --generator ./echo.ini --seed 1 --args="-a 'b'" 2>&1); has "$out" "campaign 1 in args: $tmp/echo.ini from seed 1, resuming" "the same words go on"
out=$($assay run --dir args --tests 1 2>&1); has "$out" "campaign 1 in args: $tmp/echo.ini from seed 1, resuming" "as does no option"
out=$($run --generator ./echo.ini --seed 1 2>&1); has "$out" "campaign 2 in args: $tmp/echo.ini from seed 1, new" "other words are another campaign"
out=$($assay gen csmiht --options 2>&1); is $? 2 "gen --options of one that is not there"
has "$out" "did you mean 'csmith'?" "  gets the nearest"
if $assay gen --list | grep -q '^ *smith '; then
    out=$($assay gen csmith -s 7 --no-goto 2>&1); is $? 2 "an option of another generator"
    has "$out" "the generator csmith has no option --no-goto: it is a command; pass options to it with --args='--no-goto'" "  is not this one's"
    for option in --concise --argc --no-math64 --paranoid; do
        $assay gen smith -s 7 --size 100 $option >/dev/null; is $? 0 "Csmith's $option is known"
    done
    out=$($assay gen smith -s 7 --no-argc 2>&1); is $? 2 "one that smith cannot do"
    has "$out" "smith has no option --no-argc: its main has argc" "  is explained"
    out=$($assay gen smith -s 7 --stop-by-stmt 5 2>&1); is $? 2 "one with a value, too"
    has "$out" "smith has no option --stop-by-stmt: --size N aims at N tokens" "  with what comes nearest"
    out=$($assay gen smith -s 7 --gotoo 2>&1); is $? 2 "a wrong option of a generator"
    has "$out" "there is no option --gotoo: did you mean --goto?" "  gets the nearest"
    out=$($assay gen smith -s 7 --max-funcs 5000 2>&1); is $? 2 "a wrong value"
    has "$out" "max-funcs: '5000' is not a whole number from 1 to 200" "  says what it should be"
    $assay gen smith -s 7 --no-goto --volatiles=0.2 --max-funcs 5 -o s1.c; is $? 0 "gen with options of the generator"
    has "$(head -n 1 s1.c)" "assay gen smith -s 7 --volatiles=0.2 --goto=0 --max-funcs=5" "  the program says which"
    $assay gen smith --options --no-jumps --volatiles=20% --max-funcs=5 >s.ini; is $? 0 "gen --options"
    has "$(cat s.ini)" "max-funcs               = 5 " "  shows their values"
    $assay gen --config s.ini smith -s 7 -o s2.c; is $? 0 "its output is a file for --config"
    cmp -s s1.c s2.c; ok $? "  which makes the same program"
    sed -i 's/^goto .*/goto = never/' s.ini
    out=$($assay gen smith -s 7 --config s.ini 2>&1); is $? 2 "a wrong value in the file"
    has "$out" "s.ini:$(grep -n '^goto ' s.ini | cut -d: -f1): goto: 'never' is not" "  gets file and line"
    $assay gen smith --options --json | python3 -c 'import json,sys; assert "goto" in [o["name"] for o in json.load(sys.stdin)]'
    ok $? "gen --options --json"
    run="$assay run --dir s --testbeds gcc:-O0 --tests 1"
    out=$($run --generator smith --no-goto --seed 1 2>&1); has "$out" "campaign 1 in s: smith from seed 1, new" "run with options of the generator"
    out=$($run --generator smith --goto=off --seed 1 2>&1); has "$out" "campaign 1 in s: smith from seed 1, resuming" "the same, said otherwise, goes on"
    out=$($assay run --dir s --tests 1 2>&1); has "$out" "campaign 1 in s: smith from seed 1, resuming" "as does no option"
    $assay run --dir cpu --generator smith --testbeds gcc:-O0 --tests 1 --json | tail -n 1 >cpu.json
    python3 -c 'import json; assert json.load(open("cpu.json"))["cpu_s"]["generate"] > 0'
    ok $? "what it costs to generate is told of smith"
    out=$($run --generator smith --seed 1 2>&1); has "$out" "campaign 2 in s: smith from seed 1, new" "other options are another campaign"
else
    skip "options of smith" "it is not in this build"
fi

# testbeds
out=$($assay testbeds); is $? 0 "testbeds"
has "$out" "gcc -O0" "lists gcc"
has "$out" "clang -O3" "and clang"
out=$($assay testbeds --json)
echo "$out" | python3 -c 'import json,sys; rows=json.load(sys.stdin); assert any(r["name"]=="gcc -O0" and r["version"] for r in rows)'
ok $? "testbeds --json"
mkdir mine
cat >mine/mycc.ini <<EOF
[toolchain]
name     = mycc
language = c
find     = $tmp/mycc
probe    = {cc} --version
version  = mycc ([0-9]+)
compile  = {cc} {flags} -o {exe} {src}
run      = {exe}
crash    = internal error
EOF
printf '#!/bin/sh\n[ "$1" = --version ] && echo mycc 7 || exec gcc "$@"\n' >mycc
chmod +x mycc
hide_testbeds gcc tcc lua5.4 # each that is not hidden is tried
out=$($assay testbeds --probe --testbed-dir mine); is $? 0 "testbeds --probe with a compiler of one's own"
has "$out" "works" "they work"
echo "$out" | grep -q '^mycc  .* 7 .*works'; ok $? "and ours, in version 7, too"

# A program with what the compiler is known to lack is not given to it.
printf 'int printf(const char *, ...);\nint main(void) { printf("checksum = 1\\n"); return 0; }\n' >plain.c
sed 's/^int main/typedef int v __attribute__((vector_size(16)));\n&/' plain.c >vector.c
echo 'lacks = vector_size' >>mine/mycc.ini
out=$($assay check --no-sandbox --testbed-dir mine --testbeds mycc plain.c)
has "$out" " ok " "a program without it is compiled"
out=$($assay check --no-sandbox --testbed-dir mine --testbeds mycc vector.c)
has "$out" "skipped" "one that has it is skipped"
sed -i '/^lacks/d' mine/mycc.ini

sed -i 's/^find/fidn/' mine/mycc.ini
out=$($assay testbeds --testbed-dir mine 2>&1); is $? 2 "a wrong key"
has "$out" "mine/mycc.ini:4: unknown key 'fidn': did you mean 'find'?" "  gets file, line and the nearest"
sed -i 's/^fidn/find/' mine/mycc.ini
printf '#!/bin/sh\nprintf "broken\\033[2J" >&2\nexit 1\n' >mycc
out=$($assay testbeds --probe --testbed-dir mine); is $? 3 "a compiler that does not work: exit 3"
has "$out" 'broken: build-fail (exit 1): broken\x1b[2J' "  with the reason, which no terminal obeys"
rm -r config

# Whatever ends a command, its temporary folders are gone: with a compiler in the middle of its work.
mkdir temp
mkfifo busy
printf '#!/bin/sh\n[ "$1" = --version ] && { echo mycc 7; exit; }\n>"$TMPDIR/half"; echo >"%s/busy"; exec sleep 600\n' "$tmp" >mycc
for signal in TERM PIPE HUP; do
    TMPDIR=$tmp/temp env --default-signal=HUP $assay check --no-sandbox --testbed-dir mine --testbeds mycc plain.c >/dev/null 2>&1 &
    read -r line <busy
    ls temp/* >/dev/null; ok $? "a compiler at work has a temporary folder"
    kill -$signal $!
    wait $!
    is "$(kill -l $?)" $signal "SIG$signal ends the command"
    is "$(ls temp)" "" "  and leaves no temporary folder"
done

# check: the sandbox is the default
cat >hello.c <<EOF
int printf(const char *, ...);
int main(void) { printf("hello\n"); return 0; }
EOF
out=$($assay check hello.c --testbeds gcc,clang 2>&1); status=$?
case $out in
*"sandbox cannot"*) skip "check in the sandbox" "no user namespaces" ;;
*)
    is $status 0 "check of a good program"
    has "$out" "clang -O3" "  on every testbed"
    cat >touchy.c <<EOF
#include <stdio.h>
int main(void) { FILE *f = fopen("$tmp/touched", "w"); printf("%d\n", f != NULL); return 0; }
EOF
    $assay check touchy.c --testbeds gcc >/dev/null 2>&1
    [ ! -e touched ]; ok $? "a program under check cannot write outside"
    ;;
esac
# A suite that was sent runs no command but the compiler, and that with no flag that does.
mkdir suite
cat >suite/001.c <<EOF
// assay case: wrong-output
// TESTBED: gcc -O0
// LANGUAGE: c
// FLAGS: -O1 -fno-gcse -DX=1
// FILE: t.c
// EXPECT: hello
// assay end
int printf(const char *, ...);
int main(void) { printf("hello\n"); return 0; }
EOF
out=$($assay check --no-sandbox suite); is $? 0 "a case with plain flags"
has "$out" "1 case: 0 still fail, 1 passes" "  is tried"
sed -i "s|^// FLAGS:.*|// FLAGS: -O1 -wrapper sh,-c,'touch $tmp/owned'|" suite/001.c
out=$($assay check --no-sandbox suite 2>&1); is $? 2 "one whose flags run a command is refused"
has "$out" "assay: suite/001.c:4: gcc takes no '-wrapper' from a suite: it takes -O, -f, -m" "  with file and line, and what is allowed"
sed -i 's|^// FLAGS:.*|// NEEDS: -fplugin=./x.so|' suite/001.c
out=$($assay check --no-sandbox suite --testbeds gcc 2>&1); is $? 2 "as is what its program needs"
has "$out" "suite/001.c:4: gcc takes no '-fplugin=./x.so' from a suite" "  whichever compiler is asked"
sed -i 's|^// NEEDS:.*|// FLAGS: -O1|; s|^// FILE: .*|// FILE: -wrapper|' suite/001.c
out=$($assay check --no-sandbox suite 2>&1); is $? 2 "as is a file that looks like an option"
sed -i 's|^// FILE: .*|// FILE: t.c|' suite/001.c
mkfifo suite/002.c
out=$(timeout 300 $assay check --no-sandbox suite); is $? 0 "a pipe in it is not waited at"
rm suite/002.c
# Nor does it read what is not in its folder.
mkdir suite/Inputs suite/Inputs/p; cp hello.c suite/Inputs/p/t.c; echo hello >suite/Inputs/right; echo secret >secret
sed '1,/^. assay end/!d; s|^// FILE: .*|// FILES: Inputs/p|; s|^// EXPECT: .*|// EXPECT-FILE: Inputs/right|' suite/001.c >suite/002.test
out=$($assay check --no-sandbox suite 2>&1); is $? 0 "a case with a folder of files, and one of what it prints"
has "$out" "2 cases: 0 still fail, 2 pass" "  is tried"
refused() { # WHAT MESSAGE
    out=$(timeout 300 $assay check --no-sandbox suite 2>&1); is $? 2 "$1: refused"
    has "$out" "$2" "  with the reason"
}
ln -s ../../../secret suite/Inputs/p/secret.h
refused "a link out of the suite" "suite/Inputs/p/secret.h: is not read: a link leads out of suite"
rm suite/Inputs/p/secret.h; mkfifo suite/Inputs/p/secret.h
refused "a pipe among the files" "suite/Inputs/p/secret.h: is not read: it is no file"
rm suite/Inputs/p/secret.h; ln -sf "$tmp/secret" suite/Inputs/right
refused "a link in the place of what it prints" "suite/Inputs/right: is not read: a link leads out of suite"
rm -r suite/Inputs/p; mkdir elsewhere; cp hello.c elsewhere/t.c; ln -s ../../elsewhere suite/Inputs/p
refused "a folder that is a link" "suite/Inputs/p/t.c: is not read: a link leads out of suite"
[ ! -e owned ]; ok $? "nothing was run"

# A name is a name.
cp hello.c ./-c.c
cp hello.c ./@c.c
out=$($assay check --no-sandbox --testbeds gcc:-O0 ./-c.c ./@c.c --json | grep -c '"outcome":"ok"'); is "$out" 2 "files called like options are built and run"

cat >depends.c <<EOF
int printf(const char *, ...);
int main(void) {
#ifdef __clang__
    printf("clang\n");
#else
    printf("other\n");
#endif
    return 0; }
EOF
cat >nul.c <<EOF
#include <stdio.h>
int main(void) {
#ifdef __clang__
    fwrite("a\0WRONG", 1, 7, stdout);
#else
    fwrite("a\0r", 1, 3, stdout);
#endif
    return 0; }
EOF
# One gcc and one clang, whatever versions are installed beside them.
mkdir one
for name in gcc clang; do
    sed "s/^find .*/find = $name/" "$root/testbeds/$name.ini" >"one/$name.ini"
done
out=$($assay check depends.c --no-sandbox --testbed-dir one --testbeds gcc,clang 2>&1); is $? 1 "check of one on which they differ: exit 1"
has "$out" "disagreement" "  without a majority"
out=$($assay check nul.c --no-sandbox --testbed-dir one --testbeds gcc,clang 2>&1); is $? 1 "what is behind a NUL is compared, too"
sed 's/^run .*/&\nnormalise = s|W.*|r|/' one/clang.ini >one/c.ini && mv one/c.ini one/clang.ini
out=$($assay check nul.c --no-sandbox --testbed-dir one --testbeds gcc,clang 2>&1); is $? 0 "  and normalised"
sed -i '/^normalise/d' one/clang.ini
out=$($assay check depends.c --no-sandbox --testbed-dir one --testbeds gcc,clang:-O0 2>&1)
has "$out" "wrong-output (vote, 67 %)" "  with one"
out=$($assay check depends.c --no-sandbox --testbed-dir one --testbeds gcc,clang --json)
printf "%s\n" "$out" | python3 -c 'import json,sys; r=json.load(sys.stdin); assert len(r["results"])==4 and r["results"][0]["outcome"]=="ok"'
ok $? "check --json"
cd / && rm -r "$tmp"
tap_done

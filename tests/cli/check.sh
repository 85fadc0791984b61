#!/bin/sh
# assay check FILE: what a program says of itself is right, any difference is told, nobody is accused
# without evidence, and who printed what is shown. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder gcc
mkdir beds

# Compilers that make a script of the program's lines with their name, or for all.
cat >cc <<'END'
#!/bin/sh
name=${0##*/}
[ "$1" = --version ] && { echo "$name 1.0"; exit; }
if grep -qx "$name: reject" "$1"; then
    printf 'in the first line\n%s:3: error: no such thing\nmore\n' "$1" >&2
    exit 1
fi
grep -qx "$name: pipe" "$1" && { mkfifo "$2"; chmod +x "$2"; exit 0; }
grep -qx "$name: crash behind a NUL" "$1" && { printf 'a\0internal error: boom\n' >&2; exit 1; }
grep -qx "$name: crash" "$1" && { echo "internal error: boom" >&2; exit 1; }
{
    echo '#!/bin/sh'
    sed -n "s/^$name: do //p; s/^all: do //p" "$1"
} >"$2"
chmod +x "$2"
END
chmod +x cc
bed() { # bed NAME REFERENCE MORE
    cp cc "$1"
    cat >"beds/$1.ini" <<END
[toolchain]
name      = $1
language  = toy
suffix    = .toy
find      = $tmp/$1
probe     = {cc} --version
version   = $1 ([0-9.]+)
compile   = {cc} {src} {exe}
run       = {exe}
crash     = internal error
reference = $2

$3
[limits]
run-cpu = 300ms
END
}
bed one yes
bed two yes
bed three yes
bed four no
bed far yes "model = far"
check() { $assay check --no-sandbox --testbed-dir beds --testbeds "$@" 2>&1; }
field() { python3 -c 'import json,sys
d = json.load(sys.stdin)
print(*[d[k] for k in sys.argv[1:] if k in d], *[str([r[k] for r in d["results"]]) for k in sys.argv[1:] if k not in d])' "$@"; }

# -- a difference is a finding, and no one is accused
printf 'one: do echo 1\nfour: do echo 2\nfar: do echo 3\n' >differ.toy
out=$(check one,four differ.toy); is $? 1 "two testbeds that differ: exit 1"
is "$(echo "$out" | grep -c ' disagreement$')" 2 "  both are told"
has "$out" "  one prints
    1
  four prints
    2
  outputs differ: it is not known which is right" "  with what they print, and that nobody knows"
lacks "$out" "wrong" "  nobody is accused"
out=$(check one,far differ.toy); is $? 0 "of two models: nothing is compared"
has "$out" "there is nothing to compare with" "  and that is said"
printf 'one: do exit 3\nall: do echo same\n' >status.toy
out=$(check one,four status.toy); is $? 1 "another exit status"
has "$out" "one prints nothing (exit 3)" "  is shown"
printf 'all: do echo 1\nfour: reject\n' >half.toy
out=$(check one,four half.toy); is $? 1 "one builds it, the other does not"
has "$out" "  four says
    in the first line
    half.toy:3: error: no such thing
    more
  results differ: it is not known which is right" "  its messages are shown"
printf 'one: do kill -SEGV $$\nall: do echo 1\n' >crash.toy
out=$(check one,four crash.toy); is $? 1 "one run crashes"
printf 'one: do while :; do :; done\nall: do echo 1\n' >hang.toy
out=$(check one,four hang.toy); is $? 1 "one run does not end"
printf 'one: do echo 1\nfour: do echo 2\ntwo: crash\n' >both.toy
out=$(check one,two,four both.toy); is $? 1 "a crash"
has "$out" "build-crash (self, 100 %)" "  is accused by itself"
has "$out" "outputs differ" "  and hides no difference of the others"

printf 'one: do echo 1\ntwo: crash behind a NUL\n' >nul.toy
out=$(check one,two nul.toy); is $? 1 "a crash that is told behind a NUL"
has "$out" "build-crash (self, 100 %)" "  is one"
printf 'one: do echo 1\ntwo: pipe\n' >pipe.toy
out=$(check one,two pipe.toy); is $? 1 "a pipe in the place of the result"
has "$out" "two                      build-fail     exit 0, but no result" "  is none"
bed seven no "run-crash = ^panic"
printf 'one: do echo 1\nseven: do printf "a\\n\\0\\npanic: at once\\n"\n' >nul.toy
out=$(check one,seven nul.toy); is $? 1 "and that of a run"
has "$out" "seven                    run-crash      panic" "  is one, too"
bed six no "lacks = int128"
printf 'all: do echo int128\n' >lack.toy
out=$(check one,six lack.toy); is $? 0 "one testbed lacks what the program uses"
has "$out" "six                      skipped        the program uses" "  which is said"
sed "s/^name .*/name = a-name-of-more-than-two-dozen-letters/; s|^find .*|find = $tmp/one|" beds/one.ini >beds/long.ini
out=$(check one,a-name-of-more-than-two-dozen-letters lack.toy)
has "$out" "
  one                                   ok             exit 0
" "the table is as wide as the longest name"

# -- the oracle accuses as ever
printf 'all: do echo 1\nfour: do echo 2; exit\n' >vote.toy
sed -i '1h;1d;$G' vote.toy
out=$(check one,two,three,four vote.toy); is $? 1 "a majority"
has "$out" "wrong-output (vote, 100 %)" "  accuses"
has "$out" "  one, three, two print
    1
  four prints
    2" "  outputs are grouped by who printed them"
lacks "$out" "differ" "  and nothing is open"
out=$(check one,two,three vote.toy); is $? 0 "all the same: exit 0"
has "$out" "  all print
    1" "  in one word"

# -- outputs are shown, and harmless
printf "all: do seq 1 50; printf 'x\\\\033[2J'\n" >long.toy
out=$(check one,four long.toy); has "$out" "    20
    ... (" "a long output is cut"
printf "all: do printf 'x\\\\033[2J\\\\n'\n" >escape.toy
out=$(check one,four escape.toy); has "$out" '    x\x1b[2J' "no terminal obeys it"
printf "all: do printf 'a\\\\377b'\n" >bytes.toy
is "$(check one,four --json bytes.toy | field output_base64)" "['Yf9i', 'Yf9i']" "--json has every byte"
is "$(check one,four --json half.toy | field differs verdict exit_status messages)" \
    "True ['disagreement', 'disagreement'] [0, 1] ['', 'in the first line\\nhalf.toy:3: error: no such thing\\nmore\\n']" "  and verdicts and messages"
is "$(check one,two,three --json vote.toy | field differs expected verdict)" \
    "False None ['agrees', 'agrees', 'agrees']" "  and that all agree"

# -- what nobody builds
printf 'one: reject\nfour: reject\n' >bad.toy
out=$(check one,four bad.toy); is $? 2 "a file that nobody builds: exit 2"
has "$out" "assay: bad.toy: no testbed builds it; one: bad.toy:3: error: no such thing" "  and why"
bed five no 'message = ^in the (.*)$'
printf 'five: reject\n' >five.toy
out=$(check five five.toy)
is "$(echo "$out" | tail -n 1)" "assay: five.toy: no testbed builds it; five: first line" "  by the pattern of its file, and at the end"
out=$(check one,four bad.toy differ.toy); is $? 2 "one of two files"
has "$out" "outputs differ" "  the other is checked"

# -- what the first comment says
said() { printf '/* made by assay: assay gen smith -s 1\n * smith 2, data model lp64, C11\n * expected: checksum = %s\n * volatile: 0 accesses, hash 1, of */\n' "$1"; }
{ said 1F; echo 'one: do echo checksum = 1F'; echo 'four: do echo checksum = 2F'; } >said.toy
out=$(check one,four said.toy); is $? 1 "the first comment says what is right"
has "$out" "four                     ok             exit 0       wrong-output (expected, 100 %)" "  the other one is wrong"
is "$(echo "$out" | grep -c '%)')" 1 "  and that one alone"
has "$out" "its first comment expects
    checksum = 1F" "  it is shown"
is "$(check one,four --json said.toy | field expected evidence)" "checksum = 1F
 ['none', 'expected']" "  in JSON, too"
{ said 3F; echo 'all: do echo checksum = 1F'; } >changed.toy
out=$(check one,four changed.toy); is $? 1 "all print something else"
has "$out" "none prints the expected output: if you changed the program after assay made it" "  that may be the file's fault"
has "$out" "wrong-output (expected, 100 %)" "  two compilers are too few to doubt it"
out=$(check one,two,three changed.toy); is $? 1 "three do not print what is expected"
has "$out" "
  one                      ok             exit 0       suspect
" "  that is suspect"
lacks "$out" "%)" "  nobody is accused"
has "$out" "none prints the expected output: if you changed the program after assay made it" "  it may be the file's fault"
{ said 1F; echo 'one: reject'; } >part.toy
out=$(check one part.toy); is $? 2 "a part of a program: exit 2"
lacks "$out" "%)" "  nobody is accused"
{ echo '/* finding 3, reduced by assay from smith seed 7: expected "checksum = 0", gcc -O3 prints "checksum = 1" */'
  said 3F; echo 'all: do echo checksum = 1F'; } >reduced.toy
out=$(check one,four reduced.toy); is $? 0 "a reduced program is another one: what it was expected to print is not asked for"
{ sed 's/made by assay/made by me/' said.toy; } >mine.toy
out=$(check one,four mine.toy); is $? 1 "a comment of somebody else"
has "$out" "outputs differ" "  says nothing"
if command -v gcc >/dev/null; then
    $assay gen smith -s 1 --size 40 -o s.c
    out=$($assay check --no-sandbox s.c --testbeds gcc:-O0 2>&1); is $? 0 "a program of smith, on one compiler alone"
    has "$out" "its first comment expects" "  is held to what it says"
    sed -i 's/^ \* expected: checksum = /&1/' s.c
    out=$($assay check --no-sandbox s.c --testbeds gcc:-O0 2>&1); is $? 1 "  which is not there"
fi

# --ub: no compiler
cat >walk.c <<'END'
static int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int a[3] = {1, 2, 3};
int main(void) { return f(a, 4); }
END
echo 'int main(void) { for (;;); }' >forever.c
printf 'int putchar(int);\nint main(void) { putchar(0); putchar(7); return 0; }\n' >nul.c
echo 'int main(void) { return 0 }' >broken.c
case $($assay check --ub nul.c 2>&1) in
*"is not where assay is"* | *"without libclang"*)
    skip "check --ub" "no libclang"
    tap_done
    exit
    ;;
esac
out=$($assay check --ub --trace walk.c); is $? 1 "--ub --trace: something is undefined"
has "$out" "f(p = &a, n = 4) is called" "  the call"
has "$out" "\`s\` stores 6" "  the last stores"
out=$($assay check --ub --steps 1000 forever.c 2>&1); is $? 3 "--ub --steps"
has "$out" "step budget: 1000" "  is the limit"
out=$($assay check --ub --json --steps 1000 walk.c forever.c nul.c broken.c 2>/dev/null); is $? 3 "--ub --json"
is "$(echo "$out" | sed 's/.*"verdict":"\([a-z]*\)".*/\1/' | tr '\n' ' ')" "undefined endless defined refused " "  an object for each"
has "$out" '"output":"\u0000\u0007"' "  outputs are whole"
tap_done

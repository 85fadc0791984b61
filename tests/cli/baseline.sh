#!/bin/sh
# Baselines: `assay bugs export` writes what is known as a text, `assay run --baseline` in an empty
# folder fails for other bugs only. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

generator tiny c "sh $tmp/gen.sh {seed}"
# Every fifth program adds, every seventh shifts.
cat >gen.sh <<'END'
echo "/* seed $1 */ int printf(const char *, ...);"
[ $(($1 % 5)) = 0 ] && echo "int v = $1; int add(int x) { return x + 3; }"
[ $(($1 % 7)) = 0 ] && echo "unsigned short a[4]; void shift(void) { for (int i = 0; i < 4; i++) a[i] = (unsigned short)(i << $1); }"
echo "int main(void) {"
[ $(($1 % 5)) = 0 ] && echo "v = add(v); printf(\"%d\\\\n\", v);"
[ $(($1 % 7)) = 0 ] && echo "shift(); printf(\"%d\\\\n\", a[1]);"
echo "printf(\"%d\\\\n\", $1); return 0; }"
END
# A compiler that crashes on seeds that divide by 3 with one message, by 11 with another; one that
# adds and shifts wrongly, which says nothing.
compiler loud <<'END'
for file; do :; done # the last argument
seed=$(sed -n 's/.*seed \([0-9]*\).*/\1/p' "$file")
: "${seed:=1}"
[ $((seed % 3)) = 0 ] && { echo "internal error: three" >&2; exit 1; }
[ $((seed % 11)) = 0 ] && { echo "internal error: eleven" >&2; exit 1; }
END
compiler silent "probe = {cc} --version" "version = silent ([0-9.]+)" "compile = {cc} {exe} {src}" <<'END'
[ "$1" = --version ] && { echo "silent 1.0"; exit; }
for file; do :; done
sed 's/x + 3/x + 4/; s/i << /i + 1 << /' "$file" >wrong.c
exec tcc -w -o "$1" wrong.c
END
for name in good1 good2; do
    toolchain $name "find = tcc" "reference = yes"
done
run() { $assay run -j 1 --plain --generator tiny --testbed-dir mine "$@" 2>&1; }

# -- bugs that tell of themselves
out=$(run --dir a --testbeds loud --seed 1 --tests 7); is $? 1 "a campaign with one bug"
$assay bugs mark 1 known --note "PR 7" --dir a >/dev/null
out=$($assay bugs export --dir a); is $? 0 "bugs export"
is "$out" "# Known bugs, by \`assay bugs export\`. \`assay run --baseline\` with this file reports others only.
assay baseline 1

bug
  signature: loud build-crash: internal error: three
  kind: build-crash
  toolchain: loud
  testbed: loud
  mark: known
  note: PR 7
  language: c" "  a text without dates and paths"
$assay bugs export --dir a >known.txt
out=$(run --dir b --testbeds loud --seed 1 --tests 7 --baseline known.txt); is $? 0 "an empty folder, with the baseline: exit 0"
has "$out" "2 of known bugs" "  what it has is counted"
lacks "$out" "internal error" "  and not reported"
out=$($assay bugs --dir b); is "$out" "1 known bug seen 2 times: --known shows it" "  the entry itself was not seen here"
is "$($assay bugs export --dir b)" "$(cat known.txt)" "exported again it is the same"
out=$($assay run -j 1 --dir b --plain --tests 1 2>&1); has "$out" "tiny" "  and the folder goes on with its own campaign"
has "$($assay show --dir b --json 1 2>&1; $assay show --dir b 1)" "taken from a baseline" "  show says where it is from"
out=$(run --dir b --testbeds loud --seed 1 --tests 1 --baseline known.txt); is $? 0 "imported twice"
is "$($assay bugs export --dir b)" "$(cat known.txt)" "  it is there once"
out=$(run --dir b --testbeds loud --seed 1 --tests 3 --baseline known.txt); is $? 1 "another bug is news: exit 1"
has "$out" "internal error: eleven" "  and reported"
has "$($assay bugs export --dir b)" "internal error: eleven" "  and exported with the others"
out=$($assay reduce --all --dir b --method text --no-blame -q --json); is $? 1 "reduce --all"
is "$(echo "$out" | grep -o '^{"id":[0-9]*')" '{"id":5' "  takes neither what is known nor what was imported"
$assay bugs export --dir b >both.txt
out=$(run --dir two --testbeds loud --seed 1 --tests 7 --baseline both.txt 2>&1); is $? 0 "a baseline of two bugs"
is "$($assay bugs --dir two)" "1 known bug seen 2 times, 1 known bug not seen here: --known shows them" "  what was not seen is not said to be"
mkdir other && printf '[toolchain]\nname = loud\nlanguage = c\nfind = true\ncompile = {cc}\nrun = {cc}\n' >other/loud.ini
out=$($assay bugs recheck --dir b --testbed-dir other 2>&1)
case $out in
*"sandbox cannot"*) skip "a bug without a case" "no user namespaces" ;;
*) has "$out" "1 of 1 known bug could not be checked" "a bug without a case is not closed by a compiler that works" ;;
esac
out=$(run --dir c --testbeds loud --seed 1 --tests 10); is $? 1 "without the baseline it is news"

# -- bugs that do not: known by their reduced case (tests/inquiry/test_known.c recognises them)
out=$(run --dir s --testbeds good1,good2,silent --seed 5 --tests 1); is $? 1 "a wrong output"
has "$($assay bugs export --dir s 2>&1)" "1 bug without a message not reduced" "what is not reduced cannot be recognised: that is said"
$assay bugs export --dir s 2>/dev/null >waiting.txt
out=$(run --dir v --testbeds good1,good2,silent --seed 5 --tests 6 --baseline waiting.txt); is $? 1 "  the next wrong output may be another bug: exit 1"
has "$out" "3 findings in 1 bug" "  and is reported"
out=$($assay bugs --dir v); is $? 1 "  bugs lists it: exit 1"
has "$out" "1 known bug not seen here" "  the entry is not said to be seen"
$assay bugs mark 2 known --dir v >marked.txt; is $? 0 "  marked by a person it is known with all that wait with it"
is "$(cat marked.txt)" "finding 2 is known now; its bug has 3 findings" "  which is said"
out=$($assay bugs --dir v); is $? 0 "  and no more listed: exit 0"
# Its program is taken for a reduced one: the reducer has its own tests.
sql s/assay.db "INSERT INTO reduction(finding, state, program, flags, at) SELECT f.id, 'done', t.program, '', 1 FROM finding f JOIN test t USING (campaign, number)"
out=$($assay bugs export --dir s 2>&1); has "$out" "  kind: wrong-output" "a reduced one is exported"
has "$out" "  file: t.c
    |/* assay gen tiny -s 5" "  with its case"
lacks "$out" "not reduced" "  nothing is missing"
$assay bugs export --dir s >silent.txt
out=$(run --dir t --testbeds good1,good2,silent --seed 1 --tests 1 --baseline silent.txt); is $? 0 "it is imported"
lacks "$out" "known bug" "  and not run"
out=$($assay bugs recheck --dir t --testbed-dir mine 2>&1)
case $out in
*"sandbox cannot"*) skip "  unless one asks" "no user namespaces" ;;
*) has "$out" "still there" "  unless one asks, and then in the sandbox" ;;
esac
is "$($assay bugs export --dir t)" "$(cat silent.txt)" "  and exported as it was"
is "$($assay report --dir t --no-run --json - | python3 -c 'import json,sys; print(*[(b["count"], b["mark"]) for b in json.load(sys.stdin)["bugs"]])')" \
    "(0, 'known')" "  a report has it as not seen"

# -- odd bytes survive
printf 'assay baseline 1\nbug\n  signature= x wrong-output\\x1b\n  kind: wrong-output\n  toolchain: x\n  testbed: x\n  mark: wontfix\n  note= two\\x0alines\n  language: c\n  file: t.c\n    |int x;\n    \\\\x09// \\xff\\x20\n    |\n    |int y;\n    -\n  file: u.c\n' >odd.txt
run --dir o --testbeds loud --seed 1 --tests 1 --baseline odd.txt >/dev/null; is $? 0 "a baseline with odd bytes"
is "$($assay bugs export --dir o | tail -n +3)" "$(tail -n +2 odd.txt | sed 's/^bug/\nbug/' | head -n -1)
  file: u.c" "  comes out as it went in"

# -- wrong lines have a place, and nothing is begun
wrong() { # wrong SED SENTENCE NAME
    sed "$1" silent.txt >wrong.txt
    out=$(run --dir w --testbeds loud --seed 1 --tests 1 --baseline wrong.txt)
    is $? 2 "$3: exit 2"
    has "$out" "assay: wrong.txt:$2" "  with file and line"
}
wrong '2s/1/9/' "2: not a baseline: it begins with 'assay baseline 1'" "another version"
wrong 's/kind: .*/kind: nonsense/' "6: there is no kind of bug 'nonsense'" "a kind that is none"
wrong 's/mark: .*/mark: fixed/' "9: a bug in a baseline is known or wontfix, not 'fixed'" "a mark that is none"
wrong 's/  toolchain:/  toolchian:/' "7: unknown key 'toolchian': did you mean 'toolchain'?" "a misspelling"
wrong '/  toolchain:/d' "4: the bug has no toolchain" "a key that is missing"
wrong 's/file: .*/file: ..\/t.c/' "1" "a file outside"
wrong 's/^    |/    /' "1" "a line without its bar"
wrong 's/  language: c/&\n  flags: -wrapper sh,-c,id/' "11: silent takes no '-wrapper' from a baseline" "flags that run a command"
wrong 's/ silent$/ gone/; s/  language: c/&\n  flags: -wrapper sh,-c,id/' "11: gone takes no '-wrapper' from a baseline" "flags of a compiler without toolchain file"
sed 's/ silent$/ gone/; s/  language: c/&\n  flags: -O2/' silent.txt >gone.txt
out=$(run --dir g --testbeds loud --seed 1 --tests 1 --baseline gone.txt); is $? 0 "  harmless ones are taken"
wrong '1,$d' "1: not a baseline: it is empty" "an empty file"
out=$(run --dir w --baseline nowhere.txt); is $? 2 "a file that is not there: exit 2"
[ ! -e w/assay.db ]; ok $? "nothing was begun"
out=$($assay bugs export 1 --dir a 2>&1); is $? 2 "export takes no number"
tap_done

#!/bin/sh
# Reports of a real campaign, on a compiler whose faults are known: every form is written and read by
# somebody else, every script is run. Arguments: tests folder, the assay binary, planted-cc.
. "$1/tap.sh"
tests=$(realpath "$1")
assay=$(realpath "$2")
faulty=$(realpath "$3")
tap_folder gcc
export PLANTED_CC_STATE="$tmp/state"
mkdir beds

# A generator of three small programs: a volatile bit-field (crashes faulty-cc), a shift of 8 bits
# in a function of its own (goes the wrong way), and one on which nothing strikes.
cat >gen.sh <<'EOF'
line() { printf '%s\n' "$1"; }
line "/* program $1 */"
line 'int printf(const char *, ...);'
case $(($1 % 3)) in
1) line 'struct S { volatile unsigned f : 3; } s;'
   line 'int main(void) { s.f = 5; printf("%d\n", (int)s.f); return 0; }' ;;
2) line 'volatile int x = 3;'
   line 'int f(void) { return x << 8; }'
   line 'int main(void) { printf("%d\n", f()); return 0; }' ;;
0) line 'int main(void) { printf("0\n"); return 0; }' ;;
esac
EOF
generator three c "sh $tmp/gen.sh {seed}"
sed "s|^find = .*|find = $faulty|" "$tests/planted-cc/faulty-cc.ini" >beds/faulty-cc.ini
# gcc that knows nothing of faults, for putting it in the place of faulty-cc
cat >plain <<'EOF'
#!/bin/sh
for word; do
    shift
    case $word in -ffault=* | --set=*) ;; *) set -- "$@" "$word" ;; esac
done
exec gcc "$@"
EOF
chmod +x plain

$assay run --dir c --testbed-dir beds --generator three --seed 1 --tests 6 -j 1 --no-sandbox \
    --testbeds 'gcc:-O0,gcc:-O3,faulty-cc:-O1 -ffault=crash,faulty-cc:-O1 -ffault=wrong-shift' >/dev/null 2>&1
is $? 1 "a campaign that finds two bugs"

out=$($assay report --dir c); is $? 1 "a report of it: exit 1"
has "$out" "2 bugs, 2 open; 4 findings in 6 tests" "  says what there is"
has "$out" "c/report/index.html" "  and where it wrote"
for name in index.html report.json junit.xml report.sarif suite/lit.cfg.py; do
    [ -s c/report/$name ]; ok $? "  $name is there"
done

python3 - <<'EOF'
import json, sys, xml.etree.ElementTree as xml
report = json.load(open("c/report/report.json"))
kinds = sorted(b["kind"] for b in report["bugs"])
assert kinds == ["build-crash", "wrong-output"], kinds
assert report["summary"]["tests"] == 6 and report["summary"]["findings"] == 4
wrong = next(b for b in report["bugs"] if b["kind"] == "wrong-output")
assert wrong["expected"] == "768\n" and wrong["observed"]["output"] == "0\n", wrong
assert wrong["count"] == 2 and len(wrong["findings"]) == 2
assert sum(t["outcomes"]["build-crash"] for t in report["testbeds"]) == 2
suites = xml.parse("c/report/junit.xml").getroot()
assert suites.tag == "testsuites" and suites.get("failures") == "2"
assert len(suites.findall("testsuite")) == 4 and len(suites.findall(".//failure")) == 2
log = json.load(open("c/report/report.sarif"))
assert sorted(r["ruleId"] for r in log["runs"][0]["results"]) == kinds
EOF
ok $? "JSON, JUnit and SARIF tell the same"

for bug in c/report/bugs/*; do
    name=$(basename "$bug")
    out=$(sh "$bug/repro.sh" 2>&1); is $? 1 "$name: the script sees the bug"
    has "$out" "expected" "  says what is expected"
    has "$out" "seen" "  and what is seen"
    out=$("$bug/repro.sh" "$tmp/plain" 2>&1); is $? 0 "  does not see it with gcc in its place"
    has "$out" "not there" "  and says so"
    out=$(cd "$bug" && sh repro.sh ../../../../plain 2>&1); is $? 0 "  finds a compiler by a relative path"
    out=$(sh "$bug/repro.sh" /no/such/cc 2>&1); is $? 2 "  without a compiler it cannot be told"
    has "$out" "/no/such/cc" "  and it says which"
    [ -s "$bug/report.md" ] && [ -s "$bug/expected.txt" ] && [ -s "$bug/seen.txt" ] && [ -s "$bug/original/t.c" ]
    ok $? "  the rest is there"
done
is "$(ls c/report/bugs | sed 's/-[0-9a-f]*$//' | sort | tr '\n' ' ')" "build-crash-faulty-cc wrong-output-faulty-cc " "a folder for each"
crash=$(cd c/report/bugs && echo build-crash-*) wrong=$(cd c/report/bugs && echo wrong-output-*)

# What one sends: a title in the compiler's words, commands as one types them, and whether it is reduced.
text=$(cat "c/report/bugs/$crash/report.md")
has "$text" "# faulty-cc 1.0 -O1 -ffault=crash: internal compiler error: in lower_volatile_bit_field, at faulty-cc.c:411" "a title of a crash"
has "$text" "$(basename "$faulty") --set=faulty -O1 -ffault=crash -w -o t t.c" "  the command"
has "$text" "**This program is not reduced: run assay reduce " "  that it is not reduced"
text=$(cat "c/report/bugs/$wrong/report.md")
has "$text" "# faulty-cc 1.0 -O1 -ffault=wrong-shift: wrong code (prints 0 instead of 768)" "a title of wrong code"
has "$text" "$(basename "$faulty") --set=faulty -O1 -ffault=wrong-shift -w -o t t.c && ./t" "  the commands"
lacks "$(cat c/report/bugs/*/report.md)" "$tmp" "no folder of ours is in a report"
lacks "$(sed /^cc=/d c/report/bugs/*/repro.sh)" "$tmp" "  nor in a script"
page=$(cat c/report/index.html)
has "$page" "<a href=\"bugs/$crash/\">folder</a>" "the page leads to the folder of a bug"
has "$page" "<a href=\"bugs/$crash/repro.sh\">" "  and to its script"
has "$page" "<dt>kernel</dt><dd>$(uname -s) $(uname -r) $(uname -m)</dd>" "  and says which machine"
has "$(cat c/report/junit.xml)" "name=\"$crash\" time=\"" "JUnit calls a bug by the name of its folder"
has "$(cat c/report/report.sarif)" "\"assayBug/v1\": \"$crash\"" "  SARIF knows it again by that"
has "$(cat c/report/suite/"$crash".c)" "// assay case: build-crash" "  the suite has a case of that name"
python3 "$tests/report/code_scanning.py" "$tests" "$tmp/c/report/report.sarif" >sarif.log
ok $? "the log passes for code scanning"
grep '^#' sarif.log

check="$assay check c/report/suite --testbed-dir beds --no-sandbox"
out=$($check); is $? 1 "the suite fails on the accused compiler"
has "$out" "2 cases: 2 still fail, 0 pass" "  in both cases"
out=$($assay check c/report/suite --no-sandbox)
has "$out" "2 of them ran on other testbeds: their own is not on PATH or in --testbed-dir" "  without it it says so"
out=$($check --testbeds 'gcc:-O0'); is $? 0 "the suite passes on another one"
has "$out" "2 cases: 0 still fail, 2 pass" "  in both cases"
out=$($check --testbeds 'gcc:-O0,faulty-cc:-O1 -ffault=crash' --json | python3 -c 'import json, sys
for line in sys.stdin:
    case = json.loads(line)
    print(case["kind"], case["fails"], " ".join(r["result"] for r in case["results"]))' | sort)
is "$out" "build-crash True passes fails
wrong-output False passes passes" "each case on each testbed that is selected, as JSON"
mkdir none; echo "int main;" >none/x.c
out=$($assay check none 2>&1); is $? 2 "a folder without cases"
has "$out" "assay report --suite" "  says how to get some"

lit=$(command -v lit || ls /usr/lib/llvm-*/build/utils/lit/lit.py 2>/dev/null | head -n 1)
if [ -n "$lit" ]; then
    out=$(python3 "$lit" c/report/suite 2>&1); is $? 1 "lit sees the bugs"
    has "$out" "Failed: 2" "  both" 
    out=$(python3 "$lit" "-Dcc=$tmp/plain" c/report/suite 2>&1); is $? 0 "  and none with gcc in its place"
    rm -rf c/report/suite/Output
else
    skip "the suite in lit" "no lit is installed (apt-get install llvm-14-tools)"
fi

out=$($assay report --dir c --json - --kind wrong-output | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["bugs"]))')
is "$out" 1 "one form, filtered, to standard output"
touch c/report/bugs/mine
$assay report --dir c --bugs c/report/bugs --kind build-crash >/dev/null
is "$(ls c/report/bugs | tr '\n' ' ')" "$crash mine " "a second report replaces the first, and nothing else"
touch "c/report/bugs/$crash/notes"
$assay report --dir c --bugs c/report/bugs --kind wrong-output >/dev/null
is "$(ls "c/report/bugs/$crash")" notes "  nor what was put into the folder of a bug"

# A third bug, of a compiler that says where it is: names stay, and so do files of one's own.
rm c/report/bugs/mine
mkdir c/report/bugs/001-build-crash
touch c/report/bugs/001-build-crash/report.md
cat >talks <<'EOF'
#!/bin/sh
for word; do
    case $word in
    *.c) grep -q 'program 3' "$word" && echo "$PWD/$word:3:1: error: '$PWD' is bad" >&2 && exit 1 ;;
    esac
done
exec gcc "$@"
EOF
chmod +x talks
cat >beds/talks.ini <<EOF
[toolchain]
name     = talks
language = c
find     = $tmp/talks
compile  = {cc} -w -o {exe} {src}
run      = {exe}
default  = no
EOF
$assay run --dir c --testbed-dir beds --generator three --seed 1 --tests 3 -j 1 --no-sandbox --testbeds 'gcc:-O0,gcc:-O3,talks' >/dev/null 2>&1
$assay report --dir c >/dev/null
rejected=$(cd c/report/bugs && echo build-fail-talks-*)
is "$(ls c/report/bugs | tr '\n' ' ')" "$crash $rejected $wrong " "another bug changes no name"
[ -e "c/report/bugs/$crash/notes" ]; ok $? "  and leaves files of one's own"
is "$(head -n 1 "c/report/bugs/$rejected/report.md")" "# talks: rejects a valid program: '.' is bad" "a title has no folder of ours"
has "$(cat "c/report/bugs/$rejected/report.md")" "./t.c:3:1: error: '.' is bad" "  nor have messages"
out=$($assay report --dir c --no-run --html page.html); is $? 1 "a page alone, without trying anything"
[ -s page.html ] && [ ! -e page ]; ok $? "  is all there is"
id=$($assay bugs --dir c --json | python3 -c 'import json, sys; print(" ".join(str(b["id"]) for b in json.load(sys.stdin)))')
for one in $id; do $assay bugs mark "$one" known --dir c >/dev/null; done
out=$($assay report --dir c --junit -); is $? 0 "with all bugs known: exit 0"
has "$out" 'failures="0"' "  and no failure"
out=$($assay report --dir nowhere 2>&1); is $? 2 "no campaign"
has "$out" "nowhere" "  and where there is none"
out=$($assay report --dir c --kind nonsense 2>&1); is $? 2 "no such kind"
out=$($assay report --dir c --html /no/such/folder/x.html 2>&1); is $? 3 "a place that cannot be written"
has "$out" "/no/such/folder/x.html" "  is named"
$assay run --dir empty --testbed-dir beds --generator three --seed 3 --tests 1 -j 1 --no-sandbox --testbeds gcc:-O0 >/dev/null 2>&1
out=$($assay report --dir empty); is $? 0 "a campaign that found nothing"
has "$out" "0 bugs" "  says so"
tap_done

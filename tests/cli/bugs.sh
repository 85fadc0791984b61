#!/bin/sh
# assay bugs: one line per bug in the order in which to look at them, marks, and clear words for what
# cannot be. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

generator tiny c "sh $tmp/gen.sh {seed}"
cat >gen.sh <<'END'
echo "/* seed $1 */ int printf(const char *, ...);"
echo "int main(void) { printf(\"%d\", $1); return 0; }"
END
# Seeds 1, 2, 3, ...: every third crashes with one message, every fifth with another, every seventh is
# rejected.
compiler bad <<'END'
for file; do :; done # the last argument
seed=$(sed -n 's/.*seed \([0-9]*\).*/\1/p' "$file")
: "${seed:=1}"
[ $((seed % 3)) = 0 ] && { echo "internal error: three" >&2; exit 1; }
[ $((seed % 5)) = 0 ] && { echo "internal error: five" >&2; exit 1; }
[ $((seed % 7)) = 0 ] && { echo "$file:1: error: seven" >&2; exit 1; }
END
for name in good1 good2; do
    toolchain $name "find = tcc" "reference = yes"
done
bugs() { $assay bugs --dir c "$@"; }
field() { python3 -c 'import json,sys
print("\n".join(" ".join(str(b[k]) for k in sys.argv[1:]) for b in json.load(sys.stdin)))' "$@"; }

$assay run --dir c -j 1 --quiet --generator tiny --testbed-dir mine --testbeds good1,good2,bad --seed 1 --tests 15
is $? 1 "a campaign with three bugs"
out=$(bugs); is $? 1 "bugs: exit 1"
has "$out" "id      count kind           lines/bytes mark" "a head line"
is "$(bugs --json | field count signature | sort)" "2 bad build-crash: internal error: five
2 bad build-fail: error: seven
5 bad build-crash: internal error: three" "one bug each, all findings counted"
is "$(bugs --json | field kind testbeds flaky known mark note reduced blame | sort -u)" \
    "build-crash bad 0 False open  None None
build-fail bad 0 False open  None None" "what is known of them"
three=$(bugs --json | python3 -c 'import json,sys; print([b["id"] for b in json.load(sys.stdin) if "three" in b["signature"]][0])')
other=$(bugs --json | python3 -c 'import json,sys; print([b["members"][-1] for b in json.load(sys.stdin) if "three" in b["signature"]][0])')
is "$(bugs --all --json | field id | wc -l)" 9 "--all: every finding"
is "$(bugs --kind build-fail --json | field count)" 2 "--kind"
is "$(bugs --testbed good1 --json | field count)" "" "--testbed"

# -- marks
out=$(bugs mark "$other" known --note "bug 42"); is $? 0 "mark, by any of its findings"
has "$out" "finding $other is known now; its bug has 5 findings" "  it says what that covers"
out=$(bugs); is $? 1 "the others are still there"
lacks "$out" "three" "the known one is left out"
has "$out" "1 known bug seen 5 times: --known shows it" "  but counted"
out=$(bugs --known); has "$out" " known " "--known shows it"
is "$(echo "$out" | tail -n 1 | cut -c 1-6 | tr -d ' ')" "$three" "  as the last"
is "$(bugs --json | field known mark note count | tail -n 1)" "True known bug 42 5" "--json has it always"
bugs mark "#$three" wontfix >/dev/null; is $? 0 "marked again, by another finding"
is "$(bugs --json | field mark | tail -n 1)" "wontfix" "  the last word counts"
bugs mark "$three" open >/dev/null
is "$(bugs --json | field known | sort -u)" False "open: as if nothing had been said, whichever finding was marked"
for id in $(bugs --json | field id); do bugs mark "$id" known >/dev/null; done
out=$(bugs); is $? 0 "all are known: exit 0"
is "$out" "3 known bugs seen 9 times: --known shows them" "  and nothing to list"
bugs mark "$three" fixed --note "in 2.0" >/dev/null
out=$(bugs); has "$out" "2 known bugs seen 4 times, 1 fixed bug: --known" "fixed ones are told apart"

# -- what cannot be
out=$(bugs mark 999 known 2>&1); is $? 2 "a finding that is not there"
has "$out" "there is no finding 999: \`assay bugs\` lists them" "  says so"
out=$(bugs mark x known 2>&1); is $? 2 "no number"
has "$out" "'x' is not the number of a finding" "  says so"
out=$(bugs mark "$three" done 2>&1); is $? 2 "a word that is none"
has "$out" "a bug cannot be marked 'done': it is known, fixed, wontfix or open" "  lists those there are"
out=$(bugs mark "$three" 2>&1); is $? 2 "no word"
out=$(bugs marc 1 known 2>&1); is $? 2 "no such thing to do"
has "$out" "'marc' is neither mark nor recheck nor export" "  says so"
out=$(bugs --note x 2>&1); is $? 2 "a note on nothing"
out=$(bugs --testbed nosuch 2>&1); is $? 2 "a testbed that was never there"
has "$out" "this campaign has no testbed or toolchain 'nosuch'" "  says so"
out=$(bugs recheck now 2>&1); is $? 2 "recheck takes no words"
has "$out" "recheck takes no number: it tries all known bugs" "  says so"
out=$($assay bugs mark 1 known --dir nowhere 2>&1); is $? 2 "no campaign to mark in"
has "$out" "there is no campaign in nowhere" "  says so"
[ ! -e nowhere ]; ok $? "  and none is made"
mkdir e && cp c/assay.db e/ && chmod a-w e e/assay.db
if [ "$(id -u)" = 0 ]; then
    skip "marking in a folder that cannot be written" "root may write anywhere"
else
    out=$($assay bugs mark 1 known --dir e 2>&1); is $? 3 "marking in a folder that cannot be written"
fi
chmod u+w e e/assay.db
tap_done

#!/bin/sh
# assay show of a finding that was reduced, blamed, marked, or slipped into the reduction of another.
# Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

# Seed 2 has two constructs on which the second version of badcc crashes, seed 3 one on which it
# crashes the first time only. Each has padding that nobody needs.
cat >gen.sh <<'END'
echo 'int printf(const char *, ...);'
echo 'int padding = 1;'
case $1 in
1) echo 'int crash_me;' ;;
2) echo 'int crash_me;'
   echo 'int other_crash;' ;;
3) echo 'int only_once;' ;;
esac
echo "int main(void) { printf(\"%d\", $1 + padding); return 0; }"
END
generator tiny c "sh $tmp/gen.sh {seed}"
script badcc-2 <<END
[ "\$1" = --version ] && { echo "badcc 2.0"; exit; }
case \$* in *-O1*)
    grep -q '^int crash_me;' t.c && grep -q 'int main(void) {.*}' t.c && { echo "internal error: crash_me in pass 7" >&2; exit 1; }
    grep -q other_crash t.c && { echo "internal error: other_crash" >&2; exit 1; } ;;
esac
grep -q only_once t.c && [ ! -e $tmp/once ] && { : >$tmp/once; printf 'internal error: once \377\033[31m\n' >&2; exit 1; }
END
echo '[ "$1" = --version ] && { echo "badcc 1.0"; exit; }' | script badcc-1
toolchain badcc "find = $tmp/badcc-*" "probe = {cc} --version" "version = badcc ([0-9.]+)" "reference = yes" \
    "flags = -O1 -DX" "[blame]" "none = -O0"
show() { $assay show --dir c "$@"; }
# json ID EXPRESSION of x: what `assay show --json` says
json() { show "$1" --json | python3 -c 'import json, sys; x = json.load(sys.stdin); print(eval(sys.argv[1]))' "$2"; }
# id SEED: of the finding of a seed
id() { $assay bugs --all --json --dir c | python3 -c 'import json, sys
print([f["id"] for f in json.load(sys.stdin) if f["seed"] == int(sys.argv[1]) and f["campaign"] == 1][0])' "$1"; }

$assay run --dir c -g tiny -s 1 -n 3 -j1 --testbed-dir mine -t badcc -q
is $? 1 "a campaign that finds something"
one=$(id 1) two=$(id 2) three=$(id 3)

# A message of any bytes is JSON, and nothing of it is lost.
is "$(json "$three" 'max(o["messages"] for o in x["observations"])')" "$(printf 'internal error: once \357\277\275\033[31m\n')" "a message that is no UTF-8"
is "$(json "$three" '__import__("base64").b64decode(max(o.get("messages_base64", "") for o in x["observations"]))')" \
    "b'internal error: once \\xff\\x1b[31m\\n'" "  with its bytes beside it"
out=$(show "$three"; $assay bugs --dir c)
has "$out" 'internal error: once \xff\x1b[31m' "people see what a terminal would obey"
lacks "$out" "$(printf '\033')" "  which gets none of it"
is "$($assay bugs --dir c --json | grep -c '"signature_base64"')" 1 "bugs --json has it, too"
out=$($assay show "$three" --dir c --json 2>&1 >/dev/full); is $? 3 "what cannot be printed is an error"
has "$out" "assay: standard output cannot be written" "  told in one sentence"

out=$(show "$one"); is $? 0 "a finding as it was found"
has "$out" "  made by    assay gen tiny -s 1   (tiny )" "  who made it"
lacks "$out" "  reduced " "  it is not reduced"
lacks "$out" "  blamed on" "  nobody is to blame"
lacks "$out" "  mark " "  nobody has marked it"
is "$(json "$one" '(x["reduced"], x["blame"], x["known"], x["mark"], x["note"], x["slipped_from"])')" \
    "(None, None, False, 'open', '', None)" "  and so says the JSON"
out=$(show "$one" --reduced 2>&1); is $? 2 "--reduced has nothing to show"
is "$out" "assay: finding $one has no reduced program: \`assay reduce $one\` makes one" "  and says who makes it"

# -- reduced and blamed
$assay reduce "$one" --dir c -j1 -q --method text; is $? 1 "it is reduced"
out=$(show "$one")
has "$out" "  reduced    from $(json "$one" 'x["reduced"]["from_bytes"]') to $(json "$one" 'x["reduced"]["bytes"]') bytes, $(json "$one" 'x["reduced"]["lines"]') lines with the comment, by text, $(json "$one" 'x["reduced"]["tests"]') tests" "how small it became"
has "$out" "  flags left -O1
" "what is left of the flags"
has "$out" "  blamed on  -O1 (" "what is to blame"
has "$out" "  first bad  badcc 2.0, last good badcc 1.0" "since when"
has "$out" "  last bad   badcc " "until when"
is "$(json "$one" '(x["reduced"]["state"], x["reduced"]["lines"], x["reduced"]["flags"], x["reduced"]["method"], x["reduced"]["why"])')" \
    "('done', 3, '-O1', 'text', '')" "the same in JSON"
is "$(json "$one" '(x["blame"]["pass"], x["blame"]["first_bad"], x["blame"]["last_good"])')" \
    "('-O1', 'badcc 2.0', 'badcc 1.0')" "  with the blame"
bug=$($assay bugs --dir c --json)
python3 - "$bug" "$(show "$one" --json)" <<'END'
import json, sys
bug = next(b for b in json.loads(sys.argv[1]) if b["reduced"])
one = json.loads(sys.argv[2])
assert bug["id"] == one["id"]
for key, value in bug["reduced"].items():
    assert one["reduced"][key] == value, key
for key in ("blame", "known", "mark", "note"):
    assert one[key] == bug[key], key
END
ok $? "  and as \`assay bugs --json\` has it"
show "$one" --reduced >small.c; is $? 0 "--reduced"
is "$(sed -n 's|^/[*] \(finding [0-9]*\), reduced by assay.*|\1|p' small.c)" "finding $one" "  prints the program"
is "$(tail -n +2 small.c | tr -d '\n')" "int crash_me;int main(void) {}" "  and nothing else"
is "$(json "$one" 'x["reduced"]["files"][0]["text"]')" "$(cat small.c)" "  which is in the JSON, too"
out=$(show "$one" --reduced -o there); is "$? $out" "0 " "--reduced -o: not a word"
cmp -s there/t.c small.c; ok $? "  but a file"
show "$one" -o whole >/dev/null
has "$(cat whole/t.c)" padding "without --reduced it is the original"

# -- slipped
$assay reduce "$two" --dir c -j1 -q --method text --no-blame
slipped=$($assay bugs --all --dir c | awk '/other_crash/ { print $1 }')
out=$(show "$slipped"); is $? 0 "what slipped into the reduction of another"
has "$out" "  slipped    from finding $two, during its reduction" "  says of which"
has "$out" "  taken from assay gen tiny -s 2   (tiny )" "  and of which program"
is "$(json "$slipped" '(x["slipped_from"], x["made"]["seed"])')" "($two, 2)" "  and so in JSON"
lacks "$(show "$two")" "slipped" "the other one did not"
has "$(show "$two")" "  slips      1 slip of it not reduced yet" "  but says that there is one"
out=$($assay bugs --dir c)
lacks "$out" "other_crash" "it is no bug of its own as long as it is not reduced"
has "$out" "1 slip of these not reduced yet: \`assay reduce --all\`" "  which the list says"
is "$($assay bugs --dir c --json | python3 -c 'import json, sys
print(sum(b["slips"] for b in json.load(sys.stdin)))')" 1 "  and the JSON"
state() { sql c/assay.db "UPDATE reduction SET state = '$1' WHERE finding = $2"; }
reduction() { $assay bugs --dir c --json | python3 -c 'import json, sys
print(next(b["reduction"] for b in json.load(sys.stdin) if int(sys.argv[1]) in b["members"]))' "$one"; }
is "$(reduction)" done "the list says that a bug is reduced"
lacks "$($assay bugs --dir c)" "half reduced" "  and not by half"
for n in "$one" "$two"; do state begun "$n"; done
has "$($assay bugs --dir c)" "~ half reduced" "one that was begun"
is "$(reduction)" begun "  in JSON, too"
for n in "$one" "$two"; do state done "$n"; done

out=$($assay replay "$slipped" --dir c)
has "$out" "not regenerated (no generator made it: it appeared while another finding was being reduced)" "replay says why it is not made again"

# -- what a replay says when another program comes out
replay() { $assay replay "$one" --dir c; }
has "$(replay)" "regenerated: assay gen tiny -s 1," "replay makes the program again"
cp gen.sh gen.kept
echo "echo 'int more;'" >>gen.sh
has "$(replay)" "not regenerated (tiny  now generates a different program from seed 1 with the same options: t.c differs from line 6 on)" "a generator that was changed: where they differ"
cp gen.kept gen.sh
sed -i "s|^command .*|command = sh $tmp/gen.sh {seed} again|" config/assay/generators/tiny.ini
echo "echo \"/* \$2 */\"" >>gen.sh
has "$(replay)" "but its configuration is 'sh $tmp/gen.sh {seed} again||' now, it was 'sh $tmp/gen.sh {seed}||')" "a preset that was changed"
printf 'probe = echo tiny 7\nversion = tiny ([0-9]+)\n' >>config/assay/generators/tiny.ini
has "$(replay)" "tiny 7 is installed now, it was of no version)" "another version"
cp gen.kept gen.sh

# -- marked, by another finding of the same bug
out=$(show "$two"); has "$out" "  bug        of 2 findings, listed by \`assay bugs\` as " "how many show the bug"
$assay bugs mark "$one" known --note "PR 7" --dir c >/dev/null
for n in "$one" "$two"; do
    has "$(show "$n")" "  mark       known: PR 7" "finding $n: the mark is that of the bug"
    is "$(json "$n" '(x["known"], x["mark"], x["note"])')" "(True, 'known', 'PR 7')" "  in JSON, too"
done
lacks "$(show "$slipped")" "  mark " "it is not that of another"
$assay bugs mark "$two" fixed --dir c >/dev/null
has "$(show "$one")" "  mark       fixed
" "the last word counts"

# -- not reduced, for a reason
$assay reduce "$three" --dir c -q
out=$(show "$three"); is $? 0 "one that did not show again"
has "$out" "  reduced    failed: it did not reproduce" "  says why it is not small"
is "$(json "$three" '(x["reduced"]["state"], x["reduced"]["program"], x["reduced"]["files"])')" "('failed', '', [])" "  in JSON, too"

# -- who took no part
toolchain poor "find = tcc" "lacks = padding"
$assay run --dir p -g tiny -s 1 -n 1 -j1 --testbed-dir mine -t badcc,poor -q
has "$($assay show 1 --dir p)" "
  poor                     skipped        the program uses a feature that this compiler is known to lack" "a testbed that was skipped, and why"
tap_done

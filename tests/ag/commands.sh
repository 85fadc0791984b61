#!/bin/sh
# `assay lala` and `assay gen lala:...` as a user meets them: languages by name, folder and file, their
# settings, and a clear sentence for each mistake. Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
here=$(realpath "$1")
assay=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# says STATUS PATTERN NAME COMMAND...: the exit status, and what stands in either output.
says() {
    status=$1 pattern=$2 name=$3
    shift 3
    "$@" >out 2>&1
    got=$?
    grep -q -e "$pattern" out && [ "$got" = "$status" ]
    ok $? "$name"
    [ "$got" = "$status" ] || echo "# exit $got instead of $status"
    grep -q -e "$pattern" out || sed 's/^/# /' out | head -n 5
}

mkdir mine
cat >mine/language.ini <<'END'
[language]
spec     = mine.lala
runtime  = runtime.c
comment  = "; %s"
features = loud
END
cat >mine/mine.lala <<'END'
use My;
class Text { text("${l : Line}\n") { l.n = (My:three); } }
class Line {
  inh n : int;
  plain("#{this.n} plain") {}
  @feature("loud") loud("#{this.n} LOUD") {}
  @feature("rare") rare("#{this.n} rare") {}
}
END
cat >mine/runtime.c <<'END'
#include <assay/lala.h>
static lala three(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)arg, (void)n;
    return lala_int(3);
}
static const struct lala_function my[] = {{"three", ": int", three, 0}};
static const struct lala_namespace namespaces[] = {LALA_NAMESPACE("My", my)};
LALA_MODULE(namespaces);
END

says 3 'is not built: run `assay lala build mine`' "a runtime that is not built" "$assay" gen lala:mine -s 1
says 0 'no errors, no warnings' "checked without it" "$assay" lala check mine --no-runtime
says 0 'mine/runtime.so' "built" "$assay" lala build mine
says 0 'no errors' "checked with it" "$assay" lala check mine
says 0 '^3 ' "a program" "$assay" gen lala:mine -s 1
says 0 '^; assay gen lala:mine -s 1 ' "says how it was made" "$assay" gen lala:mine -s 1
for seed in 1 2 3 4 5 6 7 8 9; do "$assay" gen lala:mine -s $seed; done >all
grep -q LOUD all && grep -q plain all && ! grep -q rare all
ok $? "default features are on, others are off"
for seed in 1 2 3 4 5 6 7 8 9; do "$assay" gen lala:mine -s $seed --features=default+rare+-loud; done >all
! grep -q LOUD all && grep -q rare all
ok $? "features can be added and taken away"
says 0 ' --features=rare' "the settings are part of how it was made" "$assay" gen lala:mine -s 1 --features=rare
says 2 'no option --max-func: --help lists them, `assay gen lala:mine --options`' "no hint at an option of another generator" \
    "$assay" gen lala:mine -s 1 --max-func=3
says 2 'lala has no option --max-funcs: --options lists them' "nor one of its options" "$assay" gen lala:mine -s 1 --max-funcs=3
"$assay" gen lala:mine --options --size=77 >mine.ini
says 0 ' --size=77 ' "--options prints a file for --config" "$assay" gen lala:mine -s 1 --config mine.ini
says 2 "no feature 'lout'" "an unknown feature" "$assay" gen lala:mine -s 1 --features=lout
printf 'Line.loud = 0 # quiet\n\nLine.plain=5\n' >weights
for seed in 1 2 3 4 5 6 7 8 9; do "$assay" gen lala:mine -s $seed --weights=weights; done >all
grep -q plain all && ! grep -q LOUD all
ok $? "weights from a file"
says 0 'weights=Line.loud:0+Line.plain:5' "which are repeated in full" "$assay" gen lala:mine -s 1 --weights=weights
printf 'Line.plain = 5\nLine.lout = 1\n' >weights
says 2 "weights:2: mine has no production 'Line.lout'" "a wrong weight has a line" "$assay" gen lala:mine -s 1 --weights=weights
says 2 'no option --feature' "a wrong option" "$assay" gen lala:mine -s 1 --feature=loud
says 2 'number from 0' "a size that is none" "$assay" gen lala:mine -s 1 --size=big
says 0 '^nodes  *2$' "statistics" "$assay" gen lala:mine -s 1 --stats
says 0 '^  Line:' "the tree" "$assay" gen lala:mine -s 1 --tree text
"$assay" gen lala:mine -s 1 --tree json | python3 -c 'import json, sys; t = json.load(sys.stdin)
assert t["class"] == "Text" and t["children"][0]["class"] == "Line"'
ok $? "the tree as JSON"
says 2 'text or json' "a tree of another kind" "$assay" gen lala:mine -s 1 --tree dot
says 2 'has no --tree' "a generator without trees" "$assay" gen smith -s 1 --tree text
says 0 '^Line: tree' "explained" "$assay" lala explain mine
"$assay" lala explain mine --json | python3 -m json.tool >out
ok $? "explained as JSON"

sed -i 's/lala_int(3)/lala_int(*(volatile int *)0)/' mine/runtime.c
touch -d '1 hour ago' mine/runtime.so
says 3 'is newer than its module' "a module that is too old" "$assay" gen lala:mine -s 1
"$assay" lala build mine >/dev/null
says 2 'My:three died of signal' "a function that crashes is named" "$assay" gen lala:mine -s 1
tree=$(sed -n 's/.*the tree so far is in \([^ ]*\).*/\1/p' out)
grep -q '^Text:text' "$tree"
ok $? "with the tree"
rm -f "$tree"
echo 'int x' >mine/runtime.c
says 2 'error:' "a runtime that does not compile" "$assay" lala build mine

says 2 "did you mean 'lua'" "a language that is not there" "$assay" gen lala:luo -s 1
says 2 'language.ini' "a folder that is none" "$assay" gen lala:. -s 1
says 2 'there is no specification' "a file that is not there" "$assay" lala check nothing.lala
says 0 'no errors, no warnings' "a file alone" "$assay" lala check "$here/ag/fig3/plain.lala" --no-runtime
printf 'class A { a("${b : B}") {} }\n' >wrong.lala
says 2 "wrong.lala:1:16: error: there is no class 'B'" "a wrong specification has a place" "$assay" lala check wrong.lala
says 2 "wrong.lala:1" "also where it is generated from" "$assay" gen lala:wrong.lala -s 1
# The paper's Fig. 3, both variants: every name on the right of := stood on the left of one before.
mkdir fig3 && cp "$here"/ag/fig3/*.lala "$here"/ag/fig3/runtime.c fig3
"$assay" lala build fig3/plain.lala >/dev/null
undefined() {
    awk '{ n = split($0, part, ":="); rest = part[2]
           while (match(rest, /[a-z]+/)) {
               name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
               used++; if (!(name in known)) print "undefined: " name
           }
           sub(/ +$/, "", part[1]); known[part[1]] = 1 }
         END { print used + 0, "uses" }'
}
is "$(printf 'a := 1;\nb := a + c;\n' | undefined | head -n 1)" "undefined: c" "an undefined name would be seen"
for variant in plain generator; do
    wrong='' uses=0
    for seed in $(seq 60); do
        "$assay" gen "lala:fig3/$variant.lala" -s "$seed" --max-height=6 >program || wrong="$wrong no program of $seed"
        undefined <program >seen
        ! grep -q undefined seen || wrong="$wrong $seed"
        uses=$((uses + $(sed -n 's/ uses$//p' seen)))
    done
    is "$wrong" "" "Fig. 3, $variant: no undefined variable in 60 programs"
    [ $uses -gt 20 ]
    ok $? "  and variables are used ($uses times)"
done

for name in c lua smtlib sql; do
    says 0 'no errors, no warnings' "lala:$name is right" "$assay" lala check $name
done
says 0 'lala:smtlib' "languages are listed" "$assay" gen --list
tap_done

#!/bin/sh
# `assay spe` as a user meets it: what it shows and counts, that every variant of a small file compiles and can
# be made again from its first line, and a clear sentence for each mistake. Arguments: the tests folder, the
# assay binary, a file of vectors (optional).
. "$1/tap.sh"
assay=$(realpath "$2")
vectors=${3:+$(realpath "$3")}
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

# same NAME FILE FILE: not empty, and alike
same() {
    [ -s "$2" ] && cmp -s "$2" "$3"
    ok $? "$1"
}

cat >fig6.c <<'END'
int printf(const char *, ...);
int main() {
  int a=1, b=0;
  if(a){
    int c=3, d=5;
    b = c + d;
  }
  printf("%d", a);
  printf("%d", b);
  return 0;
}
END
"$assay" spe count fig6.c >out 2>&1
if grep -q 'was built without' out; then
    says 3 'was built without' "says what is missing" "$assay" spe count fig6.c
    tap_done
fi

# Figure 6 of the paper: 2^5 * 4^5 once the initialisers are assignments (3.2.2).
says 0 '^naive  *512 ' "Figure 6 as it is" "$assay" spe count fig6.c
says 0 '^naive  *32768 ' "Figure 6 hoisted" "$assay" spe count fig6.c --hoist-init
says 0 '^    \[2\] = \[3\] + \[4\];$' "the skeleton is shown" "$assay" spe show fig6.c
says 0 '^  *4  6:13  *d  *a b c d$' "a hole with its candidates" "$assay" spe show fig6.c
says 0 'scope 2: {c d}$' "classes" "$assay" spe show fig6.c --hoist-init
says 0 'scope 2: {d}$' "classes of one" "$assay" spe show fig6.c
"$assay" spe show fig6.c --json | python3 -c 'import json, sys; s = json.load(sys.stdin)
assert len(s["holes"]) == 6 and s["holes"][3]["candidates"] == ["a", "b", "c", "d"], s["holes"]
assert s["types"] == ["int"]'
ok $? "shown as JSON"
is "$("$assay" spe count fig6.c --mode sound --json | python3 -c 'import json, sys
print(json.load(sys.stdin)[0]["variants"])')" "{'sound': '512'}" "counted as JSON, one mode"

# Lists: all of them, from anywhere, in shards, near the original, drawn.
"$assay" spe list fig6.c >all
is "$(wc -l <all)" 512 "as many lines as variants"
is "$(head -n 1 all)" "0: a a a a a a" "the first"
is "$(tail -n 1 all)" "511: b d d d b b" "the last"
sed -n 101,120p all >wanted
"$assay" spe list fig6.c --from 100 --limit 20 >part
same "a part of the list" wanted part
for i in 1 2 3 4 5; do "$assay" spe list fig6.c --shard $i/5; done >shards
same "five shards are the whole" all shards
is "$("$assay" spe list fig6.c --radius 0)" "0: a b c d a b" "nothing changed is the file itself"
is "$("$assay" spe list fig6.c --radius 1 | wc -l)" 13 "one hole changed, or none"
"$assay" spe sample fig6.c -n 50 -s 3 >one
"$assay" spe sample fig6.c -n 50 -s 3 >two
"$assay" spe sample fig6.c -n 50 -s 4 >three
same "the same seed draws the same" one two
! cmp -s one three
ok $? "another one does not"
is "$(sort -u one all | wc -l)" 512 "what is drawn is in the list"
"$assay" spe list fig6.c --limit 2 --json | tail -n 1 | python3 -c 'import json, sys
assert json.load(sys.stdin) == {"rank": "1", "filling": list("aaaaab")}'
ok $? "a line as JSON"
is "$("$assay" spe list fig6.c --mode pattern | wc -l)" \
    "$("$assay" spe count fig6.c --mode pattern | awk '{print $2}')" "mode pattern: as many as it counts"

# Files: every variant compiles, is the original outside the holes, and says how to make it again.
"$assay" spe emit fig6.c -o v
is "$(find v -name '*.c' | wc -l)" 512 "a file for each variant"
cc -w -fsyntax-only v/*.c
ok $? "all of them compile"
sed 's/\<[a-d]\>/x/g' fig6.c >wanted
sed -e 1d -e 's/\<[a-d]\>/x/g' v/fig6-37.c >got
same "outside of the holes nothing changes" wanted got
# shellcheck disable=SC2046
"$assay" $(sed -n '1s/.*made by assay: assay \(.*\) \*\/$/\1/p' v/fig6-37.c) >again
same "made again by its first line" v/fig6-37.c again
"$assay" spe emit fig6.c -o near --radius 0
sed 1d near/fig6-0.c >got
same "the file itself, byte for byte" fig6.c got
"$assay" spe sample fig6.c --hoist-init -n 20 -s 1 -o drawn && cc -w -fsyntax-only drawn/*.c
ok $? "hoisted and drawn, they compile"

cat >two.c <<'END'
int a, b; static short s;
int f(void) { int x; x = a; return x; }
int g(int *p) { s = 1; return *p + b; }
END
says 0 '^f 0: ' "one function after the other" "$assay" spe list two.c --intra
says 0 '^g 1: s b$' "the second one" "$assay" spe list two.c --intra
is "$("$assay" spe list two.c --function g | wc -l)" 2 "one function alone"
says 0 'two.c:g  *2 ' "counted one by one" "$assay" spe count two.c --intra
says 0 '^int \*: 1 hole' "pointers" "$assay" spe show two.c --pointers
says 0 '^any type: ' "any variable in any hole" "$assay" spe show two.c --any

# Folders: what cannot be parsed is left out and told of.
mkdir corpus && cp fig6.c two.c corpus && echo 'int f(' >corpus/broken.c
says 0 '1 of 3 files left out' "a folder is counted" "$assay" spe count corpus
says 0 '^total ' "with a total" "$assay" spe count corpus
says 0 '^2 files in .* 1 more could not be parsed' "tables" "$assay" spe tables corpus
says 0 '^sound .* 100% ' "tables: files up to the threshold" "$assay" spe tables corpus
says 0 '^sound .* 50% ' "another threshold" "$assay" spe tables corpus --threshold 300
"$assay" spe tables corpus --json | python3 -c 'import json, sys; t = json.load(sys.stdin)
assert t["files"] == 2 and t["left_out"] == 1 and len(t["sizes"]) == 7
assert t["sizes"][0]["variants"] == str(512 + 3 * 3 * 3 * 2), t["sizes"][0]'
ok $? "tables as JSON"

says 2 'broken.c:1: expected' "clang says what is wrong" "$assay" spe show corpus/broken.c
says 2 "no function 'h'" "a function that is not there" "$assay" spe list two.c --function h
says 2 'there are 512 variants' "a rank that is not there" "$assay" spe list fig6.c --from 512
says 2 "did you mean compact" "a mode that is not there" "$assay" spe count fig6.c --mode compakt
says 2 'mode paper only counts' "a mode that only counts" "$assay" spe list fig6.c --mode paper
says 2 'such as 3/16' "a shard that is none" "$assay" spe list fig6.c --shard 6/5
says 2 'needs a folder' "files need a folder" "$assay" spe emit fig6.c
says 2 'has 512 variants: choose' "not too many files by accident" "$assay" spe emit fig6.c -o x --threshold 100
says 2 "did you mean 'show'" "an action that is not there" "$assay" spe shaw fig6.c
is "$("$assay" spe show --json fig6.c two.c | grep -c "^{\"file\":")" 2 "show takes several files: a line of JSON each"
says 2 'takes one file' "too many files" "$assay" spe list fig6.c two.c
says 2 "corpus DIR" "a campaign without a corpus" "$assay" run --generator spe -d camp
says 2 'nothing.c' "a file that is not there" "$assay" spe show nothing.c
mkdir empty
says 2 'no .c file' "a folder without files" "$assay" spe count empty

# a name that becomes a string literal is not what the tree says
cat >quoted.c <<'END'
int printf (const char *, ...);
#define SHOW(x) printf ("%s = %d\n", #x, x)
int main (void) { int a = 1, b = 2; SHOW (a); return b; }
END
says 0 '^2 defined, 0 undefined, 0 endless, 2 undecided' "judged, with a name that is quoted" "$assay" spe judge quoted.c
cat >layout.c <<'END'
int x, y;
int main (void) { return (unsigned long) (&x + 1) == (unsigned long) &y; }
END
says 0 '^1 defined, 0 undefined, 0 endless, 1 undecided' "judged, where objects may lie side by side" "$assay" spe judge layout.c
echo '_Complex double z; int main (void) { return z == 1; }' >complex.c
echo 'int x = ;' >broken.c
says 0 '^4 files, 3 parsed, 2 imported: 50.0 %' "coverage" "$assay" spe coverage quoted.c fig6.c complex.c broken.c
says 0 'complex.c:1: .*_Complex' "the first unsupported construct" "$assay" spe coverage complex.c
echo 'int main(void) { long double a = 1; int b = 2, c = 3; a = b; c = b; return (int)a + c; }' >ldouble.c
says 0 'ldouble.c:1: not portable: long double' "variants go to machines with another long double" "$assay" spe coverage ldouble.c
says 0 'nothing undefined: main returned 4' "check --ub judges it" "$assay" check --ub ldouble.c
says 0 'broken.c:1: clang: expected expression' "clang's own message" "$assay" spe coverage broken.c

if [ "$vectors" ]; then
    says 0 '^[0-9]* passed, 0 failed$' "vectors" "$assay" spe vectors "$vectors"
    python3 -c 'import json, sys; v = json.load(open(sys.argv[1])); v["vectors"][0]["E1"] += "0"
json.dump(v, sys.stdout)' "$vectors" >wrong.json
    says 1 ' 1 failed$' "a wrong vector" "$assay" spe vectors wrong.json
fi
tap_done

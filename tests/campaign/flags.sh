#!/bin/sh
# Campaigns with flags at random: a compiler whose fault shows with one flag only, another that
# excludes a pair of flags. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

generator tiny c "sh $tmp/gen.sh {seed}"
cat >gen.sh <<'EOF'
echo "int printf(const char *, ...); /* the seed is $1 */"
echo "int main(void) { printf(\"%d\\n\", $1); return 0; }"
EOF
# What it has is in a file of its own, so that the list can change later.
cat >list <<'EOF'
  -falpha  [enabled]
  -fbeta   [enabled]
  -fgamma  [enabled]
  -fdelta  [enabled]
  -fepsilon [enabled]
EOF
# Each compilation of a test is noted, with its seed. -O2 with -fno-beta is wrong; -falpha and -fgamma
# exclude each other.
script good1 <<EOF
[ "\$1" = --list ] && exec cat $tmp/list
flags=
for word; do
    shift
    case \$word in
    -f* | -O* | --param=*) flags="\$flags \$word" ;;
    *) set -- "\$@" "\$word" ;;
    esac
done
[ -e t.c ] && echo "\$(sed -n 's/.*seed is \([0-9]*\).*/\1/p' t.c)\$flags" >>$tmp/calls
case "\$flags " in
*' -falpha '*'-fgamma '* | *' -fgamma '*'-falpha '*) echo "cc: error: -falpha excludes -fgamma" >&2; exit 1 ;;
' -O2 '*'-fno-beta '*) sed 's/%d/%d wrong/' t.c >w.c 2>/dev/null && exec tcc -o program.exe w.c ;;
esac
EOF
cp good1 good2
sed -i 's/-O2 /-O9 /' good2 # never wrong
for name in good1 good2; do
    toolchain $name "compile = {cc} {flags} -o {exe} {src}" "reference = yes" "flags = -O0" "flags = -O3" "flag-level = -O1 -O2" \
        "flag-list = {cc} --list" 'flag-form = s/^ +-f([a-z]+) .*/-f[|no-]\1/'
done
run="$assay run --testbed-dir mine --testbeds good1,good2 --generator tiny --seed 1 --flags random"

out=$($assay testbeds --testbed-dir mine --flags good1); is $? 0 "the flags of a compiler can be listed"
has "$out" "-f[|no-]gamma" "  with what is open in them"
out=$($assay testbeds --testbed-dir mine --flags nobody 2>&1); is $? 2 "of one that is there"
out=$($assay run --flags sometimes 2>&1); is $? 2 "flags are default or random"
has "$out" "neither default nor random" "  it says"
out=$($run --all-flags 2>&1); is $? 2 "and not all at the same time"

# ---- found, recorded, confirmed, replayed

: >calls
out=$($run --dir c --tests 40 -j 1 --plain 2>&1); is $? 1 "the fault is found"
has "$out" "good1 random" "  by the testbed that draws"
has "$out" "good1 -O0" "  beside the first flag set"
lacks "$out" "good1 -O3" "  and no other"
cp calls first-calls
$assay bugs --dir c --all --json >bugs.json
python3 - >ids <<'EOF'
import json
for f in json.load(open("bugs.json")):
    print(f["id"], f["seed"], f["kind"], f["testbed"].replace(" ", "_"), f["state"])
EOF
is "$(cut -d' ' -f3- ids | sort -u)" "wrong-output good1_random confirmed" "wrong output, confirmed, and nothing else"
wrong=0
while read -r id seed rest; do
    flags=$($assay show --dir c "$id" --json | python3 -c 'import json,sys
print([o["flags"] for o in json.load(sys.stdin)["observations"] if o["testbed"] == "good1 random"][0])')
    case " $flags " in ' -O2 '*' -fno-beta '*) ;; *) wrong=$((wrong + 1)) ;; esac
done <ids
is $wrong 0 "each finding has the flags that show it"
read -r id seed rest <ids
flags=$($assay show --dir c "$id" --json | python3 -c 'import json,sys
print([o["flags"] for o in json.load(sys.stdin)["observations"] if o["testbed"] == "good1 random"][0])')
out=$($assay show --dir c "$id")
has "$out" "flags      $flags" "show tells the flags"
has "$out" "$tmp/good1 $flags -o ./program.exe t.c" "  and the whole command"
mkdir by-hand && $assay show --dir c "$id" -o by-hand >/dev/null
command=$($assay show --dir c "$id" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["commands"])')
(cd by-hand && sh -c "$command" && ./program.exe >out)
has "$(cat by-hand/out)" "$seed wrong" "  which does it by hand"
: >calls
out=$($assay replay --dir c "$id" 2>&1); is $? 1 "replay reproduces"
has "$out" "with the flags $flags" "  with the same flags"
has "$(cat calls)" "$seed $flags" "  as the compiler saw them"
cp list list.bak; echo '  -fnew  [enabled]' >list # the compiler has been exchanged
out=$($assay replay --dir c "$id" 2>&1); is $? 1 "  whatever the compiler lists now"
has "$out" "with the flags $flags" "  still those"
cp list.bak list

# ---- what is rejected is no finding

rejected=$(grep -c 'the flags are rejected: cc: error: -falpha excludes -fgamma' c/assay.log)
[ "$rejected" -gt 0 ]; ok $? "combinations that the compiler rejects are noted ($rejected)"
skipped=$(sql c/assay.db "select sum(count) from stat where outcome = 'skipped'")
is "$skipped" "$rejected" "  and counted as skipped"

# ---- killed and resumed: the same draws

drawn() { grep -e '-f' "$1" | sort -u; } # SEED FLAGS of every compilation with drawn flags
: >calls
$run --dir d --tests 40 -j 1 --quiet >/dev/null 2>&1 &
pid=$!
while [ "$(wc -l <calls)" -lt 60 ]; do sleep 0.05; done
kill -KILL $pid; wait $pid 2>/dev/null
cp calls killed-calls
[ "$(drawn killed-calls | wc -l)" -lt "$(drawn first-calls | wc -l)" ]; ok $? "killed in the middle"
$assay run --dir d --tests 40 -j 1 --quiet >/dev/null 2>&1
is $? 1 "without options it goes on, with random flags"
drawn calls >resumed; drawn first-calls >first
cmp -s resumed first; ok $? "and draws for each seed what an undisturbed run draws"
is "$(cut -d' ' -f1 first | sort -u | wc -l)" 40 "  for all of them"
[ "$(cut -d' ' -f2- first | sort -u | wc -l)" -gt 30 ]; ok $? "most draws differ"
tap_done

#!/bin/sh
# assay lm sample: programs of seeds, where they end, and what is said of files that are no models.
# Arguments: tests folder, the assay binary, test-sample, which makes a model.
. "$1/tap.sh"
assay=$(realpath "$2")
make=$(realpath "$3")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"

"$make" make m.lm >made.txt
ok $? "a model"

"$assay" lm sample m.lm -n 12 --seed 100 --most 40 >twelve.txt
ok $? "twelve programs"
is "$(grep -c '^---$' twelve.txt)" 11 "with a line between them"
for streams in 1 5 12 64; do
    "$assay" lm sample --model m.lm -n 12 --seed 100 --most 40 --streams $streams | cmp -s - twelve.txt
    ok $? "the same with $streams streams"
done

"$assay" lm sample m.lm -n 12 --seed 100 --most 40 --json >twelve.json
is "$(wc -l <twelve.json)" 12 "JSON: a line each"
eleventh=$("$assay" lm sample m.lm --seed 110 --most 40 --json)
is "$eleventh" "$(sed -n 11p twelve.json)" "program 10 of seed 100 is that of seed 110"
has "$eleventh" '"seed":110' "which it tells"

is "$("$assay" lm sample m.lm -n 2 --temperature 0 --most 9 --json | sed 's/"seed":[12]//' | sort -u | wc -l)" 1 \
    "at temperature 0 there is one program"
closed=$("$assay" lm sample m.lm -n 30 --start '{ a' --open '{' --close '}' --json | grep '"closed"')
has "$closed" '"text":"{ a' "programs begin as asked for"
is "$(printf '%s\n' "$closed" | grep -vc '}"}$')" 0 "and end with their last bracket"

said() {
    "$assay" lm sample "$@" 2>&1 >/dev/null
    echo "status $?"
}
has "$(said nothing.lm)" "nothing.lm: cannot be read" "no file"
has "$(said twelve.txt)" "is not a model" "a file that is none"
head -c 3000 m.lm >cut.lm
has "$(said cut.lm)" "cut.lm: is truncated" "a model that is cut short"
cp m.lm bad.lm
printf 'xyz' | dd of=bad.lm bs=1 seek=9000 conv=notrunc 2>/dev/null
has "$(said bad.lm)" "bad.lm: is damaged" "a model that is damaged"
has "$(said bad.lm)" "status 2" "is the user's to mend"
has "$(said)" "no model: name" "no model"
has "$(said m.lm n.lm)" "'n.lm' is another" "two models"
has "$(said m.lm --temperature warm)" "'warm' is not a number" "no temperature"
has "$(said m.lm --temperature=-1)" "'-1' is not a number of 0 or more" "below 0"
has "$(said m.lm --open '{')" "--open and --close go together" "half a pair of brackets"
has "$(said m.lm --start '§')" "--start: line 1 has a byte" "a start that the model cannot say"
if [ -w /dev/full ]; then
    "$assay" lm sample m.lm -n 2 >/dev/full 2>err.txt
    is $? 3 "a full disk: $(cat err.txt)"
fi

bench=$("$assay" lm sample m.lm --bench --streams 4)
has "$bench" "4 streams: " "a bench"
has "$bench" "1 stream: " "of a single stream, too"
tap_done

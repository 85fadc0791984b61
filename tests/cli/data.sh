#!/bin/sh
# What is shipped is found from any build folder and any installation, or assay says where it looked.
# Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
root=$(realpath "$2")
tmp=$(mktemp -d)
mkdir -p "$tmp/build" "$tmp/prefix/bin" "$tmp/prefix/share" "$tmp/alone"
export XDG_CONFIG_HOME="$tmp/config"
unset ASSAY_DATA
for place in build prefix/bin alone; do cp "$3" "$tmp/$place/assay"; done
printf '%s' "$root" >"$tmp/build/assay-source"
ln -s "$root" "$tmp/prefix/share/assay"

for place in build prefix/bin; do
    has "$("$tmp/$place/assay" testbeds)" "gcc -O3" "$place: testbeds"
    has "$("$tmp/$place/assay" gen --list)" "lala:lua" "$place: generators"
done
out=$("$tmp/alone/assay" testbeds 2>&1)
is $? 3 "nothing is there: the machine is not right"
has "$out" "there is no folder testbeds in $tmp/share/assay" "  it says where it looked"
has "$out" "set ASSAY_DATA" "  and what to do"
out=$("$tmp/alone/assay" run --dir "$tmp/c" --tests 1 2>&1)
is $? 3 "  nor is there anything to run with"
has "$out" "no toolchain files" "  which is said"
out=$("$tmp/alone/assay" gen --list 2>&1)
has "$out" "no toolchain files" "a list of generators says that it is not all"
has "$(ASSAY_DATA=$root "$tmp/alone/assay" testbeds)" "gcc -O3" "ASSAY_DATA tells"
rm -rf "$tmp"
tap_done

#!/bin/sh
# What the commands accept, the man page and the completion know. Arguments: tests folder, source
# root, the assay binary.
. "$1/tap.sh"
root=$2
assay=$(realpath "$3")
page=$(sed 's/\\-/-/g; s/\\f.//g' "$root/man/assay.1")
for command in run gen check testbeds bugs show replay; do
    has "$page" "assay $command" "the man page has assay $command"
    options=$($assay $command --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p')
    section=$(echo "$page" | awk -v c="assay $command" '/^\.SS/ { on = ($0 == ".SS " c) } on')
    for option in $options; do
        has "$section" "--$option" "  with --$option"
    done
done
out=$(PATH=$(dirname "$assay"):$PATH bash -c '
    . "$0/completions/assay"
    complete_it() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; echo "${COMPREPLY[*]}"; }
    complete_it assay r
    complete_it assay run --ti
    complete_it assay gen csm
    complete_it assay bugs --kind wrong' "$root")
is "$out" "run replay
--time
csmith
wrong-output wrong-volatile" "completion of commands, options, generators and kinds"
# The example of volatile accesses claims what it does.
if command -v valgrind >/dev/null; then
    dir=$(mktemp -d)
    sed -n '/^```c$/,/^```$/p' "$root/docs/TESTBEDS.md" | grep -v '^```' >"$dir/t.c"
    out=$(ASSAY_DATA=$root $assay check --no-sandbox --testbeds gcc-volatile:-O0,gcc-volatile:-O3 "$dir/t.c")
    is "$? $(echo "$out" | grep -c ' ok ')" "0 2" "the example of volatile accesses"
    sed -i 's/g_3++/g_3/' "$dir/t.c"
    out=$(ASSAY_DATA=$root $assay check --no-sandbox --testbeds gcc-volatile "$dir/t.c")
    is "$?" 1 "with one access less"
    has "$out" "wrong-volatile (expected, 100 %)" "  it is seen"
    rm -r "$dir"
else
    skip "the example of volatile accesses" "no valgrind"
fi
# The page of yarp has every policy, with the share of programs that it is on in.
wrong=$($assay gen yarp --options | awk '/^\[/ { on = $1 == "[policies]" }
    on && $2 == "=" { printf "| `%s` | %s |\n", $1, $3 }' |
    while read -r row; do grep -qF "$row" "$root/docs/YARP.md" || echo "$row"; done)
is "$wrong" "" "the table of policies"
for name in testbeds generators; do
    for file in "$root"/$name/*.ini; do
        base=$(basename "$file" .ini)
        grep -q "^name *= *$base\$" "$file"
        ok $? "$name/$base.ini is called what it is named"
    done
done
tap_done

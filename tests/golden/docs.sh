#!/bin/sh
# What the commands accept, the man page and the completion know. Arguments: tests folder, source
# root, the assay binary.
. "$1/tap.sh"
root=$2
assay=$(realpath "$3")
page=$(sed 's/\\-/-/g; s/\\f.//g' "$root/man/assay.1")
for command in run gen check testbeds bugs show reduce report compare replay lala spe graft; do
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
    complete_it assay lala e
    complete_it assay lala check sm
    complete_it assay gen lala : l
    complete_it assay gen lala : lua --fea
    complete_it assay run -g lala : sq
    complete_it assay gen smith --no-got
    complete_it assay run -g yarp --policy.loo
    complete_it assay gen yarp --conf
    complete_it assay gen spe --no-obs
    complete_it assay bugs --kind wrong
    complete_it assay bugs m
    complete_it assay bugs mark 17 f
    complete_it assay reduce 17 --method c
    complete_it assay comp
    complete_it assay compare --tri
    complete_it assay show 17 --re' "$root")
is "$out" "run replay reduce report
--time
csmith
explain
smtlib
lua
--features
sql
--no-goto
--policy.loops
--config
--no-observe
wrong-output wrong-volatile
mark
fixed
c choices cvise
compare
--trials
--reduced" "completion of commands, options, generators, languages and kinds"
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
# The pages of spe and lm have every setting, and so has the man page. A build without spe has none.
for setting in $($assay gen spe --options 2>/dev/null | awk '$2 == "=" { print "SPE:" $1 }') \
    $($assay gen lm --options | awk '$2 == "=" { print "LM:" $1 }'); do
    has "$(cat "$root/docs/${setting%:*}.md")" "\`--${setting#*:}" "docs/${setting%:*}.md has the setting ${setting#*:}"
    has "$page" "--${setting#*:}" "  and so has the man page"
done
# The page of lala has every setting, every statistic, every key of language.ini, and each language with
# its features; the man page knows the languages.
lala=$(cat "$root/docs/LALA.md")
for setting in $($assay gen lala:lua --options | awk '$2 == "=" { print $1 }'); do
    has "$lala" "| \`--$setting" "docs/LALA.md has the setting $setting"
    has "$page" "--$setting" "  and so has the man page"
done
stats=$($assay gen lala:lua -s 1 --stats 2>&1 >/dev/null | sed 's/ *[0-9]*$//')
wrong=$(echo "$stats" | while read -r row; do echo "$lala" | grep -qF "| \`$row\` |" || echo "$row"; done)
is "$(echo "$stats" | grep -c nodes) $wrong" "2 " "the table of statistics"
for key in $(sed -n 's/^ *{ROW([A-Z]*, "\([a-z-]*\)".*/\1/p' "$root/src/gen/lala/language.c"); do
    echo "$lala" | sed -n '/^```ini$/,/^```$/p' | grep -q "^$key *= "
    ok $? "docs/LALA.md has the key $key of language.ini"
done
for file in "$root"/specs/*/language.ini; do
    name=$(sed -n 's/^name *= *//p' "$file")
    is "$name" "$(basename "$(dirname "$file")")" "specs/$name is called what it is named"
    has "$page" "lala:$name" "  the man page has it"
    wrong=$(sed -n 's/.*@feature("\([^"]*\)").*/\1/p' "$(dirname "$file")/$name.lala" | tr ',' '\n' | sort -u |
        while read -r word; do echo "$lala" | grep -q "^| .*\`$word\`.* |" || echo "$word"; done)
    is "$wrong" "" "  docs/LALA.md has its features"
done
# The small language of docs/LALA.md is right, and its programs are what they claim to be.
dir=$(mktemp -d)
sed -n '/^use Set;$/,/^```$/p' "$root/docs/LALA.md" | grep -v '^```' >"$dir/calc.lala"
out=$(cd "$dir" && $assay lala check calc.lala 2>&1)
is "$? $out" "0 $(sed -n 's/^ *\(calc.lala: .*\)/\1/p' "$root/docs/LALA.md")" "the language of docs/LALA.md"
for seed in 1 2 3 4 5; do
    $assay gen "lala:$dir/calc.lala" -s $seed --max-height=4 >"$dir/t.py" &&
        python3 "$dir/t.py" | grep -q '^[0-9]*$'
    ok $? "  program $seed of it runs in Python"
done
rm -r "$dir"
for name in testbeds generators; do
    for file in "$root"/$name/*.ini; do
        base=$(basename "$file" .ini)
        grep -q "^name *= *$base\$" "$file"
        ok $? "$name/$base.ini is called what it is named"
    done
done
tap_done

#!/bin/sh
# The completions are what scripts/completions writes, and zsh and fish complete with them; bash is in
# tests/golden/docs.sh. Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
root=$(realpath "$2")
assay=$(realpath "$3")
tmp=$(mktemp -d)
unset ASSAY_DATA
"$root/scripts/completions" "$assay" "$tmp"
is "$? $(diff -r "$tmp" "$root/completions")" "0 " "the completions are up to date (otherwise: run scripts/completions)"
"$root/scripts/completions" a b c 2>/dev/null; is $? 2 "scripts/completions: too many words"
"$root/scripts/completions" "$tmp/none" "$tmp" 2>/dev/null; is $? 3 "  no such program"
mkdir "$tmp/bin" "$tmp/folder"
ln -s "$assay" "$tmp/bin/assay"
cd "$tmp/folder" || exit 3
mkdir docs
export HOME="$tmp" PATH="$tmp/bin:$PATH"

lines='assay ru
assay run --tim
assay gen csm
assay lala e
assay lala explain sm
assay gen lala:lu
assay gen lala:lua --fea
assay run -g lala:sq
assay gen smith --no-got
assay run -g yarp --policy.loo
assay bugs --kind wrong
assay bugs m
assay bugs mark 17 f
assay lm train --ep
assay run --flags ran
assay testbeds --flags tc
assay reduce 17 --method c'
wanted='run
--time
csmith
explain
smtlib
lala:lua
--features
lala:sql
--no-goto
--policy.loops
wrong-output wrong-volatile
mark
fixed
--epochs
random
tcc
c choices cvise'

if command -v fish >/dev/null; then
    fish -n "$root/completions/assay.fish"; ok $? "fish reads its file"
    out=$(echo "$lines" | fish -c 'source $argv[1]; while read -l line; complete -C $line | string split -f 1 \t | string join " "; end' "$root/completions/assay.fish")
    is "$out" "$wanted" "  and completes"
    out=$(fish -c 'source $argv[1]; complete -C "assay run --tim"' "$root/completions/assay.fish")
    has "$out" "stop after 20s" "  with the help of an option"
    is "$(fish -c 'source $argv[1]; complete -C "assay report --dir d"' "$root/completions/assay.fish" | cut -f 1)" "docs/" "  and folders"
else
    skip "completion of fish" "no fish"
fi

if command -v zsh >/dev/null; then
    zsh -n "$root/completions/_assay"; ok $? "zsh reads its file"
    # what zsh's own functions are given, as far as it begins with the word
    cat >"$tmp/try.zsh" <<'END'
show() { local w; for w in $@; do [[ $w = ${words[CURRENT]}* ]] && found+=($w); done }
compadd() { shift; show $@ }
_describe() { [[ $1 = -o ]] && shift; show ${${(P)2}%%:*} }
_files() { }
words=(assay) CURRENT=1
source $1
while read -r line; do
    words=(${=line}) CURRENT=${#words} found=()
    _assay
    print -- $found
done
END
    is "$(echo "$lines" | zsh -f "$tmp/try.zsh" "$root/completions/_assay")" "$wanted" "  and completes"
else
    skip "completion of zsh" "no zsh"
fi
cd /
rm -rf "$tmp"
tap_done

#!/bin/sh
# What `make install` installs works from there, what texts name is there, and `make uninstall` leaves
# nothing. Arguments: tests folder, source root, build folder, prefix, data folder below it.
. "$1/tap.sh"
root=$(realpath "$2")
build=$(realpath "$3")
tmp=$(mktemp -d)
export XDG_CONFIG_HOME="$tmp/config" HOME="$tmp" DESTDIR="$tmp/root"
unset ASSAY_DATA
at=$DESTDIR$4
data=$at/$5
# Meson notes the newest installation only: that of whoever works here comes back at the end.
log=$build/meson-logs/install-log.txt
[ ! -f "$log" ] || cp -p "$log" "$tmp/log"
install() {
    meson install -C "$build" --no-rebuild --quiet >"$tmp/out" 2>&1
    ok $? "$1"
}
install "assay is installed"
has "$("$at/bin/assay" testbeds)" "gcc -O3" "  it finds its testbeds"
has "$("$at/bin/assay" gen --list)" "lala:lua" "  and its generators"
cd "$tmp" || exit 3

# Nothing is named that is not there: pages and scripts are named by where they are.
help=$(for command in run gen check testbeds bugs show replay reduce report lala spe lm "lm corpus" "lm train" "lm sample"; do
    "$at/bin/assay" $command --help
done)
lacks "$help" " docs/" "help names no page of the sources"
lacks "$help" " scripts/" "  and no script"
missing=$(echo "$help" | grep -o "$data/[A-Za-z/-]*\(\.md\)\{0,1\}" | sort -u | while read -r file; do [ -e "$file" ] || echo "$file"; done)
is "$missing" "" "what help names is there"
has "$help" "$data/doc/assay/TESTBEDS.md describes" "  the page of testbeds"
has "$help" "  $data/assay/scripts/corpus-opencl opencl &&" "  a script in an example"
out=$("$at/bin/assay" gen spe -s 1 2>&1)
case $out in
*"built without"*) skip "a message names the script" "no spe" ;;
*) has "$out" "($data/assay/scripts/torture unpacks" "a message names the script" ;;
esac
out=$("$at/bin/assay" run --dir c --testbeds /bin/true --tests 1 2>&1)
has "$out" "see $data/doc/assay/TESTBEDS.md" "  and the page"
for script in torture corpus-c corpus-opencl in-root; do
    [ -x "$data/assay/scripts/$script" ]
    ok $? "$script can be run"
done

# The man page has the place and the version; files that it names beneath are there.
page=$data/man/man1/assay.1
has "$(cat "$page")" "$("$at/bin/assay" --version)" "the man page has the version"
files=$(sed -n "/^\.I $(echo "$4/$5" | sed 's|/|\\/|g')\/assay\$/,/^\.SH/p" "$page" | sed 's/\\-/-/g')
has "$files" "LALA.md" "the man page names files"
missing=$(echo "$files" | sed -n 's/^\.IR\{0,1\} \([A-Za-z/.-]*\).*/\1/p' | while read -r name; do
    case $name in
    /*) name=$DESTDIR$name ;;
    *.md) name=$data/doc/assay/$name ;;
    *) name=$data/assay/$name ;;
    esac
    [ -e "$name" ] || echo "$name"
done)
is "$missing" "" "  which are there"
for file in bash-completion/completions/assay zsh/site-functions/_assay fish/vendor_completions.d/assay.fish; do
    [ -s "$data/$file" ]
    ok $? "$file"
done

out=$("$root/scripts/uninstall" "$build" 2>&1)
is "$? $(find "$DESTDIR" -mindepth 1 2>/dev/null | head -n 5)" "0 " "uninstalled, nothing is left"
mkdir -p "$data/doc" "$at/bin"
echo mine >"$data/doc/mine"
install "assay is installed"
install "  and again, into the same folders"
"$root/scripts/uninstall" "$build" >/dev/null 2>&1
is "$(cd "$at" && find . -name '*assay*') $(cat "$data/doc/mine")" " mine" "uninstalled, nothing of assay is left, and what is somebody else's is"
rm -f "$log"
out=$("$root/scripts/uninstall" "$build" 2>&1)
has "$? $out" "0 uninstall: nothing was installed from" "nothing was installed"
[ ! -f "$tmp/log" ] || cp -p "$tmp/log" "$log"
cd /
rm -rf "$tmp"
tap_done

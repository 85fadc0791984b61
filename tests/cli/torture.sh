#!/bin/sh
# scripts/torture: on a small archive of the same shape, on ones that are wrong, and (in the slow suite) on the real
# one where its package is installed. Arguments: tests folder, source root.
. "$1/tap.sh"
torture=$(realpath "$2")/scripts/torture
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export HOME="$tmp/home" XDG_CACHE_HOME="$tmp/cache"

mkdir -p gcc-0/gcc/testsuite/gcc.c-torture/execute gcc-0/gcc/testsuite/gcc.dg gcc-0/gcc/testsuite/gcc.target
echo 'int main(void) { return 0; }' >gcc-0/gcc/testsuite/gcc.c-torture/execute/a.c
cp gcc-0/gcc/testsuite/gcc.c-torture/execute/a.c gcc-0/gcc/testsuite/gcc.dg/b.c
cp gcc-0/gcc/testsuite/gcc.c-torture/execute/a.c gcc-0/gcc/testsuite/gcc.target/c.c
tar -czf small.tar.gz gcc-0
tar -czf other.tar.gz gcc-0/gcc/testsuite/gcc.dg gcc-0/gcc/testsuite/gcc.target
head -c 100 small.tar.gz >broken.tar.gz

out=$($torture here small.tar.gz); is $? 0 "an archive is unpacked"
is "$out" "$tmp/here/gcc.c-torture/execute" "  the folder of programs is printed"
is "$(cd here && find . -type f | sort | tr '\n' ' ')" "./gcc.c-torture/execute/a.c ./gcc.dg/b.c " "  both suites and nothing else are there"
echo changed >here/gcc.c-torture/execute/a.c
out=$($torture here small.tar.gz); is $? 0 "a second time"
is "$out" "$tmp/here/gcc.c-torture/execute" "  prints the same"
is "$(cat here/gcc.c-torture/execute/a.c)" "changed" "  and unpacks nothing"
out=$($torture here no-such-file); is $? 0 "what is there needs no archive"

is "$($torture '' small.tar.gz)" "$tmp/cache/assay/torture/gcc.c-torture/execute" "by default it is the cache"
is "$(XDG_CACHE_HOME= $torture '' small.tar.gz)" "$tmp/home/.cache/assay/torture/gcc.c-torture/execute" "  or the one in the home folder"

for archive in no-such-file broken.tar.gz other.tar.gz; do
    out=$($torture new/folder $archive 2>&1); is $? 3 "$archive: exit 3"
    has "$out" "torture: " "  and says why"
    has "$out" $archive "  naming the archive"
    is "$(ls -A new 2>/dev/null)" "" "  nothing is left"
done
mkdir full empty
echo precious >full/file
out=$($torture full small.tar.gz 2>&1); is $? 2 "a folder with something else: exit 2"
has "$out" "full holds something else" "  says so"
is "$(cat full/file)" "precious" "  and stays as it is"
$torture empty small.tar.gz >out; is $? 0 "an empty folder is filled"
out=$($torture full/file small.tar.gz 2>&1); is $? 2 "a file: exit 2"
out=$($torture a b c 2>&1); is $? 2 "too many words: exit 2"

if [ "$(amount no yes)" = no ]; then
    : # seconds of unpacking
elif ls /usr/src/gcc-12/gcc-12*.tar.xz >out 2>&1; then
    folder=$($torture real); is $? 0 "the tests of Debian's package"
    files=$(find "$folder" -maxdepth 1 -name '*.c' | wc -l)
    [ "$files" -gt 1500 ]; ok $? "  are $files programs (more than 1,500)"
    [ -d real/gcc.dg/torture ]; ok $? "  and those of gcc.dg"
else
    out=$($torture real 2>&1); is $? 3 "without Debian's package: exit 3"
    has "$out" "apt-get install gcc-12-source" "  says what to install"
    skip "the tests of Debian's package" "gcc-12-source is not installed"
fi
tap_done

#!/bin/sh
# A campaign over skeletons of real programs: all variants once, in order of size, on after a stop;
# what is undefined is only compiled, what is defined is run against the known output.
# Arguments: the tests folder, assay.
. "$1/tap.sh"
assay=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export XDG_CACHE_HOME="$folder/cache"
mkdir corpus
cat >corpus/small.c <<'END'
int a, b = 5;
int main (void) { a = 3; return 0; }
END
cat >corpus/larger.c <<'END'
extern void abort (void);
int main (void) { int x = 1; int y; y = 2; if (x == 2) abort (); return 0; }
END
echo 'int main (void) { return 0; }' >corpus/nothing.c
echo 'int x = ;' >corpus/broken.c
echo 'int z; int f (void) { return z; }' >corpus/library.c

run() {
    "$assay" run --generator spe --corpus corpus --testbeds gcc:-O0,clang:-O2 -d camp --plain -j 1 "$@" >out 2>&1
    status=$?
    [ $status = 0 ] || sed 's/^/# /' out
    return $status
}
run --tests 2
ok $? "two tests"
grep -q '2 skeletons of 5 files, 6 variants (left out: 1 files that clang refuses, 1 without main, 1 without a choice' out
ok $? "what is there, and what is left out"
run
ok $? "the rest"
grep -q 'nothing is left to do .*: 4 tests, 0 new findings; by now the campaign has 6 tests, 0 findings in 0 bugs' out
ok $? "it ends by itself"
run
ok $? "and again"
grep -q 'nothing is left to do .*: 0 tests, 0 new findings; by now the campaign has 6 tests' out
ok $? "there is nothing more"
grep -q ' b-fail' out && ! grep -q 'wrong-output\|build-fail' out
ok $? "no finding"
ls cache/assay/skeletons-* >/dev/null
ok $? "the counts are kept"

# each variant: what it is, and how it is to be made again
for seed in 0 1 2 3 4 5; do
    "$assay" gen spe --corpus corpus -s $seed -o prog$seed --stats >>made 2>&1
done
[ "$(grep -c '^defined' made)" = 5 ] && [ "$(grep -c '^undefined: .*uninitialised' made)" = 1 ]
ok $? "five are defined, one reads y before it has a value"
[ -f prog0/observer.c ] && grep -q 'assay gen spe -s 0' prog0/t.c
ok $? "a program that is run has an observer, and says how it was made"
gcc -w prog0/t.c prog0/observer.c -o prog && ./prog | grep -q '^exit 0, checksum [0-9a-f]\{16\}$'
ok $? "which prints how it ended"

# a sample of a skeleton is the same wherever its folder is
mkdir elsewhere
echo 'int a, b = 1, c = 2, d = 3, e = 4; int main (void) { a = b + c * d - e; b = a; c = d; return a; }' >elsewhere/many.c
cp -r elsewhere copy
n=0
for from in elsewhere ./elsewhere/ copy; do
    n=$((n + 1))
    "$assay" gen spe --corpus "$from" --over sample --variants 3 -s 1 -o sample$n >/dev/null 2>&1
    tail -n +2 sample$n/t.c >sample$n.c
done
[ -s sample1.c ] && cmp -s sample1.c sample2.c && cmp -s sample1.c sample3.c
ok $? "a sample does not depend on where the folder is"
tap_done

#!/bin/sh
# A campaign over skeletons of real programs: all variants once, in order of size, on after a stop;
# what is undefined is only compiled, what is defined is run against the known output.
# Arguments: the tests folder, assay.
. "$1/tap.sh"
assay=$(realpath "$2") tests=$(realpath "$1")
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
mkdir corpus/below corpus/.hidden
echo 'int z, w = 1; int f (void) { return z + w; }' >corpus/below/library.c
cp corpus/small.c corpus/.hidden
ln -s small.c corpus/link.c

run() {
    "$assay" run --generator spe --corpus corpus --testbeds gcc:-O0,clang:-O2 -d camp --plain -j 1 "$@" >out 2>&1
    status=$?
    [ $status = 0 ] || sed 's/^/# /' out
    return $status
}
run --tests 2
ok $? "two tests"
grep -q '3 skeletons of 5 files, 10 variants (1 without main, only compiled; left out: 1 files that clang refuses, 1 without a choice' out
ok $? "what is there, also below the folder, and what is left out"
run
ok $? "the rest"
grep -q 'nothing is left to do .*: 8 tests, 0 new findings; by now the campaign has 10 tests, 0 findings in 0 bugs' out
ok $? "it ends by itself"
! "$assay" run --generator spe --corpus corpus --testbeds gcc:-O0 -d beyond --seed 10 >out 2>&1 &&
    grep -q 'seed 10: spe has 10 programs with these options, with seeds from 0 to 9' out && [ ! -e beyond/assay.db ]
ok $? "a seed that is behind the last program is refused"
run
ok $? "and again"
grep -q 'nothing is left to do .*: 0 tests, 0 new findings; by now the campaign has 10 tests' out
ok $? "there is nothing more"
grep -q ' b-fail' out && ! grep -q 'wrong-output\|build-fail' out
ok $? "no finding"
ls cache/assay/skeletons-* >/dev/null
ok $? "the counts are kept"

# each variant: what it is, and how it is to be made again
for seed in 0 1 6 7 8 9; do
    "$assay" gen spe --corpus corpus -s $seed -o prog$seed --stats >>made 2>&1
done
[ "$(grep -c '^defined' made)" = 5 ] && [ "$(grep -c '^undefined: .*uninitialised' made)" = 1 ]
ok $? "five are defined, one reads y before it has a value"
[ -f prog0/observer.c ] && grep -q 'assay gen spe -s 0' prog0/t.c
ok $? "a program that is run has an observer, and says how it was made"
gcc -w prog0/t.c prog0/observer.c -o prog && ./prog >prog.out && grep -q '^exit 0, checksum [0-9a-f]\{16\}$' prog.out
ok $? "which prints how it ended"
for cc in tcc pcc chibicc; do
    if command -v $cc >/dev/null; then
        $cc -w $([ $cc != chibicc ] || echo "-I$tests/../testbeds/include/chibicc") prog0/t.c prog0/observer.c -o prog-$cc 2>/dev/null &&
            ./prog-$cc | cmp -s - prog.out
        ok $? "also when $cc compiled it"
    else
        skip "also when $cc compiled it" "it is not installed"
    fi
done

"$assay" gen spe --corpus corpus -s 2 -o library --stats >made 2>&1
grep -q '^only compiled: there is no main' made && [ -f library ] && grep -q 'not linked' library
ok $? "a file without main is only compiled"
head -n 1 library | grep -q 'below/library.c, as it is' && tail -n +2 library | head -n 1 | cmp -s - corpus/below/library.c
ok $? "the first variant of a file is the file"
"$assay" gen spe --corpus corpus --with-main -s 0 --stats -o with >made 2>&1
grep -q '2 skeletons of 5 files, 6 variants (0 without main.*, 1 without main)' made
ok $? "files without main can be left out"

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

# what the file itself shows is a finding of it, once, and none of its variants
mkdir shown tb
echo 'int a, b = 1; /* BOOM */ int main (void) { return b; }' >shown/crashes.c
echo 'int a, b = 1; /* REJECTED */ int main (void) { return b; }' >shown/fails.c
echo 'int a, b = 1; /* WRONG */ int main (void) { return b; }' >shown/wrong.c
echo 'int a, b = 1; /* a is not known */ int main (void) { return b; }' >shown/varies.c
cat >tb/shaky <<'END'
#!/bin/sh
for word; do
    case $word in
    *.c)
        grep -q BOOM "$word" && echo "internal compiler error: in boom, at boom.c" >&2 && exit 1
        grep -q REJECTED "$word" && echo "error: rejected" >&2 && exit 1
        grep -q 'not known.*return a' "$word" && echo "internal compiler error: in add, at add.c" >&2 && exit 1
        grep -q WRONG "$word" && exec gcc "-Dreturn=return 7+" "$@"
        ;;
    esac
done
exec gcc "$@"
END
chmod +x tb/shaky
cat >tb/shaky.ini <<END
[toolchain]
name     = shaky
language = c
default  = no
find     = $folder/tb/shaky
probe    = gcc --version
version  = ([0-9.]+)
compile  = {cc} {flags} {needs} -o {exe} {src}
run      = {exe}
crash    = internal compiler error
reference = no
flags    = -O0
END
"$assay" run --generator spe --corpus shown --testbed-dir tb --testbeds gcc:-O0,gcc:-O2,shaky -d camp2 \
    --plain -j 1 >out 2>&1
grep -q '4 skeletons of 4 files, 8 variants' out
ok $? "four files of two variants"
sqlite3 camp2/assay.db "SELECT seed, signature FROM finding WHERE state = 'confirmed' ORDER BY seed" >found
# sorted by name: crashes.c from 0, fails.c from 2, varies.c from 4, wrong.c from 6
cut -d '|' -f 1 found | tr '\n' ' ' | grep -q '^0 2 5 6 $' && sed -n 1p found | grep -q boom && sed -n 3p found | grep -q 'in add' &&
    sed -n 4p found | grep -q wrong-output
ok $? "a finding each for the originals, and one for a variant that does what its original does not"
grep -c 'of its anomalies are those of its original' camp2/assay.log | grep -q '^3$'
ok $? "the others are noted"

# with any name in any hole, that a variant is rejected means nothing
mkdir any
echo 'int a, b = 1; int f (void) { return a + b; }' >any/any.c
sed -i 's/not known/NOBODY/; s/grep -q REJECTED/grep -q "return b + b"/' tb/shaky
for option in any=0 any=1; do
    "$assay" run --generator spe --corpus any --$option --testbed-dir tb --testbeds gcc:-O0,gcc:-O1,gcc:-O2,shaky -d $option \
        --plain -j 1 >out-$option 2>&1
    sqlite3 $option/assay.db "SELECT signature FROM finding" >found-$option
done
grep -q 'build-fail: rejected' found-any=0
ok $? "a compiler that rejects a valid variant is found"
grep -q '1 skeletons of 1 files, 9 variants' out-any=1 && grep -q 'shaky -O0 *[1-9] *[1-9] ' out-any=1 && [ ! -s found-any=1 ]
ok $? "but not where variants may be invalid"

# C++ is compiled
mkdir cxx
echo 'namespace N { int a, b = 1; struct S { int f () { return a + b; } }; }' >cxx/lib.C
cp any/any.c cxx
"$assay" run --generator spe --corpus cxx --language c++ --testbeds g++:-O0,clang++:-O2 -d camp-cxx --plain -j 1 >out 2>&1
[ $? = 0 ] && grep -q '1 skeletons of 1 files, 4 variants (1 without main, only compiled' out && grep -q 'g++ -O0 *4 *0 ' out
ok $? "a campaign over C++" || sed 's/^/# /' out
"$assay" gen spe --corpus cxx --language c++ --emi -s 0 >out 2>&1
[ $? = 2 ] && grep -q 'language c++: no hoist-init' out
ok $? "not all settings are for it"
tap_done

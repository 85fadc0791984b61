#!/bin/sh
# `assay lm corpus` as a user meets it: files to programs, with helpers and a shim; the same result for any
# number of workers; a language that is only text; the manifest; and a clear sentence for each mistake.
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

mkdir -p cl/files/one/include cl/files/two
printf 'one\tMIT\n' >cl/licences
cat >cl/files/one/a.cl <<'END'
/* a comment */
#include "helper.h"
#include <nowhere/missing.h>
__kernel void scale(__global REAL *out, __global REAL *in, int unused)
{
  int i = get_global_id(0);
  out[i] = twice(in[i]) * FACTOR;
}
__kernel void broken(__global float *p) { p->x = 1; p[0] = 2; }
__kernel void tiny(void) {}
END
cat >cl/files/one/helper.h <<'END'
#define TWO 2
inline float twice(float v) { return v * TWO; }
float never_used(float v) { return v; }
END
cat >cl/files/two/b.cl <<'END'
// the same as in a.cl, but for its names and its layout
float dbl(float z) { return z*2; }
kernel void k(global float*o,global float*p){int gid=get_global_id(0);o[gid]=dbl(p[gid])*1;}
END
echo "int no_kernel;" >cl/files/two/d.cl
echo "-DDEFINED_BY_FLAGS=7" >cl/files/two/compile_flags.txt
cat >cl/files/two/c.cl <<'END'
kernel void k(global int *o) { int i = get_global_id(0); if (i < DEFINED_BY_FLAGS) o[i] = i; }
END
cat >text.ini <<'END'
[language]
help = words
suffix = .lua
reader = text
check = grep -q good {src}
line-comment = --
block-comment = --[[ ]]
least-lines = 2
END
mkdir lua
printf -- '-- first\nlocal x = "-- good"   \n\n--[[ a\nb ]]\nprint(x)\n' >lua/a.lua
printf 'local bad = 1\nprint(bad)\n' >lua/b.lua
printf 'good()\n' >lua/short.lua

# -- clang ---------------------------------------------------------------------------------------

if "$assay" lm corpus --language opencl -o out -j 2 cl >table 2>err; then
    tr '\0' '%' <out/corpus.txt >got
    cat >wanted <<'END'
float A(float a) {
  return a * 2;
}

kernel void B(global float *a, global float *b) {
  int c = get_global_id(0);
  a[c] = A(b[c]) * 1;
}
%kernel void A(global int *a) {
  int b = get_global_id(0);
  if (b < 7) {
    a[b] = b;
  }
}
%
END
    printf '%s' "$(cat wanted)" >wanted2
    cmp -s got wanted2
    ok $? "kernels with their helpers, under canonical names, each once"
    cmp -s got wanted2 || diff got wanted2 | sed 's/^/# /' | head -n 30
    is "$(sed -n 's/^one  *\([0-9]*\) .*/\1/p' table)" 1 "the table has a row for each package"
    column=$(head -n 1 table | tr -s ' ' '\n' | grep -n '^empty$' | cut -d: -f1)
    is "$(awk -v c="$column" '$1 == "two" { print $c }' table)" 1 "  and counts files with nothing to take"
    has "$(cat out/manifest.json)" '"licences": "MIT"' "the manifest has licences"
    has "$(cat out/manifest.json)" '"programs": 2' "and how many programs there are"
    has "$(tr -d ' \n' <out/manifest.json)" '"repeated":1' "one was repeated"
    has "$(tr -d ' \n' <out/manifest.json)" '"wrong":1' "one did not compile"
    has "$(tr -d ' \n' <out/manifest.json)" '"short":1' "one was too short"
    "$assay" lm corpus --language opencl -o out1 -j 1 --json cl >told 2>/dev/null
    is "$(cat told)" "$(cat out/manifest.json)" "--json prints it"
    cmp -s out/corpus.txt out1/corpus.txt && cmp -s out/manifest.json out1/manifest.json
    ok $? "one worker makes the same corpus as two"
    "$assay" lm corpus --language opencl -o out2 --most-bytes 100 cl >/dev/null 2>&1
    lacks "$(tr '\0' '%' <out2/corpus.txt)" "B(" "what is too large is left out"

    # What is not in the package stays out of the corpus, however it is asked for.
    mkdir -p sly/files/p outside
    echo 'inline float leaked(float v) { return v * 271828.0f; }' >outside/secret.h
    kernel='kernel void k(global float *o) { int i = get_global_id(0); if (i < 3) o[i] = leaked(o[i]); }'
    printf '#include "%s"\n%s\n' "$work/outside/secret.h" "$kernel" >sly/files/p/absolute.cl
    printf '#include "../../../outside/secret.h"\n%s\n' "$kernel" >sly/files/p/upwards.cl
    ln -s "$work/outside/secret.h" sly/files/p/link.h
    printf '#include "link.h"\n%s\n' "$kernel" >sly/files/p/linked.cl
    printf '#define HASH #\nHASH include "%s"\n%s\n' "$work/outside/secret.h" "$kernel" >sly/files/p/macro.cl
    echo 'kernel void k(global int *o) { int i = get_global_id(0); if (i < 3) o[i] = i; }' >sly/files/p/plain.cl
    "$assay" lm corpus --language opencl -o sly-out -j 2 sly >table 2>err
    ok $? "a package that includes what lies outside of it"
    grep -rq 271828 sly-out
    is $? 1 "  gets none of it"
    has "$(tr '\0' '%' <sly-out/corpus.txt)" "a[b] = b;" "  but its other programs are kept"
    column=$(head -n 1 table | tr -s ' ' '\n' | grep -n '^unreadable$' | cut -d: -f1)
    is "$(awk -v c="$column" '$1 == "p" { print $c }' table)" 1 "  and an #include that a macro makes is not followed"
else
    grep -q libclang err
    ok $? "without libclang it says so"
    sed 's/^/# /' err
fi

# -- text ----------------------------------------------------------------------------------------

"$assay" lm corpus --language ./text.ini -o words lua >table 2>&1
ok $? "a language that is only text"
is "$(tr '\0' '%' <words/corpus.txt)" 'local x = "-- good"
print(x)
%' "without comments and blank lines, checked by its command"
mkdir -p linked/files/own lua2
printf 'print(1)\n-- good\nprint(2) -- good\nlocal good = 3\n' >linked/files/own/a.lua
printf 'local secret = 1\nprint(secret, "good")\n' >lua2/s.lua
ln -s ../../lua2 linked/files/other; mkfifo linked/licences
timeout -s KILL 300 "$assay" lm corpus --language ./text.ini -o out3 linked >table 2>&1
ok $? "a folder with a pipe in the place of its licences"
has "$(tr '\0' '%' <out3/corpus.txt)" "local good" "  its packages are read"
lacks "$(tr '\0' '%' <out3/corpus.txt)" "secret" "  but for one that is a link"
mkdir linked2; ln -s .. linked2/files; cp linked/files/own/a.lua linked2
"$assay" lm corpus --language ./text.ini -o out4 linked2 >table 2>&1
lacks "$(tr '\0' '%' <out4/corpus.txt)" "secret" "  nor are all, where their folder is one"

mkdir checked
sed 's|^check = .*|check = sh {src}|' text.ini >reading.ini
printf 'set -e\ncat "%s"\n' "$work/text.ini" >checked/a.lua
printf 'test -e "$0"\ntest "$?" = 0\n' >checked/b.lua
"$assay" lm corpus --language ./reading.ini -o read checked >table 2>&1
is "$(tr '\0' '%' <read/corpus.txt)" 'test -e "$0"
test "$?" = 0
%' "what a program reads while it is checked is its own file, nothing else"

# -- mistakes ------------------------------------------------------------------------------------

says() { # STATUS PATTERN NAME ARGUMENTS...
    status=$1 pattern=$2 name=$3
    shift 3
    "$assay" lm corpus "$@" >out.txt 2>&1
    got=$?
    [ "$got" = "$status" ] && grep -q -e "$pattern" out.txt
    ok $? "$name"
    [ "$got" = "$status" ] || echo "# exit $got instead of $status"
    grep -q -e "$pattern" out.txt || sed 's/^/# /' out.txt | head -n 5
}
says 2 'which folders' "no folder" --language ./text.ini -o x
says 2 'language' "no language" -o x lua
says 2 'opencl' "a language that there is not" --language openlc -o x lua
says 2 'nowhere' "a folder that there is not" --language ./text.ini -o x nowhere
says 2 'no file that ends in .lua' "a folder without a file" --language ./text.ini -o x cl
mkdir bad && echo 'local = 3' >bad/one.lua
says 2 'no program was kept' "a folder without a program that is right" --language ./text.ini -o kept bad
[ ! -e kept/corpus.txt ]; ok $? "  of which there is no corpus"

# What cannot be written is told; nothing is left behind, whatever ends it.
mkdir large tmp
i=0
while [ $i -lt 300 ]; do
    printf 'local x = %d\nprint(x, "%0300d")\n' $i $i >large/$i.lua
    i=$((i + 1))
done
(ulimit -f 8; TMPDIR=$PWD/tmp "$assay" lm corpus --language ./text.ini -o full large -j 1) >out.txt 2>&1
is $? 3 "no space for what workers hand back"
has "$(cat out.txt)" "cannot be written" "  is told"
is "$(ls -A tmp)" "" "  and leaves nothing in the temporary folder"
TMPDIR=$PWD/tmp "$assay" lm corpus --language ./text.ini -o stopped large -j 1 >out.txt 2>&1 &
sleep 0.3
kill -TERM $! 2>/dev/null
wait $!
[ ! -e stopped/corpus.txt ] && grep -q "stopped" out.txt || [ -s stopped/corpus.txt ]
ok $? "SIGTERM stops it, and it says so (or it was done already)"
is "$(ls -A tmp)" "" "  and leaves nothing either"
tap_done

#!/bin/sh
# `assay graft` as a user meets it: a folder becomes a library, which is listed, shown and generated from, and a clear
# sentence for each mistake. Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# says STATUS PATTERN NAME COMMAND...: the exit status, and what stands in either output.
says() {
    status=$1 pattern=$2 name=$3
    shift 3
    "$@" >out 2>&1
    got=$?
    grep -q -e "$pattern" out && [ "$got" = "$status" ]
    ok $? "$name"
    [ "$got" = "$status" ] || echo "# exit $got instead of $status"
    grep -q -e "$pattern" out || sed 's/^/# /' out | head -n 5
}

mkdir -p code/inner
cat >code/inner/a.c <<'END'
#include "a.h"
static const int weights[4] = {WEIGHTS};
int weighed (int x, unsigned y) { return weights[y & 3] ^ x; }
int quotient (int x, int y) { return x / y; }
double no (double x) { return x; }
END
echo '#define WEIGHTS 3, 1, 4, 1' >code/inner/a.h
echo 'int broken (' >code/b.c
says 0 '^2 of 3 functions kept, from 2 files (1 could not be read)$' "a folder is harvested" \
    "$assay" graft harvest code -o lib.c
says 0 'no: a result that is no integer' "and says why not" "$assay" graft harvest code -o lib.c --why
says 0 '^code/b.c: ' "of files, too" "$assay" graft harvest code -o lib.c --why
says 0 'quotient(x: -2147483648..2147483647, y: 1..2147483647)' "listed" "$assay" graft list --library lib.c
"$assay" graft list --library lib.c --json >out
grep -q '"y": "1..2147483647"' out
ok $? "as JSON"
"$assay" graft show weighed --library lib.c >one.c
gcc -Wall -Wno-unused-function -c one.c -o one.o && grep -q 'try: ' one.c && grep -q 'weights\[4\] = {3, 1, 4, 1}' one.c
ok $? "one function with what it needs"
says 0 '^ *[0-9]* steps  weighed(' "which is a library" "$assay" graft list --library one.c
says 0 'graft_weighed(' "and a generator's" "$assay" gen graft -s 3 --library one.c --size 2000 --count 9
"$assay" gen graft -s 3 --library lib.c --size 2000 --count 20 -o t.c
gcc -w -O1 t.c -o t && ./t >printed && grep -q "expected: $(cat printed)" t.c
ok $? "a program prints what it says"
sed 's/-> \(-*\)\([0-9]*\) /-> \19\2 /; s/-> \(-*\)\([0-9]*\)$/-> \19\2/' lib.c >wrong.c
says 2 'wrong.c:[0-9]*: [a-z]*: try 1 is ' "a library that is wrong" "$assay" gen graft -s 1 --library wrong.c
says 2 'there is no library nowhere.c' "one that is not there" "$assay" gen graft -s 1 --library nowhere.c
says 0 'library *.*host' "its options all the same" sh -c "'$assay' gen graft --options --library nowhere.c | tr '\n' ' '"
says 2 "did you mean 'weighed'" "a name that is not there" "$assay" graft show weihed --library lib.c
says 2 'there is no file or folder nowhere' "nor is the folder" "$assay" graft harvest nowhere
says 2 'which action' "no action" "$assay" graft
says 2 'harvest' "another one" "$assay" graft harvset
tap_done

#!/bin/sh
# The library that comes along is what harvesting its sources gives, and a seed of graft means the same program in
# every build: the hashes of a few are pinned. A change that makes other programs of the same seeds, or another
# library, is a new version of the generator (graft.c; of the library it follows by itself) and new hashes:
#     tests/golden/graft.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
expected=$1/golden/graft.expected
grafts=$1/../grafts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs() {
    for settings in "-s 1" "-s 2 --host yarp" "-s 3 --count 40 --size 3000" "-s 4 --host yarp --count 60 --size 3000" \
        "-s 5 --count 1 --size 2000"; do
        # shellcheck disable=SC2086
        hash=$("$assay" gen graft $settings | sha256sum)
        echo "${hash%% *} $settings"
    done
}

if [ "$3" = --write ]; then
    "$assay" graft harvest "$grafts/src" -o "$grafts/own.c"
    programs >"$expected"
    exit
fi
"$assay" graft harvest "$grafts/src" -o "$work/own.c" 2>"$work/said"
ok $? "harvested"
cmp -s "$work/own.c" "$grafts/own.c"
ok $? "grafts/own.c is what grafts/src gives: tests/golden/graft.sh TESTS ASSAY --write"
programs >"$work/programs"
while read -r line; do
    grep -qxF -e "$line" "$work/programs"
    ok $? "the program of ${line#* }"
done <"$expected"
tap_done

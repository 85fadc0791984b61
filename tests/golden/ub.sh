#!/bin/sh
# A seed of ub means the same program in every build: the hashes of a few are pinned. A change that
# makes other programs of the same seeds is a new version of the generator (ub.c), or of its host, and new hashes:
#     tests/golden/ub.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
expected=$1/golden/ub.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One hash over all files of a program, each after its name.
hash_of() {
    rm -rf "$work/p"
    # shellcheck disable=SC2086
    "$assay" gen ub $1 -o "$work/p" || return
    if [ -d "$work/p" ]; then
        (cd "$work/p" && for file in *; do echo "-- $file" && cat "$file"; done)
    else
        cat "$work/p"
    fi | sha256sum
}

programs() {
    for settings in "-s 1" "-s 2 --rule=out-of-bounds/heap" "-s 3 --rule=signed-overflow/operation" \
        "-s 4 --base=yarp" "-s 5 --no-heap --size=300"; do
        hash=$(hash_of "$settings")
        echo "${hash%% *} $settings"
    done
}

if [ "$3" = --write ]; then
    programs >"$expected"
    exit
fi
programs >"$work/programs"
while read -r line; do
    grep -qxF -e "$line" "$work/programs"
    ok $? "the program of ${line#* }"
done <"$expected"
tap_done

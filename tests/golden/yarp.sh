#!/bin/sh
# A seed of yarp means the same program in every build: the hashes of a few are pinned. A change that
# makes other programs of the same seeds is a new version of the generator (yarp.c) and new hashes:
#     tests/golden/yarp.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
expected=$1/golden/yarp.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One hash over all files of a program, each after its name.
hash_of() {
    rm -rf "$work/p"
    # shellcheck disable=SC2086
    "$assay" gen yarp $1 -o "$work/p" || return
    if [ -d "$work/p" ]; then
        (cd "$work/p" && for file in *; do echo "-- $file" && cat "$file"; done)
    else
        cat "$work/p"
    fi | sha256sum
}

programs() {
    for settings in "-s 1" "-s 2 --no-policies" "-s 3 --single-file" "-s 4 --lang=c++" \
        "-s 5 --shared-library --size=3000" "-s 6 --policy all=on --size=3000" \
        "-s 7 --policy floats=force,vectors=force,bit-fields=force --size=3000" \
        "-s 8 --policy all=off,loops=force --size=2000" \
        "-s 9 --lang=c++ --policy containers=force,static-members=force --single-file --size=3000" \
        "-s 758 --single-file"; do # a pointer that walked past the end
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

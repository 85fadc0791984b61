#!/bin/sh
# A seed of smith means the same program in every build: the hashes of a few are pinned. A change that
# makes other programs of the same seeds is a new version of the generator (smith.c) and new hashes:
#     tests/golden/smith.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
expected=$1/golden/smith.expected

programs() {
    for settings in "-s 1" "-s 2 --swarm" "-s 3 --wrappers=needed" "-s 4 --lang=c++" \
        "-s 5 --volatiles=0.3 --unions=0.3 --goto --recursion=0.5" "-s 6 --size=3000 --int128=0.3 --builtins=0.3" \
        "-s 7 --ieee-floats=1"; do
        # shellcheck disable=SC2086
        hash=$("$assay" gen smith $settings | sha256sum)
        echo "${hash%% *} $settings"
    done
}

if [ "$3" = --write ]; then
    programs >"$expected"
    exit
fi
programs >"${TMPDIR:-/tmp}/smith.$$"
while read -r line; do
    grep -qxF -e "$line" "${TMPDIR:-/tmp}/smith.$$"
    ok $? "the program of ${line#* }"
done <"$expected"
rm -f "${TMPDIR:-/tmp}/smith.$$"
tap_done

#!/bin/sh
# A seed of lala means the same program in every build, whatever the compiler, the sanitizers or the
# addresses are. The text is hashed without its first line, which names the version of the language.
# A change of the search or of a language makes other programs; then pin the new ones:
#     tests/golden/lala.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
expected=$1/golden/lala.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs() {
    for settings in "lala:c -s 1" "lala:c -s 2 --size=3000 --features=" "lala:lua -s 3" \
        "lala:lua -s 4 --features=lua51+lua54 --size=2000" "lala:smtlib -s 5" \
        "lala:smtlib -s 6 --features=abv" "lala:sql -s 7" "lala:sql -s 8 --features=arithmetic"; do
        # shellcheck disable=SC2086
        "$assay" gen $settings >"$work/p" || continue
        hash=$(sed 1d "$work/p" | sha256sum)
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

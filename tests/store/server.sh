#!/bin/sh
# The tests of the store on a server of PostgreSQL that is started for them. Arguments: the tests
# folder, then the programs, which do the same with files when they are started without.
. "$1/tap.sh"
start=$(realpath "$1/store/start.sh")
shift
here=$(pwd)
tap_folder
. "$start"
for program; do
    out=$(cd "$here" && ASSAY_TEST_DATABASE="postgresql://postgres@/?host=$server" "$program" 2>&1)
    is $? 0 "$(basename "$program") there: $(echo "$out" | grep -c '^ok') checks"
    lacks "$out" "
not ok" "  and none that fails"
done
tap_done

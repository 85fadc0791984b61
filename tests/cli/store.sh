#!/bin/sh
# assay store: a campaign goes to a server and back, and is read there. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
start=$(realpath "$1/store/start.sh")
assay=$(realpath "$2")
tap_folder
. "$start"
generator tiny c "sh -c 'echo \"int main(void) { return 0; } /* {seed} */\"'"
compiler badcc "flags = -O1" <<'END'
grep -q '/. 2 ./' t.c && { printf 'internal error: in \377 of 2\n' >&2; exit 1; }
END
$assay run --dir c -g tiny -s 1 -n 3 -j1 --testbed-dir mine -t badcc -q
is $? 1 "a campaign that finds something"
psql -qh "$server" -U postgres -c 'CREATE DATABASE night' || exit 1
url="postgresql://postgres:secret@/night?host=$server"

out=$($assay bugs --dir "$url" 2>&1)
is $? 3 "a server without a campaign"
has "$out" "is empty: no campaign has been run here yet" "  says so"
out=$($assay store copy c "$url" 2>&1)
is $? 0 "a campaign is copied to the server"
has "$out" " rows copied" "  and how much that was"
out=$($assay store copy c "$url" 2>&1)
is $? 2 "a second time it is refused"
has "$out" "has campaigns already: copy into an empty store" "  and why"
lacks "$out" secret "  without the password"

is "$($assay bugs --json --dir "$url")" "$($assay bugs --json --dir c)" "bugs there are those of the folder"
is "$($assay show --json --dir "$url" 1)" "$($assay show --json --dir c 1)" "so is a finding"
out=$($assay report --dir "$url" --json there.json --no-run 2>&1)
is $? 1 "a report is made of it"
$assay bugs mark 1 known --dir "$url" >/dev/null
has "$($assay bugs --dir "$url")" "1 known bug seen 1 time" "a bug is marked there"

mkdir back
$assay store copy "$url" back >/dev/null
is $? 0 "and back to a folder"
$assay bugs mark 1 known --dir c >/dev/null
for dir in c back; do
    sql $dir/assay.db "UPDATE mark SET at = 0" .dump | LC_ALL=C sort >$dir.dump
done
ok "$(cmp -s c.dump back.dump; echo $?)" "which has all that was in the first"
[ "$(grep -c INSERT c.dump)" -gt 10 ]
ok $? "  $(grep -c INSERT c.dump) rows"

# what a store names is run by nobody who does not trust it
for command in "replay 1" "reduce 1" "bugs recheck"; do
    out=$($assay $command --dir "$url" 2>&1)
    is $? 2 "$command"
    has "$out" "was not made here by you" "  needs trust"
    lacks "$out" secret "  and shows no password"
done
out=$($assay run --dir "$url" --trust -n 1 2>&1)
is $? 2 "no campaign is run there"
has "$out" "programs are run for a campaign in a folder" "  yet"
lacks "$out" secret "  without the password, too"
out=$($assay store copy c 2>&1)
is $? 2 "copy needs two stores"
tap_done

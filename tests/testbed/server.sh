#!/bin/sh
# Testbeds with a server, on servers that are shell scripts: started once, shared, started again,
# who crashed it, and that nothing is left whichever way assay ends. Arguments: tests folder, the
# assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tmp=$(mktemp -d)
chmod 755 "$tmp"
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config" FAKE="$tmp/fake"
unset ASSAY_SERVERS
mkdir fake beds
chmod 1777 fake

# The server: notes that it lives, and dies when someone writes into its pipe. It is nothing but a
# process and its descendant, which must go too.
cat >server <<'EOF'
#!/bin/sh
# server FOLDER
echo "$1" >>"$FAKE/starts"
id -un >"$FAKE/user"
[ ! -e "$FAKE/broken" ] || { echo "fake: cannot bind"; exit 1; }
[ -e "$1/made" ] || { echo "fake: no init"; exit 1; }
rm -f "$1/pipe"
mkfifo "$1/pipe"
chmod 666 "$1/pipe"
setsid sh -c "sleep 1000; : $FAKE" &
date +%s%N >"$1/ready"
read -r word <"$1/pipe"
echo "fake: assertion '$word' failed, process $$"
rm -f "$1/ready"
kill -KILL $$
EOF
# What all testbeds do with a program; the client of the server does it in the folder of the test.
cat >client <<'EOF'
#!/bin/sh
# client FOLDER TEST, or client alone
die() { # FOLDER WORD: tell the server to die. Another test may do so at the same time.
    now=$(cat "$1/ready")
    timeout 2 sh -c 'echo "$1" >"$0/pipe"' "$1" "$2"
    while [ "$(cat "$1/ready" 2>/dev/null)" = "$now" ]; do sleep 0.05; done
    echo "fake: lost the server" >&2
    exit 2
}
while read -r word rest; do
    case $word in
    say) echo "$rest" ;;
    where) [ -z "$1" ] || [ -d "$1/$2" ] || echo "no folder for the test"; echo here ;;
    crash)
        [ -n "$1" ] || { echo survived; continue; }
        die "$1" "$rest" ;;
    once) # crashes the server the first time only
        [ -n "$1" ] || { echo survived; continue; }
        [ ! -e "$FAKE/once" ] || { echo survived; continue; }
        touch "$FAKE/once"
        die "$1" once ;;
    sleep) touch "$FAKE/sleeping"; sleep "$rest" ;;
    select) echo "assay|42|NULL" ;;
    esac
done
EOF
chmod 755 server client
bed() { # NAME KEYS...
    name=$1
    shift
    ln -sf client "$name"
    { printf '[toolchain]\nname = %s\nlanguage = sql\nsuffix = .sql\nfind = %s/%s\nstdin = {src}\n' "$name" "$tmp" "$name"
      printf '%s\n' "$@"; } >"beds/$name.ini"
}
bed one "run = {cc}"
bed two "run = {cc}"
bed fakedb "run = {cc} {server} {test}" \
    "server-init = touch {server}/made" "server = $tmp/server {server}" "server-ready = test -e {server}/ready" \
    "server-begin = mkdir {server}/{test}" "server-end = rmdir {server}/{test}" "server-user = no-such-user nobody" \
    "run-crash = assertion '[a-z]*' failed" "run-crash = lost the server" "env = FAKE"
# One file is one compiler: the links must be files of their own.
for name in one two fakedb; do rm $name; cp client $name; done

check() { $assay check --no-sandbox --testbed-dir beds --testbeds one,two,fakedb "$@" 2>&1; }
# Nothing of ours is left: no process that was started from here, no folder.
# A killed assay's keeper needs a moment: it asks the servers to end before it kills them.
nothing_left() {
    for i in $(seq 100); do
        left=$(pgrep -f "$tmp"; sort -u fake/starts 2>/dev/null | while read -r folder; do ls -d "$folder" "${folder%/*}" 2>/dev/null; done)
        [ -n "$left" ] || break
        sleep 0.1
    done
    is "$left" "" "$1"
    rm -f fake/starts
}

printf 'say hello\nwhere\n' >good.sql
printf 'say hello\ncrash boom\n' >bad.sql
printf 'say hello\nonce\n' >once.sql
printf 'sleep 30\n' >long.sql

out=$(check good.sql good.sql); is $? 0 "a testbed with a server"
is "$(echo "$out" | grep -c 'fakedb .* ok ')" 2 "  works, and has a folder for each test"
is "$(wc -l <fake/starts)" 1 "  one server for all"
[ "$(id -u)" != 0 ] || is "$(cat fake/user)" nobody "  the first user that exists"
nothing_left "  nothing is left"

out=$(check bad.sql good.sql); is $? 1 "a program that crashes the server"
has "$out" "fakedb                   run-crash      assertion 'boom' failed run-crash (self, 100 %)" "  is told"
is "$(echo "$out" | grep -c 'fakedb .* ok ')" 1 "  the next one runs"
is "$(wc -l <fake/starts)" 3 "  seen again alone, then started again"
nothing_left "  nothing is left"

out=$(check once.sql); is $? 0 "a crash that is not there when the test is alone"
has "$out" "fakedb                   ok" "  was not its fault"
nothing_left "  nothing is left"

touch fake/broken
out=$(check good.sql); is $? 3 "a server that does not start"
has "$out" "fakedb does not work: its server does not start: ... fake: cannot bind" "  is told"
out=$($assay check --no-sandbox --testbed-dir beds --testbeds one,two good.sql 2>&1); is $? 0 "  others work"
rm fake/broken
nothing_left "  nothing is left"

# Every way out.
for signal in INT TERM HUP KILL; do
    # A shell lets what it starts in the background ignore SIGINT; nohup ignores SIGHUP.
    env --default-signal=INT,HUP "$assay" check --no-sandbox --testbed-dir beds --testbeds one,two,fakedb \
        good.sql long.sql >out 2>&1 &
    pid=$!
    for i in $(seq 200); do [ ! -e fake/sleeping ] || break; sleep 0.1; done
    rm fake/sleeping
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status -gt 128 ]; ok $? "assay ends of SIG$signal ($status)"
    nothing_left "  nothing is left"
done

# All of it killed at once, so that nobody is left to remove the folder: the next one does.
"$assay" check --no-sandbox --testbed-dir beds --testbeds one,two,fakedb good.sql long.sql >out 2>&1 &
for i in $(seq 600); do [ ! -e fake/sleeping ] || break; sleep 0.1; done
rm fake/sleeping
folder=$(head -n 1 fake/starts) folder=${folder%/*}
touch -d '5 minutes ago' "$folder"
check good.sql >/dev/null
[ -d "$folder" ]; ok $? "a folder that somebody uses stays, however old it is"
ours=$(for pid in $(pgrep -x assay); do tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qxF "FAKE=$FAKE" && echo "$pid"; done)
kill -STOP $ours
kill -KILL $ours
wait
[ -d "$folder" ]; ok $? "a folder is left when all of assay is killed at once"
rm fake/starts
touch -d '5 minutes ago' "$folder"
check good.sql >/dev/null
[ ! -d "$folder" ]; ok $? "  the next one removes it"
nothing_left "  nothing is left"

# A campaign: two workers, one server.
cat >gen.ini <<EOF
[generator]
name = fakegen
language = sql
suffix = .sql
command = sh $tmp/gen.sh {seed}
comment = # %s
trusted = yes
EOF
cat >gen.sh <<'EOF'
echo "say $1"
echo "where"
[ $(($1 % 10)) != 7 ] || echo "crash boom"
EOF
out=$($assay run --dir c --generator ./gen.ini --testbed-dir beds --testbeds one,two,fakedb --seed 1 --tests 20 -j 2 --plain 2>&1)
is $? 1 "a campaign"
has "$out" "20 tests, 2 findings in 1 bug" "  two of twenty crash the server, and no other is blamed"
out=$($assay bugs --dir c); has "$out" "fakedb run-crash: assertion" "  with the server's words"
out=$($assay show 1 --dir c); has "$out" "the server died; the end of its log" "  and the end of its log"
has "$out" "confirmed, seen 3 of 3" "  confirmed"
out=$($assay replay 1 --dir c); is $? 1 "  replayed"
has "$out" "reproduced: run-crash on fakedb" "  reproduced"
nothing_left "  nothing is left"

# A supervisor that is killed.
$assay run --dir k --generator ./gen.ini --testbed-dir beds --testbeds one,two,fakedb --seed 1 -j 2 -q >/dev/null 2>&1 &
pid=$!
for i in $(seq 100); do [ -e fake/starts ] && [ -e k/assay.db ] && break; sleep 0.1; done
sleep 1
kill -KILL $pid
wait $pid
nothing_left "a campaign that is killed leaves nothing"
cd / && rm -rf "$tmp"
tap_done

#!/bin/sh
# A campaign's folder that came from somebody else: what it names is not run unless the user says so, and nothing is
# written through its links. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

# Each command that the folder names leaves its name in `ran`.
toolchain() { # FOLDER NAME REFERENCE WHAT-IT-PRINTS
    cat >$1/$2.ini <<END
[toolchain]
name      = $2
language  = c
default   = no
find      = $tmp/$1/$2
probe     = sh -c "echo probe >>$tmp/ran; echo 1.0"
version   = ([0-9.]+)
compile   = {cc} {exe} {src}
run       = {exe}
reference = $3
END
    printf '#!/bin/sh\necho compiler >>%s/ran\nprintf "#!/bin/sh\\necho %s\\n" >"$1"; chmod +x "$1"\n' "$tmp" "$4" >$1/$2
    chmod +x $1/$2
}
mkdir -p c/tb
toolchain c/tb good1 yes 'assay 42'
toolchain c/tb good2 yes 'assay 42'
toolchain c/tb badcc no 'assay 42'
cat >c/gen.ini <<END
[generator]
name     = tiny
language = c
command  = sh -c "echo generator >>$tmp/ran; echo int x{seed};"
trusted  = yes
END
run="$assay run --testbed-dir c/tb --testbeds good1,good2,badcc --generator c/gen.ini --seed 1 -j 1"
# It is right when it is tried for the first time, and wrong after that.
cat >c/tb/badcc <<'END'
#!/bin/sh
case $2 in smoke*) answer='assay 42' ;; *) answer=wrong ;; esac
printf '#!/bin/sh\necho %s\n' "$answer" >"$1"; chmod +x "$1"
END
out=$($run --dir c --tests 1 2>&1); is $? 1 "a campaign with a finding"
has "$(cat ran)" "generator" "  its commands were run"
has "$(cat state/assay/folders)" "$tmp/c" "  that it was made here is noted"
out=$($assay replay --dir c 1 2>&1); is $? 1 "the one who made it replays it without a word"
has "$out" "bytes, identical" "  generator included"

# The same files, received: the options point into the copy.
cp -r c received
sql received/assay.db "UPDATE campaign SET testbed_dir = '$tmp/received/tb', generator = '$tmp/received/gen.ini'" >out
sql received/assay.db "UPDATE origin SET generator = '$tmp/received/gen.ini'" >out
sed -i "s|$tmp/c/tb|$tmp/received/tb|" received/tb/*.ini
untouched() { # NAME
    [ ! -e ran ]; ok $? "$1: nothing that the folder names is run"
    rm -f ran
}
rm -f ran
out=$($assay bugs --dir received 2>&1); is $? 1 "bugs reads it"
out=$($assay show --dir received 1 2>&1); is $? 0 "show reads it"
out=$($assay report --dir received 2>&1); is $? 1 "report reads it"
has "$out" "no program is run: this campaign was not made here by you" "  and says that it only reads"
untouched "bugs, show, report"
out=$($assay report --dir received 2>&1); is $? 2 "a report that is there is not written over"
has "$out" "choose another folder with --output" "  but beside it"
for command in "replay 1" "reduce 1" "reduce --all" "run --tests 1" "bugs recheck"; do
    out=$($assay $command --dir received 2>&1); is $? 2 "$command: refused"
    has "$out" "this campaign was not made here by you, and the commands that it names could do anything" "  with a reason"
    has "$out" "pass --trust if you trust its author" "  and a way"
    untouched "$command"
done
[ ! -e received/work ] && [ "$(cat received/assay.lock)" = "" ]; ok $? "the folder is as it was"
(unset XDG_STATE_HOME HOME; $assay replay --dir c 1) >out 2>&1; is $? 2 "without a place to note it, the user must say it"
out=$($assay replay --dir received --trust 1 2>&1); is $? 1 "--trust: replayed"
has "$(cat ran)" "generator" "  with the commands of the folder"
out=$($assay replay --dir received 1 2>&1); is $? 1 "  and that is remembered"
mv received moved
sed -i "s|$tmp/received/|$tmp/moved/|" moved/tb/*.ini
sql moved/assay.db "UPDATE campaign SET testbed_dir = '$tmp/moved/tb'" >out
out=$($assay replay --dir moved --stored 1 2>&1); is $? 1 "  wherever the folder is moved"

# A text that is not the one that was recorded.
cp -r c changed
sql changed/assay.db "UPDATE program SET language = 'c++'" >out
out=$($assay replay --dir changed --trust 1 2>&1); is $? 3 "a changed program is not replayed"
has "$out" "the text of a program is not the one that was recorded" "  it says why"
# A folder whose name looks like an option is none.
mkdir -- --no-sandbox
out=$($run --dir ./--no-sandbox --tests 1 2>&1); is $? 1 "a folder that is called --no-sandbox"
is "$(sql ./--no-sandbox/assay.db 'SELECT no_sandbox FROM campaign')" 0 "  switches nothing off"
# Triggers and links.
cp -r c triggers
sql triggers/assay.db "CREATE TRIGGER t AFTER INSERT ON mark BEGIN DELETE FROM finding; END" >out
out=$($assay bugs --dir triggers mark 1 known 2>&1); is $? 3 "a database with a trigger is not opened"
has "$out" "other tables, views or triggers than assay makes" "  it says why"
mkdir links; ln -s ../victim links/assay.log; ln -s ../victim links/assay.db
out=$($run --dir links --tests 1 2>&1); is $? 3 "a database that is a link is not opened"
rm links/assay.db; ln -s ../victim links/assay.db-wal
out=$($run --dir links --tests 1 2>&1); is $? 3 "  nor with a log that is one"
rm links/assay.db-wal
out=$($run --dir links --tests 1 2>&1); is $? 1 "  with a link in the place of assay.log it runs"
[ ! -e victim ]; ok $? "  and nothing is written through any of them"

# Pipes that nobody writes to or reads from.
for file in assay.db assay.db-wal assay.log; do
    cp -r c pipes
    rm -f pipes/$file; mkfifo pipes/$file
    out=$(timeout 300 $assay bugs --dir pipes mark 1 known 2>&1); status=$?
    case $file in
    assay.log) is $status 0 "a pipe in the place of $file is not waited at" ;;
    *) is $status 3 "a pipe in the place of $file is not waited at"; has "$out" "is not a regular file" "  it says why" ;;
    esac
    [ $file = assay.log ] && { out=$(timeout 300 $run --dir pipes --trust --tests 1 2>&1); is $? 1 "  nor by a campaign"; }
    rm -r pipes
done

tap_done

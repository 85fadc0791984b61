#!/bin/sh
# Reductions from end to end, with a generator and compilers made here, so that it is known what
# must be left at the end. Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
tap_folder

# A program of a dozen lines that prints its seed; what the compilers below stumble over is in it.
cat >gen.sh <<'EOF'
line() { printf '%s\n' "$1"; }
line 'int printf(const char *, ...);'
line 'int padding_a = 1, padding_b = 2, padding_c = 3;'
line 'int add(int x, int y) { return x + y; }'
case $1 in
1) line 'int crash_me(int x) { return add(x, 1); }' ;;
2) line 'int crash_me(int x) { return add(x, 1); }'
   line 'int other_crash(int x) { return add(x, 2); }' ;;
3) line 'int only_once = 3;' ;;
4) line 'int multiply(int x) { return x * 77; }' ;;
5) line 'int hang_me;' ;;
6) line 'int daemon_me;' ;;
7) line 'int slow_me;' ;;
8) line 'int status_me;' ;;
esac
line 'int main(void)'
line '{'
line '    int sum = add(padding_a, padding_b);'
[ $1 != 4 ] || line '    sum = add(sum, multiply(2));'
line '    printf("%d\n", sum + padding_c);'
line "    printf(\"%d\\n\", $1);"
line '    return 0;'
line '}'
EOF
generator tiny c "sh $tmp/gen.sh {seed}"
limits="[limits]
compile-cpu  = 300ms
compile-wall = 60s
run-cpu      = 1s
run-wall     = 60s"
echo : | compiler good1 "reference = yes" "flags = -DX -DY" "$limits"
echo : | compiler good2 "reference = yes" "flags = -DX -DY" "$limits"
compiler badcc "flags = -DX -DY" "$limits" <<EOF
grep -q crash_me t.c && { echo "internal error: crash_me in pass 7" >&2; exit 1; }
grep -q other_crash t.c && { echo "internal error: other_crash" >&2; exit 1; }
grep -q only_once t.c && [ ! -e $tmp/once ] && { : >$tmp/once; echo "internal error: once" >&2; exit 1; }
grep -q hang_me t.c && while :; do :; done
grep -q daemon_me t.c && { : >$tmp/daemon; sleep 4242.$$ & sleep 4242.$$; }
if grep -q slow_me t.c; then # from the twelfth time on only when it may
    echo >>$tmp/count
    [ \$(wc -l <$tmp/count) -lt 12 ] || : >$tmp/waits
    while [ -e $tmp/waits ] && [ ! -e $tmp/may ]; do sleep 0.1; done
    echo "internal error: slow_me" >&2
    exit 1
fi
sed -e 's/\* 77/* 78/' -e '/status_me/,\$ s/return 0/return 3/' t.c >changed.c # the others get the same t.c
set -- \$(echo "\$@" | sed 's/t\.c/changed.c/')
EOF

# reduce ARGUMENTS...: sets out, err, rc.
reduce() {
    out=$("$assay" reduce "$@" 2>err)
    rc=$?
    err=$(cat err)
}
# figure NAME: of the JSON object in out.
figure() { printf '%s\n' "$out" | sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
# id SEED: of the finding of a seed.
id() { "$assay" bugs --all -d c 2>&1 | awk -v seed=$1 '$4 == seed { print $1; exit }'; }
# gone NAME: nothing of the daemon is left.
gone() {
    i=0
    while pgrep -f "sleep 4242\.$$" >/dev/null && [ $i -lt 600 ]; do
        i=$((i + 1))
        sleep 0.1
    done
    [ $i -lt 600 ]
    ok $? "$1"
}

"$assay" run -d c -g tiny -s 1 -n 5 -j1 --testbed-dir mine -t good1,good2,badcc -q
is $? 1 "five programs, of which some are found bad"

# By its number.
reduce 1 -d c -j2
is $rc 1 "a crash is reduced"
has "$out" "finding 1: " "a line tells of it"
has "$out" "crash_me" "and the program follows, with what it needs"
lacks "$out" "padding_c" "without what it does not need"
has "$out" "/* finding 1, reduced by assay from tiny seed 1: badcc" "the first comment tells the story"
lacks "$out" "-DX" "the flags have gone, too"
reduce 1 -d c --json
is "$(figure state)" done "it is done"
tests=$(figure tests)
[ "$tests" -gt 3 ]
ok $? "after $tests tests"
[ "$(figure bytes)" -lt 60 ]
ok $? "at most 60 bytes are left: $(figure bytes)"
reduce 1 -d c --json
is "$(figure tests)" "$tests" "what is done is not done again"
reduce 1 -d c --again --method text --json -o small.c
is "$(figure method)" text "unless it is asked for, by another method"
[ "$(wc -c <small.c)" -lt 160 ]
ok $? "the program is written to a file"
./good1 -o small.exe small.c
ok $? "  and is one that others build"

# Another bug that shows on the way.
before=$("$assay" bugs --all -d c | grep -c .)
reduce $(id 2) -d c -j1 --method text --json
is "$(figure state)" done "a program with two bugs is reduced"
has "$out" crash_me "to the one that it was found for"
lacks "$out" "other_crash(" "and not to the other"
is "$(figure slipped)" 1 "which is kept"
has "$("$assay" bugs --all -d c)" "internal error: other_crash" "as a finding of its own"
is $("$assay" bugs --all -d c | grep -c .) $((before + 1)) "once"
slipped=$("$assay" bugs --all -d c | awk '/other_crash/ { print $1; exit }')
reduce $slipped -d c --json
is "$(figure state)" done "which can be reduced as well"

# What does not show again, a wrong output, a hang.
reduce $(id 3) -d c
is $rc 0 "what does not show again is not reduced"
has "$out" "did not reproduce" "and the reason is told"
reduce $(id 4) -d c --json
is "$(figure state)" done "a wrong output is reduced by vote"
has "$out" "* 77" "to the operation that is wrong"
lacks "$out" padding_c "and little else"
kin() { # of the finding of a seed: how many findings have kin
    sql c/assay.db "SELECT count(*) FROM kin WHERE finding = $(id $1)"
}
is "$(kin 4) $(kin 1)" "1 0" "its right kin are kept; a crash needs none"
reduce $(id 5) -d c --json
is "$(figure state)" done "a compiler that hangs"
has "$out" hang_me "is reduced"
lacks "$out" padding_c "to the reason"

# What is wrong is told in the first comment: the first line that differs, or the exit status.
reduce $(id 4) -d c
has "$out" ', reduced by assay from tiny seed 4: expected "' "what a program should print"
lacks "$out" 'expected "4"' "  from the line that is wrong"
"$assay" run -d h -g tiny -s 8 -n 1 -j1 --testbed-dir mine -t good1,good2,badcc -q
reduce 1 -d h
has "$out" "tiny seed 8: expected exit status 0, badcc exits with 3 */" "how it should end"

# Wrong words.
reduce 99 -d c
is "$rc $err" "2 assay: there is no finding 99: \`assay bugs\` lists them" "an unknown number"
reduce -d c
is $rc 2 "no number at all"
reduce 1 --all -d c
is $rc 2 "a number and --all"
reduce 1 -d c --method magic
is $rc 2 "an unknown method"
reduce 1 -d c --again --method choices
is $rc 2 "a method that does not apply"
has "$err" "cannot be reduced by the method 'choices'" "is told"
mv badcc away
reduce 1 -d c --again
is $rc 3 "a compiler that is gone"
has "$err" "badcc -DX -DY is no longer installed here" "is named"
reduce 1 -d c
has "$rc $out" "1 finding 1: " "what was reduced before is shown all the same"
has "$("$assay" report -d c --html page.html)" "could not be run (is the compiler installed and on PATH?): the output shown is that of the original" "a report says that it tried nothing"
mv away badcc

# Interrupted and killed, and gone on.
"$assay" run -d c -g tiny -s 7 -n 1 -j1 --testbed-dir mine -t good1,good2,badcc -q
slow=$(id 7)
"$assay" reduce $slow -d c -j1 --method text -q &
pid=$!
await $pid test -e waits
kill -INT $pid
wait $pid
is $? 1 "Ctrl-C stops a reduction"
reduce $slow -d c -j1 --method text --json --time 2s
is "$(figure state)" begun "which is noted as begun"
answers=$(figure tests)
[ "$answers" -gt 0 ]
ok $? "after $answers tests"
[ "$(figure bytes)" -lt "$(figure from_bytes)" ]
ok $? "with the best so far"
rm waits
"$assay" reduce $slow -d c -j2 --method text -q &
pid=$!
await $pid test -e waits
{ kill -KILL $pid && wait $pid; } 2>/dev/null
: >may
rm count
reduce $slow -d c -j1 --method text --json -o in-pieces.c
is "$(figure state)" done "the same command goes on, after a kill, too"
pieces=$(wc -l <count)
rm count
reduce $slow -d c -j1 --method text --again --json -o at-once.c
[ $pieces -lt $(wc -l <count) ]
ok $? "without the tests that were done: $pieces instead of $(wc -l <count)"
cmp in-pieces.c at-once.c
ok $? "and ends with what comes out in one go"
if [ -n "${AT_LENGTH:-}" ]; then
    reduce $slow -d c -j2 --method text --again --json -o at-once.c
    cmp in-pieces.c at-once.c
    ok $? "on two cores, too"
fi

# A tool from outside: it is given what it left when it was stopped.
mkdir tools
cat >tools/cvise <<EOF
#!/bin/sh
[ "\$1" != --version ] || { echo "cvise 0"; exit; }
cp t.c $tmp/given.c
echo "===< FirstPass::0 >==="
sed -i '/padding_c);/d' t.c
: >$tmp/began
while [ ! -e $tmp/go ]; do
    echo "(50.0%, \$(wc -c <t.c) bytes, 9 lines)"
    sleep 0.1
done
sed -i '/return 0/d' t.c
EOF
chmod +x tools/cvise
usual=$PATH
PATH=$tmp/tools:$PATH
"$assay" run -d g -g tiny -s 1 -n 1 -j1 --testbed-dir mine -t good1,good2,badcc -q
"$assay" reduce 1 -d g -j1 --method cvise -q &
pid=$!
await $pid test -e began
kill -INT $pid
wait $pid
has "$(cat given.c)" "padding_c);" "a tool is given the program"
: >go
reduce 1 -d g -j1 --method cvise --json
is "$(figure state) $(figure method)" "done cvise" "stopped, it goes on"
lacks "$(cat given.c)" "padding_c);" "with what it had reached"
lacks "$out" "return 0" "to the end"
rm go began
reduce 1 -d g -j1 --again --method cvise --time 7s
has "$err" "FirstPass::0: " "and shows where it is"
: >go
PATH=$usual

# Nothing is left behind.
sed -i 's/compile-wall = 60s/compile-wall = 2s/' mine/badcc.ini
"$assay" run -d d -g tiny -s 6 -n 1 -j1 --testbed-dir mine -t good1,good2,badcc -q
rm daemon
"$assay" reduce 1 -d d -j2 -q &
pid=$!
await $pid test -e daemon
[ -e daemon ]
ok $? "a test is under way"
{ kill -KILL $pid && wait $pid; } 2>/dev/null
gone "a killed assay leaves no process behind"
rm daemon
"$assay" reduce 1 -d d -j2 -q &
pid=$!
await $pid test -e daemon
kill -TERM $pid
wait $pid
gone "nor does one that is stopped"

# All, and between tests.
reduce --all -d c
is $rc 0 "all that are left: none"
has "$out" "nothing is left to reduce" "is told"
"$assay" run -d e -g tiny -s 1 -n 2 -j2 --testbed-dir mine -t good1,good2,badcc -q --reduce
is $? 1 "a campaign that reduces what it finds"
reduce --all -d e --json
is "$out" "" "leaves nothing to reduce"
reduce 1 -d e --json
is "$(figure state)" done "it is done"
# blames SQL: runs it; how many findings of the campaign have a blame.
blames() {
    sql e/assay.db "$1; SELECT count(*) FROM blame"
}
asked=$(blames '')
[ $asked -gt 0 ]
ok $? "it was asked who is to blame, $asked times"
is "$(blames 'DELETE FROM blame')" 0 "had it been stopped before that"
"$assay" run -d e -g tiny -s 1 -n 1 -j2 --testbed-dir mine -t good1,good2,badcc -q --reduce
[ "$(blames '')" -ge $asked ]
ok $? "the campaign asks when it goes on"
"$assay" run -d f -g tiny -s 1 -n 2 -j2 --testbed-dir mine -t good1,good2,badcc -q
reduce --all -d f -j2 --method text
is $rc 1 "all findings of a campaign"
is $(printf '%s\n' "$out" | grep -c ' bytes by ') 2 "two are reduced"

tap_done

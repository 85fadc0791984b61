#!/bin/sh
# Known bugs do not block: they are counted and not reported, closed by themselves when a new version
# of the compiler is right, and what they need can be made rarer.
# Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

# The compiler: its version stands in a file, and so do the faults that are mended. What it makes prints what a program
# of smith is expected to; those of tiny are compared with nothing.
echo 1.0 >version
: >mended
script fcc <<END
[ "\$1" = --version ] && { echo "fcc \$(cat $tmp/version)"; exit; }
for word; do
    case \$word in
    -ffault=*) grep -qxe "\$word" $tmp/mended || fault=\$word ;;
    *.c) file=\$word ;;
    *.exe) exe=\$word ;;
    esac
done
case \$fault in
-ffault=crash)
    grep -Eq '^ *(const )?volatile [a-z0-9_ ]+ : [0-9]+;|struct S \{ volatile' "\$file" &&
        { echo "internal compiler error: in lower_volatile_bit_field, at fcc.c:411" >&2; exit 4; } ;;
-ffault=segv) grep -q '^union U' "\$file" && kill -SEGV \$\$ ;;
esac
case \$file in
smoke*) says="assay 42" ;;
*)
    says=\$(sed -n 's/^ \* expected: \(checksum = [0-9A-F]*\).*/\1/p; s/.* x = \([0-9]*\);.*/\1/p' "\$file")
    [ "\$fault" != -ffault=wrong-constant ] || says="0\$says"
    ;;
esac
printf '#!/bin/sh\necho "%s"\n' "\$says" >"\$exe"
chmod +x "\$exe"
exit
END
toolchain fcc "probe = {cc} --version" "version = fcc ([0-9.]+)" "compile = {cc} {flags} {needs} -w -o {exe} {src}" \
    "crash = internal compiler error" "flags = -O1 -ffault=crash" "flags = -O1 -ffault=segv"
# Seeds that divide by 3 have a volatile bit-field, those that divide by 4 a function that returns a
# union: the one crashes with a message, the other without a word.
generator tiny c "sh $tmp/gen.sh {seed}"
cat >gen.sh <<'END'
echo "/* made by tiny */"
echo "int printf(const char *, ...);"
[ $(($1 % 3)) = 0 ] && echo "struct S { volatile unsigned f : 3; } s;"
[ $(($1 % 4)) = 0 ] && echo "union U { int a; }; union U make(void) { union U u = {$1}; return u; }"
echo "int main(void) { printf(\"%d\", $1); return 0; }"
END
run="$assay run --dir c -j 1 --plain"
# the id of a finding on the testbed with this fault
on() { sql c/assay.db "SELECT min(f.id) FROM finding f JOIN testbed b ON b.id = f.testbed WHERE b.name LIKE '%=$1'"; }

out=$($run --testbed-dir mine --testbeds fcc --generator tiny --seed 1 --tests 12 2>&1)
is $? 1 "two bugs: exit 1"
has "$out" "7 findings in 2 bugs" "  found seven times"
crash=$(on crash)
segv=$(on segv)

# -- counted, not reported
$assay bugs mark "$crash" known --note "PR 7" --dir c >/dev/null; is $? 0 "one is marked known"
$assay bugs mark "$segv" wontfix --dir c >/dev/null
out=$($run --tests 3 2>&1); is $? 0 "another run that sees one only by its message: exit 0"
has "$out" "8 of known bugs" "  it is counted" # five with the message, three like the one that is marked
lacks "$out" "lower_volatile_bit_field" "  and not reported"
out=$($run --tests 1 2>&1); is $? 1 "a crash without a word may be another bug: exit 1"
$assay bugs mark "$segv" open --dir c >/dev/null
out=$($run --findings 1 2>&1); is $? 1 "a budget of one finding"
has "$out" "enough was found" "  is not spent by a known one"
[ "$(sql c/assay.db 'SELECT tests FROM campaign')" -ge 20 ]; ok $? "  but by the next that is not"
out=$($assay run --dir c -j 1 --json --tests 1 | tail -n 1)
is "$(echo "$out" | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["findings"], d["known"], d["bugs"], d["known_bugs"])')" \
    "$(sql c/assay.db "SELECT count(*), sum(b.name LIKE '%=crash'), 2, 1 FROM finding f JOIN testbed b ON b.id = f.testbed" | tr '|' ' ')" "the same in JSON: all findings, those of known bugs"

# -- another version
out=$($run --tests 1 2>&1)
lacks "$out" "still there" "the version is the same: nothing is run again"
echo 1.1 >version
out=$($run --tests 1 2>&1)
has "$out" "known bug $crash (fcc build-crash: internal compiler error: in lower_volatile_bit_field" "a new version: it is run again"
has "$out" "still there with fcc 1.1" "  and still there"
out=$($run --tests 1 2>&1); lacks "$out" "still there" "  once for each version"
out=$($assay bugs recheck --dir c); has "$out" "still there with fcc 1.1" "  but by recheck each time"
echo 2.0 >version
echo -ffault=crash >mended
out=$($assay bugs recheck --dir c); is $? 0 "recheck with a version that is right"
has "$out" "fixed, no longer reproduced with fcc 2.0" "  closes it"
is "$(sql c/assay.db "SELECT mark, note FROM mark WHERE finding = $crash")" \
    "fixed|PR 7; not seen with fcc 2.0" "  and notes why"
out=$($assay bugs --dir c); has "$out" "1 fixed bug: --known shows it" "it is not in the list any more"
out=$($assay bugs --dir c --known); has "$out" " fixed " "  unless one asks"
: >mended
sleep 1 # so that what is found now is later than the mark
out=$($run --tests 3 2>&1); is $? 1 "it shows again: that is news"
out=$($assay bugs --dir c); has "$out" " again " "  and in the list again"

# A compiler that fails in another way has not been mended.
$assay bugs mark "$crash" known --dir c >/dev/null
echo 3.0 >version
cp fcc kept
printf '#!/bin/sh\n[ "$1" = --version ] && { echo "fcc 3.0"; exit; }\nexit 1\n' >fcc
out=$($assay bugs recheck --dir c); is $? 0 "a compiler that rejects everything"
is "$out" "1 of 1 known bug could not be checked: the compiler is missing, or behaves differently now" "  says nothing about the bug"
is "$(sql c/assay.db "SELECT mark FROM mark WHERE finding = $crash")" known "  which stays known"
cp kept fcc

# -- made rarer
# smith with all that stands before bit-fields in the table switched off, and floats, whose checksum
# has unions. Its case is taken for a reduced one: the reducer has its own tests.
many=$(amount 20 40)
smith="--generator smith --size 120 --no-int128 --no-packed --zero-width=0 --no-unions --no-floats --bitfields=0.8 --volatiles=0.5 --structs=0.6"
out=$($assay run --dir d -j 1 --plain --testbed-dir mine --testbeds fcc --seed 1 --tests $many $smith 2>&1)
before=$(sql d/assay.db "SELECT count(*) FROM finding")
[ "$before" -ge $((many / 5)) ]; ok $? "smith makes volatile bit-fields: $before of $many programs crash the compiler"
$assay bugs mark 1 known --dir d >/dev/null
out=$($assay run --dir d -j 1 --plain --avoid-known --tests 1 2>&1)
has "$out" "no known bug has a reduced program" "nothing to avoid without a reduced case"
sql d/assay.db "INSERT INTO reduction(finding, state, program, flags, at) SELECT 1, 'done', t.program, '-O1 -ffault=crash', 1 FROM finding f JOIN test t USING (campaign, number) WHERE f.id = 1" >/dev/null
before=$(sql d/assay.db "SELECT count(*) FROM finding")
out=$($assay run --dir d -j 1 --plain --avoid-known --tests $many 2>&1); is $? 0 "only known ones are seen: exit 0"
has "$out" "omit what known bugs need: bit-fields" "bit-fields are avoided"
after=$(($(sql d/assay.db "SELECT count(*) FROM finding") - before))
[ "$after" -le $((before / 2)) ]; ok $? "  and rarer: $after of $many programs crash it, before $before of $((many + 1))"
[ "$after" -gt 0 ]; ok $? "  but not gone"

# What was found without them can be made again.
echo 9.0 >version
echo -ffault=crash >mended
sed -i 's/^flags .*=segv/flags = -O1 -ffault=wrong-constant/' mine/fcc.ini
out=$($assay run --dir d -j 1 --plain --avoid-known --tests 16 2>&1)
lacks "$out" "programs omit what" "a bug that is fixed is not avoided"
id=$(sql d/assay.db "SELECT coalesce(min(f.id), 0) FROM finding f JOIN test t USING (campaign, number) JOIN origin o ON o.program = t.program WHERE o.config LIKE '%bitfields=0,%' OR o.config LIKE '%bitfields=0'")
is "$id" 0 "  and no such program was made"
$assay bugs mark 1 known --dir d >/dev/null
sql d/assay.db "UPDATE mark SET version = '9.0'" >/dev/null
out=$($assay run --dir d -j 1 --plain --avoid-known --tests $(amount 30 16) 2>&1)
id=$(sql d/assay.db "SELECT coalesce(min(f.id), 0) FROM finding f JOIN test t USING (campaign, number) JOIN origin o ON o.program = t.program WHERE o.config LIKE '%bitfields=0,%' OR o.config LIKE '%bitfields=0'")
[ "$id" -gt 0 ]; ok $? "another bug shows in a program without bit-fields (finding $id)"
out=$($assay replay --dir d "$id"); is $? 1 "replay of it"
has "$out" "bytes, identical" "  makes it again from what is recorded"

# -- wrong outputs
# That one is gone, its program tells, or those that agree.
$assay bugs mark "$id" known --dir d >/dev/null
out=$($assay bugs recheck --dir d); has "$out" "known bug $id (fcc -O1 -ffault=wrong-constant wrong-output): still there" "a wrong output that is known"
cat >config/assay/generators/constant.ini <<END
[generator]
name     = constant
language = c
command  = sh $tmp/constant.sh {seed}
trusted  = yes
END
cat >constant.sh <<'END'
echo "/* $1 */ int printf(const char *, ...); volatile int x;"
echo 'int main(void) { x = 1234; printf("%d\\n", x); return 0; }'
END
for name in good1 good2; do
    printf '[toolchain]\nname = %s\nlanguage = c\nfind = cc\ncompile = {cc} -w -o {exe} {src}\nrun = {exe}\ndefault = no\nreference = yes\n' $name >mine/$name.ini
done
: >mended
out=$($assay run --dir v -j 1 --plain --testbed-dir mine --testbeds good1,good2,fcc:-O1\ -ffault=wrong-constant --generator constant --seed 1 --tests 1 2>&1)
has "$out" "1 finding in 1 bug" "one of which others say what is right"
$assay bugs mark 1 known --dir v >/dev/null
out=$($assay bugs recheck --dir v); has "$out" "still there with fcc" "  is there"
echo -ffault=wrong-constant >mended
out=$($assay bugs recheck --dir v); has "$out" "fixed, no longer reproduced" "  and is closed when it is mended"
out=$($assay bugs recheck --dir d); has "$out" "known bug $id (fcc -O1 -ffault=wrong-constant wrong-output): fixed" "  as one is whose output is known"

# -- a list that cannot be read
# Who is at work goes on; that it cannot be told what was found is said at the end.
sql v/assay.db "INSERT INTO reduction(finding, state, program, constructs, at) VALUES (1, 'done', 'x', '', 1)"
out=$($assay run --dir v -j 1 --json --tests 2 2>&1); is $? 2 "a list that cannot be read: exit 2"
has "$out" "has no program x" "  says so"
grep -q 'the status cannot be shown' v/assay.log; ok $? "  in the log, too"
grep -q 'all tests are done' v/assay.log; ok $? "  but all tests are done"
is "$(sql v/assay.db 'SELECT tests, round_tests FROM campaign WHERE id = 1')" "3|3" "  and so is the round"
tap_done

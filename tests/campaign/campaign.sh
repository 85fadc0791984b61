#!/bin/sh
# Campaigns from end to end, with a generator and compilers made here, so that the right answer to
# every question is known. Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
tap_folder gcc tcc

# A generator whose program prints its seed, in no time.
cat >gen.sh <<EOF
case \$1 in
13) [ -e $tmp/nokill ] || kill -ABRT \$PPID ;; # takes its parent, the worker, with it
14) echo "no luck" >&2; exit 1 ;;
esac
echo "int printf(const char *, ...); /* the seed is \$1 */"
echo "int main(void) { printf(\"%d\\\\n\", \$1); return 0; }"
EOF
generator tiny c "sh $tmp/gen.sh {seed}"
# Compilers: tcc under two names votes; badcc is wrong in a way that depends on the seed.
limits="[limits]
compile-cpu  = 300ms
compile-wall = 60s
run-cpu      = 300ms
run-wall     = 60s"
echo : | compiler good1 "reference = yes" "$limits"
echo : | compiler good2 "reference = yes" "$limits"
compiler badcc "$limits" <<EOF
script() { { echo '#!/bin/sh'; echo "\$1"; } >program.exe; chmod +x program.exe; exit 0; }
case \$(sed -n 's/.*seed is \([0-9]*\).*/\1/p' t.c 2>/dev/null) in
3) echo "internal error: three" >&2; exit 1 ;;
4) echo "t.c:2: error: four" >&2; exit 1 ;;
5) script 'echo 6' ;;
6) while [ ! -e $tmp/nohang ]; do :; done ;;
7) script 'kill -SEGV \$\$' ;;
8) [ -e $tmp/nohang ] || script 'while :; do :; done' ;;
9) [ -e $tmp/seen9 ] || { : >$tmp/seen9; echo "internal error: nine" >&2; exit 1; } ;;
esac
EOF

run="$assay run --testbed-dir mine --testbeds good1,good2,badcc --generator tiny --seed 1"

out=$($run --dir c --tests 10 -j 2 2>&1); is $? 1 "a campaign that finds something: exit 1"
has "$out" "all tests are done" "  tells why it ended"
has "$out" "10 tests, 7 findings" "  and what it found"
[ ! -e c/work ]; ok $? "no temporary files are left"
$assay run --testbed-dir mine --testbeds good1,good2 --generator yarp --seed 1 --tests 3 -j 1 --dir books --json | tail -n 1 >books.json
python3 -c 'import json; s = json.load(open("books.json"))["cpu_s"]; assert s["generate"] > 0, s'
ok $? "programs made in our own process are in the books as made"
bugs=$($assay bugs --dir c --all --json)
kinds=$(echo "$bugs" | python3 -c 'import json,sys
for f in sorted(json.load(sys.stdin), key=lambda f: f["seed"]): print(f["seed"], f["kind"], f["testbed"], f["state"], "%d/%d" % (f["seen"], f["tried"]))')
is "$kinds" "3 build-crash badcc confirmed 3/3
4 build-fail badcc confirmed 3/3
5 wrong-output badcc confirmed 3/3
6 build-hang badcc confirmed 3/3
7 run-crash badcc confirmed 3/3
8 run-hang badcc confirmed 3/3
9 build-crash badcc flaky 1/3" "each fault in its class, confirmed in three tries, the flaky one marked"
out=$($assay bugs --dir c); is $? 1 "bugs: exit 1 when there are some"
has "$out" "badcc build-crash: internal error: three" "  with signatures"
has "$out" "(flaky)" "  and the flaky one marked"
out=$($assay bugs --dir c --kind wrong-output); lacks "$out" "build-" "bugs --kind"
out=$($assay bugs --dir c --state flaky); has "$out" "nine" "bugs --state"
out=$($assay bugs --dir c --kind nonsense 2>&1); is $? 2 "a kind that is none"
id() { echo "$bugs" | python3 -c 'import json,sys; print([f["id"] for f in json.load(sys.stdin) if f["seed"] == int(sys.argv[1])][0])' "$1"; }

out=$($assay show --dir c "$(id 5)"); is $? 0 "show"
has "$out" "assay gen tiny -s 5" "  how to make it again"
has "$out" "wrong-output: the program prints wrong output" "  the kind"
out=$($assay show --dir c "$(id 4)"); has "$out" "t.c:2: error: four" "  what the compiler said"
$assay show --dir c "$(id 5)" -o bug5 >/dev/null; $assay gen tiny -s 5 >five.c
cmp -s bug5/t.c five.c; ok $? "show -o writes the program, the same that gen makes"
$assay show --dir c "$(id 5)" --json | python3 -c 'import json,sys; d=json.load(sys.stdin); assert d["files"][0]["name"]=="t.c" and len(d["observations"])==3'
ok $? "show --json"
out=$($assay show --dir c 999 2>&1); is $? 2 "show of a finding that is not there"
out=$($assay show --dir c x 2>&1); is $? 2 "show of no number"

for seed in $(amount "3 5 8" "3 4 5 6 7 8"); do
    out=$($assay replay --dir c "$(id $seed)" 2>&1); is $? 1 "replay of seed $seed reproduces"
    has "$out" "bytes, identical" "  from its provenance"
done
$assay replay --dir c "$(id 5)" --json | python3 -c 'import json,sys; r=json.load(sys.stdin); assert r["made_again"] and r["reproduced"]'
ok $? "replay --json"
out=$($assay replay --dir c "$(id 9)" 2>&1); is $? 0 "the flaky one does not show again"
has "$out" "marked flaky" "  and says that it was marked"
cp gen.sh gen.bak; echo 'echo "/* newer */"' >>gen.sh
out=$($assay replay --dir c "$(id 5)" 2>&1); is $? 1 "with another generator version the stored text is used"
has "$out" "using the stored program" "  and it says so"
mv gen.bak gen.sh

# The same command: another round, other seeds. Seed 13 kills its worker, seed 14 yields nothing.
out=$($run --dir c --tests 10 -j 2 2>&1); is $? 0 "another round finds nothing new: exit 0"
is "$(sql c/assay.db 'select count(*) from test')" 20 "twenty tests in all"
$assay show --dir c incidents --json | python3 -c 'import json,sys; assert [i["seed"] for i in json.load(sys.stdin)].count(14) == 1'
ok $? "show incidents --json"
log=$(cat c/assay.log)
has "$log" "supervisor: error: seat" "the log has the death of a worker"
has "$log" "seed 5, confirmed: badcc wrong-output" "and each finding"
out=$($assay show --dir c incidents)
has "$out" "seed 13: the worker died of SIGABRT" "a worker that dies is recorded with its seed"
has "$out" "seed 14: tiny failed: exit status 1: no luck" "and so is a generator that fails"
out=$($assay run --dir c --tests 2 2>&1); has "$out" "resuming after 20 tests" "without options the campaign of the folder goes on"
out=$($assay run --dir c --testbed-dir mine --testbeds good1 --generator tiny --tests 1 2>&1)
has "$out" "campaign 2 in c" "another selection is another campaign, in the same database"

echo 'echo wrong words; exit 3' >vain.sh
generator vain c "sh $tmp/vain.sh {seed}"
out=$($assay run --dir vain --testbed-dir mine --testbeds good1 --generator vain --tests 2 --plain 2>&1); is $? 3 "a generator that makes nothing: exit 3"
has "$out" "nothing was tested: in 2 tests no program came to a compiler; \`assay show incidents --dir vain\` says why" "  and where to look is told"
has "$($assay show incidents --dir vain)" "vain failed: exit status 3: wrong words" "  what it said on standard output is there"

# A testbed that only compiles stands among others that run: it has no output, and so no wrong one.
echo : | compiler builder "compile = {cc} -c -o {exe} {src}"
sed -i '/^run /d' mine/builder.ini
out=$($assay run --dir only --testbed-dir mine --testbeds good1,good2,builder --generator tiny --seed 1 --tests 2 -j 1 2>&1)
is $? 0 "a testbed that only compiles is not wrong"
echo "$out" | grep -q "^  builder *2 "; ok $? "  and has compiled all"

# Interrupted, it goes on where it was: no seed twice, none skipped. From the 20th seed on there are no programs until it was.
touch nokill nohang
sed "s|^echo .int printf.*|while [ \$1 -ge 20 ] \&\& [ ! -e $tmp/more ]; do sleep 0.1; done; &|" gen.sh >gen.slow && mv gen.slow gen.sh
$run --dir d --tests 30 -j 2 >d.out 2>&1 &
pid=$!
await $pid eval '[ -e d/assay.db ] && [ "$(sql d/assay.db "select count(*) from test" 2>/dev/null)" -gt 0 ] 2>/dev/null'
kill -INT $pid; wait $pid
: >more
has "$(cat d.out)" "stopped after" "SIGINT stops it"
first=$(sql d/assay.db 'select count(*) from test')
[ "$first" -gt 0 ] && [ "$first" -lt 30 ]; ok $? "in the middle ($first tests)"
$run --dir d --tests 30 -j 2 --quiet >d.out 2>&1
is "$(cat d.out)" "" "--quiet prints nothing"
is "$(sql d/assay.db 'select count(*), min(number), max(number) from (select distinct number from test)')" "30|0|29" "the same command goes on: thirty seeds, each once"
rm more
$run --dir d --tests 1000 -j 1 >d.out 2>&1 &
pid=$!
await $pid grep -q "resuming" d.out
out=$($run --dir d --tests 5 2>&1); is $? 3 "a second campaign in the same folder: exit 3"
has "$out" "another \`assay run\` is running" "  says so"
out=$($assay bugs --dir d 2>&1); has "$out" "badcc" "but one may look in while it runs"
kill -TERM $pid; wait $pid
: >more
has "$(cat d.out)" "stopped after" "SIGTERM stops it, too"

# Budgets
out=$($run --dir e --findings 2 -j 1 2>&1); has "$out" "enough was found" "--findings"
out=$($run --dir f --time 2s -j 1 2>&1); has "$out" "the time is up after" "--time"
$run --dir f --tests 1 -j 1 --quiet
is "$(sql f/assay.db "select count(*) from finding where state = 'new'")" 0 "  and what was found by then is confirmed, in the next round at the latest"
out=$(${run% --seed 1} --seed 100 --dir cpu --cpu 100ms -j 1 2>&1); has "$out" "the CPU time is spent after" "--cpu"
spent=$(sql cpu/assay.db "SELECT round_cpu_us FROM campaign")
[ "$spent" -ge 100000 ]; ok $? "--cpu: it was ($spent us)"
${run% --seed 1} --seed 100 --dir cpu --cpu 100ms -j 1 --quiet
again=$(sql cpu/assay.db "SELECT round_cpu_us FROM campaign")
[ "$again" -ge $((spent + 100000)) ]; ok $? "--cpu: another round has a budget of its own ($again us)"
$run --dir g --tests 6 -j 2 --json >g.json
python3 -c 'import json,sys
rows=[json.loads(l) for l in open("g.json")]
assert rows[-1]["event"]=="end" and rows[-1]["tests"]==6 and rows[-1]["testbeds"][0]["outcomes"]["ok"]>=5, rows[-1]'
ok $? "--json: an object per line, the end last"

# A generator that is not trusted: its programs run in the sandbox.
cat >config/assay/generators/wild.ini <<EOF
[generator]
name     = wild
language = c
command  = sh -c 'echo "#include <stdio.h>"; echo "int main(void) { printf(\"%d\\\\n\", fopen(\"$tmp/escaped\", \"w\") != 0); return 0; } /* \$0 */"' {seed}
EOF
out=$($assay run --dir w --testbeds gcc:-O0,tcc --generator wild --seed 1 --tests 2 -j 1 2>&1); status=$?
case $out in
*"sandbox cannot"*) skip "an untrusted generator" "no user namespaces" ;;
*)
    is "$status" 0 "programs of an untrusted generator run"
    [ ! -e escaped ]; ok $? "  but cannot write outside"
    $assay run --dir w --testbeds gcc:-O0,tcc --generator wild --seed 1 --tests 1 -j 1 --no-sandbox --quiet
    [ -e escaped ]; ok $? "  unless --no-sandbox lets them"
    $run --dir s --tests 2 -j 1 --sandbox --quiet; is $? 0 "--sandbox: trusted programs in the sandbox, too"
    ;;
esac

# What the machine lacks
out=$($assay run --generator yarpgen --dir h --tests 1 2>&1); is $? 3 "a generator that is not installed: exit 3"
has "$out" "the generator yarpgen is not installed" "  says so"
mkdir -p bad && echo garbage >bad/assay.db
out=$($run --dir bad --tests 1 2>&1); is $? 3 "a database that is none: exit 3"
has "$out" "bad/assay.db" "  names it"
is "$(cat bad/assay.db)" garbage "  and leaves it alone"
if unshare -m true 2>/dev/null; then
    cat >full.sh <<EOF
mkdir -p small && mount -t tmpfs -o size=16m none small && $run --dir small --tests 4 -j 1 2>&1
head -c 17000000 /dev/zero >small/ballast 2>/dev/null
$run --dir small --tests 200 -j 1 2>&1; echo "status \$?"
rm small/ballast
$run --dir small --tests 5 -j 1 2>&1; echo "then \$?"
EOF
    out=$(unshare -m sh full.sh 2>&1)
    has "$out" "status 3" "a full disk: exit 3"
    has "$out" "full" "  says so"
    has "$out" "then" "  and goes on when there is room again"
    lacks "$out" "then 3" "  without an error"
else
    skip "a full disk" "no mount namespace"
fi
tap_done

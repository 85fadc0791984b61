#!/bin/sh
# What speaks against programs and not against compilers, from end to end: filters, warnings, floating
# point, other inputs. The generator and the compilers are scripts, so that it is known what must come
# out for each seed. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

# A language in which each line is a word that tells somebody below what to do. The words that are not
# for anybody are there to be taken away.
cat >gen.sh <<'EOF'
words() { echo padding; for w; do echo "$w"; done; echo more padding; echo seed $seed; }
seed=$1
case $1 in
1) words ;;
2) words wrong ;;                      # the filter has nothing against it
3) words wrong invalid ;;              # undefined, on standard error
4) words internal invalid ;;           # a crash of the compiler counts all the same
5) words wrong endless ;;              # the filter does not end
6) words wrong deadly ;;               # it dies
7) words wrong unbuildable ;;          # it cannot build it: no opinion
8) words wrong warned ;;               # a reference warns
9) words rejected warned ;;            # a failure to build counts all the same
10) words near ;;                      # within the tolerance
11) words far ;;                       # beyond it
12) words integer ;;                   # no matter of tolerance
13) words wrong-at-first ;;            # right with other inputs
14) words crash-at-first ;;            # likewise
15) words crash ;;
16) words crash race ;;                # undefined, on standard output
17) words warned-elsewhere wrong ;;    # only who votes is heard
18) words mistaken safe ;;             # the reduction must leave what the filter wants
esac
EOF
cat >config/assay/generators/toys.ini <<EOF
[generator]
name     = toys
language = toy
suffix   = .toy
command  = sh $tmp/gen.sh {seed}
trusted  = yes
EOF

# Each compiler makes a script that prints the seed; WORD=what to do with it instead.
cat >common.sh <<'EOF'
has() { grep -qx "$1" t.toy; }
say() { printf '#!/bin/sh\n%s\n' "$1" >program.exe; chmod +x program.exe; exit 0; }
seed=$(sed -n 's/^seed //p' t.toy)
EOF
toolchain() { # NAME, more keys on standard input
    cat >mine/$1.ini <<EOF
[toolchain]
name     = $1
language = toy
suffix   = .toy
default  = no
find     = $tmp/$1
compile  = {cc} {src}
crash    = internal error
$(cat)

[limits]
compile-cpu  = 2s
compile-wall = 60s
run-cpu      = 300ms
run-wall     = 60s
EOF
}
compiler() { # NAME, the body of its script on standard input
    { echo '#!/bin/sh'; echo ". $tmp/common.sh"; cat; echo 'say "echo $seed"'; } >$1
    chmod +x $1
}
keys='run          = {exe} {inputs}
other-inputs = --inputs 1
tolerance    = 1e-3
suspect      = between pointer and integer
suspect      = uninitialized'
compiler good1 <<'EOF'
has near && say "echo $seed 1.0000"
has far && say "echo $seed 1.0000"
has integer && say "echo 1000 1.0000"
EOF
compiler good2 <<'EOF'
has warned && echo "t.toy:1: warning: comparison between pointer and integer" >&2
has near && say "echo $seed 1.0005"
has far && say "echo $seed 1.0005"
has integer && say "echo 1000 1.0000"
EOF
compiler badcc <<'EOF'
has warned-elsewhere && echo "t.toy:1: warning: x is used uninitialized" >&2
has internal && { echo "internal error: four" >&2; exit 1; }
has rejected && { echo "t.toy:1: error: no" >&2; exit 1; }
has wrong && say 'echo 666'
has mistaken && say 'echo 666'
has near && say "echo $seed 0.9995"
has far && say "echo $seed 1.5"
has integer && say "echo 1001 1.0000"
has wrong-at-first && say "[ \$# = 0 ] && echo 666 || echo $seed"
has crash-at-first && say "[ \$# = 0 ] && kill -SEGV \$\$; echo $seed"
has crash && say 'kill -SEGV $$'
EOF
compiler watch <<'EOF'
has unbuildable && exit 1
has invalid && say 'echo "Invalid read of size 4 at line 7" >&2'
has race && say 'echo "Data race in line 3"'
has endless && say 'while :; do :; done'
has deadly && say 'kill -SEGV $$'
has mistaken && ! has safe && say 'echo "Invalid read of size 1" >&2'
EOF
for c in good1 good2; do { echo "$keys"; echo "reference = yes"; } | toolchain $c; done
echo "$keys" | toolchain badcc
toolchain watch <<'EOF'
run       = {exe}
filter    = yes
undefined = Invalid (read|write)[a-z0-9 ]*
undefined = Data race
EOF

run="$assay run --testbed-dir mine --generator toys --seed 1 --tests 18 -j 2"
all() { # DIR: seed, kind and testbed of each finding
    $assay bugs --dir $1 --all --json | python3 -c 'import json,sys
for f in sorted(json.load(sys.stdin), key=lambda f: f["seed"]): print(f["seed"], f["kind"], f["testbed"], f["state"])'
}
id() { $assay bugs --dir c --all --json | python3 -c 'import json,sys; print([f["id"] for f in json.load(sys.stdin) if f["seed"] == int(sys.argv[1])][0])' "$1"; }

out=$($assay testbeds --testbed-dir mine 2>&1 | grep watch); has "$out" filter "testbeds tells which is a filter"

out=$($run --dir c --testbeds good1,good2,badcc,watch 2>&1); is $? 1 "a campaign with a filter"
is "$(all c)" "2 wrong-output badcc confirmed
4 build-crash badcc confirmed
7 wrong-output badcc confirmed
9 build-fail badcc confirmed
11 wrong-output badcc confirmed
12 wrong-output badcc confirmed
15 run-crash badcc confirmed
17 wrong-output badcc confirmed
18 wrong-output badcc confirmed" "what is left: each seed as it must be"
has "$out" "18 tests, 9 findings" "the summary counts what is left"
has "$out" "watch marked 5 programs, which were built but not run" "  what the filter marked"
has "$out" "2 findings dropped: not reproduced with other inputs" "  and what other inputs did not show"
has "$(echo "$out" | tr -s " ")" "bc bto abf arc awo other pass total" "  and the five classes"
has "$(echo "$out" | tr -s ' ')" " badcc 1 0 1 1 6 0 9 18" "  of each testbed"
has "$(cat c/assay.log)" "dropped, not reproduced with other inputs: badcc wrong-output" "the log tells what was dropped"

# Without: what was kept out is there.
$run --dir d --testbeds good1,good2,badcc >/dev/null 2>&1
is "$(all d | grep -c .)" 13 "without the filter there are more"
has "$(all d)" "3 wrong-output" "  such as the one that it marks"

out=$($assay show --dir c "$(id 4)"); has "$out" "built but never run" "show: the program is not run"
has "$out" "undefined: Invalid read of size 4" "  and why"
out=$($assay show --dir c "$(id 9)"); has "$out" "suspect: between pointer and integer" "show: what the warning was"
out=$($assay show --dir c "$(id 2)"); has "$out" "clean" "show: the filter had nothing against it"
for seed in 2 4 9 11 15; do
    out=$($assay replay --dir c "$(id $seed)" 2>&1); is $? 1 "replay of seed $seed reproduces"
    has "$out" "bytes, identical" "  from its provenance"
done

# The reduction of 18 keeps the line that the filter wants; without a filter it goes.
reduced() { $assay show --dir $1 "$2" --json | python3 -c 'import json,sys; print(" ".join(json.load(sys.stdin)["reduced"]["files"][0]["text"].split()))'; }
$assay reduce --dir c "$(id 18)" --no-blame >out 2>&1; is $? 1 "a reduction with the filter"
is "$(reduced c "$(id 18)")" "mistaken safe" "  leaves what the filter wants"
other=$($assay bugs --dir d --all --json | python3 -c 'import json,sys; print([f["id"] for f in json.load(sys.stdin) if f["seed"] == 18][0])')
$assay reduce --dir d "$other" --no-blame >out 2>&1
is "$(reduced d "$other")" "mistaken" "  and without the filter it goes"

# The table of classes in reports.
$assay report --dir c --table table.txt --no-run >/dev/null
is "$(tr -s ' ' <table.txt)" "testbed bc bto abf arc awo other pass total
good1 0 0 0 0 0 0 18 18
good2 0 0 0 0 0 0 18 18
badcc 1 0 1 1 6 0 9 18
badcc: 2 findings dropped, not reproduced with other inputs
watch marked 5 programs: built but not run" "report --table"
$assay report --dir c --json - --no-run | python3 -c 'import json,sys
t = {t["name"]: t for t in json.load(sys.stdin)["testbeds"]}
assert t["badcc"]["classes"] == {"bc": 1, "bto": 0, "abf": 1, "arc": 1, "awo": 6, "other": 0, "pass": 9, "total": 18}
assert t["badcc"]["only_inputs"] == 2 and t["watch"]["filter"] and not t["good1"]["filter"]'
ok $? "report --json"
out=$($assay report --dir c --html - --no-run); has "$out" 'data-label="awo">6<' "report --html"

tap_done

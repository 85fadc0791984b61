#!/bin/sh
# The model that ships, as a generator: a campaign on kernels, filters against false alarms, C with a
# known answer. Arguments: the tests folder, the source root, the assay binary.
. "$1/tap.sh"
root=$(realpath "$2")
assay=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CACHE_HOME="$tmp/cache"

one=$("$assay" gen lm:opencl -s 3 --repair=0)
is "$one" "$("$assay" gen lm:opencl -s 3 --repair=0)" "a seed is a program"
has "$one" "kernel void A(" "which is a kernel"
has "$one" "assay gen lm:opencl -s 3" "and says how to make it again"
is "$("$assay" gen lm:opencl -s 3 --repair=0 --model "$root/models/opencl.lm" | tail -n +2)" "$(echo "$one" | tail -n +2)" \
    "the model can be named"
out=$("$assay" gen lm:opencl -s 1 --model "$root/README.md" 2>&1)
is $? 2 "a file that is no model"
has "$out" "not a model" "  is told"
out=$("$assay" gen lm:c -s 1 --model "$root/models/opencl.lm" 2>&1)
is $? 2 "a model of another language"
has "$out" "is a model of opencl, not of c" "  is told"
out=$("$assay" gen lm:nothing -s 1 2>&1)
is $? 2 "a language that there is not"
has "$out" "there is no language 'nothing'" "  is told"
"$assay" gen lm:opencl -s 5 --stats >/dev/null 2>stats
has "$(cat stats)" "masked" "what a program cost"

# Most seeds build when they are masked and repaired, and the machine has a clang.
if command -v clang >/dev/null; then
    built=0
    many=$(amount 2 8)
    for seed in $(seq $many); do
        "$assay" gen lm:opencl -s $seed --masked=100 -o t.cl &&
            clang -x cl -cl-std=CL2.0 -w -fsyntax-only t.cl 2>/dev/null && built=$((built + 1))
    done
    [ $built -ge $((many * 3 / 4)) ]
    ok $? "of $many masked and repaired kernels $built build"

    # The mask alone, without a compiler's help: whole kernels in the corpus's style, not cut ones.
    built=0 closed=0 odd=0
    many=$(amount 4 12)
    for seed in $(seq $many); do
        "$assay" gen lm:opencl -s $seed --masked=100 --repair=0 -o t.cl --stats 2>stats &&
            clang -x cl -cl-std=CL2.0 -w -fsyntax-only t.cl 2>/dev/null && built=$((built + 1))
        grep -q "^cut\|^closed" stats && closed=$((closed + 1))
        grep -q '[^ ]  \| $' t.cl && odd=$((odd + 1))
    done
    [ $built -ge $((many * 2 / 3)) ]
    ok $? "of $many masked kernels $built build"
    [ $closed -le $((many / 4)) ]
    ok $? "  and $closed are cut"
    is $odd 0 "  and none has blanks that no program of the corpus has"
    "$assay" gen lm:opencl -s 1 --masked=100 --temperature=0 -o t.cl &&
        clang -x cl -cl-std=CL2.0 -w -fsyntax-only t.cl 2>/dev/null
    ok $? "a model that is always sure of itself gets out of its dead ends"

    # C: what is run can be built and run.
    right=0 run=0
    for seed in $(seq $(amount 6 10)); do
        rm -rf c && mkdir c && cd c || exit 1
        "$assay" gen lm:c -s $seed --masked=100 -o t.c --stats 2>stats
        if grep -q "^run  *defined" stats; then
            run=$((run + 1))
            gcc -w -o t t.c 2>/dev/null && ./t >out 2>&1 && right=$((right + 1))
        fi
        cd .. || exit 1
    done
    [ $right = $run ] && [ $run -ge 1 ]
    ok $? "of some programs of C $run are defined, and gcc builds and runs these ($right)"
fi

# A division by zero is no bug of anyone's: a filter sees it.
cat >zero.cl <<'EOF'
kernel void A(global int *a, global int *b) {
  int c = get_global_id(0);
  a[c] = b[c] / (a[c] - b[c]);
}
EOF
beds=$("$assay" testbeds 2>/dev/null)
case $beds in
*clang-native-check*)
    out=$("$assay" check zero.cl --testbeds clang-native-check,clang-native:-O0 2>&1)
    is $? 0 "a kernel that divides by zero: no finding"
    has "$out" "SIGILL" "  a filter says why"
    out=$("$assay" run --generator lm:opencl --seed 1 --tests 3 -j 2 --dir campaign \
        --testbeds clang-native-check,clang-native:-O0,clang-opencl:-O0,gcc-opencl:-O0 2>&1)
    case $? in 0 | 1) ok 0 "a campaign on kernels" ;; *) ok 1 "a campaign on kernels: $out" ;; esac
    has "$out" "3 tests" "  makes its tests"
    ;;
esac
cd / && rm -r "$tmp"
tap_done

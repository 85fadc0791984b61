#!/bin/sh
# `assay lm train` as a user meets it: from a corpus to a model that can be sampled; interrupted and
# gone on with; the same model from the same seed; a sentence for each mistake. Arguments: the tests
# folder, the assay binary, the training of machines with a GPU.
. "$1/tap.sh"
assay=$(realpath "$2")
standalone=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1

i=0
while [ $i -lt 60 ]; do
    printf 'kernel void A(global int *a) {\n  int b = get_global_id(0);\n  a[b] = b * %d;\n}\n\0' $i
    i=$((i + 1))
done >corpus.txt
train() {
    case " $* " in *" --units "*) ;; *) set -- "$@" --units 32 ;; esac
    out=$("$assay" lm train --corpus corpus.txt --batch 8 --length 16 --atoms 40 "$@" 2>&1)
    rc=$?
}

train --epochs 3 --output one.lm
is $rc 0 "a model is trained"
has "$out" "epoch 3 of 3" "epochs are told"
has "$out" "tokens/s" "with the speed"
has "$out" "held out" "and the loss on what was held out"
has "$out" "    | " "and a sample"
has "$(head -n 1 one.lm | tr -d '\0')" "assay-lm 2 floats" "the file says what it is"
out=$("$assay" lm sample one.lm -n 2 --most 20)
is $? 0 "it can be sampled"
has "$out" "---" "twice"

train --epochs 3 --steps 7 --output two.lm
has "$out" "the same command resumes" "a training that is stopped says how to go on"
while [ ! -e done ]; do
    train --epochs 3 --steps 9 --output two.lm
    case $out in *"command resumes"*) ;; *) : >done ;; esac
done
cmp -s one.lm two.lm
ok $? "in pieces or at once: the same model"
train --epochs 3 --seed 2 --output three.lm
cmp -s one.lm three.lm
[ $? = 1 ]
ok $? "another seed: another model"
train --epochs 3 --output four.lm --quantise
[ "$(stat -c %s four.lm)" -lt "$(($(stat -c %s one.lm) / 2))" ]
ok $? "a byte for each weight is smaller"
"$assay" lm sample four.lm --most 5 >/dev/null
ok $? "and can be sampled"

[ "$(ls ./*.lock 2>/dev/null)" = "" ]
ok $? "nothing is left of their locks"
flock one.lm.lock sh -c ': >held; while [ ! -e free ]; do sleep 0.1; done' &
while [ ! -e held ]; do sleep 0.1; done
train --epochs 3 --output one.lm
is $rc 3 "two trainings of one model"
has "$out" "is being trained by another" "  say so"
: >free
wait
train --epochs 3 --output one.lm
is $rc 0 "the lock of one that is gone holds nobody"

train --epochs 1 --output nowhere/x.lm
is $rc 3 "a folder that is not there"
out=$("$assay" lm train --corpus none.txt --output x.lm 2>&1)
is $? 2 "no corpus"
has "$out" "none.txt" "  is named"
: >empty.txt
out=$("$assay" lm train --corpus empty.txt --output x.lm 2>&1)
[ $? -ge 2 ]
ok $? "an empty corpus is refused"
train --epochs 1 --device tpu --output x.lm
is $rc 2 "a device that there is not"
"$assay" lm train --corpus corpus.txt --units 32 --output few.lm >few 2>&1
is $? 2 "a corpus that is too small for the batch"
has "$(cat few)" "take a smaller --batch" "  says what to do"
[ ! -e few.lm.checkpoint ]; ok $? "  and leaves nothing that would be in its way"
for units in 40 4112; do
    train --epochs 1 --units $units --output x.lm
    is $rc 2 "$units units"
    has "$out" "a multiple of 16 of at most 4096" "  are refused, and why"
done

# What scripts/train-gpu builds, with the reference in place of the GPU.
out=$("$standalone" corpus.txt gpu.lm --units 32 --batch 8 --length 16 --atoms 40 --epochs 3 --losses losses 2>&1)
is $? 0 "the training of machines with a GPU"
has "$out" "done after" "  says when it is done"
[ "$(grep -c '^[0-9]' losses)" -gt 20 ]
ok $? "  writes the loss of each step"
awk '/^[0-9]/ { if (!n++) first = $1; last = $1 } END { exit !(last < first) }' losses
ok $? "  which falls"
"$assay" lm sample gpu.lm.bytes --most 5 >/dev/null
ok $? "  and leaves a model that can be sampled"

# OpenBLAS picks its kernels by a list of processors that ends with the year it was made in. Another BLAS has
# no such choice, and says nothing.
kernels() {
    rm -f kernels.lm*
    train --epochs 1 --json --output kernels.lm
    kernels=$(printf '%s' "$out" | sed -n 's/.*"kernels": "\([A-Za-z0-9]*\)".*/\1/p')
}
export OPENBLAS_CORETYPE=Nehalem
kernels
if [ "$kernels" = Nehalem ]; then
    unset OPENBLAS_CORETYPE
    kernels
    case $(grep -m 1 ^flags /proc/cpuinfo) in
    *avx512f*avx512dq*avx512bw*avx512vl*) is "$kernels" SkylakeX "kernels of AVX-512 where the processor has it" ;;
    *fma*avx2*) is "$kernels" Haswell "kernels of AVX2 where the processor has it" ;;
    *) skip "kernels of the processor" "it has no AVX2" ;;
    esac
else
    skip "kernels of the processor" "no OpenBLAS that can be told which to take"
fi
cd / && rm -r "$tmp"
tap_done

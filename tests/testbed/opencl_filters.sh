#!/bin/sh
# Kernels whose output means nothing are not run: what the filters and the warnings see.
# Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
root=$(realpath "$2")
assay=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"
mkdir -p beds config/assay/generators own
# In a folder that the user of a server may not enter.
cp "$assay" "$(dirname "$assay")/assay-opencl" own && assay=$tmp/own/assay
cp -r "$root/testbeds/opencl" beds/
for t in oclgrind-check oclgrind; do # a kernel that does not end is known sooner
    sed 's/--cpu [13]0s/--cpu 1s/; s/run-cpu *= .*/run-cpu = 1s/' "$root/testbeds/$t.ini" >beds/$t.ini
done
[ -e /usr/lib/oclgrind/liboclgrind-rt-icd.so ] || {
    skip "filters of OpenCL" "there is no Oclgrind"
    tap_done
}

cat >1.cl <<'EOF'
kernel void A(global int *a) { a[get_global_id(0)] = 2; }
EOF
cat >2.cl <<'EOF'
kernel void A(global int *a) { private int b; a[get_global_id(0)] = b; }
EOF
cat >3.cl <<'EOF'
kernel void A(global int *a) { for (int b = 0; b < 4; b++) b = 0; a[get_global_id(0)] = 1; }
EOF
cat >4.cl <<'EOF'
kernel void A(global int *a) { a[get_global_id(0) / 2] = get_global_id(0); }
EOF
cat >5.cl <<'EOF'
kernel void A(float2 a, global int *b) { printf("%v4il\n", a); }
EOF
cat >config/assay/generators/kernels.ini <<EOF
[generator]
name     = kernels
language = opencl
command  = cat $tmp/{seed}.cl
EOF
# outcomes SEED: what Oclgrind itself was asked to do with the kernel of the seed.
outcomes() {
    out=$("$assay" run -d c$1 -g kernels -s $1 -n 1 -j1 --testbed-dir beds -t oclgrind-check,oclgrind 2>&1)
}
outcomes 1
has "$out" "oclgrind-check marked 0 programs" "a kernel that does nothing wrong is run"
for what in "2 a variable that was never written" "3 a loop that does not end" "4 a race"; do
    outcomes ${what%% *}
    has "$out" "oclgrind-check marked 1 program" "${what#* }"
done
outcomes 5
has "$out" "oclgrind-check marked 0 programs" "a format that asks for another type is none of its matters"

# It prints what lies around: the runtimes differ, unless their warnings are heeded.
cp "$root/testbeds/pocl.ini" beds/
case $("$assay" testbeds --testbed-dir beds 2>&1) in
*"pocl -cl"*)
    votes() { "$assay" run -d $1 -g kernels -s 5 -n 1 -j1 --testbed-dir $2 -t oclgrind,pocl 2>&1; }
    has "$(votes warned beds)" " 0 findings" "a warning tells that it is not to be run"
    cp -r beds deaf
    sed -i '/^suspect/d' deaf/*.ini
    has "$(votes deaf-to-it deaf)" " 1 finding " "which it is where nobody listens"
    ;;
*) skip "a vote on what is undefined" "there is no PoCL" ;;
esac
cd / && rm -rf "$tmp"
tap_done

#!/bin/sh
# The OpenCL harness: what each runtime that is installed prints, what becomes of kernels that crash,
# hang and destroy, and kernels as C. Arguments: tests folder, source folder, assay-opencl.
. "$1/tap.sh"
root=$(realpath "$2")
opencl=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CACHE_HOME="$tmp/cache"
servers=
trap 'for p in $servers; do kill $p 2>/dev/null; done; rm -rf "$tmp"' EXIT

# start NAME OPTIONS...: a server in a folder of that name; fails where the runtime is not installed.
start() {
    name=$1
    shift
    mkdir -p "$name"
    "$opencl" serve --socket "$tmp/$name/s" "$@" >"$name.log" 2>&1 &
    server=$!
    for try in $(seq 600); do
        "$opencl" ping --socket "$name/s" 2>/dev/null && break
        kill -0 $server 2>/dev/null || return 1
        sleep 0.1
    done
    servers="$servers $server"
}
simulator="--platform Oclgrind --icd /usr/lib/oclgrind/liboclgrind-rt-icd.so --env OCLGRIND_NUM_THREADS=1"
there=
# shellcheck disable=SC2086
export ASSAY_SEES="$tmp/pipe" # of builds that do not end
landlock=$(python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))')
mkdir mine
echo 'word7531 is nobody else'"'"'s' >mine/file
printf '#include "%s/mine/file"\nkernel void A(global int* a) { a[0] = 1; }\n' "$tmp" >include.cl
start oclgrind $simulator && there="$there oclgrind" && simulates=$server
start pocl --platform "Portable Computing Language" --icd pocl.icd --env POCL_DEVICES=basic \
    --env POCL_CACHE_DIR=cache && there="$there pocl"
start rusticl --platform rusticl --icd rusticl.icd --env RUSTICL_ENABLE=llvmpipe \
    --env LP_NUM_THREADS=0 --env MESA_SHADER_CACHE_DISABLE=true && there="$there rusticl"
echo "# runtimes:$there"

cat >all.cl <<'E'
kernel void A(global int* a, const global float4* b, global uchar3* c, int d, local int* e,
              constant short* f, global float* g) {
  int i = get_global_id(0);
  e[get_local_id(0)] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < d)
    a[i] = e[(get_local_id(0) + 1) % get_local_size(0)] * 3 + (int)b[i].y + f[i];
  c[i] += (uchar3)(1, 2, d);
  g[i] = sqrt(b[i].x) + 0.5f;
}
E
cat >image.cl <<'E'
kernel void A(read_only image2d_t a, global int* b) { b[0] = get_image_width(a); }
E
cat >wrong.cl <<'E'
kernel void A(global int* a) { a[0] = undeclared_name; }
E
cat >scalar.cl <<'E'
uint B(uint a) { return rotate(a, 5u) ^ (a >> 3); }
kernel void A(global uint* a, global char* b, const global long* c, global float* d, ushort e) {
  size_t i = get_global_id(0);
  a[i] = B(a[i]) + mul_hi(a[i], 0x9e3779b9u) + clamp((int)i, 3, 900) + popcount(a[i]);
  b[i] = add_sat(b[i], (char)100) - hadd(b[i], (char)e);
  d[i] = mad(d[i], 2.0f, fabs(sin(d[i]))) + convert_float(c[i]) + max(d[i], 7.5f);
}
kernel void C(global long* a) { a[get_global_id(0)] = abs_diff(a[get_global_id(0)], 7l) + get_local_size(0); }
E
cat >vector.cl <<'E'
kernel void A(global int4* a, global float2* b, uchar8 c) {
  int i = get_global_id(0);
  a[i] = max(a[i].wzyx, (int4)(3)) + convert_int4(c.s0246) * (a[i] > 5);
  b[i] = vload2(i, (global float*)b).yx + dot(b[i], b[i]);
}
E
cat >endless.cl <<'E'
kernel void A(global int* a) { volatile int x = 1; while (x) a[0] = x; }
E
cat >smash.cl <<'E'
kernel void A(global char* a) { for (long i = -100000000; i < 100000000; i++) a[i * 16] = 85; }
E

# -- what is printed -------------------------------------------------------------------------------
cat >all.txt <<'E'
floats
kernel A 1 thread
buffer 0 int 1 hash ab3d76f3: 6
buffer 2 uchar3 1 hash 34747af5: 2 4 4
buffer 6 float 1 nan 0 inf 0 sum 1.500: 1.500
E
for r in $there; do
    "$opencl" try --socket $r/s all.cl >$r.all 2>$r.err
    is $? 0 "$r: runs all kinds of arguments"
    is "$(head -n 5 $r.all)" "$(cat all.txt)" "$r: one thread"
    is "$(cksum <$r.all)" "$(cksum <$(echo $there | cut -d' ' -f1).all)" "$r: as the others"
    "$opencl" try --socket $r/s --inputs 1 all.cl >$r.other
    ! cmp -s $r.all $r.other
    ok $? "$r: other inputs give another output"
    is "$(cksum <$r.other)" "$(cksum <$(echo $there | cut -d' ' -f1).other)" "$r: as the others, too"
    has "$("$opencl" try --socket $r/s image.cl 2>&1)" "compile only: an argument is an image" "$r: an image"
    # What a kernel includes comes out in messages. Tests are in folders below ours: this file is a user's.
    out=$("$opencl" try --socket $r/s include.cl 2>&1)
    if [ "$landlock" -ge 2 ]; then
        lacks "$out" "word7531" "$r: nothing of a file that is not the test's comes out ..."
    else
        skip "$r: nothing of a file that is not the test's comes out ..." "no Landlock here"
    fi
    has "$out" "error" "$r: ... and the build fails"
done

# -- build and run ---------------------------------------------------------------------------------
for r in $there; do
    "$opencl" build --socket $r/s wrong.cl -o wrong.out 2>messages
    is $? 1 "$r: rejects"
    has "$(cat messages)" undeclared_name "$r: and says why"
    "$opencl" build --socket $r/s -cl-opt-disable all.cl -o $r.out 2>/dev/null
    is $? 0 "$r: builds"
    is "$("$opencl" run --socket $r/s $r.out | cksum)" "$(cksum <$r.all)" "$r: and runs"
    is "$("$opencl" run --socket $r/s $r.out 2>/dev/null | cksum)" "$(cksum <$r.all)" "$r: and again, though the first has ended"
done

# A client dies of the signal that the test died of: 128 + SIGXCPU or SIGSEGV.
# -- crashes and hangs -----------------------------------------------------------------------------
case $there in *oclgrind*)
    "$opencl" build --socket oclgrind/s endless.cl -o endless.out
    "$opencl" run --socket oclgrind/s --cpu 1s endless.out >out 2>/dev/null
    is $? 152 "a kernel that never ends runs out of CPU time"
    is "$(cat out)" "kernel A 1 thread" "what it printed is there"
    "$opencl" try --socket oclgrind/s --wall 1s endless.cl >out 2>/dev/null
    is $? 152 "or out of time"
    timeout -s KILL 0.5 "$opencl" try --socket oclgrind/s endless.cl >/dev/null 2>&1
    for try in $(seq 100); do
        [ "$(pgrep -P $simulates | wc -l)" = 0 ] && break
        sleep 0.1
    done
    is "$(pgrep -P $simulates | wc -l)" 0 "a test ends with its client"
    is "$(find oclgrind -name 't[0-9]*')" "" "and leaves no folder"
    # A compiler that waits for what never comes, and one that dies meanwhile.
    mkfifo pipe
    printf '#include "%s/pipe"\nkernel void A() {}\n' "$tmp" >waits.cl
    "$opencl" build --socket oclgrind/s --wall 1s waits.cl -o waits.out 2>/dev/null
    is $? 152 "a build that never ends runs out of time"
    "$opencl" build --socket oclgrind/s --wall 60s waits.cl -o waits.out 2>messages &
    client=$!
    for try in $(seq 100); do
        child=$(pgrep -P $simulates) && sleep 0.3 && kill -SEGV $child && break
        sleep 0.1
    done
    wait $client
    is $? 1 "a build that crashes fails"
    has "$(cat messages)" "build crash: SIGSEGV" "and says so"
    is "$("$opencl" try --socket oclgrind/s all.cl 2>/dev/null | cksum)" "$(cksum <oclgrind.all)" "the next test works"
    "$opencl" build --socket oclgrind/s all.cl -o late.out 2>/dev/null
    kill $simulates
    wait $simulates 2>/dev/null
    # shellcheck disable=SC2086
    start oclgrind $simulator
    is "$("$opencl" run --socket oclgrind/s late.out 2>/dev/null | cksum)" "$(cksum <oclgrind.all)" "a result outlives its server"
    ;;
*) skip "crashes and hangs" "there is no Oclgrind" ;;
esac
for r in $there; do
    [ $r != oclgrind ] || continue # it sees what is out of bounds
    "$opencl" build --socket $r/s smash.cl -o smash.out
    "$opencl" run --socket $r/s smash.out >/dev/null 2>&1
    is $? 139 "$r: a kernel that writes everywhere dies of it"
    is "$("$opencl" try --socket $r/s all.cl 2>/dev/null | cksum)" "$(cksum <$r.all)" "$r: the next test works"
done

# -- as C ------------------------------------------------------------------------------------------
export ASSAY_OPENCL="$opencl"
first=$(echo $there | cut -d' ' -f1)
as_c() { # FORM CC FILE
    rm -f program.exe
    sh "$root/testbeds/opencl/as_c.sh" $1 "$2" ./program.exe $3 -O2 2>/dev/null && ./program.exe
}
for kernel in scalar vector; do
    [ -z "$first" ] || "$opencl" try --socket $first/s $kernel.cl >$kernel.txt 2>/dev/null
done
if [ -n "$first" ] && command -v gcc >/dev/null; then
    is "$(as_c scalar gcc scalar.cl)" "$(cat scalar.txt)" "gcc: the kernel as C prints the same"
    has "$(as_c scalar gcc all.cl)" "abstain: it has " "gcc: abstains from local memory, barriers and vectors"
    has "$(as_c scalar gcc vector.cl)" "abstain: it has vectors" "gcc: and from vectors"
    has "$(as_c scalar gcc wrong.cl)" "abstain: " "gcc: and from what is no OpenCL"
else
    skip "gcc" "there is no gcc or no runtime"
fi
if [ -n "$first" ] && command -v clang >/dev/null; then
    is "$(as_c opencl clang scalar.cl)" "$(cat scalar.txt)" "clang: the kernel as a program prints the same"
    is "$(as_c opencl clang vector.cl)" "$(cat vector.txt)" "clang: with vectors"
    as_c opencl clang wrong.cl
    is $? 1 "clang: rejects what is no OpenCL"
else
    skip "clang" "there is no clang or no runtime"
fi
"$opencl" as-c all.cl -o all.c 2>messages
is $? 3 "as-c: exit status 3 for what cannot be C"
has "$(cat messages)" "not as C: it has" "as-c: says why"

# -- usage -----------------------------------------------------------------------------------------
"$opencl" frobnicate 2>messages
is $? 2 "an unknown command"
"$opencl" run --socket /nonexistent/s all.cl 2>messages
is $? 2 "what is no result"
"$opencl" try --socket /nonexistent/s all.cl 2>messages
is $? 3 "no server"
"$opencl" serve --platform "no such platform" --socket "$tmp/none" 2>messages
is $? 3 "no such platform"
tap_done

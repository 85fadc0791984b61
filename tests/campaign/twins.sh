#!/bin/sh
# A compiler that makes gcc's code but for two faults, which say nothing of themselves: four programs
# that print something wrong are two bugs, told apart by what is otherwise in their code. Arguments:
# tests folder, source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
if [ "$(uname -m)" != x86_64 ]; then
    skip "bugs by their code" "the faults are in instructions of x86-64"
    tap_done
fi
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"
mkdir -p mine config/assay/generators

cat >gen.sh <<'EOF'
line() { printf '%s\n' "$1"; }
line 'int printf(const char *, ...);'
line 'int a = 3, b = 2, padding = 1;'
case $1 in
1) line 'int f(int x) { return -x; }' ;;
2) line 'int f(int x) { b = -x; return 4; }' ;;
3) line 'int f(int x) { return x > 2; }' ;;
4) line 'int f(int x) { b = x > 1; return 4; }' ;;
esac
line 'int main(void)'
line '{'
line '    printf("%d\n", f(a));'
line '    printf("%d\n", b + padding);'
line '    return 0;'
line '}'
EOF
cat >config/assay/generators/four.ini <<EOF
[generator]
name     = four
language = c
command  = sh $tmp/gen.sh {seed}
trusted  = yes
EOF
cat >twincc <<'EOF'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift ;;
    *.c) source=$1 ;;
    -fmine) ;;
    *) flags="$flags $1" ;;
    esac
    shift
done
gcc $flags -w -S -o right.s "$source" || exit
sed -e '/^\tnegl/d' -e 's/^\tsetg\t/\tsetl\t/' right.s >wrong.s
exec gcc -o "$out" wrong.s
EOF
chmod +x twincc
cat >mine/twincc.ini <<EOF
[toolchain]
name      = twincc
language  = c
default   = no
find      = $tmp/twincc
compile   = {cc} {flags} -o {exe} {src}
run       = {exe}
reference = no
flags     = -O1 -fmine
EOF

out=$($assay run -d c --generator four --seed 1 --tests 4 --testbed-dir mine --testbeds twincc,gcc:-O0,gcc:-O2,clang:-O0 --reduce 2>&1)
is $? 1 "a campaign with findings"
$assay reduce --all -d c --testbed-dir mine --quiet
out=$($assay bugs -d c --json)
is "$(echo "$out" | python3 -c 'import json, sys
print(*sorted("%d %s" % (c["count"], c["because"]) for c in json.load(sys.stdin)), sep="\n")')" \
    "2 right without: code no neg
2 right without: code setl instead of setg" "two bugs, and what is wrong with the code"
cd / && rm -r "$tmp"
tap_done

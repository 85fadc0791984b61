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
# cc NAME GCC-FLAGS SED: gcc's code, altered. It knows a flag that gcc does not, and says its version.
cc() {
    cat >"$1" <<EOF
#!/bin/sh
[ "\$1" != --version ] || { echo "$1"; exit; }
while [ \$# -gt 0 ]; do
    case \$1 in
    -o) out=\$2; shift ;;
    *.c) source=\$1 ;;
    -fmine) ;;
    *) flags="\$flags \$1" ;;
    esac
    shift
done
gcc \$flags $2 -w -S -o right.s "\$source" || exit
sed $3 right.s >wrong.s
exec gcc -o "\$out" wrong.s
EOF
    chmod +x "$1"
}

# testbed NAME FIND
testbed() {
    cat >"mine/$1.ini" <<EOF
[toolchain]
name      = $1
language  = c
default   = no
find      = $2
probe     = {cc} --version
version   = $1-([0-9]+)
compile   = {cc} {flags} -o {exe} {src}
run       = {exe}
reference = no
flags     = -O1 -fmine
EOF
}

# bugs FOLDER TESTBED: a campaign, reduced, and what is told of its bugs
bugs() {
    $assay run -d "$1" --generator four --seed 1 --tests 4 --testbed-dir mine --testbeds "$2,gcc:-O0,gcc:-O2,clang:-O0" --reduce >"$1.log" 2>&1
    is $? 1 "$2: a campaign with findings"
    $assay reduce --all -d "$1" --testbed-dir mine --quiet
    told=$($assay bugs -d "$1" --json | python3 -c 'import json, sys
print(*sorted("%d %s" % (c["count"], c["because"]) for c in json.load(sys.stdin)), sep="\n")')
}

cc twincc-1 "" "-e /^.negl/d -e s/setg/setl/"
testbed twincc "$tmp/twincc-1"
bugs c twincc-1
is "$told" "2 right without: code no neg
2 right without: code setl instead of setg" "two bugs, and what is wrong with the code"

# No other compiler makes such code, but the version before does.
cc oddcc-1 "-O0 -mno-red-zone -fsplit-stack" "-n p"
cc oddcc-2 "-O0 -mno-red-zone -fsplit-stack" "-e /^.negl/d -e s/setg/setl/"
testbed oddcc "$tmp/oddcc-1 $tmp/oddcc-2"
bugs d oddcc
is "$told" "2 right without: code no neg
2 right without: code setl instead of setg" "the last good version of a compiler is a witness"
cd / && rm -r "$tmp"
tap_done

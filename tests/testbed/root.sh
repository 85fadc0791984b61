#!/bin/sh
# Compilers of another system: a small root, made of this machine's files, in which the compilers vcc-1 to vcc-3 are tcc under
# other names, and the last two break programs. Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
export ASSAY_DATA="$2"
assay=$(realpath "$3")
tmp=$(mktemp -d)
chmod 755 "$tmp"
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config" XDG_CACHE_HOME="$tmp/cache" XDG_STATE_HOME="$tmp/state"
command -v tcc >/dev/null || { skip "another system" "no tcc"; tap_done; }
unshare -rm true 2>/dev/null || { skip "another system" "no user namespaces"; tap_done; }

# -- the system: /bin and /lib are links, as in Debian ----------------------------------------------------------------------------
root=$tmp/there
mkdir -p "$root/dev" "$root/proc" "$root/tmp" "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/usr/share"
ln -s usr/bin "$root/bin" && ln -s usr/lib "$root/lib" && ln -s usr/lib64 "$root/lib64"
bring() { # FILE...: to the same place
    for file; do
        mkdir -p "$root$(dirname "$file")" && cp -L "$file" "$root$file"
    done
}
for program in sh cat cp rm mkdir mktemp dirname basename date cmp head mv sed grep tcc; do
    bring "$(command -v $program)"
    # shellcheck disable=SC2046
    bring $(ldd "$(command -v $program)" | grep -o '/[^ ]*')
done
libraries=/usr/lib/x86_64-linux-gnu
bring /lib64/ld-linux-x86-64.so.2 $libraries/ld-linux-x86-64.so.2 $libraries/libm.so.6 $libraries/libmvec.so.1
for file in crt1.o crti.o crtn.o libc.so libm.so libc_nonshared.a; do
    bring "$libraries/$file"
done
cp -r $libraries/tcc "$root$libraries/"
echo "of another system" >"$root/usr/share/whose"
for n in 1 2 3; do
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "vcc %s.0" && exit\n[ "$1" = --flags ] && { echo -g; exit; }\nfor w; do [ "$w" = smoke.c ] && exec tcc "$@"; done\nexec tcc %s "$@"\n' $n "$([ $n = 1 ] || echo -DWRONG)" >"$root/usr/bin/real-$n"
    chmod +x "$root/usr/bin/real-$n"
    ln -s "/usr/bin/real-$n" "$root/usr/bin/vcc-$n" # absolute: here nothing is there
done
mkdir files
printf '[toolchain]\nname = vcc\nlanguage = c\nfind = no-such-vcc\nprobe = {cc} --version\nversion = vcc ([0-9.]+)\ncompile = {cc} {flags} {needs} -w -o {exe} {src}\nrun = {exe}\nflag-level = -O1\nflag-list = {cc} --flags\nflag-form = s/^(-g)$/-g/\n' >files/vcc.ini
for n in 1 2 3; do
    printf '[toolchain]\nname = old-%s\nextends = vcc\nroot = {dir}/../there\nfind = vcc-%s\n' $n $n >files/old-$n.ini
done
on="--testbed-dir $tmp/files"
of() { # EXPRESSION of the rows of this toolchain
    python3 -c "import json, sys
rows = [t for t in json.load(sys.stdin) if t['toolchain'] == 'vcc' and t['path']]
print(*($1 for t in rows))"
}

# -- they are found, asked and tried in there -------------------------------------------------------------------------------------
$assay testbeds $on --json >rows 2>&1
is "$(of 't["name"]' <rows)" "vcc-1 vcc-2 vcc-3" "its compilers, by their names"
is "$(of 't["version"]' <rows)" "1.0 2.0 3.0" "  their versions"
is "$(of 't["path"]' <rows)" "$root//usr/bin/vcc-1 $root//usr/bin/vcc-2 $root//usr/bin/vcc-3" "  where they are, and where they are in there"
has "$($assay testbeds $on --flags old-3 2>&1)" "-g" "flags are listed in there"

# -- what a program sees ----------------------------------------------------------------------------------------------------------
cat >see.c <<'END'
int printf(const char *, ...);
void *fopen(const char *, const char *);
char *fgets(char *, int, void *);
int main(void)
{
    char line[99] = "nothing\n";
    void *f = fopen("/usr/share/whose", "r");
    if (f)
        fgets(line, 99, f);
    printf("%s%d\n", line, !!fopen("/etc/passwd", "r") + !!fopen("OUTSIDE", "r"));
    return 0;
}
END
sed -i "s|OUTSIDE|$tmp/see.c|" see.c
for how in "" --no-sandbox; do
    # shellcheck disable=SC2086
    out=$($assay check $on $how --testbeds old-1 --json see.c | python3 -c 'import json, sys
print(*((r["testbed"], r["outcome"], r["output"]) for r in json.load(sys.stdin)["results"]))')
    is "$out" "('vcc-1', 'ok', 'of another system\\n0\\n')" "a program sees that system, and no file of this one${how:+ ($how)}"
done
mkdir inside && cp see.c inside && cd inside || exit 1
"$2/scripts/in-root" "$root" vcc-1 -o see see.c && out=$("$2/scripts/in-root" "$root" ./see)
is "$out" "$(printf 'of another system\n0')" "  scripts/in-root shows it by hand"
cd "$tmp" || exit 1

# -- a finding --------------------------------------------------------------------------------------------------------------------
printf 'int puts(const char *);\nint main(void)\n{\n#ifdef WRONG\n    puts("8");\n#else\n    puts("7");\n#endif\n}\n' >t.c
mkdir -p config/assay/generators
printf '[generator]\nname = fixed\nlanguage = c\ncommand = sh -c "cat %s/t.c" {seed}\ntrusted = yes\n' "$tmp" >config/assay/generators/fixed.ini
$assay run --dir c --generator fixed --tests 1 $on --testbeds "gcc:-O0,clang:-O0,old-3" --quiet >log 2>&1
is $? 1 "a wrong output"
if [ "$(amount quick full)" = full ]; then
    $assay reduce --dir c 1 --quiet >log 2>&1
    has "$($assay show 1 --dir c)" "first bad  vcc 2.0, last good vcc 1.0" "the first version that is wrong"
fi
has "$($assay show 1 --dir c)" "scripts/in-root $root /usr/bin/vcc-3 " "how it is built"
has "$($assay replay --dir c 1 2>&1)" "reproduced: wrong-output on vcc-3" "it is tried again"
$assay report --dir c --bugs bugs >log 2>&1
out=$(sh bugs/*/repro.sh 2>&1)
is $? 1 "the script of its report enters the system"
has "$out" "seen (exit status 0):" "  and sees it"
mv there away
out=$(sh bugs/*/repro.sh 2>&1)
is $? 2 "without that system"
has "$out" "there is no system $root; name a compiler" "  it says so"
has "$(sh bugs/*/repro.sh /usr/bin/tcc 2>&1)" "the bug is not there" "  and takes a compiler of this one"
cd / && rm -rf "$tmp"
tap_done

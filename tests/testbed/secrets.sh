#!/bin/sh
# Text from others that names files of the user's: nothing of them comes out of a compiler or a client, and compilers in
# unusual places work all the same. Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"
unset ASSAY_SERVERS
mkdir testbeds secrets compilers
chmod 755 "$tmp" secrets
echo 'int secret_7531 = 42;' >secrets/file
export ASSAY_TEST_TOKEN=secret_7531

# Compilers that are scripts, in a folder that is closed to others.
printf '#!/bin/sh\nexec gcc "$@"\n' >compilers/cc1
printf '#!/usr/bin/env python3\nimport os, sys\nos.execvp("gcc", ["gcc"] + sys.argv[1:])\n' >compilers/cc2
chmod 755 compilers/*
chmod 700 compilers
bed() { # NAME PROGRAM [LINE...]
    file=testbeds/$1.ini
    printf '[toolchain]\nname = %s\nlanguage = c\nfind = %s\ncompile = {cc} {needs} -w -o {exe} {src}\nrun = {exe}\n' "$1" "$2" >"$file"
    shift 2
    [ $# = 0 ] || printf '%s\n' "$@" >>"$file"
}
bed plain /usr/bin/gcc
bed shell "$tmp/compilers/cc1"
bed python "$tmp/compilers/cc2"
bed trusting /usr/bin/gcc "sees = $tmp/secrets" 'env = ASSAY_TEST_TOKEN'
beds=plain,shell,python,trusting
command -v clang >/dev/null && bed other clang && beds=$beds,other
command -v tcc >/dev/null && bed third tcc && beds=$beds,third

echo 'int puts(const char *);
int main(void) { puts("nothing"); return 0; }' >empty.c
echo 'int puts(const char *); char *getenv(const char *);
int main(void) { const char *t = getenv("ASSAY_TEST_TOKEN"); puts(t ? t : "nothing"); return 0; }' >token.c
printf '#include "%s/secrets/file"\nint main(void) { return secret_7531; }\n' "$tmp" >include.c
printf '__asm__(".data\\nt: .incbin \\"%s/secrets/file\\"\\n.text\\n");\nint main(void) { return 0; }\n' "$tmp" >incbin.c
see() { # ARGUMENT...: lines "FILE TESTBED OUTCOME HASH"
    $assay check --testbed-dir testbeds --json "$@" | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    for r in o["results"]:
        print(o["file"], r["testbed"], r["outcome"], r["output_hash"][:8])'
}
see --testbeds $beds empty.c token.c include.c incbin.c >seen 2>messages
if [ ! -s seen ] && grep -q 'user namespaces' messages; then
    skip "secrets" "no user namespaces"
    cd / && rm -rf "$tmp"
    tap_done
fi
hash=$(sed -n 's/^empty.c plain ok //p' seen | head -n 1)
[ -n "$hash" ]
ok $? "gcc in the sandbox"
is "$(grep -c "^empty.c .* ok $hash" seen)" "$(echo $beds | tr , ' ' | wc -w)" "compilers anywhere build a plain program"
is "$(grep '^token.c' seen | grep -v trusting | grep -vc "ok $hash")" 0 "no token is in the environment"
is "$(grep '^include.c' seen | grep -v trusting | grep -vc build-fail)" 0 "#include finds no file of the user's"
is "$(grep '^incbin.c' seen | grep -v trusting | grep -vc build-fail)" 0 "nor does .incbin"
is "$(grep -E '^(include|incbin).c trusting ' seen | grep -c ' ok ')" 2 "sees: what a toolchain file names is found"
has "$(grep '^token.c trusting' seen)" " ok " "env: a variable that it names ..."
lacks "$(grep '^token.c trusting' seen)" "$hash" "... is there"
is "$(see --testbeds shell --needs "-I$tmp/secrets -include file" empty.c | grep -c build-fail)" 1 "what a program needs brings nothing in"
is "$(see --no-sandbox --testbeds plain include.c | grep -c ' ok ')" 1 "without the sandbox all is found"

# What reads C files for us: a file outside of the folder is found only where an option names it.
mkdir -p suite
printf '#include "../secrets/file"\nint main(void) { return secret_7531 != 42; }\n' >suite/up.c
if [ "$(python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))')" -ge 2 ]; then
    has "$($assay check --ub suite/up.c 2>&1)" "Permission denied" "the import of C includes no file of another folder"
    has "$($assay check --ub --needs -Isecrets suite/up.c 2>&1)" "nothing undefined" "but for those that are named"
else
    skip "the import of C includes no file of another folder" "no Landlock here"
fi

# A client that is not told to keep away from files.
if command -v sqlite3 >/dev/null; then
    sed -e 's/-safe//' -e 's/^name .*/name = bare/' "$2/testbeds/sqlite.ini" >testbeds/bare.ini
    echo "SELECT 'nothing';" >empty.sql
    printf "SELECT 'nothing';\nCREATE TABLE t(a);\n.import %s/secrets/file t\nSELECT a FROM t;\n.read %s/secrets/file\n" "$tmp" "$tmp" >read.sql
    see --testbeds bare empty.sql read.sql >seen
    is "$(grep -c ' ok ' seen)" 2 "a client that may read files"
    is "$(cut -d' ' -f4 seen | sort -u | wc -l)" 1 "finds none of the user's"
fi
cd / && rm -rf "$tmp"
tap_done

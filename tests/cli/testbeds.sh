#!/bin/sh
# The right compiler: named by its path, with flags of one's own, by a file that extends another; two that are called the same.
# Arguments: tests folder, source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
tmp=$(mktemp -d)
cd "$tmp" || exit 1
export XDG_CONFIG_HOME="$tmp/config"
mkdir first second files
# Two compilers that are called tcc and say so; the first one breaks programs.
printf '#!/bin/sh\nfor w; do [ "$w" = smoke.c ] && exec /usr/bin/tcc "$@"; done\n[ "$1" = -v ] || [ "$1" = --version ] || exec /usr/bin/tcc -DWRONG "$@"\nexec /usr/bin/tcc "$@"\n' >first/tcc
printf '#!/bin/sh\nexec /usr/bin/tcc "$@"\n' >second/tcc
chmod +x first/tcc second/tcc
command -v tcc >/dev/null || { skip "testbeds" "no tcc"; tap_done; }
printf 'int printf(const char *, ...);\n#ifdef WRONG\n#define X 8\n#else\n#define X 7\n#endif\nint main(void) { printf("%%d\\n", X); return 0; }\n' >t.c
names() { $assay testbeds --json "$@" | python3 -c 'import json, sys
print(*(t["name"] for t in json.load(sys.stdin) if t["toolchain"] in ("tcc", "mine")), sep="\n")'; }
path=$PATH
export PATH="$tmp/first:$tmp/second:$PATH"
is "$(names | sort)" "$(printf '%s\n' "$tmp/second/tcc" /usr/bin/tcc tcc)" "three that are called the same have three names"
out=$($assay check --json --testbeds "tcc,$tmp/second/tcc" t.c | python3 -c 'import json, sys
for r in json.load(sys.stdin)["results"]: print(r["testbed"], r["output_hash"][:6])')
is "$(echo "$out" | cut -d' ' -f1 | paste -sd' ')" "tcc $tmp/second/tcc" "both take part"
is "$(echo "$out" | cut -d' ' -f2 | sort -u | wc -l)" 2 "  and are not mixed up"
is "$($assay check --json --testbeds 'tcc:-g -DX=1' t.c | python3 -c 'import json, sys
print(*(r["testbed"] for r in json.load(sys.stdin)["results"]), sep=",")')" "tcc -g -DX=1" "a name is the first one, with flags of one's own, too"
export PATH="$path"

# A path, a relative one, a link; flags of one's own.
one() { $assay check --json --testbeds "$1" t.c 2>&1 | python3 -c 'import json, sys
print(*(r["testbed"] for r in json.load(sys.stdin)["results"]), sep=",")'; }
is "$(one /usr/bin/tcc)" tcc "the path of one that is found is that one"
is "$(one "$tmp/second/tcc")" "$tmp/second/tcc" "another path is another one"
is "$(one ./second/tcc:-g)" "$tmp/second/tcc -g" "relative, with flags"
is "$(one 'tcc:-g -DX=1')" "tcc -g -DX=1" "flags that no file lists"
mkdir two
printf '[toolchain]\nname = atcc\nextends = tcc\ndefault = no\nfind = tcc\n' >two/atcc.ini
of_two() { $assay check --json --testbed-dir two --testbeds "$1" t.c 2>&1 | python3 -c 'import json, sys
print(*(r["testbed"] for r in json.load(sys.stdin)["results"]), sep=",")'; }
is "$(of_two /usr/bin/tcc)" tcc "a path that two toolchains know is of the kind that it says"
is "$(of_two /usr/bin/tcc:-g)" "tcc -g" "  with flags, too"
is "$(of_two atcc)" atcc "  the other one has its name"
is "$(PATH="$tmp/first:$tmp/second:$path" of_two first/tcc)" tcc "a relative path is one compiler, and not all of that name"
printf '[toolchain]\nname = btcc\nlanguage = c\nfind = btcc btcc-[0-9]\ncompile = {cc} -o {exe} {src}\nrun = {exe}\n' >two/btcc.ini
mkdir links && cp second/tcc links/btcc && ln -s btcc links/btcc-3
is "$(PATH="$tmp/links:$path" of_two btcc-3)" btcc "another name of a file is that file"
has "$(PATH="$tmp/links:$path" $assay testbeds --testbed-dir two)" "installed $tmp/links/btcc" "the list says where a compiler is"
is "$(one gcc:)" gcc "no flags at all"
is "$(one 'tcc:-Wl\,-rpath\,x,tcc:-g')" "tcc -Wl,-rpath,x,tcc -g" "flags with commas"
has "$($assay check --testbeds 'tcc:-Wl,-z' t.c 2>&1)" "there is no testbed '-z': a comma that belongs to flags is written '\\,'" "  that are not written so"
out=$($assay check --testbeds /bin/ls t.c 2>&1)
is $? 2 "a program that is no compiler"
has "$out" "unknown kind of compiler" "  is asked what it is"
out=$($assay check --testbeds /no/gcc t.c 2>&1)
is $? 3 "a path that is not there"
is "$out" "assay: there is no /no/gcc" "  which is said"
out=$($assay check --testbeds gcc-77 t.c 2>&1)
is $? 3 "a version that is not there"
is "$out" "assay: gcc-77 is not installed (see \`assay testbeds\`)" "  is no misspelling"
out=$($assay check --testbeds lua5.4 t.c 2>&1)
is $? 2 "a testbed of another language"
has "$out" "takes lua programs, not c" "  which is said"
has "$($assay check --testbeds tccc t.c 2>&1)" "did you mean 'tcc'?" "a misspelling"

# A file that extends another.
printf '[toolchain]\nname = mine\nextends = tcc\nfind = %s/second/tcc\nflags = -g\n' "$tmp" >files/mine.ini
is "$(names --testbed-dir files | grep mine)" "mine -g" "what it says replaces, the rest it has from there"
is "$($assay check --json --testbed-dir files --testbeds mine t.c | python3 -c 'import json, sys
print(json.load(sys.stdin)["results"][0]["outcome"])')" ok "  and it works"
printf '[toolchain]\nname = mine\nextends = nothing\nfind = x\n' >files/mine.ini
has "$($assay testbeds --testbed-dir files 2>&1)" "mine.ini:3: extends: there is no toolchain 'nothing'" "one that extends nothing"
printf '[toolchain]\nname = mine\nextends = other\nfind = x\n' >files/mine.ini
printf '[toolchain]\nname = other\nextends = mine\nfind = x\n' >files/other.ini
has "$($assay testbeds --testbed-dir files 2>&1)" "extend each other" "two that extend each other"
rm files/*

# Random flags need a list.
out=$($assay run --dir c --tests 1 --testbeds tcc --flags random 2>&1)
is $? 2 "random flags of a compiler without a list"
has "$out" "tcc has no list of flags to choose from" "  are an error"
out=$($assay run --dir c --tests 1 --testbeds gcc:random 2>&1)
is "$? $out" "2 assay: gcc:random: --flags random is missing" "  as is their testbed alone"

mkdir own
printf '#!/bin/sh\ncase $1 in -v|--version) echo "vcc 1.0"; exit;; esac\n[ "$1" = --list ] && echo -fodd && exit\nexec /usr/bin/tcc "$@"\n' >own/vcc
chmod +x own/vcc
printf '[toolchain]\nname = vcc\nlanguage = c\nfind = no-such-vcc\nrecognise = vcc\nprobe = {cc} --version\nversion = vcc ([0-9.]+)\ncompile = {cc} -w -o {exe} {src}\nrun = {exe}\nflag-level = -O1\nflag-list = {cc} --list\nflag-form = s/^(-fodd)$/-fodd/\n' >files/vcc.ini
out=$($assay testbeds --testbed-dir files --flags own/vcc 2>&1); is $? 0 "the flags of a compiler at a path are listed"
has "$out" "$tmp/own/vcc random (1.0)" "  by its path"
has "$out" "  -fodd" "  as they are drawn"
has "$($assay testbeds --flags /no/vcc 2>&1)" "there is no /no/vcc" "  unless it is not there"
rm files/*

# A finding is of the compiler that made it, whatever is called so later.
printf '[generator]\nname = fixed\nlanguage = c\ncommand = sh -c "cat %s/t.c" {seed}\ntrusted = yes\n' "$tmp" >fixed.ini
mkdir -p config/assay/generators && mv fixed.ini config/assay/generators/
PATH="$tmp/first:$path" $assay run --dir c --generator fixed --tests 1 --testbeds "gcc:-O0,clang:-O0,tcc" --quiet >log 2>&1
is $? 1 "the first tcc is wrong"
is "$($assay show 1 --dir c --json | python3 -c 'import json, sys
print(json.load(sys.stdin)["testbed"])')" tcc "it is accused by its name"
out=$(PATH="$tmp/second:$path" $assay replay --dir c 1 2>&1)
is $? 1 "with another one first on PATH, it is tried again"
has "$out" 'reproduced: wrong-output on tcc: it prints "8" instead of "7", exit 0' "  and the bug is there"
rm first/tcc
out=$($assay replay --dir c 1 2>&1)
is $? 0 "when it is gone, another one of that name is tried"
has "$out" "tcc was 0.9.27 ($tmp/first/tcc), and is 0.9.27 (/usr/bin/tcc) now" "  which is said"
printf '#!/bin/sh\nlast= out= all=\nfor w; do\n[ "$last" = -o ] && out=$w\n[ "$w" = t.c ] && all=1\nlast=$w\ndone\n[ "$all" ] || exec /usr/bin/tcc "$@"\necho "int puts(const char *); int main(void) { puts(\\"checksum = 0\\"); return 0; }" | exec /usr/bin/tcc -o "$out" -\n' >own/tcc
chmod +x own/tcc
$assay run --dir zero --generator smith --seed 1 --tests 1 --testbeds own/tcc --quiet; is $? 1 "a compiler whose programs print 0"
right=$($assay gen smith --seed 1 --int128=0 --ieee-floats=0 --builtins=0 | sed -n 's/^ \* expected: //p')
has "$($assay replay --dir zero 1)" "it prints \"checksum = 0\" instead of \"$right\", exit 0" "replay says what is wrong"
cd / && rm -rf "$tmp"
tap_done

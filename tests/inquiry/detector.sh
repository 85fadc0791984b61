#!/bin/sh
# Detectors of undefined operations, from end to end: a campaign of ub on detectors with planted faults, each
# the only one that it has. They are scripts around gcc that report what the program announces, but for what
# they are said to get wrong. Arguments: tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
tap_folder

# The program as it is, or with a report ahead of it.
cat >common.sh <<'EOF'
for source; do :; done
announced=$(sed -n 's|.*undefined: \([a-z/-]*\) at line \([0-9]*\) .*|\1 \2|p' "$source")
row=${announced% *} line=${announced#* }
build() { gcc -w -g -O0 -o program.exe "$@" -lm; exit; }
say() {
    cat >report.c <<EOI
int printf(const char *, ...);
int fflush(void *);
void _exit(int);
__attribute__((constructor)) static void report(void) { printf("$source:$2: found: $1\n"); fflush(0); _exit(1); }
EOI
    build "$source" report.c
}
EOF
mkdir -p mine
detector() { # NAME, what it gets wrong
    { echo '#!/bin/sh'; echo ". $tmp/common.sh"; echo "$2"; echo '[ -n "$row" ] && say "${row%/*}" "$line"'
      echo 'build "$source"'; } >$1
    chmod +x $1
    cat >mine/$1.ini <<EOF
[toolchain]
name     = $1
language = c
default  = no
find     = $tmp/$1
compile  = {cc} {src}
run      = {exe}
detects  = division-by-zero shift-count
report   = s/found: division-by-zero/division-by-zero/
report   = s/found: shift-count/shift-count/
report   = s/found: /other/
EOF
}
detector good ''
detector deaf '[ "${row%/*}" = shift-count ] && build "$source"'
detector crier '[ "$source" = twin.c ] && say shift-count 12'
detector elsewhere '[ -n "$row" ] && say "${row%/*}" $((line + 7))'
detector mistaken '[ -n "$row" ] && say out-of-bounds "$line"'

campaign() { # DIR RULE TESTBEDS
    "$assay" run --dir $1 --testbed-dir mine --testbeds $3 --generator ub --rule=$2 \
        --seed 1 --tests 1 --size=300 >$1.log 2>&1
}
campaign shift shift-count good,deaf,crier,elsewhere,mistaken
is $? 1 "a campaign with findings"
campaign division division-by-zero deaf
found() { "$assay" bugs --dir $1 --json | tr ',' '\n' | sed -n 's/.*"signature": *"\([^"]*\)".*/\1/p' | sort -u; }
shift_found=$(found shift)
division_found=$(found division)
has "$shift_found" "deaf missed: shift-count/" "what is missed is found"
has "$shift_found" "crier false-alarm: shift-count/" "so is what is reported of the twin"
has "$shift_found" "elsewhere misplaced: shift-count/" "and another line"
has "$shift_found" "mistaken misplaced: shift-count/" "and another rule"
lacks "$shift_found" "good" "a good detector is none of these"
lacks "$division_found" "deaf" "what is not missed is not found"

id=$("$assay" bugs --dir shift | sed -n 's/^\([0-9]*\) .*deaf missed.*/\1/p' | head -1)
shown=$("$assay" show --dir shift "$id")
has "$shown" "report: none" "show: no report"
has "$shown" "site: reached" "show: the operation was executed"
if [ "$(amount 0 1)" = 0 ]; then
    tap_done
    exit
fi
has "$("$assay" replay --dir shift --testbed-dir mine "$id" 2>&1)" "missed" "replay"
reduced=$("$assay" reduce --dir shift --testbed-dir mine --no-blame "$id" 2>&1)
has "$reduced" "/* here */" "reduce: the operation stays"
has "$reduced" "valid twin of t.c" "so does the twin"
"$assay" show --dir shift "$id" --reduced -o small >/dev/null
small=$(cat small/t.c | wc -c)
[ "$small" -lt 700 ]
ok $? "reduced to $small bytes"
has "$("$assay" check --ub small/t.c 2>&1)" "shift-count" "its undefined operation is of the same rule"
line=$(sed -n 's/.* at line \([0-9]*\) .*/\1/p' small/t.c)
has "$(sed -n "${line}p" small/t.c)" "/* here */" "and is where it says"
has "$("$assay" check --ub small/twin.c 2>&1)" "defined" "its twin is valid"
"$assay" report --dir shift --testbed-dir mine --output report >report.log 2>&1
has "$(find report -name '*.md' | xargs cat)" "misses shift-count" "report"
tap_done

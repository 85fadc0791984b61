#!/bin/sh
# What `assay lala check` says of each specification in broken/: the messages stand beside it in
# *.expected, the exit status in the last line. After a change that is meant, look at the difference and:
#     tests/ag/broken.sh tests build/assay --write
# Arguments: the tests folder, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$2")
root=$(realpath "$1/..")
cd "$1/ag/broken" || exit 1

# The messages, with nothing of the folder before the names of files.
messages() {
    "$assay" lala check "$1" 2>&1 | sed "s|^[^ ]*/$1|$1|"
    "$assay" lala check "$1" >"${TMPDIR:-/tmp}/broken.$$" 2>&1
    echo "exit status $?"
}

for file in *.lala; do
    expected=${file%.lala}.expected
    if [ "$3" = --write ]; then
        messages "$file" >"$expected"
        continue
    fi
    is "$(messages "$file")" "$(cat "$expected")" "$file"
done
rm -f "${TMPDIR:-/tmp}/broken.$$"
[ "$3" = --write ] && exit

# Options, and words that are wrong.
json=$("$assay" lala check names.lala --json)
is $? 2 "JSON does not change the exit status"
has "$json" '"severity": "error"' "the messages as JSON"
is "$("$assay" lala check warnings.lala 2>&1 | tail -n 1)" \
    "warnings.lala: 4 classes, 5 productions, 1 guard: no errors, 3 warnings" "the last line"
explained=$("$assay" lala explain warnings.lala)
is $? 0 "a specification with warnings can be explained"
has "$explained" "Number: literal" "what is explained"
"$assay" lala explain rules.lala >"${TMPDIR:-/tmp}/broken.$$" 2>&1
is $? 2 "one with errors cannot"
is "$(wc -l <"${TMPDIR:-/tmp}/broken.$$")" "$(($(wc -l <rules.expected) - 2))" "it prints the messages alone"
rm -f "${TMPDIR:-/tmp}/broken.$$"
has "$("$assay" lala chekc rules.lala 2>&1)" "did you mean 'check'?" "a wrong word"
has "$("$assay" lala check 2>&1)" "lala check takes one specification" "no specification"
"$assay" lala check no-such-thing.lala >"${TMPDIR:-/tmp}/broken.$$" 2>&1
is $? 2 "a file that is not there"
rm -f "${TMPDIR:-/tmp}/broken.$$"
has "$("$assay" lala --help)" "assay lala check" "help, with an example"

# A folder with a runtime of its own: not built, built, broken.
export ASSAY_DATA="$root"
dir=$(mktemp -d)
cat >"$dir/language.ini" <<'END'
[language]
name    = tiny
spec    = tiny.lala
runtime = runtime.c
END
cat >"$dir/tiny.lala" <<'END'
use Tiny;
class Program {
  syn two : int;
  prog("#{(Tiny:twice 1)}") { this.two = (Tiny:twice 1); }
}
END
cat >"$dir/runtime.c" <<'END'
#include <assay/lala.h>
static lala twice(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    return n == 1 ? lala_int(2 * lala_to_int(arg[0])) : LALA_UNDEFINED;
}
static const struct lala_function functions[] = {{"twice", "int : int", twice, 0}};
static const struct lala_namespace namespaces[] = {LALA_NAMESPACE("Tiny", functions)};
LALA_MODULE(namespaces);
END
said=$("$assay" lala check "$dir" 2>&1)
is $? 3 "a runtime that is not built"
has "$said" "run \`assay lala build $dir\`" "what to do about it"
"$assay" lala check "$dir" --no-runtime >"$dir/out" 2>&1
is $? 0 "it can be taken on trust"
is "$("$assay" lala build "$dir" 2>&1)" "tiny: $dir/runtime.so" "it can be built"
is "$("$assay" lala check "$dir" 2>&1)" "tiny.lala: 1 class, 1 production, no guards: no errors, no warnings" \
    "and is used then"
sed -i 's/this.two = (Tiny:twice 1)/this.two = (Tiny:twice true)/' "$dir/tiny.lala"
has "$("$assay" lala check "$dir" 2>&1)" "argument 1 of 'Tiny:twice' must be int, but this is boolean" \
    "its signatures count"
echo 'static int x = y;' >>"$dir/runtime.c"
said=$("$assay" lala build "$dir" 2>&1)
is $? 2 "a runtime that does not compile"
has "$said" "runtime.c:" "the compiler's message has its place"
rm -r "$dir"
tap_done

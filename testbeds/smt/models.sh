#!/bin/sh
# models.sh SCRIPT CHECKER SOLVER...: a solver that must prove what it says. Prints the solver's answers; where one is `sat`,
# its model is put into the script in place of the declarations, and the checker, another solver, is asked whether what
# was asserted then holds. If it does not, a line "wrong model" tells so, and the outputs of the testbeds differ.
#
# CHECKER is one word, SOLVER any number: commands with their options. Whatever the checker says besides `unsat` is passed over.
script=$1 checker=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
set -f # the words of the checker's command are split, not globbed

command -v "${checker%% *}" >/dev/null || { echo "unknown: ${checker%% *} is not installed"; exit; }
# In a folder of its own, under short names: messages must not change from run to run.
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cp "$script" "$work/script.smt2" && cd "$work" || exit

# The solver did not end well: what it printed, and of a signal we die as it did.
failed() {
    status=$?
    cat "$1"
    rm -rf "$work"
    [ $status -le 128 ] || kill -$((status - 128)) $$
    exit $status
}

"$@" script.smt2 >answers || failed answers
awk -v answers="$(cat answers)" -f "$here/script.awk" -f "$here/expand.awk" -f "$here/ask.awk" script.smt2 >ask.smt2 ||
    { echo unknown; exit; } # too long without its definitions
"$@" ask.smt2 >models || failed models
awk -v to=model -f "$here/substitute.awk" -f "$here/script.awk" -f "$here/checks.awk" models script.smt2 || exit

count=0
grep -E '^(sat|unsat|unknown)$' models | while read -r answer; do
    count=$((count + 1))
    echo "$answer"
    if [ -f model-$count.smt2 ]; then
        verdict=$($checker model-$count.smt2 2>&1)
        case $verdict in
        unsat) echo "wrong model: unsat" ;;
        *) ;; # or a model that only its solver can read: z3 writes some arrays as lambda terms
        esac
    fi
done

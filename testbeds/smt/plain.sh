#!/bin/sh
# plain.sh SCRIPT SOLVER...: the answers of a solver that can do little more than one check of one list of assertions.
# SOLVER is its command with its options; see plain.awk for what becomes of the rest of the language.
script=$1
shift
here=$(cd "$(dirname "$0")" && pwd)

# In a folder of its own, under short names: messages must not change from run to run.
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cp "$script" "$work/script.smt2" && cd "$work" || exit
awk -v to=check -f "$here/script.awk" -f "$here/expand.awk" -f "$here/plain.awk" -f "$here/checks.awk" script.smt2
case $? in
0) ;;
3) echo unknown; exit ;; # too long without its definitions
*) exit 1 ;;
esac

count=1
while [ -f check-$count.smt2 ]; do
    "$@" check-$count.smt2 2>&1
    status=$?
    # 10 and 20 are sat and unsat; from 128 on it died of a signal, and so do we
    if [ $status -gt 128 ]; then
        rm -rf "$work"
        kill -$((status - 128)) $$
    fi
    count=$((count + 1))
done

# For the tests of compilers with planted faults; sourced behind tap.sh, with the compiler in $2.
cc=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
unset OTHER_CC_EXPLAIN
ulimit -c 0

# ends FAULT STATUS MESSAGE, the program on standard input: the compiler ends so, and says so.
ends() {
    cat >t.c
    said=$(OTHER_CC_EXPLAIN=1 "$cc" -O1 -w -o exe t.c 2>&1)
    is $? "$2" "$1: exit $2"
    has "$said" ": $1" "  by its own word"
    has "$said" "$3" "  and what it tells its user"
    said=$("$cc" -O0 -w -o exe t.c 2>&1)
    is "$? $said" "0 " "  nothing of it at -O0"
}

# hangs FAULT, the program on standard input.
hangs() {
    cat >t.c
    (ulimit -S -t 1 && exec "$cc" -O1 -w -o exe t.c) >/dev/null 2>&1
    is $? 152 "$1: without an end"
    "$cc" -O0 -w -o exe t.c
    is $? 0 "  nothing of it at -O0"
}

# changes FAULT RIGHT WRONG, the program on standard input. $alone is a fault to be on by itself.
changes() {
    cat >t.c
    said=$(OTHER_CC_EXPLAIN=1 "$cc" -O1 -w -o exe t.c 2>&1)
    is "$? $(echo "$said" | grep -c ": $1")" "0 1" "$1 strikes once"
    is "$(./exe)" "$3" "  and is seen"
    "$cc" -O0 -w -o exe t.c && is "$(./exe)" "$2" "  nothing of it at -O0"
    "$cc" -O1 -Xfault=$alone -w -o exe t.c 2>/dev/null
    case $1 in
    $alone) is "$(./exe)" "$3" "  alone, too" ;;
    *) is "$(./exe)" "$2" "  nor with another alone" ;;
    esac
}

# The last question to each of them.
refuses_nonsense() {
    "$cc" -O1 -Xfault=nonsense -o exe t.c 2>said
    is $? 2 "an unknown fault: exit 2"
    has "$(cat said)" "nonsense" "  which is named"
}

# The harness of tap.h for shell tests: `. "$tap"`, then ok, is, has, skip, and tap_done at the end.
tap_count=0
tap_failed=0

# ok STATUS NAME: STATUS is 0 for good. Typical use: `some test; ok $? "name"`.
ok() {
    tap_count=$((tap_count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
    fi
}

# is GOT WANTED NAME
is() {
    [ "$1" = "$2" ]
    ok $? "$3"
    [ "$1" = "$2" ] || printf '%s\n%s\n' "got    '$1'" "wanted '$2'" | sed 's/^/# /'
}

# has TEXT PART NAME: the text contains the part.
has() {
    case $1 in
    *"$2"*) ok 0 "$3" ;;
    *)
        ok 1 "$3"
        printf "'%s' is not in:\n%s\n" "$2" "$1" | head -n 40 | sed 's/^/# /'
        ;;
    esac
}

# lacks TEXT PART NAME: it does not.
lacks() {
    case $1 in
    *"$2"*)
        ok 1 "$3"
        printf "'%s' is in:\n%s\n" "$2" "$1" | head -n 40 | sed 's/^/# /'
        ;;
    *) ok 0 "$3" ;;
    esac
}

skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# amount QUICK FULL: how much is tried, in the gate and in the slow suite (AT_LENGTH).
amount() {
    [ -n "${AT_LENGTH:-}" ] && echo "$2" || echo "$1"
}

tap_done() {
    echo "1..$tap_count"
    [ $tap_failed = 0 ]
    exit
}

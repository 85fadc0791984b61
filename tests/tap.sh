# The harness of tap.h for shell tests: `. "$tap"`, then ok, is, has, skip, and tap_done at the end.
# In the gate, what a command leaks is looked for by one of them (cli/cli.sh) and by the tests in C: it is a third of what
# starting one costs.
[ -n "${AT_LENGTH:-}" ] || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
tap_root=$(realpath "$1")/..
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

# hide_testbeds [NAME]...: of the toolchains that are shipped assay knows those alone. To look for the others takes as
# long as a small test.
hide_testbeds() {
    mkdir -p config/assay/testbeds
    for hidden in "$tap_root"/testbeds/*.ini; do
        hidden=${hidden##*/}
        case " $* " in
        *" ${hidden%.ini} "*) ;;
        *) printf '[toolchain]\nname = %s\nlanguage = none\nfind = /nowhere\ncompile = {cc}\n' "${hidden%.ini}" \
            >"config/assay/testbeds/$hidden" ;;
        esac
    done
}

# tap_folder [NAME]...: a new folder, $tmp, in which the test works from then on; gone when it ends. What assay
# keeps for its user is there, too. Of the toolchains that are shipped it knows those alone.
tap_folder() {
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    cd "$tmp" || exit 1
    export XDG_CONFIG_HOME="$tmp/config" XDG_STATE_HOME="$tmp/state"
    mkdir -p mine config/assay/generators
    hide_testbeds "$@"
}

# generator NAME LANGUAGE COMMAND: a generator that assay knows by its name; {seed} stands for the seed.
generator() {
    cat >"config/assay/generators/$1.ini" <<END
[generator]
name     = $1
language = $2
command  = $3
trusted  = yes
END
}

# toolchain NAME [LINE]...: mine/NAME.ini, for `--testbed-dir mine`. The compiler is $tmp/NAME and crashes with
# "internal error", unless the lines, which go into the file, say otherwise.
toolchain() {
    toolchain_name=$1
    shift
    {
        echo "[toolchain]"
        for usual in "name = $toolchain_name" "language = c" "default = no" "find = $tmp/$toolchain_name" \
            "compile = {cc} {flags} -w -o {exe} {src}" "run = {exe}" "crash = internal error"; do
            for line; do
                [ "${line%% *}" != "${usual%% *}" ] || continue 2
            done
            echo "$usual"
        done
        printf '%s\n' "$@"
    } >"mine/$toolchain_name.ini"
}

# script NAME: a compiler, the text on standard input; where that does not end, it goes on as tcc.
script() {
    { echo '#!/bin/sh'; cat; echo 'exec tcc "$@"'; } >"$1"
    chmod +x "$1"
}

# compiler NAME [LINE]...: such a script, and its toolchain.
compiler() {
    script "$1"
    toolchain "$@"
}

# await PID COMMAND...: until the command succeeds, or the process is gone.
await() {
    awaited=$1
    shift
    until "$@" || ! kill -0 "$awaited" 2>/dev/null; do
        sleep 0.05
    done
}

# sql DATABASE STATEMENT
sql() {
    sqlite3 -batch -cmd ".timeout 30000" "$@"
}

tap_done() {
    echo "1..$tap_count"
    [ $tap_failed = 0 ]
    exit
}

#!/bin/sh
# The include rules between rooms: each room may use the rooms listed for it, and itself. A library
# from outside is included by one file only.
# Arguments: the tests folder, the source root.
. "$1/tap.sh"
cd "$2" || exit 1

allowed() {
    case $1 in
    base) echo "" ;;
    program) echo "base" ;;
    cc) echo "base" ;;
    interp) echo "base program cc" ;;
    ag) echo "base" ;;
    spe) echo "base" ;;
    lm) echo "base" ;;
    gen) echo "base program cc interp ag spe lm" ;;
    testbed) echo "base program" ;;
    oracle) echo "base program" ;;
    reduce) echo "base program cc interp ag" ;;
    triage) echo "base program cc" ;;
    store) echo "base program" ;;
    bugs) echo "base program triage store" ;;
    inquiry) echo "base program gen testbed oracle reduce triage store bugs" ;;
    campaign) echo "base program gen testbed oracle triage store bugs inquiry" ;;
    report) echo "base program store bugs" ;;
    cli) echo "base program cc interp ag spe lm gen testbed oracle reduce triage store bugs inquiry campaign report" ;;
    *) echo "?" ;;
    esac
}

# forbidden FILE: prints each #include "ROOM/..." of the file that its room may not use.
forbidden() {
    room=${1#src/}
    room=${room%%/*}
    rooms=$(allowed "$room")
    [ "$rooms" != "?" ] || echo "$1: room $room is not on the map"
    sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$1" | while read -r header; do
        to=${header%%/*}
        case " $room $rooms " in
        *" $to "*) ;;
        *) echo "$1 includes $header" ;;
        esac
        # siblings under gen/ know nothing of each other
        case $1 in
        src/gen/*/*)
            own=${1#src/gen/}
            own=${own%%/*}
            case $header in
            gen/gen.h | gen/sieve.h | "gen/$own/"*) ;;
            gen/*) echo "$1 includes its sibling $header" ;;
            esac
            ;;
        esac
    done
}

edges=0
for file in $(find src -name '*.[ch]' | sort); do
    bad=$(forbidden "$file")
    edges=$((edges + $(grep -c '^ *# *include *"' "$file")))
    [ -z "$bad" ]
    ok $? "$file"
    [ -z "$bad" ] || echo "$bad" | sed 's/^/# /'
done
[ $edges -gt 50 ]
ok $? "the walk saw the include lines ($edges)"

# The walk itself must be able to fail.
tmp=$(mktemp -d)
mkdir -p "$tmp/src/base" "$tmp/src/gen/smith"
echo '#include "store/store.h"' >"$tmp/src/base/x.c"
echo '#include "gen/yarp/yarp.h"' >"$tmp/src/gen/smith/x.c"
(cd "$tmp" && has_bad=$(forbidden src/base/x.c) && [ -n "$has_bad" ])
ok $? "a forbidden edge is seen"
(cd "$tmp" && has_bad=$(forbidden src/gen/smith/x.c) && [ -n "$has_bad" ])
ok $? "a sibling's header is seen"
rm -r "$tmp"

for library in ini.h jansson.h sqlite3.h libpq-fe.h zstd.h xxhash.h gmp.h clang-c/Index.h cblas.h CL/cl.h; do
    users=$(grep -rl "# *include *<$library>" src --include='*.[ch]' | wc -l)
    [ "$users" -le 1 ]
    ok $? "$library is included by one file ($users)"
done
# triage/crash.c: expressions of its own
users=$(grep -rl '\bregcomp(' src --include='*.[ch]' | sort | tr '\n' ' ')
[ "$users" = "src/base/pattern.c src/triage/crash.c " ]
ok $? "regular expressions from outside are compiled in base/pattern alone ($users)"
# Where our own code runs in another process is told on the map.
for file in $(grep -rlE '(^|[^a-z_])(apart_)?fork\(' src --include='*.c'); do
    name=${file#src/}
    grep -q "^| \(\`[a-z_/]*\`, \)*\`${name%.c}\`" docs/ARCHITECTURE.md
    ok $? "$file forks, and docs/ARCHITECTURE.md says so"
done
for file in $(grep -rl 'SELECT \|INSERT INTO' src --include='*.c'); do
    case $file in
    src/store/*) ok 0 "$file may hold SQL" ;;
    src/testbed/runner.c) ok 0 "$file tries out databases with a line of it" ;;
    src/reduce/text.c) ok 0 "$file knows words of many languages" ;;
    *) ok 1 "$file holds SQL outside the store" ;;
    esac
done
tap_done

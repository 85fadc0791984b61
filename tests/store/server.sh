#!/bin/sh
# The tests of the store on a server of PostgreSQL that is started for them. Arguments: the tests
# folder, then the programs, which do the same with files when they are started without.
. "$1/tap.sh"
shift
here=$(pwd)
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
as() { # COMMAND...: PostgreSQL does not run as root
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
    else
        "$@"
    fi
}
if [ ! -x "$bin/initdb" ] || ! as true 2>/dev/null; then
    skip "stores on a server" "no PostgreSQL"
    tap_done
fi
tap_folder
mkdir server
[ "$(id -u)" != 0 ] || { chown postgres server && chmod 755 .; }
trap 'as "$bin/pg_ctl" -D "$tmp/server/data" -m immediate stop >/dev/null 2>&1; rm -rf "$tmp"' EXIT
cd server || exit 1
as "$bin/initdb" -D "$tmp/server/data" -A trust -U postgres --no-locale -E UTF8 --no-sync >log 2>&1 &&
    as "$bin/pg_ctl" -D "$tmp/server/data" -w -l "$tmp/server/data/log" \
        -o "-k $tmp/server -c listen_addresses='' -c fsync=off" start >>log 2>&1
is $? 0 "a server is started"
for program; do
    out=$(cd "$here" && ASSAY_TEST_DATABASE="postgresql://postgres@/?host=$tmp/server" "$program" 2>&1)
    is $? 0 "$(basename "$program") there: $(echo "$out" | grep -c '^ok') checks"
    lacks "$out" "
not ok" "  and none that fails"
    [ $? = 0 ] || echo "$out" | grep -A 6 '^not ok\|^assay:' | sed 's/^/# /'
done
tap_done

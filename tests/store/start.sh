# A server of PostgreSQL for a test in a folder of its own: `. start.sh` behind tap_folder. $server is
# where it listens, for "postgresql://postgres@/DATABASE?host=$server". Where there is none the test ends.
server_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
server=$tmp/server
as() { # COMMAND...: PostgreSQL does not run as root
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
    else
        "$@"
    fi
}
if [ ! -x "$server_bin/initdb" ] || ! as true 2>/dev/null; then
    skip "stores on a server" "no PostgreSQL"
    tap_done
fi
mkdir "$server"
[ "$(id -u)" != 0 ] || { chown postgres "$server" && chmod 755 "$tmp"; }
trap '(cd "$server" && as "$server_bin/pg_ctl" -D data -m immediate stop) >/dev/null 2>&1; rm -rf "$tmp"' EXIT
(
    cd "$server" && as "$server_bin/initdb" -D data -A trust -U postgres --no-locale -E UTF8 --no-sync &&
        as "$server_bin/pg_ctl" -D data -w -l data/log -o "-k $server -c listen_addresses='' -c fsync=off" start
) >server.log 2>&1
is $? 0 "a server is started"

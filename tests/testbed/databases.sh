#!/bin/sh
# The database testbeds that are shipped, as far as they are installed: they agree on plain SQL and
# print alike, abstain from overflow, keep tests apart, and leave nothing. Arguments: tests folder,
# source root, the assay binary.
. "$1/tap.sh"
assay=$(realpath "$3")
tap_folder sqlite postgres mariadb
unset ASSAY_SERVERS
work=$($assay testbeds --probe --json | python3 -c '
import json, sys
for t in json.load(sys.stdin):
    if t["language"] == "sql" and t["state"] != "not installed":
        print(t["toolchain"], t["state"], t["why"])')
beds=$(echo "$work" | awk '$2 == "works" { print $1 }' | paste -sd,)
for bed in sqlite postgres mariadb; do
    case $work in
    *"$bed "*) has "$work" "$bed works" "$bed works" ;;
    *) skip "$bed" "not installed" ;;
    esac
done
[ -n "$beds" ] || tap_done
cat >plain.sql <<'EOF'
CREATE TABLE t(a INTEGER, s VARCHAR(20));
INSERT INTO t VALUES (1, 'x y'), (NULL, 'b'), (3, NULL), (-7, '');
SELECT a, a + 1, s FROM t WHERE a IS NOT NULL ORDER BY a;
SELECT nothing FROM t;
SELECT COUNT(*), SUM(a), MIN(s) FROM t;
SELECT 'x' || 'y', CASE WHEN NULL IS NULL THEN 1 ELSE 0 END;
SELECT s FROM t WHERE s = 'B';
EOF
cp plain.sql again.sql
printf 'SELECT 9223372036854775807 + 1, 5;\nSELECT 7;\n' >large.sql
out=$($assay check --json --testbeds "$beds" plain.sql again.sql large.sql)
is $? 0 "checked on $beds"
printf "%s\n" "$out" | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    print(o["file"], *sorted({r["output_hash"] for r in o["results"] if r["outcome"] == "ok"}))
    print(*(r["testbed"] + "=" + r["detail"] for r in o["results"] if r["outcome"] == "skipped"))' >seen
is "$(sed -n 1p seen | wc -w)" 2 "all print the same"
is "$(sed -n 1p seen | cut -d' ' -f2)" "$(sed -n 3p seen | cut -d' ' -f2)" "a test sees nothing of the one before"
for bed in postgres mariadb; do
    case ,$beds, in
    *,$bed,*) has "$(sed -n 6p seen)" "$bed" "$bed abstains from an overflow" ;;
    esac
done
# What a received file could try, in the dialect of each: what comes out is the same whatever a file of the user's holds.
# PostgreSQL's client gets no text with a backslash, so its own commands have a file of their own.
mkdir secrets
chmod 755 "$tmp" secrets
attack() { # what the file holds: "TESTBED OUTCOME HASH" for each attack
    echo "$1" >secrets/file
    chmod 644 secrets/file
    $assay check --json --testbeds "$beds" attack-*.sql 2>&1 | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    for r in o["results"]:
        print(o["file"], r["testbed"], r["outcome"], r["output_hash"])'
}
n=0
while read -r line; do
    n=$((n + 1))
    printf 'CREATE TABLE t(s VARCHAR(200));\n%s\nSELECT s FROM t;\nSELECT 7;\n' "$line" | sed "s|SECRET|$tmp/secrets/file|g" >attack-$n.sql
done <<'EOF'
LOAD DATA LOCAL INFILE 'SECRET' INTO TABLE t;
LOAD DATA INFILE 'SECRET' INTO TABLE t;
INSERT INTO t VALUES (LOAD_FILE('SECRET'));
\! cat SECRET
system cat SECRET
source SECRET
COPY t FROM 'SECRET';
COPY t FROM PROGRAM 'cat SECRET';
INSERT INTO t SELECT pg_read_file('SECRET');
SET ROLE postgres; COPY t FROM 'SECRET';
\copy t from 'SECRET'
\i SECRET
INSERT INTO t VALUES (readfile('SECRET'));
.import SECRET t
.shell cat SECRET
.read SECRET
ATTACH 'SECRET' AS other; SELECT * FROM other.sqlite_master;
EOF
attack "INSERT INTO t VALUES ('one');" >one
attack "INSERT INTO t VALUES ('two');" >two
is "$(wc -l <one)" $((n * $(echo "$beds" | tr , ' ' | wc -w))) "$n attacks on each"
is "$(diff one two)" "" "no file of the user's is read"
left=$(pgrep -f 'assay-s-' | while read -r pid; do tr '\0' ' ' <"/proc/$pid/environ" 2>/dev/null | grep -qF "$tmp" && echo "$pid"; done)
is "$left" "" "no process is left"
tap_done

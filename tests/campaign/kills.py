"""kill -9 of the supervisor or of a worker, at random moments, again and again.

After each kill: every finding that the database held just before is still there, the database is
sound, and the campaign goes on. In the end: each seed was run exactly once, each finding that must
be there is there and was confirmed, and no process and no temporary file is left.

Arguments: tests folder, the assay binary, number of kills."""
import json, os, random, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done, hide_testbeds

assay, kills = os.path.abspath(sys.argv[2]), int(sys.argv[3])
random.seed(1)
top = tempfile.mkdtemp(prefix="assay-kills-")
marker = os.path.basename(top)
db = top + "/c/assay.db"
os.environ["XDG_CONFIG_HOME"] = top + "/config"
os.makedirs(top + "/config/assay/generators")
os.makedirs(top + "/mine")
hide_testbeds()
os.makedirs(top + "/tmp")
os.environ["TMPDIR"] = top + "/tmp"


def write(name, text, mode=0o644):
    with open(os.path.join(top, name), "w") as f:
        f.write(text)
    os.chmod(os.path.join(top, name), mode)


# Every third program is rejected by badcc, every seventh crashes it, every fifth is miscompiled.
write("gen.sh", 'echo "int printf(const char *, ...); /* seed is $1 */"\n'
                'echo "int main(void) { printf(\\"%d\\\\n\\", $1); return 0; }"\n')
write("config/assay/generators/tiny.ini",
      "[generator]\nname = tiny\nlanguage = c\ncommand = sh %s/gen.sh {seed}\ntrusted = yes\n" % top)
for name, reference in (("good1", "yes"), ("good2", "yes"), ("badcc", "no")):
    write("mine/%s.ini" % name,
          "[toolchain]\nname = %s\nlanguage = c\ndefault = no\nfind = %s/%s\ncompile = {cc} -o {exe} {src}\n"
          "run = {exe}\ncrash = internal error\nreference = %s\n" % (name, top, name, reference))
    write(name, '#!/bin/sh\nexec tcc "$@"\n', 0o755)
write("badcc", """#!/bin/sh
[ ! -e TOP/slow ] || sleep 1
n=$(sed -n 's/.*seed is \\([0-9]*\\).*/\\1/p' t.c 2>/dev/null)
[ -n "$n" ] || exec tcc "$@"
[ $((n % 7)) = 0 ] && { echo "internal error: seven" >&2; exit 1; }
[ $((n % 3)) = 0 ] && { echo "t.c:1: error: three" >&2; exit 1; }
[ $((n % 5)) = 0 ] && { printf '#!/bin/sh\\necho wrong\\n' >program.exe; chmod +x program.exe; exit 0; }
exec tcc "$@"
""".replace("TOP", top), 0o755)


def wanted_kind(seed):
    if seed % 7 == 0:
        return "build-crash"
    if seed % 3 == 0:
        return "build-fail"
    return "wrong-output" if seed % 5 == 0 else None


command = [assay, "run", "--dir", top + "/c", "--generator", "tiny", "--seed", "1",
           "--testbed-dir", top + "/mine", "--testbeds", "good1,good2,badcc", "--quiet"]
two_workers = command + ["-j", "2"]


def query(sql):
    with sqlite3.connect("file:%s?mode=ro" % db, uri=True, timeout=30) as connection:
        return connection.execute(sql).fetchall()


def findings():
    try:
        return set(query("SELECT campaign, number, id FROM finding"))
    except sqlite3.OperationalError:
        return set()  # the very first moments: no table yet


def tests():
    try:
        return query("SELECT sum(tests) FROM campaign")[0][0] or 0
    except sqlite3.OperationalError:
        return 0


def children(pid):
    """All descendants of a process, by /proc."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry) as f:
                    parents[int(entry)] = int(f.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass
    below, level = [], [pid]
    while level:
        level = [p for p, parent in parents.items() if parent in level]
        below.append(level)
    return below


def marked():
    """Processes that still have our folder in their command line, ourselves aside."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open("/proc/%s/cmdline" % entry, "rb") as f:
                    line = f.read()
                if marker.encode() in line:
                    found.append((int(entry), line.replace(b"\0", b" ").decode()))
            except OSError:
                pass
    return found


lost, broken, supervisor_kills, worker_kills, leftovers = [], [], 0, 0, []
process = None
# Who is killed, in the order drawn: a worker, the supervisor at work, or as it begins.
who = ["worker" if i < kills * 0.6 else "begun" if i < kills * 0.9 else "beginning" for i in range(kills)]
random.shuffle(who)
for victim in who:
    if process is None:
        begun = tests()
        process = subprocess.Popen(two_workers, stdin=subprocess.DEVNULL, cwd=top)
    while victim != "beginning" and tests() == begun and process.poll() is None:
        time.sleep(0.02)
    time.sleep(random.uniform(0.02, 0.8))
    killed = False
    while not killed and process.poll() is None:
        before = findings()
        below = children(process.pid)  # the keepers, then the workers
        try:
            if victim != "worker":
                os.kill(process.pid, signal.SIGKILL)
                killed = True
            elif len(below) > 1 and below[1]:
                os.kill(random.choice(below[1]), signal.SIGKILL)
                killed = True
            else:
                time.sleep(0.02)
        except ProcessLookupError:
            pass
    if not killed:
        broken.append("the campaign ended by itself with %d" % process.returncode)
        break
    if victim == "worker":
        worker_kills += 1
    else:
        process.wait()
        process = None
        supervisor_kills += 1
        deadline = time.time() + 30
        while marked() and time.time() < deadline:
            time.sleep(0.02)
        leftovers += marked()
    gone = before - findings()
    if gone:
        lost.append(gone)
    if os.path.exists(db) and query("PRAGMA integrity_check") != [("ok",)]:
        broken.append("integrity")
if process:
    process.send_signal(signal.SIGINT)
    process.wait()

equal(lost, [], "%d kills of the supervisor, %d of a worker: no finding lost" % (supervisor_kills, worker_kills))
equal(broken, [], "the database opened each time and was sound")
equal(leftovers[:2], [], "no process was left behind by a killed supervisor")
ok(supervisor_kills > kills / 5 and worker_kills > kills / 5, "both kinds were killed")

# Let it finish what is open: after an interruption the same command goes on.
started = query("SELECT started FROM campaign")[0][0]
status = subprocess.run(two_workers + ["--tests", str(started)], cwd=top).returncode
ok(status in (0, 1), "the campaign goes on and ends", status)
numbers = [row[0] for row in query("SELECT number FROM test ORDER BY number")]
equal(numbers, list(range(len(numbers))), "no seed twice, none skipped (%d tests)" % len(numbers))
listing = json.loads(subprocess.run([assay, "bugs", "--dir", top + "/c", "--all", "--json"],
                                    stdout=subprocess.PIPE).stdout)
got = sorted((f["seed"], f["kind"], f["state"]) for f in listing)
seeds = range(1, len(numbers) + 1)
wanted = sorted((s, wanted_kind(s), "confirmed") for s in seeds if wanted_kind(s))
given_up = {int(row[0]) + 1 for row in query("SELECT number FROM test WHERE program IS NULL AND bytes = 0")}
wanted = [w for w in wanted if w[0] not in given_up]
ok(got == wanted, "every finding is there once, in its class, confirmed (%d findings)" % len(got),
   "missing %r\ntoo many %r" % (sorted(set(wanted) - set(got))[:5], sorted(set(got) - set(wanted))[:5]))
ok(len(given_up) <= worker_kills / 3, "seeds given up after three dead workers: %d" % len(given_up), given_up)
incidents = query("SELECT count(*) FROM incident")[0][0]
ok(incidents > 0, "dead workers are on record (%d)" % incidents)
ok(not os.path.exists(top + "/c/work") and not os.listdir(top + "/tmp"), "no temporary file is left")
equal(marked(), [], "no process is left")

# All tests were done, but two findings not seen again yet, when it was killed, and the compiler is slow: more than one
# worker can take at once, and than is done when the supervisor looks.
with sqlite3.connect(db) as connection:
    two = connection.execute("SELECT id, number FROM finding ORDER BY id LIMIT 2").fetchall()
    for finding, number in two:
        connection.execute("UPDATE finding SET state = 'new', seen = 1, tried = 1 WHERE id = ?", (finding,))
        connection.execute("UPDATE test SET done_at = NULL WHERE number = ?", (number,))
        connection.execute("INSERT INTO claim(campaign, number, stage) SELECT id, ?, 'confirm' FROM campaign", (number,))
    connection.execute("UPDATE campaign SET round_tests = 0")
connection.close()
write("slow", "")
subprocess.run(command + ["-j", "1", "--tests", str(started)], cwd=top)
states = query("SELECT state FROM finding WHERE id IN (%d, %d)" % (two[0][0], two[1][0]))
equal(states, [("confirmed",)] * 2, "what was left to be seen again is, before the campaign ends")
shutil.rmtree(top)
done()

"""SIGSTOP of a worker: it is noticed and replaced, and the budget of time ends the campaign all the same.

Arguments: tests folder, the assay binary."""
import atexit, os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, skip, done, hide_testbeds

assay = os.path.abspath(sys.argv[2])
top = tempfile.mkdtemp(prefix="assay-stopped-")
os.environ["XDG_CONFIG_HOME"] = top + "/config"
os.makedirs(top + "/config/assay/generators")
hide_testbeds()


def write(name, text, mode=0o644):
    with open(os.path.join(top, name), "w") as f:
        f.write(text)
    os.chmod(os.path.join(top, name), mode)


write("config/assay/generators/tiny.ini",
      "[generator]\nname = tiny\nlanguage = c\ncommand = echo int x{seed};\ntrusted = yes\n")
write("cc.ini", "[toolchain]\nname = cc\nlanguage = c\nfind = %s/cc\ncompile = {cc} {exe} {src}\n" % top)
write("cc", '#!/bin/sh\necho >"$1"\n', 0o755)


def begin(folder, *options):
    process = subprocess.Popen([assay, "run", "--dir", top + "/" + folder, "--generator", "tiny", "--testbed-dir", top,
                             "--testbeds", "cc", "-j", "1", "--quiet", *options], stdin=subprocess.DEVNULL, cwd=top)
    atexit.register(process.kill)
    return process


def wait_for(what):
    """The event, however long it takes; the harness has a limit."""
    while True:
        value = what()
        if value:
            return value
        time.sleep(0.05)


def number(folder, sql):
    try:
        with sqlite3.connect("file:%s/%s/assay.db?mode=ro" % (top, folder), uri=True, timeout=30) as db:
            row = db.execute(sql).fetchone()
            return row[0] if row else 0  # the campaign is not there yet
    except sqlite3.OperationalError:
        return 0


def below(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def worker(process):
    for keeper in below(process.pid):
        for one in below(keeper):
            return one


process = begin("c")
wait_for(lambda: number("c", "SELECT tests FROM campaign") > 3)
first = worker(process)
os.kill(first, signal.SIGSTOP)
wait_for(lambda: number("c", "SELECT count(*) FROM incident WHERE what LIKE '%stopped by a signal%'"))
ok(True, "a worker that is stopped is noticed")
tests = number("c", "SELECT tests FROM campaign")
wait_for(lambda: number("c", "SELECT tests FROM campaign") > tests + 3)
ok(worker(process) != first, "and replaced: the campaign goes on")
ok(not os.path.exists("/proc/%d" % first), "the stopped one is gone")
second = wait_for(lambda: worker(process))
os.kill(second, signal.SIGSTOP)
os.kill(second, signal.SIGCONT)
tests = number("c", "SELECT tests FROM campaign")
wait_for(lambda: number("c", "SELECT tests FROM campaign") > tests + 3)
equal(worker(process), second, "one that was let go on goes on")


def make_late(process):
    """The time by which the worker was to be heard of, the first thing on its board, is long ago: nobody waits for minutes
    here. False: the system does not let us."""
    with open("/proc/%d/maps" % process.pid) as maps:
        shared = [line for line in maps if " rw-s " in line and "/dev/zero" in line]
    try:
        with open("/proc/%d/mem" % process.pid, "r+b", buffering=0) as memory:
            memory.seek(int(shared[0].split("-")[0], 16))
            memory.write((1).to_bytes(8, sys.byteorder))
        return True
    except OSError:
        return False


# Neither says anything any more: the keeper, which would tell, is stopped as well.
keeper = below(process.pid)[0]
for pid in keeper, second:
    os.kill(pid, signal.SIGSTOP)
wait_for(lambda: open("/proc/%d/stat" % second).read().rsplit(")", 1)[1].split()[0] == "T")
if make_late(process):
    wait_for(lambda: number("c", "SELECT count(*) FROM incident WHERE what LIKE '%made no progress%'"))
    tests = number("c", "SELECT tests FROM campaign")
    wait_for(lambda: number("c", "SELECT tests FROM campaign") > tests + 3)
    ok(not os.path.exists("/proc/%d" % second), "a worker that is late is replaced")
else:
    skip("a worker that is late is replaced", "its memory cannot be written")
    for pid in keeper, second:
        os.kill(pid, signal.SIGCONT)
incidents = number("c", "SELECT count(*) FROM incident WHERE what LIKE '%stopped by a signal%'")
process.send_signal(signal.SIGTERM)
process.wait()
equal(incidents, 1, "one was stopped")

began = time.monotonic()
process = begin("d", "--time", "1s")
os.kill(wait_for(lambda: worker(process)), signal.SIGSTOP)
ok(process.wait() in (0, 3),  # 3: it was stopped ahead of its first test
   "a budget of time ends a campaign whose only worker is stopped", process.returncode)
ok(time.monotonic() - began < 200, "without waiting for it", time.monotonic() - began)
shutil.rmtree(top)
done()

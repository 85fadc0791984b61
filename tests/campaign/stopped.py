"""SIGSTOP of a worker: it is noticed and replaced, and the budget of time ends the campaign all the same.

Arguments: tests folder, the assay binary."""
import os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done

assay = os.path.abspath(sys.argv[2])
top = tempfile.mkdtemp(prefix="assay-stopped-")
os.environ["XDG_CONFIG_HOME"] = top + "/config"
os.makedirs(top + "/config/assay/generators")


def write(name, text, mode=0o644):
    with open(os.path.join(top, name), "w") as f:
        f.write(text)
    os.chmod(os.path.join(top, name), mode)


write("config/assay/generators/tiny.ini",
      "[generator]\nname = tiny\nlanguage = c\ncommand = echo int x{seed};\ntrusted = yes\n")
write("cc.ini", "[toolchain]\nname = cc\nlanguage = c\nfind = %s/cc\ncompile = {cc} {exe} {src}\n" % top)
write("cc", '#!/bin/sh\necho >"$1"\n', 0o755)


def begin(folder, *options):
    return subprocess.Popen([assay, "run", "--dir", top + "/" + folder, "--generator", "tiny", "--testbed-dir", top,
                             "--testbeds", "cc", "-j", "1", "--quiet", *options], stdin=subprocess.DEVNULL, cwd=top)


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
            return db.execute(sql).fetchone()[0]
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
process.send_signal(signal.SIGTERM)
process.wait()
equal(number("c", "SELECT count(*) FROM incident"), 1, "one incident")

began = time.monotonic()
process = begin("d", "--time", "1s")
os.kill(wait_for(lambda: worker(process)), signal.SIGSTOP)
equal(process.wait(), 0, "a budget of time ends a campaign whose only worker is stopped")
ok(time.monotonic() - began < 200, "without waiting for it", time.monotonic() - began)
shutil.rmtree(top)
done()

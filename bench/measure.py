"""What the benchmarks share: one core, one process at a time, its CPU time and memory."""
import argparse, collections, os, re, shutil, signal, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# cpu: seconds, user and system, with all descendants. peak: the largest resident set, in KB; the
# kernel carries that figure over an exec, so it is never below this Python's own.
Run = collections.namedtuple("Run", "status cpu peak")


def fail(message):
    """Something of the machine is missing."""
    print("%s: %s" % (sys.argv[0], message), file=sys.stderr)
    sys.exit(3)


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            fail("%s is missing (apt-get install csmith libcsmith-dev gcc; make)" % tool)


def version_of(*command):
    """The first number with dots that the command prints."""
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    found = re.search(r"\d+\.\d+[.\d]*", text)
    return found.group() if found else "?"


def parser(doc):
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=natural, default=1, metavar="N", help="first seed (1)")
    p.add_argument("--core", type=natural, metavar="N", help="the core that all run on (the last one)")
    p.add_argument("--assay", default=ROOT + "/build/assay", metavar="PATH", help="build/assay")
    return p


def natural(text):
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def positive(text):
    value = float(text)
    if not value > 0:
        raise ValueError
    return value


def count(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def prepare(o):
    """Pin this process and its children to one core, move into a new folder (csmith leaves a file
    where it is started), and return the folder. It goes with remove()."""
    need(o.assay)
    o.assay = os.path.abspath(shutil.which(o.assay))
    if o.core is None:
        o.core = max(os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, {o.core})
    except OSError as e:
        fail("core %d cannot be used: %s" % (o.core, e.strerror))
    folder = tempfile.mkdtemp(prefix="assay-bench-")
    os.chdir(folder)
    return folder


def remove(folder):
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)


def helper(o, name):
    """A program of bench/meson.build, beside assay in the build folder."""
    path = os.path.join(os.path.dirname(o.assay), "bench", name)
    if not os.path.exists(path):
        fail("%s is missing: build it with meson compile -C %s" % (path, os.path.dirname(o.assay)))
    return path


def run(command, limit=120, output=os.devnull):
    """Run it and wait. Past `limit` seconds of wall time, it and its children are killed."""
    actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
               (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions, setpgroup=0)
    signal.signal(signal.SIGALRM, lambda number, frame: os.killpg(pid, signal.SIGKILL))
    signal.alarm(limit)
    try:
        status, used = os.wait4(pid, 0)[1:]
    except BaseException:  # such as Ctrl-C, which a process group of its own does not get
        os.killpg(pid, signal.SIGKILL)
        raise
    finally:
        signal.alarm(0)
    return Run(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss)


def median(values):
    return statistics.median(values) if values else 0


def ratio(a, b):
    return a / b if b else float("inf") if a else 0.0


def judge(met, text):
    """One line per bar."""
    print("  %-8s %s" % ("met" if met else "NOT met", text))

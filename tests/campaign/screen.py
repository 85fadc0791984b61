"""The live screen, on a real pseudo-terminal: wide, narrow, without colour; and its last words.

Arguments: tests folder, the assay binary."""
import fcntl, os, pty, re, shutil, signal, struct, sys, tempfile, termios, time

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done

assay = os.path.abspath(sys.argv[2])
top = tempfile.mkdtemp(prefix="assay-screen-")
os.environ["XDG_CONFIG_HOME"] = top
os.environ["TERM"] = "xterm"
os.environ.pop("NO_COLOR", None)
os.makedirs(top + "/assay/generators")
with open(top + "/assay/generators/tiny.ini", "w") as f:
    f.write("[generator]\nname = tiny\nlanguage = c\ntrusted = yes\n"
            "command = sh -c 'echo \"int main(void) { return 0; } /* $0 */\"' {seed}\n")


def run(name, columns, rows, *more, interrupt=False, env={}):
    """What assay writes to a terminal of that size."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(env)
        os.execv(assay, [assay, "run", "--dir", "%s/%s" % (top, name), "--generator", "tiny",
                         "--testbeds", "tcc,gcc:-O0", "-j", "1", "--seed", "1", *more])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    data = b""
    started = time.time()
    while True:
        if interrupt and b"progress" in data:
            os.write(fd, b"\x03")  # Ctrl-C, as typed
            interrupt = False
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        data += chunk
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return data.decode(errors="replace"), status


def lines(text):
    return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line).rstrip("\r") for line in text.split("\n")]


wide, status = run("wide", 100, 40, "--time", "3s")
equal(status, 0, "a campaign on a terminal")
for word in ("run time", "tests", "speed", "generating", "compiling", "running", "assay itself",
             "testbeds", "findings", "last", "gcc -O0", "tcc", "Ctrl-C"):
    ok(word in wide, "the screen shows '%s'" % word)
ok("\x1b[1m" in wide, "with colour")
ok(re.search(r"\x1b\[\d+A", wide), "and goes up to draw itself again")
ok("the time is up after " in wide.split("\x1b[J")[-1], "the summary stands below the last screen")
narrow, status = run("narrow", 40, 12, "--time", "2s")
screen = narrow.split("\x1b[J")[1]
ok(max(len(line) for line in lines(screen)) < 40, "a narrow terminal: no line wraps")
ok(len(lines(screen)) <= 12, "a low one: no more lines than it has")
plain, status = run("plain", 100, 40, "--time", "2s", env={"NO_COLOR": "1"})
ok(not re.search(r"\x1b\[[0-9;]*m", plain), "NO_COLOR: no colour")
text, status = run("text", 100, 40, "--time", "2s", "--plain")
ok("\x1b" not in text, "--plain: no escape sequence at all")
dumb, status = run("dumb", 100, 40, "--time", "2s", env={"TERM": "dumb"})
ok("\x1b" not in dumb, "TERM=dumb: none either")
stopped, status = run("stopped", 100, 40, interrupt=True)
equal(status, 0, "Ctrl-C ends it")
ok("stopped after" in stopped, "cleanly, with a summary", stopped[-2000:])
shutil.rmtree(top)
done()

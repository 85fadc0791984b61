"""The live screen, on a real pseudo-terminal: wide, narrow, resized, killed, without colour; and its
last words.

Arguments: tests folder, the assay binary."""
import fcntl, os, pty, re, shutil, signal, struct, sys, tempfile, termios

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done, hide_testbeds

assay = os.path.abspath(sys.argv[2])
top = tempfile.mkdtemp(prefix="assay-screen-")
os.environ["XDG_CONFIG_HOME"] = top
os.environ["TERM"] = "xterm"
os.environ.pop("NO_COLOR", None)
os.makedirs(top + "/assay/generators")
hide_testbeds("tcc", "gcc")
with open(top + "/assay/generators/tiny.ini", "w") as f:
    f.write("[generator]\nname = tiny\nlanguage = c\ntrusted = yes\n"
            "command = sh -c 'echo \"int main(void) { return 0; } /* $0 */\"' {seed}\n")


with open(top + "/assay/generators/long.ini", "w") as f:
    f.write("[generator]\nname = long\nlanguage = c\ntrusted = yes\ncommand = sh %s/long.sh {seed}\n" % top)
with open(top + "/long.sh", "w") as f:
    f.write("echo 'int planted = '$1';'\nfor i in `seq 60`; do echo \"int f$i(void) { return $i; }\"; done\n"
            "echo 'int main(void) { return planted - '$1'; }'\n")
with open(top + "/faulty", "w") as f:
    # A reduction waits in its fifth step until the screen has shown it, and it has been told to stop.
    f.write("""#!/bin/sh
for w; do
    case $w in *.c)
        grep -q 'planted = ' $w || continue
        grep -q 'f60(' $w || echo >>TOP/steps
        [ ! -e TOP/steps ] || [ `wc -l <TOP/steps` -lt 5 ] || until [ -e TOP/seen ]; do sleep 0.1; done
        echo 'internal compiler error: in x' >&2
        exit 1 ;;
    esac
done
exec gcc "$@"
""".replace("TOP", top))
os.chmod(top + "/faulty", 0o755)
os.mkdir(top + "/beds")
with open(top + "/beds/faulty.ini", "w") as f:
    f.write("[toolchain]\nname = faulty\nlanguage = c\nsuffix = .c\nfind = %s/faulty\nprobe = {cc} --version\n"
            "version = ([0-9.]+)\ncompile = {cc} {flags} {needs} -w -o {exe} {src}\nrun = {exe}\n"
            "crash = internal compiler error\nflags = -O0\n" % top)


class Terminal:
    """What a terminal of that size would show: the normal screen and the alternate one."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.alternate, self.wraps = columns, rows, False, True
        self.normal, self.other, self.frames = [""], [""] * rows, []
        self.row = self.column = 0

    def resize(self, columns, rows):
        self.other = [line[:columns] for line in (self.other + [""] * rows)[:rows]]
        self.columns, self.rows, self.row = columns, rows, min(self.row, rows - 1)

    def escape(self, what):
        if what in ("[?1049h", "[?1049l"):
            self.alternate = what.endswith("h")
            self.other = [""] * self.rows
        elif what in ("[?7h", "[?7l"):
            self.wraps = what.endswith("h")
        elif what == "[H":
            self.row = self.column = 0
        elif what == "[K":
            self.other[self.row] = self.other[self.row][:self.column]
        elif what == "[J":  # the end of a frame
            self.other[self.row + 1:] = [""] * (self.rows - self.row - 1)
            self.other[self.row] = self.other[self.row][:self.column]
            self.frames.append((self.columns, self.rows, list(self.other)))
        elif not re.fullmatch(r"\[(\?25[hl]|[0-9;]*m)", what):
            raise ValueError("an escape sequence that nobody expects: " + repr(what))

    def character(self, c):
        if not self.alternate:
            if c == "\n":
                self.normal.append("")
            elif c != "\r":
                self.normal[-1] += c
        elif c == "\r":
            self.column = 0
        elif c == "\n":
            self.row += 1
            ok(self.row < self.rows, "the screen does not scroll") if self.row >= self.rows else 0
            self.row = min(self.row, self.rows - 1)
        else:
            line = self.other[self.row].ljust(self.column)
            self.other[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column = min(self.column + 1, self.columns - 1)

    def feed(self, text):
        for escape, c in re.findall(r"\x1b(\[[?0-9;]*[A-Za-z])|(.)", text, re.S):
            self.escape(escape) if escape else self.character(c)


def run(name, columns, rows, *more, act=None, env={}, testbeds="tcc,gcc:-O0", generator="tiny"):
    """What assay writes to a terminal of that size, and the terminal. With each thing read, `act` is
    asked what to do: it may return what is typed, a signal, or a new size; None from then on
    nothing."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(env)
        os.execv(assay, [assay, "run", "--dir", "%s/%s" % (top, name), "--generator", generator,
                         "--testbeds", testbeds, "-j", "1", "--seed", "1", *more])
    terminal = Terminal(columns, rows)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    data = b""
    while True:
        did = act(terminal) if act else None
        if isinstance(did, bytes):
            os.write(fd, did)
        elif isinstance(did, tuple):
            fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", did[1], did[0], 0, 0))
            terminal.resize(*did)
        elif did:
            os.kill(pid, did)
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        data += chunk
        terminal.feed(chunk.decode(errors="replace"))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return data.decode(errors="replace"), status, terminal


def once(what):
    """At the first frame, and never again."""
    acts = [what]
    return lambda terminal: acts.pop() if terminal.frames and acts else None


wide, status, t = run("wide", 100, 40, "--time", "3s")
equal(status, 0, "a campaign on a terminal")
frame = "\n".join(t.frames[-1][2])
for word in ("run time", "tests", "speed", "generating", "compiling", "running", "assay itself",
             "testbeds", "findings", "last", "gcc -O0", "tcc", "wrong"):
    ok(word in frame, "the screen shows '%s'" % word, frame)
ok("\x1b[1m" in wide, "with colour")
ok(all(line for line in t.frames[0][2][:7]), "no frame is blank")
ok(not t.alternate and t.wraps, "the alternate screen is left at the end")
last = "\n".join(t.normal)
ok("the time is up after " in last, "the summary stands on the normal one", last)
ok("Ctrl-C" not in last and "-- progress" not in last, "and nothing of the frames does")

usual, status, t = run("usual", 80, 24, "--time", "2s", testbeds="tcc,gcc:-O0 -fno-strict-aliasing")
frame = t.frames[-1][2]
ok(any(line.endswith(" wrong") for line in frame), "80 x 24: the last column is whole", frame)
ok(any(line.startswith("  gcc -O0 -fno..ict-aliasing ") for line in frame),
   "and a long name is shortened", frame)
ok(max(map(len, t.normal[1:])) < 80, "the tables of the summary do not wrap", t.normal)

narrow, status, t = run("narrow", 40, 12, "--time", "2s")
columns, rows, frame = t.frames[-1]
ok(max(map(len, frame)) < 40, "a narrow terminal: no line wraps")
ok("run time" in frame[2] and "none yet" in frame[9], "a low one: what there is room for", frame)

sizes = [(200, 50), (60, 15), (80, 24)]


def resize(terminal):
    """Another size whenever there is a frame of this one; then Ctrl-C."""
    if not terminal.frames or terminal.frames[-1][:2] != (terminal.columns, terminal.rows):
        return None
    return sizes.pop(0) if sizes else b"\x03" if not asked.append(1) and len(asked) == 1 else None


asked = []
resized, status, t = run("resized", 100, 30, act=resize)
equal(status, 0, "resized while it runs, then Ctrl-C")
alone = [f for f in t.frames if f[0] == 60][-1]
ok(max(map(len, alone[2])) < 60, "nothing of the wide frame is left in the narrow one", alone[2])
alone = [f for f in t.frames if f[0] == 80][-1]
ends = [i for i, line in enumerate(alone[2]) if line.startswith(("Ctrl-C", "stopping"))]
ok(len(ends) == 1 and not any(alone[2][ends[0] + 1:]), "nor below the last line", alone[2])
ok("stopped after" in "\n".join(t.normal), "cleanly, with a summary", t.normal)


def until_reduced(terminal):
    """Ctrl-C at the first frame with a reduction in it. That goes on when it has been told to stop, and not sooner:
    it might come to its end."""
    lines = terminal.frames[-1][2] if terminal.frames else []
    if any(line.startswith("stopping") for line in lines):
        open(top + "/seen", "w").close()
    if typed or not any(re.match(reducing, line) for line in lines):
        return None
    typed.append(1)
    return b"\x03"


typed, reducing = [], r"  #\d+ +\d+ to +\d+ bytes  .+, [0-9ms. ]+$"
text, status, t = run("reduced", 80, 24, "--reduce", "--testbed-dir", top + "/beds", act=until_reduced,
                      testbeds="gcc:-O0,faulty", generator="long")
ok(typed, "the screen shows what is reduced: finding, bytes, pass, time", t.frames[-1])
ok(re.search("confirmed findings? (is|are) left to reduce, 1 unfinished: assay reduce", "\n".join(t.normal)),
   "and the summary says what is left to do", t.normal)
for sent in (signal.SIGABRT, signal.SIGQUIT):
    killed, status, t = run("killed%d" % sent, 80, 24, act=once(sent))
    equal(status, -sent, "a signal ends it")
    ok(t.frames and not t.alternate and t.wraps, "and the alternate screen is left first")

plain, status, t = run("plain", 100, 40, "--time", "2s", env={"NO_COLOR": "1"})
ok(not re.search(r"\x1b\[[0-9;]*m", plain), "NO_COLOR: no colour")
text, status, t = run("text", 100, 40, "--time", "2s", "--plain")
ok("\x1b" not in text, "--plain: no escape sequence at all")
dumb, status, t = run("dumb", 100, 40, "--time", "2s", env={"TERM": "dumb"})
ok("\x1b" not in dumb, "TERM=dumb: none either")
shutil.rmtree(top)
done()

"""Compilers that are removed or replaced while a campaign runs, as an upgrade at night does: no finding comes of it, and
what is found later is found in the new version. Arguments: tests folder, the assay binary."""
import atexit, os, shutil, signal, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done

assay = os.path.abspath(sys.argv[2])
top = tempfile.mkdtemp(prefix="assay-replaced-")
os.environ["XDG_CONFIG_HOME"] = top + "/config"
os.makedirs(top + "/config/assay/generators")


def write(name, text, mode=0o644):
    """As a package manager does: the old file is there until the new one is."""
    path = os.path.join(top, name)
    with open(path + ".new", "w") as f:
        f.write(text)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


write("config/assay/generators/tiny.ini",
      "[generator]\nname = tiny\nlanguage = c\ncommand = echo int x{seed};\ntrusted = yes\n")


def compiler(name, version, answer="assay 42"):
    """Its programs print `answer`, but the first one that assay tries is right."""
    write(name, """#!/bin/sh
[ "$1" = --version ] && { echo %s; exit 0; }
case $2 in smoke*) answer="assay 42" ;; *) answer="%s" ;; esac
printf '#!/bin/sh\\necho %%s\\n' "$answer" >"$1"
chmod +x "$1"
""" % (version, answer), 0o755)


def toolchain(name, more=""):
    write(name + ".ini",
          "[toolchain]\nname = %s\nlanguage = c\ndefault = no\nfind = %s/%s\nprobe = {cc} --version\nversion = ([0-9.]+)\n"
          "compile = {cc} {exe} {src}\nrun = {exe}\nreference = yes\n%s" % (name, top, name, more))


for name in "one", "two", "three":
    toolchain(name)
    compiler(name, "1.0")
write("part", "1")
toolchain("four", "parts = echo %s/part\n" % top)
compiler("four", "1.0")


def wait_for(what):
    while True:
        value = what()
        if value:
            return value
        time.sleep(0.05)


def ask(sql):
    try:
        with sqlite3.connect("file:%s/c/assay.db?mode=ro" % top, uri=True, timeout=30) as db:
            return db.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def more_tests():
    """A few tests that began after this moment."""
    before = ask("SELECT started FROM campaign")[0][0]
    wait_for(lambda: ask("SELECT tests FROM campaign")[0][0] > before + 3)


def noted(text):
    return wait_for(lambda: ask("SELECT what FROM incident WHERE what LIKE '%%%s%%'" % text))[0][0]


process = subprocess.Popen([assay, "run", "--dir", top + "/c", "--generator", "tiny", "--testbed-dir", top, "--testbeds",
                            "one,two,three,four", "--plain", "-j", "2"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
atexit.register(process.kill)
wait_for(lambda: (ask("SELECT tests FROM campaign") or [(0,)])[0][0] > 2)

os.rename(top + "/two", top + "/away")
noted("two (%s/two) is gone" % top)
os.rename(top + "/away", top + "/two")
noted("two (%s/two) is back" % top)
ok(True, "one that is back, and what it was, goes on")
os.unlink(top + "/three")
noted("three (%s/three) is gone" % top)
ok(True, "a compiler that is removed is noticed")
more_tests()
equal(ask("SELECT count(*) FROM finding"), [(0,)], "that is no finding, and the others go on")
compiler("three", "2.0", "wrong")
text = noted("three (%s/three) was replaced: version 1.0, then 2.0" % top)
ok("a new testbed" in text, "another version in its place is a testbed of its own")
wait_for(lambda: ask("SELECT 1 FROM finding WHERE state = 'confirmed'"))
equal(ask("SELECT DISTINCT b.name, b.version FROM finding f JOIN testbed b ON b.id = f.testbed"), [("three", "2.0")],
      "what is found now is found in that version")
compiler("three", "2.0")
text = noted("three (%s/three) was replaced: version 2.0, then 2.0, of 20" % top)
ok(True, "another build of the same version is told from it by its time")
more_tests()
write("part", "another")
noted("four (%s/four) was replaced: version 1.0, then 1.0, of 20" % top)
ok(True, "a part that is replaced is the compiler that is replaced")
more_tests()
found = ask("SELECT count(*) FROM finding")
more_tests()
equal(ask("SELECT count(*) FROM finding"), found, "and the mended compiler is right")
process.send_signal(signal.SIGTERM)
out = process.communicate()[0]
ok("three was replaced: version 1.0, then 2.0" in out, "the summary says so", out)
ok("two was replaced" not in out, "and only of what was replaced", out)
log = open(top + "/c/assay.log").read()
ok("was replaced: version 1.0, then 2.0" in log and "is gone" in log, "and so does the log", log)
out = subprocess.run([assay, "report", "--dir", top + "/c", "--no-run", "--table", "-"], capture_output=True, text=True).stdout
ok("2.0" in out or out.count("three") >= 2, "and the report has a row for each", out)
os.unlink(top + "/three")
result = subprocess.run([assay, "replay", "--dir", top + "/c", "1"], capture_output=True, text=True)
equal(result.returncode, 3, "replay without the compiler: an error of the environment")
shutil.rmtree(top)
done()

#!/usr/bin/env python3
"""Small real programs, each with what `assay check --ub` must say of it in its first comment:

  /* defined: main returned 0 */      what follows "nothing undefined: "
  /* undefined: signed-overflow */    the rule
  /* undecided */                     beyond the interpreter

Most of them are what was once judged wrongly. The defined ones go through gcc and clang as well, plainly and
with optimisation, and must end in the same way, with the output that interp says.

  real.py TESTS ASSAY"""
import json, os, re, shutil, signal, subprocess, sys, tempfile

tests, assay = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, tests)
from tap import done, equal, ok, amount

FOLDER = tests + "/interp/real"
COMPILERS = [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")]
HEAD = re.compile(r"/\* (defined|undefined|undecided)(?:: (.*?))? \*/")


def judge(paths):
    """name: what assay says, in the words of the comments, and the output. Where it dies, the rest is asked anew."""
    said, errors = {}, ""
    while paths:
        p = subprocess.run([assay, "check", "--ub", "--json"] + paths, capture_output=True, text=True, timeout=300)
        errors += p.stderr
        for line in p.stdout.splitlines():
            o = json.loads(line)
            if o["verdict"] not in ("defined", "undefined"):
                said[o["file"]] = "undecided", None
                continue
            end = o.get("ended", "")
            if end.split()[-1:] in (["returned"], ["with"]):
                end += " %d" % o["status"]
            said[o["file"]] = ("undefined: " + o["rule"], None) if o["rule"] else ("defined: " + end, o["output"])
        left = [path for path in paths if path not in said]
        if left:
            said[left[0]] = "assay ended with %d" % p.returncode, None
        paths = left[1:]
    return said, errors


def ending(status):
    """How a process with that status ended, as far as can be seen from outside."""
    return "it called abort" if status == -signal.SIGABRT else "it trapped" if status < 0 else str(status & 255)


def build_and_run(path, compiler, level, folder):
    exe = folder + "/x"
    p = subprocess.run([compiler, level, "-std=gnu17", "-w", path, "-o", exe, "-lm"], capture_output=True, text=True, timeout=60)
    if p.returncode:
        return "does not compile: " + p.stderr[:200], ""
    p = subprocess.run([exe], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=10, cwd=folder)
    return ending(p.returncode), p.stdout


names = sorted(f for f in os.listdir(FOLDER) if f.endswith(".c"))
ok(len(names) > 50, "%d programs" % len(names))
said, errors = judge([os.path.join(FOLDER, f) for f in names])
compilers = [c for c in COMPILERS[:amount(1, 4)] if shutil.which(c[0])]
with tempfile.TemporaryDirectory() as folder:
    for name in names:
        path = os.path.join(FOLDER, name)
        head = HEAD.match(open(path).readline())
        if not ok(head, name + ": its first line says what is expected"):
            continue
        wanted = head.group(0)[3:-3]
        got, output = said[path]
        if not equal(got, wanted, "%s: %s" % (name, wanted)) or head.group(1) != "defined":
            continue
        end = re.sub(r"^(main returned|it exited with) (-?\d+)$", lambda m: str(int(m.group(2)) & 255), head.group(2))
        ours = [c for c in compilers if c[0] == "gcc" or not name.startswith("preprocessed")] # by gcc, of its headers
        runs = {"%s %s" % c: build_and_run(path, *c, folder) for c in ours}
        wrong = {c: r for c, r in runs.items() if r != (end, output)}
        ok(not wrong, "%s: %s with %s" % (name, end, " and ".join(runs)), "wanted %r\ngot    %r" % ((end, output), wrong))
# Each function of the library is called somewhere.
sources = [tests + "/interp/test_library.c"] + [os.path.join(FOLDER, f) for f in names]
words = set(re.findall(r"\w+", " ".join(open(f).read() for f in sources)))
table = open(tests + "/../src/cc/library.h").read()
library = re.findall(r'X\([A-Z0-9_]+,\s*"(\w+)"', table)
ok(len(library) > 150, "%d functions of the library" % len(library))
macros = {"__ctype_b_loc": "isdigit", "__ctype_toupper_loc": "toupper", "__ctype_tolower_loc": "tolower"}
equal([f for f in library if macros.get(f, f) not in words], [], "all are called by a test")
print("\n".join("# " + line for line in errors.splitlines()))
done()

"""faulty-clang and faulty-gcc: each planted fault is there exactly while its pass is on.

Arguments: tests folder."""
import os, re, shutil, subprocess, sys, tempfile

tests = os.path.abspath(sys.argv[1])
sys.path.insert(0, tests)
from tap import ok, equal, done, amount

clang, gcc = tests + "/bisect-cc/faulty-clang", tests + "/bisect-cc/faulty-gcc"
os.environ["LC_ALL"] = "C"
work = tempfile.mkdtemp(prefix="assay-bisect-")
os.mkdir(work + "/tmp")
os.environ["TMPDIR"] = work + "/tmp"
os.chdir(work)
# One line per kind of damage. `early` is ahead of main, and stands without any of them.
with open("t.c", "w") as f:
    f.write("""int printf(const char *, ...);
volatile int a = -17, b = 5;
volatile long long la = 8;
volatile unsigned u = 0xC0000003, v = 7;
volatile double da = 5, db = 3;
__attribute__((noinline)) static int early(int x) { return x ? 1 : a; }
static int inlined(int x) { return x + 1; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += b;
    printf("early %d %d\\n", early(b) + inlined(a), sum);
    printf("product %d\\n", a * b);
    printf("remainder %d\\n", a % b);
    printf("quotient %u\\n", u / v);
    printf("complement %lld\\n", ~la);
    printf("shift %x\\n", u << b);
    printf("sum %g\\n", da + db);
    return 0;
}
""")
right = "early -15 15\nproduct -85\nremainder -2\nquotient 460175067\ncomplement -9\nshift 60\nsum 8\n"
wrong = {"product": "-12", "remainder": "2", "quotient": "460175068", "complement": "-8",
         "shift": "78", "sum": "2"}


def build(cc, *options):
    """(status, messages, what the program prints)"""
    made = subprocess.run([cc, *options, "-w", "-o", "t", "t.c", "-lm"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    ran = "" if made.returncode else subprocess.run("./t", stdout=subprocess.PIPE, text=True).stdout
    return made.returncode, made.stdout, ran


def damaged(kind):
    return re.sub(r"^%s .*" % kind, "%s %s" % (kind, wrong[kind]), right, flags=re.M)


def is_bad(cc, kind, *options):
    status, said, ran = build(cc, *options)
    if status or ran not in (right, damaged(kind)):
        ok(False, "a build that is either right or wrong: %s" % " ".join(options), (status, said, ran))
    return ran == damaged(kind)


def bisect(fault, name, kind, level):
    """All limits are right below the first run of the pass on a function that matters, and wrong from
    it on; tried at its borders and at some places on both sides."""
    said = build(clang, "-ffault=" + fault, level, "-mllvm", "-opt-bisect-limit=-1")[1]
    passes = re.findall(r"^BISECT: running pass \((\d+)\) (.+?) on (.+)$", said, re.M)
    runs = [int(n) for n, p, where in passes if p == name and re.search(r"main|[Ll]oop", where)]
    if not runs:
        return ok(False, "%s %s: the pass runs" % (fault, level), said[-500:])
    first, last = runs[0], len(passes)
    good = amount({0, first - 1}, {0, 1, first // 2, first - 2, first - 1}) - {first, -1}
    bad = amount({first, last}, {first, first + 1, first + 2, (first + last) // 2, last - 1, last, last + 100})
    found = {n: is_bad(clang, kind, "-ffault=" + fault, level, "-mllvm", "-opt-bisect-limit=%d" % n)
             for n in sorted(good | bad)}
    equal(found, {n: n in bad for n in sorted(good | bad)},
          "%s %s: bad from pass %d of %d on (%s)" % (fault, level, first, last, name))


# ---- clang

equal(build(clang, "-O2"), (0, "", right), "faulty-clang without a fault is clang")
planted = (("instcombine", "InstCombinePass", "product"), ("sroa", "SROAPass", "remainder"),
           ("licm", "LICMPass", "complement"), ("inliner", "InlinerPass", "shift"),
           ("peephole", "Peephole Optimizations", "sum"), ("gvn", "GVNPass", "quotient"))
for fault, name, kind in planted[:: amount(3, 1)]:
    equal(build(clang, "-O0", "-ffault=" + fault), (0, "", right), "%s: right without optimisation" % fault)
    level = "-O2" if fault == "gvn" else "-O1"
    equal(build(clang, level, "-ffault=" + fault), (0, "", damaged(kind)), "%s: wrong at %s, without a word" % (fault, level))
    bisect(fault, name, kind, level)
ok(not is_bad(clang, "quotient", "-O1", "-ffault=gvn"), "gvn: does not run at -O1")
status, said, ran = build(clang, "-O1", "-mllvm", "-opt-bisect-limit=3", "-ffault=sroa")
plain = subprocess.run(["clang", "-O1", "-w", "-mllvm", "-opt-bisect-limit=3", "-o", "t", "t.c"],
                       stderr=subprocess.PIPE, text=True).stderr
equal(said, plain, "clang's BISECT lines are passed on as they are")
status, said, ran = build(clang, "-ffault=nonsense")
equal((status, said), (2, "faulty-clang: there is no fault 'nonsense'; there are: "
                       "instcombine sroa gvn licm inliner peephole\n"), "an unknown fault")

# ---- gcc

equal(build(gcc, "-O2"), (0, "", right), "faulty-gcc without a fault is gcc")
flags = (("tree-vrp", "remainder", "-O2"), ("gcse", "product", "-O2"), ("ipa-cp", "quotient", "-O2"),
         ("ivopts", "complement", "-O1"))
for flag, kind, level in flags[:: amount(3, 1)]:
    lower = "-O1" if level == "-O2" else "-O0"
    fault = "-ffault=" + flag
    equal(build(gcc, level, fault), (0, "", damaged(kind)), "%s: wrong at %s" % (flag, level))
    equal(build(gcc, "-O3", fault), (0, "", damaged(kind)), "%s: and above" % flag)
    equal(build(gcc, lower, fault), (0, "", right), "%s: right at %s" % (flag, lower))
    equal(build(gcc, level, "-fno-" + flag, fault), (0, "", right), "%s: right with -fno-%s" % (flag, flag))
    ok(is_bad(gcc, kind, level, "-fno-" + flag, "-f" + flag, fault), "%s: the last one counts" % flag)
    # Everything else off, one by one: the flag alone decides.
    others = ["-fno-" + f for f in ("tree-vrp", "gcse", "ipa-cp", "ivopts", "tree-ccp", "tree-pre") if f != flag]
    ok(is_bad(gcc, kind, level, *others, fault), "%s: wrong without the others" % flag)
ok(is_bad(gcc, "sum", "-O1", "-ffault=mergephi"), "mergephi: wrong at -O1")
ok(not is_bad(gcc, "sum", "-O0", "-ffault=mergephi"), "mergephi: right at -O0")
ok(is_bad(gcc, "sum", "-O1", "-fdisable-tree-mergephi1", "-ffault=mergephi"), "mergephi: another pass disabled")
ok(not is_bad(gcc, "sum", "-O1", "-fdisable-tree-mergephi2", "-ffault=mergephi"), "mergephi: disabled")
listed = subprocess.run([gcc, "-O2", "-Q", "--help=optimizers", "-ffault=gcse"], stdout=subprocess.PIPE, text=True).stdout
enabled = re.findall(r"^  (-f[a-z0-9-]+)\s+\[enabled\]", listed, re.M)
off = ["-f" + f[5:] if f.startswith("-fno-") else "-fno-" + f[2:] for f in enabled]
ok("-fgcse" in enabled and len(enabled) > 100, "-Q --help=optimizers is gcc's")
ok(is_bad(gcc, "sum", "-O2", *off, "-ffault=mergephi"), "mergephi: no flag switches it off (%d tried)" % len(off))
ok(not is_bad(gcc, "product", "-O2", *off, "-ffault=gcse"), "gcse: all of them do")
ok(is_bad(gcc, "product", "-O2", *[f for f in off if f != "-fno-gcse"], "-ffault=gcse"), "gcse: all but its own do not")
passes = subprocess.run([gcc, "-O1", "-fdump-passes", "-ffault=mergephi", "-S", "-o", "t.s", "t.c"],
                        stderr=subprocess.PIPE, text=True).stderr
ok("tree-mergephi2 " in passes, "-fdump-passes is gcc's")

counters = subprocess.run(["gcc", "-fdbg-cnt-list", "-S", "-o", "t.s", "t.c"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout
if re.search(r"^\s+ccp ", counters, re.M):
    found = {n: is_bad(gcc, "shift", "-O1", "-fdbg-cnt=ccp:%d" % n, "-ffault=ccp") for n in (0, 1, 2, 3, 4, 100)}
    equal(found, {0: False, 1: False, 2: False, 3: True, 4: True, 100: True}, "ccp: bad from event 3 on")
    found = {n: is_bad(gcc, "shift", "-O1", "-fdbg-cnt=" + n, "-ffault=ccp")
             for n in ("dce:1,ccp:1-2:4-9", "ccp:1:3-3", "dce:1", "ccp:4-9")}
    equal(found, {"dce:1,ccp:1-2:4-9": False, "ccp:1:3-3": True, "dce:1": True, "ccp:4-9": False}, "ccp: intervals")
ok(is_bad(gcc, "shift", "-O1", "-ffault=ccp"), "ccp: bad without a limit")
ok(not is_bad(gcc, "shift", "-O1", "-fno-tree-ccp", "-ffault=ccp"), "ccp: its flag switches it off, too")
status, said, ran = build(gcc, "-ffault=nonsense")
equal((status, said), (2, "faulty-gcc: there is no fault 'nonsense'; there are: "
                       "tree-vrp gcse ipa-cp ivopts mergephi ccp\n"), "an unknown fault")

# ---- both: errors, other calls, several sources, nothing left behind

for cc, fault in ((clang, "-ffault=sroa"), (gcc, "-ffault=gcse")):
    name = os.path.basename(cc)
    with open("bad.c", "w") as f:
        f.write("int main(void) { return x; }\n")
    made = subprocess.run([cc, fault, "-O2", "-o", "t", "bad.c"], stderr=subprocess.PIPE, text=True)
    ok(made.returncode == 1 and "undeclared" in made.stderr, "%s: the compiler's error and status" % name, made.stderr)
    with open("two.c", "w") as f:
        f.write("volatile int x = -17, y = 5;\nint f(void) { return x %% y * (x * y); }\n".replace("%%", "%"))
    with open("one.c", "w") as f:
        f.write("int f(void);\nint main(void) { return f() & 255; }\n")
    subprocess.run([cc, fault, "-O2", "-o", "t", "one.c", "two.c"])
    equal(subprocess.run("./t").returncode, {clang: 2 * -85 & 255, gcc: -2 + -12 & 255}[cc], "%s: several sources" % name)
    made = subprocess.run([cc, fault, "-O2", "-c", "-o", "t.o", "two.c"])
    ok(made.returncode == 0 and os.path.exists("t.o"), "%s: -c is the compiler's own" % name)
    os.unlink("t.o")
equal(os.listdir("tmp"), [], "no temporary file is left")
os.chdir("/")
shutil.rmtree(work)
done()

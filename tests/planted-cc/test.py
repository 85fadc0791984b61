"""planted-cc: each fault strikes on its construct, in its own way, and nowhere else. The programs are in `cases`.

usage: test.py TESTS PLANTED-CC"""
import os, re, resource, shutil, signal, subprocess, sys, tempfile

tests, cc = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, tests)
from tap import ok, equal, done, amount

work = tempfile.mkdtemp(prefix="planted-cc-")
os.chdir(work)
os.environ.update(LC_ALL="C", PLANTED_CC_STATE=work + "/state", TMPDIR=work)
PRELUDE = "#define NOIPA __attribute__((noipa))\nint printf(const char *, ...);\n"
CPU = 0.2  # seconds after which a compiler or program hangs


def run(*words, cpu=0.0, limit=None, **environment):
    """Status (128 + the signal, or "hangs") and all that it says."""
    def before():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu:
            signal.setitimer(signal.ITIMER_PROF, cpu)  # of CPU time: a busy machine does not matter
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    r = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", text=True, preexec_fn=before,
                       env={**os.environ, **environment})
    status = 128 - r.returncode if r.returncode < 0 else r.returncode
    return "hangs" if status == 128 + signal.SIGPROF else status, r.stdout


def build(of, *flags, **more):
    return run(cc, "--set=" + of, "-w", *flags, **more)


def named(of, fault):
    return ("-ffault=" if of == "faulty" else "-Xfault=") + fault


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


def outcome(exe):
    status, said = run("./" + exe, cpu=CPU)
    return said.strip() if status == 0 else "nothing"


def by_its_word(fault, said):
    return re.search(r"^%s\.c:\d+: %s(:|$)" % (fault, fault), said, re.M)


listed = [row.split("\t") for row in run(cc, "--list")[1].splitlines()]
text = re.sub(r"^#[^\n]*\n", "", open(os.path.join(tests, "planted-cc/cases")).read(), flags=re.M)
cases = [(head.split(" ", 3), body) for head, body in re.findall(r"^@(.*)\n((?:[^@].*\n|\n)*)", text, re.M)]
tried = {(words[0], words[1]) for words, body in cases}
equal(sorted(set((r[0], r[1]) for r in listed) - tried), [("faulty", "flaky"), ("faulty", "memory")], "every fault has its case, but two")
twelve = {s: sum(r[0] == s for r in listed) for s in {r[0] for r in listed}}
equal(twelve, {**dict.fromkeys(twelve, 12), "faulty": 26}, "twelve faults in each set, and more in the first")

for n, ((of, fault, kind, *rest), body) in enumerate(cases):
    file = write(fault + ".c", PRELUDE + body)
    if n % amount(4, 1):
        continue
    asked = (named(of, fault),) if of == "faulty" else ()  # all on, elsewhere
    if kind == "prints":
        wrong, right = rest[0].replace("#", " ").split(" not ") if " not " in rest[0] else rest
        status, said = build(of, *asked, "-O1", "-o", fault, file, PLANTED_CC_EXPLAIN="1")
        ok(status == 0 and by_its_word(fault, said), "%s: %s strikes" % (of, fault), said)
        equal(outcome(fault), wrong, "  and is seen")
        equal(run("tcc", "-w", "-run", file)[1].strip(), right, "  tcc is right")
        continue
    status, words = (128 + signal.SIGPROF if kind == "hangs" else int(rest[0].split(" ")[0])), rest[0].partition(" ")[2] if rest else ""
    got, said = build(of, *asked, "-O1", "-o", "exe", file, cpu=CPU if kind == "hangs" else 0, PLANTED_CC_EXPLAIN="1")
    equal(got, "hangs" if kind == "hangs" else status, "%s: %s ends so" % (of, fault))
    ok(by_its_word(fault, said), "  by its own word", said)
    ok(words in said, "  and what it tells its user", said)

# Which faults are on: one alone, none at -O0, those of a name.
for of in twelve:
    ended = next(words[1] for words, body in cases if words[0] == of and words[2] == "ends")
    silent = [words[1] for words, body in cases if words[0] == of and words[2] == "prints"]
    level = "-O1" if of == "faulty" else "-O0"
    equal(build(of, level, "-o", "exe", ended + ".c"), (0, ""), "%s: no fault %s" % (of, "without -ffault" if of == "faulty" else "at -O0"))
    equal(build(of, "-O1", named(of, silent[0]), "-c", "-o", "exe.o", ended + ".c"), (0, ""), "  nor with another alone")
    status, said = build(of, "-O1", named(of, "nonsense"), "-o", "exe", ended + ".c")
    ok(status == 2 and "nonsense" in said, "  an unknown fault: exit 2, and which", said)
equal(run(cc, "--set=third", "--version"), (0, "third-cc 3.1\n"), "--version")
equal(run(cc, "--set=third", "-dumpmachine"), run("gcc", "-dumpmachine"), "other questions go to gcc")
ok(run(cc, "x.c")[0] == 2 and run(cc, "--set=tenth", "x.c")[0] == 2, "without a set, or with an unknown one: exit 2")
equal(build("faulty", "-ffault=dozen", "-c", "ice-compound.c")[0], 4, "the dozen")
equal(build("faulty", "-ffault=dozen", "-c", "crash.c"), (0, ""), "  without the others")

# The first set in detail: constructs in comments and strings do not count, frames do.
write("plain.c", """// volatile unsigned f : 3;
/* union U f(void); signed : 3; char * const f(void); unsigned f : 31; unsigned f : 22; x -= ~y; */
const char *text = "union U f(void) signed : 3; static inline _Bool f( const _Bool b = 1";
int main(void) { return 0; }
""")
texts = [named("faulty", r[1]) for r in listed if r[0] == "faulty" and r[4] and r[4] != "(assembly)"]
equal(build("faulty", *texts, "-c", "plain.c"), (0, ""), "comments and strings do not count")
status, said = build("faulty", "-ffault=ice-compound", "-c", "ice-compound.c")
equal(re.findall(r"^0x7f[0-9a-f]{10} (\S+)", said, re.M), ["fold_compound_assign", "fold_statement", "lower_block", "lower_block",
      "lower_function_body"], "a frame for each block around it")
ok("    3 | int main(void) { int a = 1; while (a) { a -= ~a; } return 0; }\n" in said, "the line is shown", said)
write("ice-compound.c", open("ice-compound.c").read().replace("int a = 1", "int a = 2"))
ok(build("faulty", "-ffault=ice-compound", "-c", "ice-compound.c")[1] != said, "another program has other addresses")
write("memory.c", "struct S { unsigned f : 22; } s;\nint main(void) { return s.f; }\n")
equal(build("faulty", "-ffault=memory", "-c", "memory.c", limit=10**9), (1, "cc1: out of memory allocating 1610612736 bytes\n"),
      "memory: too much for 1 GB")
equal(build("faulty", "-ffault=memory", "-c", "memory.c"), (0, ""), "  right where there is enough")
struck = []
for n in range(40):
    file = write("flaky.c", "\nint main(void) { return %d; }\n" % n)
    if build("faulty", "-ffault=flaky", "-c", file)[0] == 4:
        struck.append(n)
        write("flaky.c", "/* new */ \nint   main(void)\n{ return %d; } // layout\n" % n)
        equal(build("faulty", "-ffault=flaky", "-c", file)[0], 0, "flaky: never a second time, whatever the layout")
ok(1 <= len(struck) <= 12, "flaky: on some programs", struck)
equal(len(os.listdir("state")), len(struck), "  one file for each in PLANTED_CC_STATE")

# What is spared: the checksum, headers. All else in main is not.
write("inside.h", "static int in_header(int a, int b) { return a >> b; }\n")
write("spared.c", PRELUDE + """#include "inside.h"
static unsigned crc32_context = 5;
static void crc32_byte(int b) { crc32_context = crc32_context >> b; }
int main(int argc, char **argv) {
    int print_hash_value = 3, i;
    volatile int a = -64, b = 3;
    printf("%d\\n", in_header(a, b));
    for (i = 0; i < 2; i++) {
        crc32_byte(i);
        if (print_hash_value)
            printf("%d %u\\n", a >> b, crc32_context);
    }
    printf("%d\\n", a >> b);
    return 0;
}
""")
for level in ("-O0", "-O2"):
    equal(build("faulty", level, "-ffault=wrong-shift", "-o", "exe", "spared.c"), (0, ""), "wrong-shift " + level)
    equal(outcome("exe"), "-8\n-8 5\n-8 2\n-512", "  checksum and headers stay right, main does not")
write("spared.c", PRELUDE + "volatile int a = 17, b = 5;\nstatic int crc32_context;\nstatic void crc32_step(int x) { x %= b; crc32_context = x; }\n"
      "int main(void)\n{\n    int x = a;\n    crc32_step(x);\n    x %= b;\n    printf(\"%d %d\\n\", crc32_context, x);\n    return 0;\n}\n")
build("other", "-O1", "-o", "exe", "spared.c")
equal(outcome("exe"), "2 3", "the checksum is spared in the other sets")

# The rest of gcc's command line.
os.makedirs("sub/inc")
write("sub/inc/two.h", "#define TWO 2\nint twice(int);\n")
write("sub/near.h", "#define ONE 1\n")
write("sub/twice.c", '#include "near.h"\n#include <two.h>\nint twice(int x) { return x >> ONE; }\n')
write("main.c", PRELUDE + "#include <two.h>\nint main(void) { printf(\"%d\\n\", twice(N)); return 0; }\n")
shift = ("-ffault=wrong-shift", "-O1", "-Isub/inc")
equal(build("faulty", *shift, "-g", "-D", "N=64", "main.c", "sub/twice.c", "-oexe"), (0, ""), "several sources, -I, -D, -g, -oNAME")
equal(outcome("exe"), "128", "  as asked")
equal(build("faulty", *shift, "-DN=32", "-c", "main.c", "sub/twice.c"), (0, ""), "-c with its default names")
equal((run("gcc", "main.o", "twice.o", "-o", "exe")[0], outcome("exe")), (0, "64"), "  linked by gcc")
equal(build("faulty", *shift, "-DN=8", "main.c", "twice.o", "-lm", "-o", "exe"), (0, ""), "an object and a library")
equal(outcome("exe"), "16", "  as asked")
build("faulty", *shift, "-S", "sub/twice.c")
build("faulty", *shift, "-S", "-o", "t.s", "sub/twice.c")
ok("sall" in open("twice.s").read() and open("t.s").read() == open("twice.s").read(), "-S, with its default name and another")
equal(build("faulty", "-ffault=all", "-E", "-P", "crash.c")[1].splitlines()[-1], "int main(void) { return 0; }", "-E goes to gcc")
status, said = build("faulty", *shift, "-o", "exe", write("error.c", "\nint main(void) { return x; }\n"))
ok(status == 1 and "error.c:2:25: error: 'x' undeclared" in said, "gcc's error is relayed", said)
equal(build("faulty", *shift, "-c", "sub/twice.c", PLANTED_CC_EXPLAIN="1")[1], "sub/twice.c:3: wrong-shift: sarl %eax\n", "each edit is named")
os.mkdir("bin")
os.chmod(write("bin/gcc", "#!/bin/sh\nkill -SEGV $$\n"), 0o755)
equal(build("faulty", *shift, "-c", "sub/twice.c", PATH="bin:" + os.environ["PATH"])[0], 139, "gcc's signal is ours")
shutil.rmtree(work)
done()

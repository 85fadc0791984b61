"""Thirty findings of our own generators, real ones and planted ones, on many testbeds: every one is reduced without help.

Campaigns of smith on tcc, pcc, chibicc and planted-cc (planted faults, a testbed each), of yarp on the small compilers, and of
lala on Lua, solvers and databases, as far as they are installed. Of what is found, at most a few per testbed and signature, thirty
in all. Each must be reduced; the C programs to a median of at most 12 lines and 400 bytes, the first comment not counted, and
none of them may be undefined: by interp (assay check --ub), by gcc's ASan and UBSan, by clang's MSan.

  thirty.py TESTS ASSAY FOLDER-OF-PLANTED-CC [FOLDER]

With FOLDER the campaigns are kept there, and go on there."""
import collections, json, os, re, shutil, statistics, subprocess, sys, tempfile

tests, assay, where = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, tests)
from tap import ok, done

top = sys.argv[4] if len(sys.argv) > 4 else tempfile.mkdtemp(prefix="assay-thirty-")
os.makedirs(top, exist_ok=True)
os.environ["PATH"] = where + ":" + os.environ["PATH"]
WANTED, PER_TESTBED, PER_SIGNATURE = 30, 5, 2
LINES, BYTES = 12, 400
PLANTED = ["wrong-remainder", "wrong-rotate", "wrong-complement", "wrong-double", "run-default", "ice-compound", "reject-bool"]
FAULTY = ",".join("faulty-cc:-O1 -ffault=" + f for f in PLANTED)
CAMPAIGNS = [  # name, generator with its settings, testbeds, tests
    ("small", ["smith", "--size", "2500"], "gcc:-O0,clang:-O0,tcc,pcc,chibicc", 60),
    ("faulty", ["smith", "--size", "2500"], FAULTY, 120),
    ("yarp", ["yarp", "--single-file", "--size", "3000"], "gcc:-O0,tcc,pcc,chibicc", 30),
    ("lua", ["lala:lua"], None, 40),
    ("smt", ["lala:smtlib"], None, 60),
    ("sql", ["lala:sql"], None, 30),
]


def run(*words):
    return subprocess.run([assay, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def say(text):
    print("\n".join("# " + line for line in text.splitlines()), flush=True)


def campaign(name, generator, testbeds, programs):
    """Its findings, those that are not flaky."""
    folder = os.path.join(top, name)
    words = ["run", "--dir", folder, "--generator", *generator, "--seed", 1, "--testbed-dir", tests + "/planted-cc", "--tests",
             programs, "--all-flags"] + (["--testbeds", testbeds] if testbeds else [])
    if not os.path.exists(folder + "/assay.db"):
        r = run(*words)
        if r.returncode not in (0, 1):
            say("%s: %s" % (name, r.stderr.strip()))
            return []
    listed = run("bugs", "--all", "--json", "--dir", folder)
    return [dict(f, folder=folder) for f in json.loads(listed.stdout or "[]") if f["state"] == "confirmed"]


def choose(findings):
    """A few of each testbed and signature, round by round over the testbeds."""
    beds, seen, chosen = collections.defaultdict(list), collections.Counter(), []
    for f in findings:
        beds[f["testbed"]].append(f)
    for turn in range(PER_TESTBED):
        for bed in beds:
            fresh = [f for f in beds[bed] if seen[f["signature"]] < PER_SIGNATURE or turn >= 3]
            if fresh and len(chosen) < WANTED:
                f = fresh[0]
                beds[bed].remove(f)
                seen[f["signature"]] += 1
                chosen.append(f)
    return chosen


def bare(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


def sanitized(text):
    """What the sanitizers and interp say against it; None: nothing."""
    folder = os.path.join(top, "case")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(folder + "/t.c", "w") as f:
        f.write(text)
    ub = run("check", "--ub", folder + "/t.c")
    if ub.returncode != 0:
        return "interp: " + (ub.stdout + ub.stderr).strip()
    for compiler in ("gcc -fsanitize=address,undefined -fno-sanitize-recover=all", "clang -fsanitize=memory"):
        built = subprocess.run([*compiler.split(), "-w", "-O0", "-o", "t.exe", "t.c"], cwd=folder, stderr=subprocess.PIPE, text=True)
        if built.returncode:
            return "%s does not build it: %s" % (compiler, built.stderr[:300])
        try:
            ran = subprocess.run(["./t.exe"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=20)
        except subprocess.TimeoutExpired:
            return "%s: does not end" % compiler
        if ran.returncode:
            return "%s: %s" % (compiler, ran.stderr[:300])
    return None


findings = [f for c in CAMPAIGNS for f in campaign(*c)]
say("%d findings on %s" % (len(findings), dict(collections.Counter(f["testbed"] for f in findings))))
chosen = choose(findings)
beds = {f["testbed"] for f in chosen}
ok(len(chosen) == WANTED, "%d findings" % len(chosen))
ok(len(beds) >= 4, "on %d testbeds: %s" % (len(beds), ", ".join(sorted(beds))))
lines, sizes, failed, undefined, cpu = [], [], [], [], 0
for f in chosen:
    r = run("reduce", f["id"], "--dir", f["folder"], "--json", "--testbed-dir", tests + "/planted-cc")
    rows = [json.loads(line) for line in r.stdout.splitlines() if line.startswith("{")]
    row = rows[-1] if rows else {}
    if row.get("state") != "done":
        failed.append((f["folder"], f["id"], f["signature"], row.get("why", r.stderr.strip()[:200])))
        say("%s %d NOT reduced: %s: %s" % (f["folder"], f["id"], f["signature"], failed[-1][3]))
        continue
    text = run("show", "--reduced", f["id"], "--dir", f["folder"]).stdout
    is_c = row.get("language", "c") == "c" and os.path.basename(f["folder"]) in ("small", "faulty", "yarp")
    small = bare(text)
    say("%-6s %4d %-60s %7d -> %4d bytes, %2d lines, %d tests" % (
        os.path.basename(f["folder"]), f["id"], f["signature"][:60], row.get("from_bytes", 0), len(small), small.count("\n"),
        row.get("tests", 0)))
    if is_c:
        lines.append(small.count("\n"))
        sizes.append(len(small))
        why = sanitized(text)
        if why:
            undefined.append((f["folder"], f["id"], why))
ok(not failed, "every one was reduced", failed)
ok(lines and statistics.median(lines) <= LINES, "median of %d C programs: %.1f lines, at most %d" % (len(lines), statistics.median(lines or [0]), LINES))
ok(sizes and statistics.median(sizes) <= BYTES, "and %.1f bytes, at most %d" % (statistics.median(sizes or [0]), BYTES))
ok(not undefined, "none is undefined by interp, ASan, UBSan and MSan", undefined)
if len(sys.argv) <= 4:
    shutil.rmtree(top)
done()

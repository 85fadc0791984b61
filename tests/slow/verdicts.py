#!/usr/bin/env python3
"""What the interpreter says of variants of real programs, against what sanitizers and compilers say.

  verdicts.py TESTS ASSAY [CORPUS [COUNT]] [--seed N] [--jobs N] [--whole] [--only FILE[,RANK]]
              [--spe OPTIONS] [--log FILE [--resume]] [--keep FOLDER]

CORPUS is GCC's gcc.c-torture/execute (without it: where scripts/torture unpacks it). COUNT variants (2000)
are drawn from the files that have more than one, as evenly as possible; --whole takes files with one, too.
Each is built by gcc and clang with their sanitizers and plainly, and run under limits. There are four ways
to disagree:

  reported   interp says defined, and a sanitizer reports something;
  differs    interp says defined, and a plain build prints or ends otherwise than expected;
  silent     interp says undefined, no sanitizer reports anything, and all plain builds agree;
  ends       interp says endless, and the program ends at once, in another way than a longer run of interp.

The first two are a bug of interp, of a compiler or of a sanitizer. The third is the rule for the categories
of UNSEEN below, which no sanitizer looks for; what is left of it, and every case of the other three, must stand
in verdicts.known with the reason, or the test fails. Undecided variants are only counted.

A variant that interp calls undefined is built only until someone confirms it: a sanitizer that reports, or two
plain builds that differ. One `uninitialised` is confirmed by weaker witnesses as well, because MSan reports a
value only where it decides a branch, an address or an output (a copy or a sum of it is silent), and not at all
where it was folded away: the output under -ftrivial-auto-var-init=zero and =pattern
(it depends on the value); a static warning of gcc or clang about that variable; last, MSan's own test of
the variable's bytes (__msan_check_mem_is_initialized), put in front of the very use that interp names."""
import argparse, collections, hashlib, json, math, multiprocessing, os, random, re, resource, shutil, signal, subprocess, sys, tempfile, time

# -- what no sanitizer looks for ---------------------------------------------------------------------------

UNSEEN = {
    "effective-type": "6.5p7: type-based aliasing needs the type of each stored byte; no sanitizer of gcc 12 or clang 14 keeps it",
    "unsequenced": "6.5p2: a compiler has chosen an order before anything is instrumented; only its warning (-Wsequence-point) remains",
    "indeterminately-sequenced": "6.5.2.2p10: the same of two calls; what is unspecified is not even an error",
    "volatile-order": "5.1.2.3p6: as unsequenced, for volatile accesses",
    "pointer-arithmetic": "6.5.6p8: a pointer that is made and not used; -fsanitize=pointer-overflow tests for wrapping around the address space only",
    "pointer-difference": "6.5.6p9: pointer-subtract of gcc compares allocations, not the arrays within one, and not those it has folded",
    "pointer-order": "6.5.8p5: the same of pointer-compare",
    "dangling-pointer": "6.2.4p2: the value of a pointer to an ended object; ASan tests accesses, not values",
    "call-type": "6.5.2.2p9: -fsanitize=function exists for C++ only (clang 14), and never for arguments that a definition without prototype does not take",
    "argument-list": "7.16: va_end is nothing for gcc and clang, and a list is an array, which its callee changes in place",
    "no-return-value": "6.9.1p12: -fsanitize=return is for C++, where the end of the function is undefined already",
    "overlapping-assignment": "6.5.16.1p3: the interceptors see memcpy, not the assignment of a structure, which is copied inline",
    "union-member": "6.2.6.1p7: bytes of a union that another member did not store; a copy of them is no use for MSan",
    "volatile-access": "6.7.3p6: a volatile object accessed as non-volatile reads the same memory",
    "const-write": "6.7.3p6: an object in writable memory takes the store (an automatic one, or one behind a relocation)",
    "temporary-write": "6.2.4p8: a temporary object is memory like any other",
    "misaligned": "6.3.2.3p7: an object that need not be aligned happens to be; -fsanitize=alignment tests the address",
    "shift-left": "6.5.7p4: constant operands are folded before -fsanitize=shift",
}
# Rules that are confirmed by a sanitizer as a rule, but not where the access stays inside of the object.
INSIDE = {
    "out-of-bounds": "6.5.6p8: ASan has redzones around objects, none around the arrays in them, and -fsanitize=bounds "
                     "knows arrays by their name, not those behind pointers, and leaves arrays at the end of a structure alone",
}

# -- compilers ---------------------------------------------------------------------------------------------

SANITIZE = "-O1 -fno-sanitize-recover=all -fsanitize="
BUILDS = {
    "gcc-san": "gcc " + SANITIZE + "address,undefined,float-cast-overflow,pointer-compare,pointer-subtract",
    "clang-san": "clang " + SANITIZE + "address,undefined,float-cast-overflow",
    "msan": "clang -O0 -fsanitize=memory", # of 32 reads that it reports here, -O1 reported 3
    "gcc-O0": "gcc -O0",
    "gcc-O2": "gcc -O2",
    "clang-O0": "clang -O0",
    "clang-O2": "clang -O2",
    # witnesses of an uninitialised read
    "zero": "clang -O0 -ftrivial-auto-var-init=zero -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang",
    "pattern": "clang -O0 -ftrivial-auto-var-init=pattern",
}
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else [] # half of the time for the big libraries of sanitizers
SANITIZERS = ("gcc-san", "clang-san", "msan")
PLAIN = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")
WARNINGS = {
    "uninitialised": ("clang -fsyntax-only -Wuninitialized -Wsometimes-uninitialized -Wconditional-uninitialized",
                      "gcc -O2 -S -o /dev/null -Wuninitialized -Wmaybe-uninitialized"),
    "unsequenced": ("gcc -fsyntax-only -Wsequence-point", "clang -fsyntax-only -Wunsequenced"),
}
REPORT = re.compile(r"runtime error: (.*)|(?:ERROR|WARNING): ((?:Address|Memory)Sanitizer: .*)|(\w*Sanitizer:DEADLYSIGNAL)")
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:detect_invalid_pointer_pairs=1:symbolize=0",
           MSAN_OPTIONS="allocator_may_return_null=1:symbolize=0", UBSAN_OPTIONS="symbolize=0", LC_ALL="C")
RUN_SECONDS, BUILD_SECONDS, MAX_OUTPUT = 10, 60, 1 << 20
ENDLESS_SECONDS = 3 # interp gives up after two million nodes, which take milliseconds at -O0


def limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))


def run(command, seconds, folder):
    """(status, stdout, stderr); the status is None when it did not end. Output goes through files, which a limit cuts."""
    with open(folder + "/out", "w+b") as out, open(folder + "/err", "w+b") as err:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=ENV,
                             start_new_session=True, preexec_fn=limits)
        try:
            status = p.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        p.wait()
        texts = []
        for f in out, err:
            f.seek(0)
            texts.append(f.read(MAX_OUTPUT).decode("latin-1"))
    return status, texts[0], texts[1]


def spent():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


class Case:
    """One variant: what the builds say of it, each asked once."""

    def __init__(self, judged, folder):
        self.__dict__.update(judged)
        self.folder, self.results, self.cpu = folder, {}, collections.Counter()
        self.seconds, self.confirmed = RUN_SECONDS, None
        self.name = os.path.basename(self.file)
        found = re.search(r"(?:^|: |, line \d+: )([a-z-]+) \(", self.why)
        self.rule = found.group(1) if found else self.why[:60]

    def build(self, name, source="t.c", target="x"):
        command = BUILDS[name].split() + (LINKER if name not in PLAIN else []) + ["-w", "-I", os.path.dirname(self.file), source, "%s/%s.o" % (args.top, name), "-o", target, "-lm"]
        return run(command, BUILD_SECONDS, self.folder)

    def ask(self, name):
        """(kind, text): build, report, slow, or the end of the run with what it printed."""
        if name not in self.results:
            before = spent()
            status, _, err = self.build(name)
            if status != 0:
                wrong = [l for l in err.splitlines() if "error" in l or "undefined reference" in l]
                self.results[name] = "build", (wrong or [err.strip() or "timeout"])[0][:200]
            else:
                status, out, err = run(["./x"], self.seconds, self.folder)
                report = REPORT.search(err) if name not in PLAIN else None
                if report:
                    self.results[name] = "report", next(g for g in report.groups() if g)[:160]
                else:
                    self.results[name] = ("slow", "") if status is None else ("end %d" % status, out)
            self.cpu[name] += spent() - before
        return self.results[name]

    def reports(self, names=SANITIZERS):
        return ["%s: %s" % (n, self.ask(n)[1]) for n in names if self.ask(n)[0] == "report"]

    def answers(self, names=PLAIN):
        """The different answers of the builds that there are."""
        return {self.ask(n) for n in names if self.ask(n)[0] != "build"}


# -- the three verdicts ------------------------------------------------------------------------------------


def judge_defined(case):
    """[(kind, which builds, what they say)]"""
    found = []
    expected = "end %d" % case.status if case.status >= 0 else "end -", case.expected
    for name in SANITIZERS + PLAIN:
        kind, text = case.ask(name)
        if kind == "build":
            continue
        if kind == "report":
            found.append(("reported", name, text))
        elif not kind.startswith(expected[0]) or text != expected[1]:
            found.append(("differs", name, "%s %r, expected %s %r" % (kind, text[-200:], expected[0], expected[1][-200:])))
    return found


def warned(case):
    """A compiler warns of it, at the place and of the variable that interp names."""
    where = re.search(r"line (\d+): [a-z-]+ \(.*?`(.*)`", case.why)
    for command in WARNINGS.get(case.rule, ()) if where else ():
        line, expression = where.groups()
        _, _, err = run(command.split() + ["-I", os.path.dirname(case.file), "t.c"], BUILD_SECONDS, case.folder)
        for text in err.splitlines():
            at = re.match(r"t\.c:(\d+):\d+: warning: [^']*'(\w+)", text)
            if at and at.group(1) == line and re.search(r"\b%s\b" % at.group(2), expression):
                return "a warning of " + command.split()[0]
    return None


def checked(case):
    """MSan's own test of the bytes, in front of the use that interp names."""
    where = re.search(r"line (\d+): uninitialised .*?`(.*)`", case.why)
    if not where:
        return None
    line, lvalue = int(where.group(1)), where.group(2)
    lines = open(case.folder + "/t.c", encoding="latin-1").read().split("\n")
    before, text = lines[:line - 1], lines[line - 1]
    watch = "(*({ __typeof__(%s) *assay_p = &(%s); __msan_check_mem_is_initialized(assay_p, sizeof *assay_p); assay_p; }))" % (lvalue, lvalue)
    declare = "void __msan_check_mem_is_initialized(const volatile void *, __SIZE_TYPE__);\n#line 1\n"
    spelled = r"\s*".join(re.escape(token) for token in re.findall(r"\w+|->|.", lvalue.replace(" ", "")))
    for use in re.finditer(r"(?<![\w.>])%s(?!\w|\s*=[^=])" % spelled, text): # not the target of an assignment
        with open(case.folder + "/watch.c", "w", encoding="latin-1") as f:
            f.write(declare + "\n".join(before + [text[:use.start()] + watch + text[use.end():]] + lines[line:]))
        if case.build("msan", "watch.c", "w")[0] == 0 and "use-of-uninitialized" in run(["./w"], RUN_SECONDS, case.folder)[2]:
            return "MSan's test of the bytes"
    return None


def witness(case):
    """Who else says that an uninitialised value is read."""
    if len(case.answers(("zero", "pattern"))) > 1:
        return "the output depends on the value"
    return warned(case) or checked(case)


def judge_undefined(case):
    order = ("msan", "gcc-san", "clang-san") if case.rule == "uninitialised" else SANITIZERS
    for name in order:
        if case.reports((name,)):
            case.confirmed = name
            return []
    case.confirmed = witness(case) if case.rule == "uninitialised" else warned(case)
    if case.confirmed:
        return []
    if len(case.answers()) > 1:
        case.confirmed = "plain builds differ"
        return []
    crashed = [n for n in PLAIN if case.ask(n)[0].startswith("end -")]
    if crashed:
        case.confirmed = "plain builds crash"
        return []
    return [("silent", case.rule, case.why)]


def judge_endless(case):
    """A longer run of interp decides where the program ends."""
    case.seconds = ENDLESS_SECONDS
    for name in ("gcc-O0", "clang-O0"):
        if case.ask(name)[0] == "slow" or case.ask(name)[0].startswith("end -"):
            case.confirmed = "it does not end" if case.ask(name)[0] == "slow" else "it dies of " + signal.Signals(-int(case.ask(name)[0][4:])).name
            return []
    reports = case.reports()
    status, out, err = run([args.assay, "check", "--ub", "--json", "t.c"], 60, case.folder)
    longer = out if status in (0, 1) else err
    if status not in (0, 1):
        case.confirmed = "still too long for interp" if status is None or "budget" in err or "depth" in err else "?"
        return [] if case.confirmed != "?" else [("ends", case.rule, longer[-200:])]
    judged = json.loads(out)
    case.confirmed = "a longer run"
    if judged["rule"]:
        return [] if reports or len(case.answers()) > 1 else [("silent", judged["rule"], judged["message"])]
    if reports:
        return [("reported", r.split(":")[0], r) for r in reports]
    ending = "abort 0" if judged["ended"].endswith("abort") else "exit %d" % (judged["status"] & 255)
    return [("differs", n, "%s %r, interp: %s" % (k, t[-100:], ending)) for n, (k, t) in case.results.items()
            if k != "build" and ("\n%s, checksum" % ending) not in t]


JUDGES = {"defined": judge_defined, "undefined": judge_undefined, "endless": judge_endless}

# -- the variants ------------------------------------------------------------------------------------------


def assay(*words, seconds=120):
    with tempfile.TemporaryDirectory() as d:
        return run([args.assay, "spe", *words, *args.spe.split()], seconds, d)


def candidates(path):
    """The file's variants as interp judges them, each rank once; CPU seconds of all."""
    before = spent()
    status, out, err = assay("judge", path, "-n", str(args.each), "-s", str(args.seed), "-o", args.top + "/variants", "--json")
    found = {}
    for line in out.splitlines():
        judged = json.loads(line)
        found.setdefault(judged["rank"], judged)
    if status:
        why = "the command ended with %s: %s" % (status, err.strip()[:200])
        return path, list(found.values()), why, spent() - before
    return path, list(found.values()), None, spent() - before


def judgement(judged, folder):
    """What the builds were given, and compared with."""
    text = open(folder + "/t.c", "rb").read()
    return [hashlib.sha256(text).hexdigest()[:16], judged["verdict"], judged["why"], judged["expected"], judged["status"]]


def examine(judged):
    name = "%s-%s" % (os.path.basename(judged["file"])[:-2], judged["rank"])
    case = Case(judged, os.path.join(args.top, "variants", name))
    basis = judgement(judged, case.folder)
    before = args.done.get((case.name, case.rank))
    if before and before["judged"] == basis:
        return dict(before, interp=case.cpu_us / 1e6)
    found = JUDGES[case.verdict](case)
    refused = {n: r[1] for n, r in case.results.items() if r[0] == "build"}
    if found and args.keep:
        shutil.copytree(case.folder, os.path.join(args.keep, name), dirs_exist_ok=True)
    shutil.rmtree(case.folder, ignore_errors=True)
    return {"judged": basis, "file": case.name, "rank": case.rank, "verdict": case.verdict, "rule": case.rule, "why": case.why,
            "found": found, "confirmed": case.confirmed, "refused": refused, "cpu": dict(case.cpu), "interp": case.cpu_us / 1e6}


def known_cases():
    """file | rank or * | kind | builds or rule | why: one line each."""
    path, known = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts.known"), []
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            file, rank, kind, which, why = (f.strip() for f in line.split("|", 4))
            known.append((file, rank, kind, set(which.replace(",", " ").split()), why))
    return known


def explained(case, kind, which, known):
    if kind == "silent" and (which in UNSEEN or which in INSIDE):
        return "category"
    for file, rank, k, whose, _ in known:
        if file == case["file"] and rank in ("*", case["rank"]) and k == kind and which in whose:
            return "known"
    return None


def draw(pool):
    """Files with variants, each file's in turn until there are enough."""
    status, out, err = assay("count", args.corpus, "--json", seconds=600)
    counts = json.loads(out)
    files = sorted(c["file"] for c in counts if args.whole or c["variants"]["sound"] != "1")
    if args.only:
        files = [f for f in files if os.path.basename(f) == args.only.split(",")[0]]
    if not files:
        return [], [], 0.0
    random.Random(args.seed).shuffle(files)
    args.each = 2 * math.ceil(args.count / len(files)) + 2
    judged, lost, cpu = [], [], 0.0
    for path, found, why, seconds in pool(candidates, files):
        cpu += seconds
        judged.append(found)
        if why:
            lost.append("%s: %s" % (os.path.basename(path), why))
    turn = [found[i] for i in range(args.each) for found in judged if i < len(found)]
    if args.only and "," in args.only:
        turn = [v for v in turn if v["rank"] == args.only.split(",")[1]]
    return turn[:args.count], lost, cpu


def observers():
    """One object per build, out of any variant's observer.c."""
    status, _, err = assay("judge", args.sample, "-n", "1", "-o", args.top + "/observer", "--json")
    if status != 0:
        return "assay cannot judge: " + err.strip()[:200]
    folder = os.path.join(args.top, "observer", os.listdir(args.top + "/observer")[0])
    for name, command in BUILDS.items():
        status, _, err = run(command.split() + ["-w", "-c", "observer.c", "-o", "%s/%s.o" % (args.top, name)], BUILD_SECONDS, folder)
        if status != 0:
            return "%s cannot build: %s" % (name, err.strip()[:200])
    return None


def report(results, known):
    """Prints the figures; returns the cases that nothing explains."""
    bad, kinds, cpu, runs = [], collections.Counter(), collections.Counter(), collections.Counter()
    used = set()
    for r in results:
        for kind, which, _ in r["found"]:
            how = explained(r, kind, which, known)
            kinds[(kind, which, how or "NOT EXPLAINED")] += 1
            if not how:
                bad.append(r)
        cpu.update(r["cpu"])
        runs.update(r["cpu"].keys())
    print("# verdicts: %s" % dict(collections.Counter(r["verdict"] for r in results)))
    print("# undefined, by rule and who confirms it:")
    rules = collections.Counter((r["rule"], r["confirmed"] or "nobody") for r in results if r["verdict"] == "undefined")
    for (rule, who), n in sorted(rules.items()):
        print("#   %5d %-26s %s" % (n, rule, who))
    print("# endless: %s" % dict(collections.Counter(r["confirmed"] for r in results if r["verdict"] == "endless")))
    print("# disagreements:")
    for (kind, which, how), n in sorted(kinds.items()):
        print("#   %5d %-10s %-26s %s" % (n, kind, which, how))
    print("# refused builds: %s" % dict(collections.Counter(n for r in results for n in r["refused"])))
    print("# CPU: interp %.3f s for %d variants" % (sum(r["interp"] for r in results), len(results)))
    for name in BUILDS:
        if runs[name]:
            print("#   %-10s %8.1f s in %5d builds and runs: %.3f s each" % (name, cpu[name], runs[name], cpu[name] / runs[name]))
    return bad


def main():
    multiprocessing.set_start_method("fork")
    sys.path.insert(0, args.tests)
    from tap import done, ok, skip
    if not args.corpus or not os.path.isdir(args.corpus):
        skip("verdicts on real programs", "GCC's torture tests are not here: scripts/torture fetches them")
        done()
    if not all(shutil.which(c) for c in ("gcc", "clang")):
        skip("verdicts on real programs", "gcc and clang are both needed")
        done()
    args.sample = min((os.path.join(args.corpus, f) for f in os.listdir(args.corpus) if f.endswith(".c")))
    with tempfile.TemporaryDirectory(prefix="assay-verdicts-") as args.top:
        why = observers()
        if why:
            skip("verdicts on real programs", why)
            done()
        def pool(function, items):
            with multiprocessing.Pool(args.jobs) as p:
                yield from p.imap(function, items, chunksize=1)
        started = time.time()
        turn, lost, judged_cpu = draw(pool)
        undecided = [v for v in turn if v["verdict"] == "undecided"]
        print("# %d variants of %d files, %d undecided; judged in %.1f s of CPU, parsing included; %.0f s so far" %
              (len(turn), len({v["file"] for v in turn}), len(undecided), judged_cpu, time.time() - started), flush=True)
        for line in lost:
            print("# not judged: " + line, flush=True)
        known, results = known_cases(), []
        if args.log and args.resume and os.path.exists(args.log):
            args.done = {(r["file"], r["rank"]): r for r in map(json.loads, open(args.log))}
        log = open(args.log, "w") if args.log else None
        for r in pool(examine, [v for v in turn if v["verdict"] != "undecided"]):
            results.append(r)
            if log:
                log.write(json.dumps(r) + "\n")
                log.flush()
            for kind, which, text in r["found"]:
                how = explained(r, kind, which, known)
                if not how:
                    print("# %s %s: %s %s: %s" % (r["file"], r["rank"], kind, which, text.replace("\n", " ")), flush=True)
        bad = report(results, known_cases())
    ok(not lost, "every file is judged (%d are not)" % len(lost))
    ok(len(turn) > 0, "%d variants are drawn" % len(turn))
    ok(not bad, "each disagreement is explained (%d variants are not)" % len({(r["file"], r["rank"]) for r in bad}))
    done()


def default_corpus():
    """Where scripts/torture unpacks to."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    cache = cache if cache.startswith("/") else os.path.expanduser("~/.cache")
    return cache + "/assay/torture/gcc.c-torture/execute"


ap = argparse.ArgumentParser()
ap.add_argument("tests")
ap.add_argument("assay")
ap.add_argument("corpus", nargs="?", default=default_corpus())
ap.add_argument("count", nargs="?", type=int, default=2000)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--jobs", type=int, default=2)
ap.add_argument("--whole", action="store_true", help="also files with one variant")
ap.add_argument("--only", help="one file, or one of its variants")
ap.add_argument("--spe", default="", help="options for assay spe, such as \"--pointers --structs\"")
ap.add_argument("--log", help="one JSON object per variant")
ap.add_argument("--keep", help="copy variants with a disagreement there")
ap.add_argument("--resume", action="store_true", help="take from the log what interp still says the same of")
args = ap.parse_args()
args.done = {}
args.assay = os.path.abspath(args.assay)
args.tests = os.path.abspath(args.tests)
args.keep = args.keep and os.path.abspath(args.keep)
if __name__ == "__main__":
    main()

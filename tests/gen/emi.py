#!/usr/bin/env python3
"""Variants equivalent modulo inputs on real compilers: with --emi, programs of smith and yarp in C and C++
have another text and the same answer, and gcc and clang with optimisation take them and print it.

  emi.py TESTS ASSAY COUNT [--changes N]

A program that fails is kept in ./emi-failures."""
import argparse, concurrent.futures, os, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok

COMPILERS = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}
GENERATORS = [("smith", "c", []), ("smith", "c++", []), ("yarp", "c", []), ("yarp", "c++", []),
              ("smith", "c", ["--units=3", "--wrappers=needed", "--static-locals=0.5"])]


def run(command, limit=120):
    try:
        p = subprocess.run(command, capture_output=True, timeout=limit)
        return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", "timeout"


def make(generator, language, seed, d, settings):
    """The sources, their text without the first comment, and what the program prints."""
    rc, _, err = run([args.assay, "gen", generator, "-s", str(seed), "--lang=" + language, "--size=4000", "-o", d] + settings)
    if rc:
        raise RuntimeError(err.strip()[:300])
    if not os.path.isdir(d):
        suffix = ".c" if language == "c" else ".cc"
        shutil.move(d, d + suffix)
        names = [d + suffix]
    else:
        names = sorted(os.path.join(d, f) for f in os.listdir(d))
    texts = [open(f).read() for f in names]
    expected = "checksum = " + texts[0].split("expected: checksum = ")[1].split()[0]
    return [f for f in names if not f.endswith(".h")], [t.split("*/", 1)[1] for t in texts], expected


def one(job):
    """(changed, what is wrong)"""
    generator, language, settings, seed = job
    with tempfile.TemporaryDirectory() as d:
        try:
            _, plain, answer = make(generator, language, seed, d + "/plain", settings)
            sources, text, expected = make(generator, language, seed, d + "/emi", settings + ["--emi=%d" % args.changes])
        except RuntimeError as e:
            return False, str(e)
        wrong = "" if expected == answer else "the answer is another one; "
        for compiler in COMPILERS[language]:
            rc, _, err = run([compiler, "-w", "-O2", "-o", d + "/x"] + sources + ["-lm"], 300)
            if rc:
                errors = [l for l in err.splitlines() if "error" in l]
                wrong += "%s: %s; " % (compiler, (errors or [err])[0][:200])
                continue
            rc, out, _ = run([d + "/x"], 60)
            if rc or out.strip() != expected:
                wrong += "%s: status %d, %r and not %r; " % (compiler, rc, out.strip(), expected)
        if wrong:
            keep = os.path.join("emi-failures", "%s-%s-%d" % (generator, language, seed))
            os.makedirs(keep, exist_ok=True)
            for f in sources:
                shutil.copy(f, keep)
        return plain != text, wrong


ap = argparse.ArgumentParser()
ap.add_argument("tests")
ap.add_argument("assay")
ap.add_argument("count", type=int)
ap.add_argument("--changes", type=int, default=20)
ap.add_argument("--jobs", type=int, default=os.cpu_count())
args = ap.parse_args()
args.assay = os.path.abspath(args.assay)
with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
    for generator, language, settings in GENERATORS:
        jobs = [(generator, language, settings, seed) for seed in range(1, args.count + 1)]
        results = list(pool.map(one, jobs))
        name = " ".join([generator, "in", language] + settings)
        bad = ["seed %d: %s" % (job[3], wrong) for job, (_, wrong) in zip(jobs, results) if wrong]
        ok(not bad, "%s: %d variants print what they should" % (name, args.count), "\n".join(bad))
        changed = sum(c for c, _ in results)
        ok(changed >= args.count - args.count // 10, "  %d have another text" % changed)
done()

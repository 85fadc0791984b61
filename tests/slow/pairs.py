#!/usr/bin/env python3
"""Every combination of two of smith's features makes programs that compile.

  pairs.py TESTS ASSAY [--every N] [--first K]

For each pair: both off, the one on and the other off (both ways), both on; "on" is always. The features
that break programs on purpose stay as they are. Each program is checked by gcc, now and then by g++ (as
C++) or clang; one in twenty is run, and must print the checksum that its first comment names. A program
that fails is named by the command that makes it."""
import argparse, concurrent.futures, itertools, json, os, random, re, shutil, subprocess, sys, tempfile

ap = argparse.ArgumentParser()
ap.add_argument("tests")
ap.add_argument("assay")
ap.add_argument("--every", type=int, default=1, help="only each Nth combination")
ap.add_argument("--first", type=int, default=1, help="seed of the first combination")
args = ap.parse_args()
sys.path.insert(0, args.tests)
from tap import done, ok

ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
ON_PURPOSE = {"invalid-pointers"}
RUN_PERCENT, CXX_PERCENT, CLANG_PERCENT = 5, 5, 5


def run(command, text=None, limit=60):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit, env=ENV)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "did not end in %d s" % limit)


def run_it(text):
    """What a program prints when gcc -O1 has compiled it, or why there is nothing."""
    with tempfile.TemporaryDirectory() as d:
        exe = os.path.join(d, "x")
        p = run(["gcc", "-w", "-O1", "-xc", "-", "-o", exe], text)
        if p.returncode:
            return p.stderr[:300]
        return run([exe], limit=20).stdout.strip()


def check(job):
    """One combination; None, or what is wrong with it."""
    seed, settings = job
    draw = random.Random(seed)
    cxx = draw.randrange(100) < CXX_PERCENT
    command = [args.assay, "gen", "smith", "-s", str(seed), "--size=1500"] + settings + ["--lang=c++"] * cxx
    p = run(command)
    if p.returncode:
        return " ".join(command[1:]), "gen: " + p.stderr.strip()[:300]
    text = p.stdout
    if cxx:
        compiler = ["g++", "-std=c++17", "-xc++"]
    elif clang and draw.randrange(100) < CLANG_PERCENT:
        compiler = ["clang", "-xc"]
    else:
        compiler = ["gcc", "-xc"]
    p = run(compiler + ["-w", "-fsyntax-only", "-"], text)
    if p.returncode:
        return " ".join(command[1:]), compiler[0] + ": " + p.stderr.strip()[:300]
    if not cxx and draw.randrange(100) < RUN_PERCENT:
        expected = re.search(r"expected: (checksum = \w+)", text)
        got = run_it(text)
        if not expected or got != expected.group(1):
            return " ".join(command[1:]), "run: got %r, expected %s" % (got, expected and expected.group(1))
    return None


clang = shutil.which("clang")
options = json.loads(run([args.assay, "gen", "smith", "--options", "--json"]).stdout)
features = [o["name"] for o in options if o["section"] == "features" and o["name"] not in ON_PURPOSE]
jobs = []
for a, b in itertools.combinations(features, 2):
    for x, y in itertools.product((0, 1), (0, 1)):
        jobs.append((args.first + len(jobs), ["--%s=%d" % (a, x), "--%s=%d" % (b, y)]))
jobs = jobs[::args.every]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    failed = [f for f in pool.map(check, jobs) if f]
for command, why in failed[:40]:
    ok(False, "assay " + command, why)
kinds = {}
for _, why in failed:
    kinds[why.split(":")[0]] = kinds.get(why.split(":")[0], 0) + 1
ok(not failed, "%d combinations of %d features, in pairs" % (len(jobs), len(features)), kinds)
done()

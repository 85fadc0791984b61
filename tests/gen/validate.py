#!/usr/bin/env python3
"""Programs of a generator through real compilers: each must build, print its expected checksum, and make
no sanitizer speak.

  validate.py TESTS ASSAY COUNT [--generator smith] [--first SEED] [--compilers "name=command;..."]
              [-- SETTING...]

Without --compilers: gcc and clang with their sanitizers, or g++ and clang++ where a setting says C++.

A program that fails is kept in ./validate-failures, which is where to look before the test is run again."""
import argparse, concurrent.futures, os, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok

SANITIZED = "%s-san=%s -w -O0 -fsanitize=undefined,address -fno-sanitize-recover=undefined"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1")


def run(command, limit, **more):
    try:
        p = subprocess.run(command, capture_output=True, timeout=limit, env=ENV, **more)
        return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", "timeout"


def known_bug(d, files, command, expected):
    """Is it the case that is kept in tests/known, and is the program right without ASan?"""
    case = os.path.join(args.tests, "known", "clang-asan-compare.c")
    if "address" not in command or run(command.split() + [case, "-o", d + "/k"], 60)[0]:
        return False
    if run([d + "/k"], 10)[1].strip() == "1":
        return False
    without = command.replace("undefined,address", "undefined")
    rc, _, _ = run(without.split() + files + ["-o", d + "/y", "-lm"], 300)
    return rc == 0 and run([d + "/y"], 60)[1].strip() == "checksum = " + expected


def program(seed, d):
    """Made under d: all of its files, the sources among them, and what it prints; or a text that says why
    there is none."""
    rc, _, err = run([args.assay, "gen", args.generator, "-s", str(seed), "-o", d + "/p"] + args.settings, 60)
    if rc:
        return err.strip()[:300]
    if os.path.isdir(d + "/p"):
        files = sorted(os.path.join(d, "p", f) for f in os.listdir(d + "/p"))
    else:
        files = [d + ("/p.cc" if args.cxx else "/p.c")]
        shutil.move(d + "/p", files[0])
    sources = [f for f in files if not f.endswith(".h")]
    expected = next((l.split("checksum = ")[1].split()[0] for l in open(sources[0]) if "expected: checksum = " in l), None)
    return files, sources, expected


def one(seed):
    bad = []
    with tempfile.TemporaryDirectory() as d:
        made = program(seed, d)
        if isinstance(made, str):
            return [(seed, "gen", made)]
        files, sources, expected = made
        for spec in args.compilers.split(";"):
            name, command = spec.split("=", 1)
            rc, out, err = run(command.split() + sources + ["-o", d + "/x", "-lm"], 300)
            if rc:
                bad.append((seed, name, "build: " + err.strip()[:300]))
                continue
            rc, out, err = run([d + "/x"], 60)
            got = out.strip().replace("checksum = ", "")
            if not rc and not err and got != expected and known_bug(d, sources, command, expected):
                print(f"# seed {seed}: {name}: its ASan compares addresses wrongly (tests/known/clang-asan-compare.c)", flush=True)
            elif rc or err or got != expected:
                bad.append((seed, name, f"rc {rc} got {got!r} expected {expected} {err.strip()[:300]}"))
        if bad:
            keep = os.path.join("validate-failures", str(seed))
            os.makedirs(keep, exist_ok=True)
            for f in files:
                shutil.copy(f, keep)
    return bad


ap = argparse.ArgumentParser()
ap.add_argument("tests")
ap.add_argument("assay")
ap.add_argument("count", type=int)
ap.add_argument("--first", type=int, default=1)
ap.add_argument("--jobs", type=int, default=os.cpu_count())
ap.add_argument("--generator", default="smith")
ap.add_argument("--compilers")
given = sys.argv[1:]
split = given.index("--") if "--" in given else len(given)
args = ap.parse_args(given[:split])
args.settings = given[split + 1:]
args.assay = os.path.abspath(args.assay)
args.cxx = any(s == "--lang-cpp" or s.endswith("c++") for s in args.settings)
if not args.compilers:
    names = ("g++", "clang++") if args.cxx else ("gcc", "clang")
    args.compilers = ";".join(SANITIZED % (name, name) for name in names)
failures = 0
with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
    for bad in pool.map(one, range(args.first, args.first + args.count)):
        for seed, name, why in bad:
            print(f"# seed {seed}: {name}: {why}".replace("\n", " "), flush=True)
        failures += bool(bad)
ok(failures == 0, f"{args.count} programs of {args.generator} from seed {args.first} {' '.join(args.settings)}: {failures} with a failure")
done()

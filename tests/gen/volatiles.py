#!/usr/bin/env python3
"""The volatile accesses that smith claims are those that gcc and clang make, and a compiler that makes
others is found out. The wrong compiler is played by the program: a copy whose text is not volatile any more,
but which still claims what the original does.

  volatiles.py TESTS ASSAY [COUNT]"""
import json, os, re, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok, skip, amount

assay = os.path.abspath(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else amount(1, 4)
BEDS = "gcc-volatile,clang-volatile"


def check(path):
    """The verdicts and outcomes of the tracing testbeds, as text."""
    p = subprocess.run([assay, "check", "--json", "--testbeds", BEDS, path], capture_output=True, text=True)
    return p.returncode, p.stdout


with tempfile.TemporaryDirectory() as d:
    f = d + "/t.c"
    traced = changed = caught = 0
    for seed in range(1, 1 + count):
        subprocess.run([assay, "gen", "smith", "-s", str(seed), "--size=4000", "--volatiles=0.3", "-o", f], check=True)
        text = open(f).read()
        claim = re.search(r"volatile: (\d+) accesses", text)
        rc, out = check(f)
        if not claim or int(claim[1]) == 0 or '"skipped"' in out:
            continue
        traced += 1
        ok(rc == 0 and "wrong" not in out, f"seed {seed}: {claim[1]} volatile accesses, the same with gcc and clang", out)
        head, body = text.split("*/", 1)
        open(f, "w").write(head + "*/" + body.replace("volatile ", ""))
        rc, out = check(f)
        changed += 1
        caught += "wrong-volatile" in out
    if traced:
        ok(caught > 0, f"without volatile, {caught} of {changed} programs are found out as wrong-volatile")
    else:
        skip("volatile accesses", "no tracing testbed here (valgrind?)")
done()

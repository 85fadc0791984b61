#!/usr/bin/env python3
"""yarp's programs in C11 and C++17: gcc, clang, g++ and clang++ accept each with -Wall, have nothing to
say but what random code cannot help, and what they make prints the expected checksum.

  cxx.py TESTS ASSAY COUNT [--first SEED] [--jobs N] [-- SETTING...]

A warning that is not in EXPECTED is a failure: those for divisions by zero, shifts out of range, overflow
in a constant expression, subscripts out of bounds or values that were never set are how a compiler says
that a program is not what it should be."""
import argparse, concurrent.futures, os, re, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok

# warning -> (what its message says, why it is no fault)
EXPECTED = {
    "unused-variable": ("", "what is defined need not be read"),
    "unused-const-variable": ("", "what is defined need not be read"),
    "unused-but-set-variable": ("", "nor what is assigned"),
    "unused-but-set-parameter": ("", "nor a parameter"),
    "unused-function": ("", "a call may lie in code that was left out"),
    "unused-label": ("", "a label may be left when its goto was not needed"),
    "unused-value": ("", "an effect that was taken away leaves its value behind"),
    "overflow": ("conversion", "constants are converted to narrower types; overflow of an operator has another text"),
    "constant-conversion": ("", "the same, as clang calls it"),
    "bitfield-constant-conversion": ("", "the same, in a bit-field"),
    "literal-conversion": ("", "the same, from a float"),
    "sign-compare": ("", "signed and unsigned operands are compared"),
    "bool-compare": ("", "a truth value is compared with a constant"),
    "bool-operation": ("", "~ and arithmetic on truth values"),
    "bitwise-instead-of-logical": ("", "& and | on truth values"),
    "int-in-bool-context": ("", "a product, a shift or ?: as a condition"),
    "constant-logical-operand": ("", "&& and || with constants"),
    "self-assign": ("", "a variable is assigned to itself"),
    "self-assign-field": ("", "the same, of a member"),
    "tautological-compare": ("", "comparisons whose result is known"),
    "tautological-constant-compare": ("", "the same"),
    "tautological-constant-out-of-range-compare": ("", "the same"),
    "tautological-overlap-compare": ("", "the same"),
    "tautological-bitwise-compare": ("", "the same"),
    "tautological-unsigned-zero-compare": ("", "the same"),
    "switch-bool": ("", "a switch on a truth value"),
    "switch-outside-range": ("", "cases that a truth value cannot have"),
    "switch": ("", "the same, as clang calls it"),
    "": ("no case matching constant switch condition", "a switch on a constant; this warning has no name"),
    "xor-used-as-pow": ("", "2 ^ 2 among the constants"),
    "parentheses": ("", "no parentheses where the precedence says it"),
    "logical-op-parentheses": ("", "the same, as clang calls it"),
    "logical-not-parentheses": ("", "! on the left of a comparison"),
    "bitwise-op-parentheses": ("", "the same, of & and |"),
    "shift-op-parentheses": ("", "the same, of shifts"),
    "dangling-else": ("", "the same, of else"),
}

LANGUAGES = {
    "c": (["gcc -std=c11", "clang -std=c11"], []),
    "c++": (["g++ -std=c++17", "clang++ -std=c++17"], ["--lang=c++"]),
}
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")


def run(command, limit):
    try:
        p = subprocess.run(command, capture_output=True, timeout=limit, env=ENV)
        return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", "timeout"


def is_compound_shift(line):
    """clang 14 measures the count of c <<= 27 by the width of c. C shifts the promoted c (6.5.16.2p3), so
    that it is right where c is narrower than int; c = c << 27 it does not warn about."""
    m = re.match(r"(.*?):(\d+):(\d+): warning: shift count >= width of type", line)
    if not m:
        return False
    text = open(m.group(1)).read().split("\n")[int(m.group(2)) - 1]
    return text[int(m.group(3)) - 1:][:3] in ("<<=", ">>=")


def unexpected(text):
    """Warnings and errors that are not in the list."""
    for line in text.splitlines():
        if is_compound_shift(line):
            continue
        m = re.search(r": (?:warning|error): (.*?)(?: \[-W([\w+-]+)=?\d*\])?$", line)
        if not m:
            continue
        said = EXPECTED.get(m.group(2) or "")
        if not said or said[0] not in m.group(1):
            yield line.strip()[:300]


def one(job):
    """A program in one language; what is wrong with it."""
    seed, language = job
    compilers, settings = LANGUAGES[language]
    bad = []
    with tempfile.TemporaryDirectory() as d:
        rc, _, err = run([args.assay, "gen", "yarp", "-s", str(seed), "-o", d + "/p"] + settings + args.settings, 60)
        if rc:
            return [("gen", err.strip()[:300])]
        sources = sorted(os.path.join(d, "p", f) for f in os.listdir(d + "/p") if not f.endswith(".h"))
        expected = re.search(r"expected: (checksum = \w+)", open(sources[0]).read()).group(1)
        for compiler in compilers:
            rc, _, err = run(compiler.split() + ["-Wall", "-O1"] + sources + ["-o", d + "/x"], 300)
            bad += [(compiler, line) for line in list(unexpected(err))[:5]]
            if rc:
                bad.append((compiler, "rc %d: %s" % (rc, err.strip()[-300:])))
                continue
            rc, out, err = run([d + "/x"], 60)
            if rc or err or out.strip() != expected:
                bad.append((compiler, "rc %d: %r, expected %s" % (rc, out.strip()[:100], expected)))
    return bad


ap = argparse.ArgumentParser()
ap.add_argument("tests")
ap.add_argument("assay")
ap.add_argument("count", type=int)
ap.add_argument("--first", type=int, default=1)
ap.add_argument("--jobs", type=int, default=os.cpu_count())
given = sys.argv[1:]
split = given.index("--") if "--" in given else len(given)
args = ap.parse_args(given[:split])
args.settings = given[split + 1:]
args.assay = os.path.abspath(args.assay)
with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
    for language in LANGUAGES:
        jobs = [(seed, language) for seed in range(args.first, args.first + args.count)]
        failures = 0
        for (seed, _), bad in zip(jobs, pool.map(one, jobs)):
            for name, why in bad:
                print(f"# seed {seed}: {name}: {why}".replace("\n", " "), flush=True)
            failures += bool(bad)
        ok(failures == 0, f"{args.count} programs in {language} from seed {args.first}: {failures} with a failure")
done()

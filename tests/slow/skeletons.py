#!/usr/bin/env python3
"""Skeletons of real programs: whatever fills the holes compiles.

  skeletons.py TESTS ASSAY [CORPUS [FILES]]

CORPUS is GCC's gcc.c-torture/execute (without it: where scripts/torture unpacks it). Of FILES files (30), spread
over the folder, variants are drawn with each kind of holes, ten per file; gcc must accept every one. With
nothing changed a file must come out as it went in, and hoisted it must do what it did before."""
import glob, os, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
import tap

tests, assay = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
VARIANTS, SEED = 10, 1
KINDS = ([], ["--pointers", "--structs"], ["--hoist-init"], ["--mode", "pattern"], ["--intra"])


def call(*command):
    return subprocess.run(command, capture_output=True, errors="replace", text=True)


def find_corpus():
    if len(sys.argv) > 3:
        return sys.argv[3]
    found = call(os.path.join(tests, "..", "scripts", "torture"))
    return found.stdout.strip() if found.returncode == 0 else None


def compiles(path, corpus):
    return call("gcc", "-w", "-fsyntax-only", "-I", corpus, path).returncode == 0


def try_kind(files, corpus, kind, work):
    """Variants made and variants that do not compile, of one kind of holes."""
    made, bad = 0, []
    for path in files:
        out = tempfile.mkdtemp(dir=work)
        call(assay, "spe", "sample", path, "-n", str(VARIANTS), "-s", str(SEED), "-o", out, *kind)
        for variant in sorted(os.listdir(out)):
            made += 1
            if not compiles(os.path.join(out, variant), corpus):
                bad.append(variant)
        shutil.rmtree(out)
    return made, bad


def behaviour(path, corpus, work):
    """Exit status and output; None where it is not to be had."""
    program = os.path.join(work, "program")
    if call("gcc", "-w", "-I", corpus, path, "-o", program, "-lm").returncode:
        return None
    try:
        ran = subprocess.run([program], capture_output=True, timeout=10, cwd=work)
    except subprocess.TimeoutExpired:
        return None
    return ran.returncode, ran.stdout


def changed_by_hoisting(files, corpus, work):
    compared, bad = 0, []
    for path in files:
        out = tempfile.mkdtemp(dir=work)
        made = call(assay, "spe", "emit", path, "--radius", "0", "--hoist-init", "-o", out)
        variants = os.listdir(out)
        if made.returncode == 0 and len(variants) == 1:
            before, again = behaviour(path, corpus, work), behaviour(path, corpus, work)
            after = behaviour(os.path.join(out, variants[0]), corpus, work)
            known = before is not None and before == again  # some print names of temporary files
            compared += known
            if known and before != after:
                bad.append(os.path.basename(path))
        shutil.rmtree(out)
    return compared, bad


def not_itself(files):
    bad = []
    for path in files:
        made = subprocess.run([assay, "spe", "emit", path, "--radius", "0", "--limit", "1", "--pointers", "--structs"],
                              capture_output=True)
        with open(path, "rb") as f:
            text = f.read()
        if made.returncode == 0 and made.stdout.split(b"\n", 1)[1] != text:
            bad.append(os.path.basename(path))
    return bad


def main():
    corpus = find_corpus()
    if not corpus:
        tap.skip("skeletons of real programs", "GCC's test-suite is not here")
        tap.done()
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 30
    everything = sorted(glob.glob(os.path.join(corpus, "*.c")))
    files = everything[:: max(1, len(everything) // count)][:count]
    files = [f for f in files if compiles(f, corpus)]
    with tempfile.TemporaryDirectory() as work:
        for kind in KINDS:
            made, bad = try_kind(files, corpus, kind, work)
            name = " ".join(kind) or "by default"
            tap.ok(made >= len(files) and not bad, "%s: %d of %d variants compile" % (name, made - len(bad), made), bad)
        bad = not_itself(files)
        tap.ok(not bad, "unchanged, %d files are what they were" % len(files), bad)
        compared, bad = changed_by_hoisting(files, corpus, work)
        tap.ok(compared > 0 and not bad, "hoisted, %d files do what they did" % compared, bad)
    tap.done()


main()

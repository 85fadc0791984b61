"""Real programs, printed again from their tree: whatever assay imports, it prints as C that gcc and clang compile and that
behaves as before, and that it can import again, with the same verdict.

GCC's torture tests (those of scripts/torture), or the C files of a folder. Each file that imports is printed; original and text are
built and run by gcc and clang; `assay check --ub` judges both. A text must compile where the original does and be judged as
it was; where nothing is undefined it must end as the original does, with the same output.

  printed.py TESTS ASSAY PRINT-WHOLE [FOLDER [PATTERN]]

FOLDER may also be generated:N, the programs of our own generators with the seeds from 1 to N."""
import glob, json, os, subprocess, sys, tempfile

tests, assay, printer = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, tests)
from tap import done, ok, skip

pattern = sys.argv[5] if len(sys.argv) > 5 else "**/*.c"
NEUTRAL = {"LC_ALL": "C", "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}


def command(args, seconds, **more):
    """Status, output, errors; None: it did not end in time."""
    try:
        p = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, env=NEUTRAL, **more)
    except subprocess.TimeoutExpired:
        return None
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def outcome(compiler, source, work):
    """What the program does, built by a compiler; a text where it cannot be built."""
    exe = os.path.join(work, "x")
    built = command([compiler, "-std=gnu17", "-w", "-O0", "-ffp-contract=off", source, "-o", exe, "-lm"], 60)
    if built is None or built[0]:
        return "not built by %s: %s" % (compiler, built[2].strip().split("\n")[0] if built else "too slow")
    ran = command([exe], 10, cwd=work)
    return ran[:2] if ran else "too slow"


def verdict(source):
    """assay's own: the rule that is violated, or how it ends and what it prints; or that there is none."""
    said = command([assay, "check", "--ub", "--json", source], 120)
    if said is None:
        return "too slow"
    o = json.loads(said[1])
    if o["verdict"] == "refused":
        return o["message"]
    return (o["ended"], o["status"], o["output"]) if o["verdict"] == "defined" else o["rule"] or o["verdict"]


def check(path, work):
    """None: it does not import. Otherwise what is wrong, "" where nothing is."""
    printed = command([printer, path], 60)
    if printed is None or printed[0] == 2:
        return None
    if printed[0]:
        return "the printer ended with %d" % printed[0]
    text = os.path.join(work, "printed.c")
    with open(text, "wb") as f:
        f.write(printed[1])
    before, after = verdict(path), verdict(text)
    if "there is no main" in before:
        return None
    if before != after:
        return "judged %s instead of %s" % (after, before)
    defined, wanted = isinstance(before, tuple), outcome("gcc", path, work)
    for compiler in ("gcc", "clang"):
        again = outcome(compiler, text, work)
        if again == wanted or (not defined and isinstance(again, tuple)): # what is undefined may do anything
            continue
        wanted = outcome(compiler, path, work)
        if again != wanted and isinstance(wanted, tuple): # the compiler takes the program itself
            return "%s: %s instead of %s" % (compiler, again, wanted)
    return ""


def generate(n, folder):
    for generator in (["smith"], ["yarp", "--single-file"]):
        for seed in range(1, n + 1):
            made = command([assay, "gen", *generator, "-s", str(seed)], 60)
            with open(os.path.join(folder, "%s-%d.c" % (generator[0], seed)), "wb") as f:
                f.write(made[1])


with tempfile.TemporaryDirectory() as work:
    folder = sys.argv[4] if len(sys.argv) > 4 else command([os.path.join(tests, "../scripts/torture")], 300)[1].decode().strip()
    if folder.startswith("generated:"):
        n, folder = int(folder.split(":")[1]), os.path.join(work, "generated")
        os.mkdir(folder)
        generate(n, folder)
    files = sorted(glob.glob(os.path.join(folder, pattern), recursive=True))
    if not files:
        skip("programs printed again", "there are none in '%s': scripts/torture fetches GCC's" % folder)
        done()
    imported = good = 0
    for path in files:
        wrong = check(path, work)
        if wrong is None:
            continue
        imported += 1
        good += not wrong
        if wrong:
            print("# %s: %s" % (os.path.relpath(path, folder), wrong), flush=True)
print("# %d of %d programs that are imported, of %d, are the same when printed" % (good, imported, len(files)))
ok(imported and good >= 0.99 * imported, "at least 99 of 100 programs are the same when printed")
done()

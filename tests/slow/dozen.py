"""A compiler with twelve planted faults, all of them on at once: a campaign of smith must find all twelve, and
`assay bugs` must show twelve clusters, give or take one, without anybody's help.

Which fault a reduced case shows, the compiler says itself (PLANTED_CC_EXPLAIN); assay does not see that.

  dozen.py TESTS ASSAY FOLDER-OF-PLANTED-CC SET FLAGS PROGRAMS [FOLDER]

With FOLDER the campaign is kept there, and goes on there."""
import collections, json, os, re, shutil, subprocess, sys, tempfile

tests, assay, where = map(os.path.abspath, sys.argv[1:4])
of, flags, programs = sys.argv[4:7]
compiler = of + "-cc"
sys.path.insert(0, tests)
from tap import ok, equal, done

top = sys.argv[7] if len(sys.argv) > 7 else tempfile.mkdtemp(prefix="assay-dozen-")
os.environ["PATH"] = where + ":" + os.environ["PATH"]
campaign = os.path.join(top, "campaign")
FAULTS = 12

# A hang is seen sooner than where a slow compiler must be told from it.
beds = os.path.join(top, "testbeds")
os.makedirs(beds, exist_ok=True)
with open(os.path.join(tests, "planted-cc", compiler + ".ini")) as original, open(os.path.join(beds, compiler + ".ini"), "w") as copy:
    copy.write(re.sub(r"compile-cpu = \d+s", "compile-cpu = 5s", original.read()))


def run(*words, **more):
    return subprocess.run([assay, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def say(text):
    print("\n".join("# " + line for line in text.splitlines()), flush=True)


r = run("run", "--dir", campaign, "--generator", "smith", "--size", "2500", "--seed", os.environ.get("SEED", "1"),
        "--testbed-dir", beds, "--testbeds", "%s:%s" % (compiler, flags), "--all-flags",
        "--tests", programs, "--reduce")
say(r.stdout[-3000:])
equal(r.returncode, 1, "the campaign ends, with findings")
r = run("reduce", "--all", "--dir", campaign, "--testbed-dir", beds, "--quiet")
ok(r.returncode in (0, 1), "all findings are reduced", r.stdout[-2000:])
clusters = json.loads(run("bugs", "--dir", campaign, "--json").stdout)
say(run("bugs", "--dir", campaign).stdout)


def struck(finding):
    """The faults that the reduced case meets, by the compiler's own word."""
    folder = os.path.join(top, "case")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(folder + "/t.c", "w") as f:
        f.write(run("show", "--dir", campaign, "--reduced", str(finding)).stdout)
    try:
        said = subprocess.run([os.path.join(where, "planted-cc"), "--set=" + of, *flags.split(), "-w", "-o", "t.exe", "t.c"], cwd=folder,
                              env={**os.environ, "PLANTED_CC_EXPLAIN": "1"}, timeout=10,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", text=True).stdout
    except subprocess.TimeoutExpired as e:
        said = (e.stdout or b"").decode(errors="replace")
    return sorted(set(re.findall(r"^t\.c:\d+: ([a-z0-9-]+)", said, re.M)) - {"note", "warning", "error"})


found, mixed = collections.defaultdict(set), 0
for number, c in enumerate(clusters, 1):
    ids = [i for i in c["members"] if run("show", "--dir", campaign, "--reduced", str(i)).returncode != 2][:40]
    names = collections.Counter(name for i in ids for name in struck(i))
    say("cluster %d, finding %d, %s, %d times: %s" % (number, c["id"], c["kind"], c["count"], dict(names)))
    mixed += len(names) > 1
    for name in names:
        found[name].add(number)
for name in sorted(found):
    say("%-20s in cluster %s" % (name, ", ".join(map(str, sorted(found[name])))))
equal(len(found), FAULTS, "all faults are found")
ok(abs(len(clusters) - FAULTS) <= 1, "%d clusters for %d faults" % (len(clusters), FAULTS))
say("%d of the clusters hold more than one fault" % mixed)
if len(sys.argv) <= 7:
    shutil.rmtree(top)
done()

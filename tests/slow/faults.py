"""A csmith campaign against tcc, pcc, chibicc and planted-cc, with gcc and clang as references.

It must record the anomalous build failures of the small compilers, every planted fault, each in its
class, and raise no false alarm on gcc and clang. Then every finding that is not flaky is replayed:
made again bit by bit, it must show again.

Arguments: tests folder, the assay binary, the folder of planted-cc, time budget, and
optionally the folder to keep the campaign in."""
import collections, json, multiprocessing.pool, os, shutil, subprocess, sys, tempfile

tests, assay, planted_dir = map(os.path.abspath, sys.argv[1:4])
budget = sys.argv[4]
sys.path.insert(0, tests)
from tap import ok, equal, done

top = sys.argv[5] if len(sys.argv) > 5 else tempfile.mkdtemp(prefix="assay-faults-")
os.environ["PATH"] = planted_dir + ":" + os.environ["PATH"]
os.environ["PLANTED_CC_STATE"] = top + "/state"
campaign = top + "/campaign"

# Which kinds the findings on a testbed may have, and the one that must be among them.
planted = {
    "crash": ("build-crash",), "segv": ("build-crash",), "hang": ("build-hang",),
    "reject": ("build-fail",), "flaky": ("build-crash",), "slow": ("slow-compile",),
    "memory": ("memory-blowup",), "run-crash": ("run-crash",), "run-hang": ("run-hang",),
    # a wrong value may lead the program astray
    "wrong-shift": ("wrong-output", "run-crash", "run-hang"),
    "wrong-compare": ("wrong-output", "run-crash", "run-hang"),
    "wrong-extend": ("wrong-output", "run-crash", "run-hang"),
    "wrong-constant": ("wrong-output", "run-crash", "run-hang"),
}

run = subprocess.run([assay, "run", "--dir", campaign, "--generator", "csmith", "--seed", os.environ.get("SEED", "1"),
                      "--testbed-dir", tests + "/planted-cc", "--time", budget,
                      "--testbeds", "gcc,clang,tcc,pcc,chibicc,faulty-cc"], stdout=subprocess.PIPE, text=True)
print("\n".join("# " + line for line in run.stdout.splitlines()), flush=True)
equal(run.returncode, 1, "the campaign ends, with findings")
listing = json.loads(subprocess.run([assay, "bugs", "--dir", campaign, "--all", "--json"],
                                    stdout=subprocess.PIPE).stdout)
kinds = collections.defaultdict(collections.Counter)
states = collections.defaultdict(collections.Counter)
for f in listing:
    kinds[f["testbed"]][f["kind"]] += 1
    states[f["testbed"]][f["state"]] += 1

for name, allowed in planted.items():
    bed = "faulty-cc -O1 -ffault=" + name
    ok(kinds[bed][allowed[0]] > 0, "%s is recorded as %s (%d times)" % (name, allowed[0], kinds[bed][allowed[0]]))
    ok(set(kinds[bed]) <= set(allowed), "%s is recorded as nothing else" % name, dict(kinds[bed]))
    if name == "flaky":
        equal(set(states[bed]), {"flaky"}, "flaky is marked flaky")
    else:
        ok(states[bed]["flaky"] == 0, "%s is not flaky" % name, dict(states[bed]))
for small in ("tcc", "chibicc"):
    ok(kinds[small]["build-fail"] > 0, "%s rejects valid programs (%d times)" % (small, kinds[small]["build-fail"]))
for reference in ("gcc -O0", "gcc -O3", "clang -O0", "clang -O3"):
    equal(dict(kinds[reference]), {}, "no alarm on %s" % reference)
equal([f for f in listing if f["kind"] == "disagreement"], [], "the references never disagree")
equal([f["id"] for f in listing if f["state"] == "new"], [], "each finding was tried three times")
small_findings = sum(sum(kinds[b].values()) for b in kinds if not b.startswith("faulty"))
print("# findings on the small compilers: %d, by testbed %s" %
      (small_findings, {b: dict(k) for b, k in kinds.items() if not b.startswith("faulty")}))


def replay(f):
    r = subprocess.run([assay, "replay", "--dir", campaign, str(f["id"])], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
    good = r.returncode == 1 and "bytes, identical" in r.stdout
    return None if good else (f["id"], f["signature"], r.stdout)


believed = [f for f in listing if f["state"] == "confirmed"]
failed = [r for r in multiprocessing.pool.ThreadPool(os.cpu_count()).map(replay, believed) if r]
ok(not failed, "all %d confirmed findings of %d show again" % (len(believed), len(listing)), failed[:5])
if len(sys.argv) <= 5:
    shutil.rmtree(top)
done()

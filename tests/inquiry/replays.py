"""A short csmith campaign against planted-cc; then each finding is replayed from its provenance.

Arguments: tests folder, the assay binary, the folder of planted-cc."""
import json, os, shutil, subprocess, sys, tempfile

tests, assay, planted_dir = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, tests)
from tap import amount, ok, equal, done

top = tempfile.mkdtemp(prefix="assay-replay-")
os.environ["PATH"] = planted_dir + ":" + os.environ["PATH"]
beds = ["faulty-cc:-O1 -ffault=" + f for f in ("crash", "reject", "wrong-constant", "run-crash")]
status = subprocess.run([assay, "run", "--dir", top, "--generator", "csmith", "--seed", "1", "--quiet",
                         "--testbed-dir", tests + "/planted-cc", "--tests", amount("5", "12"),
                         "--testbeds", ",".join(["gcc:-O0", "clang:-O0"] + beds)]).returncode
equal(status, 1, "the campaign finds something")
listing = json.loads(subprocess.run([assay, "bugs", "--dir", top, "--all", "--json"],
                                    stdout=subprocess.PIPE).stdout)
kinds = {f["kind"] for f in listing}
ok({"build-crash", "wrong-output"} <= kinds, "crashes and wrong code among it", kinds)
equal({f["state"] for f in listing}, {"confirmed"}, "each seen three times of three")
for f in listing:
    r = subprocess.run([assay, "replay", "--dir", top, str(f["id"])], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, cwd="/")
    ok(r.returncode == 1 and "bytes, identical" in r.stdout and "reproduced: %s" % f["kind"] in r.stdout,
       "%s of seed %d: made again, and there again" % (f["kind"], f["seed"]), r.stdout)
shutil.rmtree(top)
done()

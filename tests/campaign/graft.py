"""A campaign of graft against planted-cc: a fault that only functions of the library meet is found, replays, and is
reduced on the tree to a few lines in which the function is.

Arguments: tests folder, the assay binary, the folder of planted-cc."""
import json, os, shutil, subprocess, sys, tempfile

tests, assay, planted_dir = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, tests)
from tap import ok, equal, done

top = tempfile.mkdtemp(prefix="assay-graft-")
os.environ["PATH"] = planted_dir + ":" + os.environ["PATH"]
library = os.path.join(top, "lib.c")
with open(library, "w") as f:  # `a ^= b` of a short is `a |= b` with this fault
    f.write("/* graft folded\n * p: in 8 of 0..255\n * from: 0..65535\n * steps: 200\n"
            " * try: {1 x 8}, 7 -> 7 */\n"
            "unsigned short folded(const unsigned char *p, unsigned short from)\n"
            "{ for (int i = 0; i < 8; i++) from ^= p[i]; return from; }\n")
folder = os.path.join(top, "camp")
status = subprocess.run([assay, "run", "--dir", folder, "--generator", "graft", "--library", "lib.c", "--size", "1000",
                         "--count", "6", "--seed", "1", "--quiet", "--testbed-dir", tests + "/planted-cc", "--tests", "2",
                         "-j", "1", "--testbeds", "gcc:-O0,other-cc:-O1 -Xfault=or-short"], cwd=top).returncode
equal(status, 1, "the campaign finds something")
listing = json.loads(subprocess.run([assay, "bugs", "--dir", folder, "--all", "--json"], stdout=subprocess.PIPE).stdout)
found = [f for f in listing if f["testbed"].startswith("other-cc") and f["kind"] == "wrong-output"]
ok(found and len(found) == len(listing), "wrong output, of the planted compiler alone", listing)
first = str(found[0]["id"]) if found else "1"
r = subprocess.run([assay, "replay", "--dir", folder, first], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
ok(r.returncode == 1 and "bytes, identical" in r.stdout and "reproduced: wrong-output" in r.stdout, "made again", r.stdout)
r = subprocess.run([assay, "reduce", "--dir", folder, first, "--method", "c", "-j", "2"], stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT, text=True)
ok(r.returncode in (0, 1), "reduced on the tree", r.stdout)
r = subprocess.run([assay, "show", "--dir", folder, first, "--reduced"], stdout=subprocess.PIPE, text=True)
ok("^=" in r.stdout and r.stdout.count("\n") < 40, "to a few lines", r.stdout)
shutil.rmtree(top)
done()

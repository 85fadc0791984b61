"""From a campaign to the pass that is to blame: compilers with a fault in one optimisation (tests/bisect-cc), a finding of smith on
each (in the gate, of a program of a few lines), reduced, then bisected: clang by its limit on passes, gcc by its switches. Arguments: tests folder, the assay binary."""
import json, os, shutil, subprocess, sys, tempfile

tests, assay = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, tests)
from tap import ok, equal, done, amount

os.environ["PATH"] = tests + "/bisect-cc:" + os.environ["PATH"]
top = tempfile.mkdtemp(prefix="assay-blame-")
os.environ["XDG_CONFIG_HOME"] = top
os.makedirs(top + "/assay/generators")
with open(top + "/assay/generators/product.ini", "w") as f:
    f.write("[generator]\nname = product\nlanguage = c\ncommand = sh %s/product.sh {seed}\ntrusted = yes\n" % top)
with open(top + "/product.sh", "w") as f:
    f.write("""cat <<'EOF'
int printf(const char *, ...);
volatile int a = 21, b = 5;
int main(void)
{
    int r = a * b;
    printf("%d\\n", r);
    printf("%d\\n", b);
    return 0;
}
EOF
""")
GENERATOR = amount(["product"], ["smith", "--size", 1500])
CASES = [("faulty-gcc", "-O2 -ffault=gcse", "-fgcse"), ("faulty-clang", "-O1 -ffault=instcombine", "InstCombinePass")]


def run(*words):
    return subprocess.run([assay, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


for toolchain, flags, to_blame in amount(CASES[1:], CASES):
    folder, beds = os.path.join(top, toolchain), tests + "/bisect-cc"
    run("run", "--dir", folder, "--generator", *GENERATOR, "--seed", 1, "--testbed-dir", beds, "--testbeds",
        "gcc:-O0,clang:-O0,%s:%s" % (toolchain, flags), "--tests", 60, "--findings", 1)
    listed = run("bugs", "--all", "--json", "--dir", folder).stdout
    found = [f for f in json.loads(listed) if f["kind"] == "wrong-output" and f["state"] == "confirmed"]
    if not ok(found, "%s: a finding" % toolchain, listed[:500]):
        continue
    id = found[0]["id"]
    r = run("reduce", id, "--dir", folder, "--testbed-dir", beds)
    equal(r.returncode, 1, "  is reduced")
    bug = [b for b in json.loads(run("bugs", "--json", "--dir", folder).stdout) if b["reduced"]]
    ok(bug and bug[0]["reduced"]["bytes"] < 400, "  to a few lines", bug)
    blame = bug[0]["blame"] if bug else None
    equal(blame and blame["pass"], to_blame, "  and %s is to blame" % to_blame)
    if blame:
        print("# " + blame["detail"])
shutil.rmtree(top)
done()

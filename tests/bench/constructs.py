"""The table of constructs (bench/constructs). Arguments: the tests folder, the source root, constructs_count, assay."""
import json
import os
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok  # noqa: E402

tests, root, counter, assay = (os.path.abspath(path) for path in sys.argv[1:5])

# Of generated() in constructs.c; main, the wrapper and the macros are no generated code.
WANTED = {
    "functions": 1, "for loops": 3, "while loops": 1, "do loops": 0, "loops at depth 2": 1, "loops at depth 3": 0,
    "most nesting of loops": 2, "loops: bound from a variable": 1, "loops: constant step other than 1": 1,
    "loops: down-counting": 1, "loops: several induction variables": 1, "loops: left by break": 1,
    "loops: left by goto or return": 1, "loops: a pointer is stepped": 1, "if": 2, "switch": 1, "case": 2, "case ranges": 1,
    "most cases of a switch": 2, "return": 3, "/ %": 2, "statement expressions": 1, "calls of builtins": 1,
    "pointer dereferences": 1, "most levels of pointers": 3, "pointer - pointer": 1, "pointer stepped": 1, "pointers compared": 1,
    "arrays of variable length": 1, "most dimensions of an array": 3, "subscripts: affine": 1, "subscripts: gathered (a[b[i]])": 1,
    "calls": 0, "calls through tables": 1, "parameters": 5, "parameters: pointers": 1, "parameters: arrays": 1,
    "parameters: records": 1, "parameters: const or volatile": 1, "most parameters of a function": 5, "restrict pointers": 1,
    "bit-fields": 1, "members accessed": 1, "compound literals": 0,
}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


status, text, errors = run(counter, tests + "/bench/constructs.c")
equal(status, 0, "a file is counted " + errors)
got = dict(line.rsplit("\t", 1) for line in text.splitlines())
for name, value in WANTED.items():
    equal(got.get(name), str(value), name)
equal(got["+ -"], "5", "a wrapper is the operator that it wraps")
status, text, errors = run(counter)
ok(status == 2 and errors.startswith("usage"), "no file is an error")
status, text, errors = run(counter, "/nowhere.c")
ok(status == 3 and "/nowhere.c" in errors, "a file that is not there is an error", errors)

status, text, errors = run(root + "/bench/constructs", "-n", "2", "--generators", "smith,yarp", "--executed", "--assay", assay)
equal(status, 0, "smith's and yarp's programs are counted " + errors)
rows = {line[:42].strip(): line[42:].split() for line in text.splitlines()}
ok(all(float(value) > 1 for value in rows["for loops"]), "they have loops", text)
ok(all(0 < float(value) <= 100 for value in rows["% of lines executed"]), "and run", text)
status, text, errors = run(root + "/bench/constructs", "-n", "1", "--generators", "smith", "--json", "--per", "1000", "--assay", assay)
equal(json.loads(text)["tables"]["smith"]["expressions"], 1000, "as JSON, by expressions")
status, text, errors = run(root + "/bench/constructs", "-n", "1", "--generators", "csmit", "--assay", assay)
ok(status == 3 and "csmit is not there" in errors, "a generator that is not there is an error", errors)
done()

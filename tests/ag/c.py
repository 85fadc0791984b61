#!/usr/bin/env python3
"""Programs of lala:c are accepted by the compilers that are installed, have the size that they should, and hold every construct
that the specification promises. A few are held against the letter of C11 and compiled in earnest: what goes wrong in the
latter is the compiler's fault and is told as a comment, with the seed.

  c.py TESTS ASSAY [COUNT]      COUNT programs"""
import os, re, shutil, statistics, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok, skip

assay = os.path.abspath(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
FULL = max(2, count // 20)  # so many are also read strictly, and compiled with optimisation
LIMIT = 120  # seconds per compilation
ENOUGH = 15  # programs from which on statistics mean something

COMPILERS = "gcc", "clang"
USUAL = ["-std=gnu17", "-w"]
STRICT = ["-std=c11", "-pedantic-errors"]

# Name -> what it looks like. Each is in most programs, so that one program in COUNT is a modest demand.
CONSTRUCTS = {
    "bit-field": r"\bm\d+ : \d+;",
    "unnamed bit-field": r"\b\w+ : 0;",
    "struct": r"^struct s\d+ \{",
    "union": r"^union s\d+ \{",
    "anonymous member": r"^ +(struct|union) \{",
    "member that points to its record": r"^(?:struct|union) (s\d+) \{(?:\n .*)*? \1 \*m\d+;",
    "enum": r"^enum n\d+ \{",
    "typedef": r"^typedef ",
    "goto": r"\bgoto [LM]\d+;",
    "label": r"\b[LM]\d+: ",
    "label in a block": r"^    +M\d+: ",
    "switch": r"\bswitch \(",
    "case": r"\bcase \d+:",
    "case with an expression": r"\bcase .*[-+*/^?].*:",
    "default": r"\bdefault: ;",
    "code that only a jump reaches": r"\bif \(0\) \{",
    "for": r"\bfor \(",
    "while": r"^ +while \(",
    "do": r"\bdo \{",
    "break": r"\bbreak;",
    "continue": r"\bcontinue;",
    "const": r"\bconst \w+",
    "volatile": r"\bvolatile \w+",
    "restrict": r"\*(const |volatile )*restrict ",
    "static local": r"^ +static ",
    "register": r"\bregister ",
    "inline": r"^static inline ",
    "array": r"\b[gv]\d+\[\d+\]( = .*)?;",
    "array of arrays": r"\b[gv]\d+\[\d+\]\[\d+\]( = .*)?;",
    "variable-length array": r"\bv\d+\[1 \+ \(\w+ & 15\)\];",
    "pointer to array": r"\(\*[\w ]*\)\[\d+\]",
    "pointer to pointer": r"\*(const |volatile |restrict )*\*",
    "pointer to function": r"\(\*[\w ]*\)\([^)]",
    "call through a pointer": r"\(\*(\w|\(\()+.*\)\(",
    "address-of": r"[(=,] ?&\w",
    "member": r"\w\.m\d",
    "member through a pointer": r"->m\d",
    "designated member": r"\{ \.m\d+ = ",
    "designated element": r"\[\d+\] = ",
    "compound literal": r"\((struct|union) s\d+\)\{ ",
    "string": r'= "[^"]*";',
    "_Static_assert": r"^_Static_assert\(",
    "_Alignas": r"\b_Alignas\(",
    "_Alignof": r"\b_Alignof\(",
    "_Generic": r"\b_Generic\(",
    "_Complex": r"\b_Complex\b",
    "_Bool": r"\b_Bool\b",
    "long double": r"\blong double\b",
    "sizeof": r"\bsizeof\(",
    "cast": r"\((unsigned )?(char|short|long)\)",
    "shift": r" (<<|>>) ",
    "remainder": r" % ",
    "conditional": r" \? ",
    "logical": r" (&&|\|\|) ",
    "comma": r"\(.* = .*, .*\)",
    "compound assignment": r" (\+|-|\*|/|%|&|\||\^|<<|>>)= ",
    "increment": r"\+\+",
    "decrement": r"--",
    "prototype": r"^(?!typedef).* \**f\d+\(.*\);$",
    "recursion of main": r"\bmain\(\)",
    "return of a record": r"^(static |static inline )?(struct|union) s\d+ f\d+\(",
}
PATTERNS = {name: re.compile(pattern, re.M) for name, pattern in CONSTRUCTS.items()}


def generate(seed, path):
    p = subprocess.run([assay, "gen", "lala:c", "-s", str(seed), "-o", path], capture_output=True, text=True)
    return "" if p.returncode == 0 else "seed %d: %s" % (seed, p.stderr.strip())


def complaint(command, path):
    """What the compiler has to say against the program; nothing where it accepts it."""
    try:
        p = subprocess.run(command + [path], capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "more than %d seconds" % LIMIT
    if p.returncode == 0:
        return ""
    telling = [line for line in p.stderr.splitlines() if re.search(" error: |internal|Stack dump|signal", line)]
    return (telling or p.stderr.splitlines() or ["exit %d" % p.returncode])[0]


def check(installed, folder):
    path = folder + "/t.c"
    failed, sizes, findings = [], [], []
    rejected = {name: [] for name in installed}
    impure = {name: [] for name in installed}
    holding = dict.fromkeys(CONSTRUCTS, 0)
    for seed in range(1, 1 + count):
        failure = generate(seed, path)
        if failure:
            failed.append(failure)
            continue
        with open(path) as f:
            text = f.read()
        sizes.append(len(text))
        for name, pattern in PATTERNS.items():
            holding[name] += bool(pattern.search(text))
        for name in installed:
            error = complaint([name, "-fsyntax-only"] + USUAL, path)
            if error:
                rejected[name].append("seed %d: %s" % (seed, error))
                continue
            if seed > FULL:
                continue
            error = complaint([name, "-fsyntax-only"] + STRICT, path)
            if error:
                impure[name].append("seed %d: %s" % (seed, error))
            error = complaint([name, "-O2", "-c", "-o", folder + "/t.o"] + USUAL, path)
            if error:
                findings.append("seed %d: %s -O2: %s" % (seed, name, error))
    ok(not failed, "%d programs are made" % count, "\n".join(failed[:10]))
    for verdict, by_compiler in ("accepts every one", rejected), ("finds no violation of a constraint of C11", impure):
        for name, errors in by_compiler.items():
            ok(not errors, name + " " + verdict, "%d rejected\n%s" % (len(errors), "\n".join(errors[:10])))
    for finding in findings:
        print("# finding: " + finding)
    missing = [name for name, n in holding.items() if not n]
    if count < ENOUGH:
        skip("every construct occurs, and the size is right", "%d programs are too few to tell" % count)
        return
    ok(not missing, "every construct occurs", "missing: " + ", ".join(missing))
    median = statistics.median(sizes or [0])
    ok(40e3 <= median <= 200e3, "the median program has some 80 KB", "%d bytes" % median)
    rare = ", ".join("%s %d" % (name, n) for name, n in sorted(holding.items(), key=lambda i: i[1])[:8])
    print("# median %d bytes, largest %d; programs that hold the rarest constructs: %s" % (median, max(sizes or [0]), rare))


installed = [name for name in COMPILERS if shutil.which(name)]
if not installed:
    skip("programs of lala:c", "no compiler here")
else:
    with tempfile.TemporaryDirectory() as folder:
        check(installed, folder)
done()

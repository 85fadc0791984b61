#!/usr/bin/env python3
"""Every setting of smith does what it says to the text of its programs.

  switches.py TESTS ASSAY

Features: with the feature off no program has a trace of it, with it on one of a few has. Limits: no
program goes beyond. Weights: more weight, more of it. And the rest: wrappers, languages, plain types,
swarm. A few programs of each kind are given to a compiler."""
import concurrent.futures, json, math, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok, skip, amount

ASSAY = sys.argv[2]
SEEDS = range(1, amount(4, 9))
SIZE = "--size=1500"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")


def gen(seed, *settings):
    p = subprocess.run([ASSAY, "gen", "smith", "-s", str(seed)] + [s for s in settings if s],
                       capture_output=True, text=True, env=ENV)
    if p.returncode:
        raise RuntimeError("assay gen smith -s %d %s: %s" % (seed, " ".join(settings), p.stderr.strip()))
    return p.stdout


# -- the text of a program, less what every program has ----------------------------------------------


class Program:
    """defs: types; protos: declarations of functions; globals; funcs: {name: body}; code: all bodies."""

    def __init__(self, text):
        self.text = text
        bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        start = bare.index("func_1(")
        start = bare.rindex("\n", 0, start) + 1
        types = bare[:bare.index("int printf(")]
        self.defs = "\n".join(l for l in types.splitlines() if not l.startswith("typedef"))
        rest = bare[start:re.search(r"^int main\(", bare, re.M).start()]
        body = re.search(r"^\{$", rest, re.M).start()  # of the first function
        body = rest.rindex("\n", 0, body - 1) + 1
        head = rest[:body]
        protos = re.findall(r"^[^\n=]*\bfunc_\d+\([^\n]*\);$", head, re.M)
        self.protos = "\n".join(protos)
        self.globals = "\n".join(l for l in head.splitlines() if l not in protos)
        self.funcs = {}
        for m in re.finditer(r"^[^\n{]*\b(func_\d+)\([^\n]*\)\n\{\n(.*?)^\}$", rest[body:], re.M | re.S):
            self.funcs[m.group(1)] = m.group(2)
        self.code = "\n".join(self.funcs.values())
        self.all = "\n".join([self.defs, self.protos, self.globals, self.code])

    def tokens(self):
        return len(re.findall(r"[A-Za-z_]\w*|\d[\w.]*|[-+*/%&|^<>=!]+|\S", self.globals + self.protos + self.code))


def programs(*settings, seeds=SEEDS):
    return list(pool.map(lambda s: Program(gen(s, *settings)), seeds))


def compiles(text, command=("gcc", "-w", "-fsyntax-only", "-xc", "-")):
    p = subprocess.run(command, input=text, capture_output=True, text=True)
    return p.returncode == 0, p.stderr[:500]


TYPE = r"(?:(?:static|const|volatile|inline|unsigned|signed|struct \w+|union \w+|enum \w+|u?int\d+_t|__int128|_Bool|char|long|double|float) ?)+"
DECLARATION = re.compile(r"^\s*" + TYPE + r"[*( ]*(?:const |volatile )*\w")
ASSIGN = r"(?:<<=|>>=|[-+*/%&|^]=|(?<![<>=!])=(?!=))"
STEP = r"\+\+[\w(*]|[\w)\]]\+\+|--[\w(*]|[\w)\]]--"


def statements(p):
    """The expression statements, one text each: no declarations, no headers."""
    for part in re.split(r"[;{}]", p.code):
        part = part.strip()
        if part and not DECLARATION.match(part) and not re.match(
                r"(if|else|for|while|do|switch|case|default|return|goto|break|continue|lbl)\b", part):
            yield part


I = r"l_\d+"  # a local

# -- features: name -> where it shows ----------------------------------------------------------------


def find(pattern, part="all", flags=re.M):
    return lambda p: re.search(pattern, getattr(p, part), flags)


def early_return(p):
    return any(len(re.findall(r"\breturn\b", f)) > 1 for f in p.funcs.values())


def recursion(p):
    return any(re.search(r"\b%s\(" % name, f) for name, f in p.funcs.items())


def mutual_recursion(p):
    calls = {name: set(re.findall(r"\b(func_\d+)\(", f)) - {name} for name, f in p.funcs.items()}
    return any(a in calls.get(b, ()) for a in calls for b in calls[a])


def falls_through(p):
    """A case label that is not the first of its switch, with no break before it."""
    for m in re.finditer(r"^\s*(?:case [^\n]*|default):$", p.code, re.M):
        before = p.code[:m.start()].rstrip().splitlines()[-1].strip()
        if not re.match(r"switch\b.*\{$|break;", before):
            return True
    return False


def embedded(p):
    headers = re.findall(r"\b(?:if|switch) \((.*)\) \{|\breturn (.*);", p.code)
    inside = [a or b for a, b in headers]
    for s in statements(p):
        if len(re.findall(ASSIGN, s)) + len(re.findall(STEP, s)) > 1:
            return True
    return any(re.search(ASSIGN + "|" + STEP, s) for s in inside)


def comma(p):
    headers = re.findall(r"\b(?:if|switch) \((.*)\) \{|\breturn (.*);", p.code)
    return any("," in s for s in statements(p)) or any("," in a + b for a, b in headers)


CAST = r"\((?:u?int\d+_t|_Bool|char|(?:unsigned )?(?:long|__int128)|enum \w+|float|double)\)"
# What the feature shows by, and settings without which something else would look like it. The third,
# where it is given: settings that make it likely when it is on.
FEATURES = {
    "int8": (find(r"\bint8_t\b"), ""),
    "uint8": (find(r"\buint8_t\b"), ""),
    "int16": (find(r"\bu?int16_t\b"), "floats=0"),
    "int64": (find(r"\bu?int64_t\b|\dU?LL\b"), "int128=0 floats=0"),
    "int128": (find(r"__int128"), ""),
    "long": (find(r"\blong\b|\dU?L\b"), ""),
    "bool": (find(r"\b_Bool\b"), ""),
    "char": (find(r"\bchar\b"), ""),
    "enums": (find(r"\benum\b|\bE\d+_\d+\b"), ""),
    "floats": (find(r"\bfloat\b|\bdouble\b|\d\.\d"), ""),
    "ieee-floats": (find(r"__FLT_EVAL_METHOD__|__builtin_fma|\bnan"), ""),
    "pointers": (find(r"\*[\w(*]|->"), "function-pointers=0"),
    "structs": (find(r"\bstruct\b"), "", "max-records=6"),
    "unions": (find(r"\bunion\b"), ""),
    "arrays": (find(r"\["), ""),
    "bitfields": (find(r" : \d+;", "defs"), "", "structs=1"),
    "packed": (find(r"pragma pack|packed", "defs"), "", "structs=1"),
    "zero-width": (find(r": 0;", "defs"), "", "structs=1 bitfields=1"),
    "odd-bitfields": (find(r"\b(?:u?int(?:8|16|64)_t|_Bool) \w+ : \d+;", "defs"), "", "structs=1 bitfields=1"),
    "aligned": (find(r"_Alignas|aligned"), ""),
    "function-pointers": (find(r"\(\*\w+\)\("), ""),
    "consts": (find(r"\bconst\b"), ""),
    "volatiles": (find(r"\bvolatile\b"), ""),
    "volatile-pointers": (find(r"\bvolatile (?:(?:unsigned |struct |union |enum )?\w+) \*"), "", "pointers=60%"),
    "const-pointers": (find(r"\*const\b"), "", "pointers=60%"),
    "static-locals": (find(r"^\s+static ", "code"), ""),
    "address-of-locals": (find(r"&l_\d+", "code"), "", "pointers=60%"),
    "union-field-address": (find(r"&[glp]_\d+(?:\[\d+\])*(?:->|\.)f"), "structs=0", "unions=50% pointers=50%"),
    "union-relaxed-reads": None,
    "ifs": (find(r"\bif\b"), "goto=0 break=0 recursion=0 early-return=0"),
    "loops": (find(r"\b(?:for|while|do)\b", "code"), ""),
    "while": (find(r"^\s*while \(", "code"), "", "stmt-for=60"),
    "do": (find(r"\bdo \{", "code"), "", "stmt-for=60"),
    "switch": (find(r"\bswitch\b"), "", "stmt-switch=60"),
    "fallthrough": (falls_through, "early-return=0 break=0 goto=0", "stmt-switch=60"),
    "goto": (find(r"\bgoto\b"), "", "stmt-goto=20"),
    "break": (find(r"\b(?:break|continue);"), "switch=0", "stmt-for=40 stmt-break=20"),
    "early-return": (early_return, "recursion=0", "stmt-return=30"),
    "array-statements": (find(r"\b(?:for|while|do)\b", "code"), "stmt-for=0 loop-nests=0 idioms=0 dead=1", "stmt-array=60"),
    "idioms": (lambda p: any(re.search(pattern, p.code) for name, pattern in IDIOMS.items()
                             if name in ("idiom-euclid", "idiom-digits", "idiom-bswap", "idiom-merge")),
               "loop-nests=0", "stmt-idiom=100"),
    "array-params": (find(r"\((?:[\w ]+ \*const p_\d+, )+const (?:u?int\d+_t|int) p_\d+\)", "protos"), "", "size=6000"),
    "function-tables": (find(r"\bl_\d+\[[^;]*\]\(", "code"), "", "size=9000"),
    "pointer-arithmetic": (find(r"\*l_\d+(?:\+\+|--)|\*(?:\+\+|--)l_\d+|\bfor \(l_\d+ = &|\*\(l_\d+ [-+] ", "code"), "", "stmt-idiom=60"),
    "case-ranges": (find(r"case -?\w+ \.\.\. "), "", "stmt-switch=60"),
    "loop-nests": (find(r"\b(?:for|while|do)\b", "code"), "stmt-for=0 array-statements=0 idioms=0 dead=1", "stmt-nest=60"),
    "calls": (find(r"\bfunc_\d+\(", "code"), ""),
    "recursion": (recursion, ""),
    "comma": (comma, "calls=0 builtins=0 ieee-floats=0 compound-literals=0 structs=0 unions=0 arrays=0"),
    "mutual-recursion": (mutual_recursion, "function-pointers=0", "recursion=1 max-funcs=60"),
    "tail-calls": (find(r"^\s*return func_\d+\([^;]*\);$", "code"),
                   "expr-call=0 recursion=0 function-pointers=0 pointers=0 structs=0 unions=0 loop-nests=0", "max-funcs=60"),
    "constant-args": None,
    "comma": (comma, "calls=0 builtins=0 compound-literals=0 structs=0 unions=0 arrays=0"),
    "embedded-assigns": (embedded, "goto=0"),
    "compound-assigns": (find(r"<<=|>>=|[-+*/%&|^]=", "code"), "loops=0"),
    "increment": (find(STEP, "code"), "loops=0 goto=0"),
    "conditional": (find(r" \? "), ""),
    "casts": (find(CAST, "code"), "floats=0 arrays=0 int128=0 builtins=0 bitfields=0 function-pointers=0 sizeof=0 enums=0 idioms=0"),
    "multiplication": (find(r" \*=? ", "code"), "floats=0"),
    "division": (find(r" [/%]=? ", "code"), "floats=0 arrays=0"),
    "shifts": (find(r"<<|>>", "code"), "int128=0"),
    "unary-plus": (find(r"(?<!\+)\+[\w(*]", "code"), "floats=0 increment=0 loops=0 goto=0"),
    "sizeof": (find(r"\bsizeof\b"), ""),
    "compound-literals": (find(r"\(struct \w+\) ?\{", "code"), "", "structs=1 struct-args=1 max-records=12"),
    "builtins": (find(r"__builtin_", "code"), "ieee-floats=0"),
    "call-records": (find(r"\bR\d\b"), "", "max-records=30 structs=1"),
    "qualified-params": (find(r"(?:const|volatile) [^,*(]*\bp_\d+|\*(?:const|volatile) p_", "protos"),
                         "", "max-params=12"),
    "struct-args": (find(r"struct \w+ p_\d+", "protos"), "", "structs=1"),
    "struct-results": (find(r"struct \w+ func_\d+", "protos"), "", "structs=1 struct-args=1"),
    "pointer-results": (find(r"\*\s*func_\d+", "protos"), "", "pointers=1"),
    "inline": (find(r"\binline\b", "protos"), ""),
    "attributes": (find(r"ATTRIBUTE", "protos"), ""),
    "dead": None,
    "invalid-pointers": (find(r"/\* invalid \*/", "text"), "", "pointers=60%"),
    "assert-facts": (find(r"__builtin_trap\(\)", "code"), "", "pointers=60%"),
    "comment-facts": (find(r"/\* \w+ -> .*\*/|/\* reads: ", "text"), "", "pointers=60%"),
}


def settings(text):
    return ["--" + s for s in text.split()]


def test_feature(name):
    show, apart, *likely = FEATURES[name]
    try:
        off = programs("--%s=0" % name, SIZE, "--wrappers=none", *settings(apart))
        bad = [i for i, p in zip(SEEDS, off) if show(p)]
        note = ""
        if bad:
            m = show(off[bad[0] - SEEDS[0]])
            note = "seeds %s, %s" % (bad, m.group(0) if hasattr(m, "group") else "")
        ok(not bad, "%s=0: no trace of it" % name, note + "\nwith " + apart)
        found = None
        for seed in range(1, 25):
            p = Program(gen(seed, "--%s=1" % name, SIZE, "--wrappers=none", *settings(apart), *settings("".join(likely))))
            if show(p):
                found = p
                break
        ok(found, "%s=1: it is there" % name)
        for p in [off[0]] + ([found] if found else []):
            good, why = compiles(p.text)
            if not good:
                ok(False, "%s: it compiles" % name, why)
    except RuntimeError as e:
        ok(False, name, e)


def test_features():
    known = {o["name"] for o in OPTIONS if o["section"] == "features"}
    equal(sorted(known ^ set(FEATURES)), [], "every feature is in the table, and nothing else")
    for name in FEATURES:
        if FEATURES[name] and name in known:
            test_feature(name)
    # a program with long holds for one width of it, and says so
    claims = [("[sizeof(long) == 8" in p.text, bool(re.search(r"\blong\b|\dU?L\b", p.all)))
              for on in (0, 1) for p in programs("--long=%d" % on, SIZE)]
    ok(all(a == b for a, b in claims) and len(set(claims)) == 2, "programs with long are for LP64, others for all", claims)
    # what may be read of a union is no matter of form: programs differ, that is all that shows
    unions = ("--unions=60%", "--structs=0", SIZE)
    a = [p.code for p in programs("--union-relaxed-reads=0", *unions)]
    b = [p.code for p in programs("--union-relaxed-reads=1", *unions)]
    ok(a != b, "union-relaxed-reads makes a difference")

    def usual(p):
        """Functions that are called more than once with the same number of some size as first argument."""
        calls = re.findall(r"\b(func_\d+)\((-?(?:0x)?\w+)[,)]", p.code)
        return sum(calls.count(c) > 1 and re.match(r"-?(?:0x\w{4}|\d{4})", c[1]) is not None for c in set(calls))

    few = ("--expr-call=60", "--function-pointers=0", "--recursion=0", "--max-funcs=8", "--size=9000")
    ok(sum(map(usual, programs("--constant-args=1", *few))) > 2 * sum(map(usual, programs("--constant-args=0", *few))),
       "constant-args: calls of a function have a constant in common")


# -- limits ------------------------------------------------------------------------------------------


def records(p):
    """(kind, tag, [fields]) of each definition."""
    out = []
    for m in re.finditer(r"^(struct|union) (\w+) \{\n(.*?)^\}", p.defs, re.M | re.S):
        out.append((m.group(1), m.group(2), [l.strip() for l in m.group(3).splitlines() if l.strip()]))
    return out


def params(p):
    lists = re.findall(r"func_\d+\((.*)\);$", p.protos, re.M)
    return [0 if l == "void" else len(re.findall(r"\bp_\d+\b", l)) for l in lists]


def depth(p):
    deepest = 0
    for f in p.funcs.values():
        level = 1
        for line in f.splitlines():
            if DECLARATION.match(line) or "= {" in line or re.match(r"\s*[-\d{&]", line):
                continue
            level += line.count("{") - line.count("}")
            deepest = max(deepest, level)
    return deepest


def dimensions(p, fields=False):
    """Of each array that is declared: its lengths."""
    text = p.globals + "\n" + p.code + ("\n" + p.defs if fields else "")
    out = []
    for line in text.splitlines():
        if DECLARATION.match(line):
            m = re.match(r"[^=]*?\b(?:[gl]_\d+|f\d+)\)?((?:\[\d+\])+)", line)
            if m:
                out.append([int(n) for n in re.findall(r"\d+", m.group(1))])
    return out


def nesting(p):
    inside = {tag: fields for _, tag, fields in records(p)}

    def level(tag):
        found = [re.match(r"(?:const |volatile )*(?:struct|union) (\w+) (?!\*)", f) for f in inside[tag]]
        return 1 + max([level(m.group(1)) for m in found if m], default=0)

    return max([level(t) for t in inside], default=0) - 1


def stars(p):
    return max([len(m) for m in re.findall(r"\*+(?=[\w( ])", p.globals + p.protos)], default=0)


def limit(name, value, measure, most, *more, seeds=SEEDS, reach=True):
    """No program has more than `most`; `reach`: one has as much, if not of these, then of more."""
    text = "%s=%s" % (name, value)
    try:
        got = [measure(p) for p in programs("--" + text, *more, seeds=seeds)]
        for seed in range(100, 140):
            if not reach or max(got) >= most:
                break
            got.append(measure(Program(gen(seed, "--" + text, *more))))
    except RuntimeError as e:
        ok(False, name, e)
        return
    ok(max(got) <= most, text + ": none is beyond", "up to %s of %s" % (max(got), most))
    if reach:
        ok(max(got) >= most, text + ": one is there", "up to %s of %s" % (max(got), most))


def longest(fields):
    return lambda p: max([n for d in dimensions(p, fields) for n in d], default=0)


def fields_of(kind):
    return lambda p: max([len([f for f in fs if not re.search(r"^\w+ : 0;", f)]) for k, _, fs in records(p) if k == kind],
                         default=0)


def test_limits():
    covered = set()
    count = lambda p: len(p.funcs)
    limit("max-funcs", 1, count, 1)
    limit("max-funcs", 4, count, 4, "--size=4000")
    ok(max(count(p) for p in programs("--max-funcs=40", "--size=20000", seeds=range(1, 7))) > 14,
       "max-funcs=40: more than by default")
    limit("max-params", 0, lambda p: max(params(p)), 0, "--recursion=0", SIZE)
    limit("max-params", 3, lambda p: max(params(p)), 3, SIZE)
    limit("max-params", 12, lambda p: max(params(p)), 12, "--size=4000", reach=False)
    flat = ("--compound-literals=0", "--switch=0", "--break=0", "--goto=0", "--recursion=0", "--loop-nests=0", "--idioms=0", "--stmt-if=60", SIZE)
    limit("max-block-depth", 1, depth, 2, *flat)
    limit("max-block-depth", 3, depth, 4, *flat)
    limit("max-pointer-depth", 1, stars, 1, "--function-pointers=0", "--pointers=60%", SIZE)
    limit("max-pointer-depth", 4, stars, 4, "--function-pointers=0", "--pointers=60%", SIZE, reach=False)
    arrays = ("--arrays=90%", "--structs=0", "--unions=0", "--loop-nests=0", "--idioms=0", SIZE)
    limit("max-array-dim", 1, lambda p: max([len(d) for d in dimensions(p)], default=0), 1, *arrays)
    limit("max-array-dim", 4, lambda p: max([len(d) for d in dimensions(p)], default=0), 4, *arrays)
    limit("max-array-len-per-dim", 6, longest(False), 6, *arrays)
    limit("max-array-len-per-dim", 6, longest(True), 6, "--arrays=90%", "--structs=60%", "--loop-nests=0", "--idioms=0", SIZE)
    limit("max-array-len-per-dim", 2, longest(True), 2, "--arrays=90%", "--structs=60%", "--loop-nests=0", "--idioms=0", SIZE)
    limit("max-array-len", 3, lambda p: max([math.prod(d) for d in dimensions(p)], default=0), 3, *arrays)
    limit("max-array-len", 12, lambda p: max([math.prod(d) for d in dimensions(p)], default=0), 12, *arrays)
    rich = ("--structs=50%", "--unions=50%", SIZE)
    limit("max-struct-fields", 3, fields_of("struct"), 3, "--zero-width=0", *rich)
    limit("max-struct-fields", 20, fields_of("struct"), 20, "--zero-width=0", *rich, reach=False)
    limit("max-union-fields", 2, fields_of("union"), 2, *rich)
    limit("max-records", 2, lambda p: len(records(p)), 2, *rich)
    limit("max-records", 0, lambda p: len(records(p)), 0, *rich)
    limit("max-struct-nested-level", 0, nesting, 0, "--max-records=20", *rich, reach=False)
    limit("max-struct-nested-level", 1, nesting, 1, "--max-records=20", *rich)
    limit("max-struct-nested-level", 3, nesting, 3, "--max-records=30", *rich, reach=False)

    def mean(measure, *more):
        got = [measure(p) for p in programs(*more)]
        return sum(got) / len(got)

    body = lambda p: len(re.findall(r";", p.code)) / len(re.findall(r"\{$", p.code, re.M) or [1])
    short = ("--size=6000", "--max-expr-complexity=2", "--early-return=0", "--break=0")
    few, many = mean(body, "--max-block-size=1", *short), mean(body, "--max-block-size=12", *short)
    ok(many > 1.15 * few, "max-block-size: more statements in a block", "%.2f %.2f" % (few, many))
    length = lambda p: sum(map(len, statements(p))) / max(1, len(list(statements(p))))
    drawn = ("--idioms=0", "--loop-nests=0", SIZE)
    short, long = mean(length, "--max-expr-complexity=1", *drawn), mean(length, "--max-expr-complexity=9", *drawn)
    ok(long > 2 * short, "max-expr-complexity: longer expressions", "%.1f %.1f" % (short, long))
    for size in (1000, 4000, 20000):
        got = [p.tokens() for p in programs("--size=%d" % size, "--wrappers=none", seeds=range(1, 6))]
        middle = sorted(got)[2]
        ok(0.3 * size < middle < 1.7 * size, "size=%d: about so many tokens" % size, got)
    loops = lambda p: len(re.findall(r"\b(?:for|while) \(", p.code))
    few, many = mean(loops, "--max-steps=1000", "--size=4000"), mean(loops, "--max-steps=1000000", "--size=4000")
    ok(many > few, "max-steps: more loops", "%.1f %.1f" % (few, many))
    test_units()


def test_units():
    with tempfile.TemporaryDirectory() as d:
        for n in (2, 5):
            to = os.path.join(d, str(n))
            subprocess.run([ASSAY, "gen", "smith", "-s", "3", "--units=%d" % n, "--size=6000", "-o", to], check=True,
                           env=ENV)
            files = sorted(os.listdir(to))
            equal(len(files), n, "units=%d: so many files" % n)
            texts = [open(os.path.join(to, f)).read() for f in files]
            ok(all(re.search(r"\bfunc_\d+\([^;]*\)\n\{", t) for t in texts) or n > 3, "units=%d: with functions in each" % n)
            exe = os.path.join(to, "x")
            p = subprocess.run(["gcc", "-w", "-O0", "-o", exe] + [os.path.join(to, f) for f in files],
                               capture_output=True, text=True)
            if ok(p.returncode == 0, "units=%d: they link" % n, p.stderr[:500]):
                expected = re.search(r"expected: (checksum = \w+)", texts[0]).group(1)
                out = subprocess.run([exe], capture_output=True, text=True, timeout=60).stdout.strip()
                equal(out, expected, "units=%d: and print what is expected" % n)


# -- weights -----------------------------------------------------------------------------------------

NAMES = r"\b[glp]_\d+\b"


def share(kind):
    return lambda p: len(re.findall(r"\b%s_\d+\b" % kind, p.code)) / (1 + len(re.findall(NAMES, p.code)))


def per_token(pattern):
    return lambda p: 1000 * len(re.findall(pattern, p.code, re.M)) / (1 + len(re.findall(r"\w+|\S", p.code)))


def declared(p):
    text = p.globals + p.code
    return 1000 * len(re.findall(r"^\s*" + TYPE + r"[^;]*?\b[gl]_\d+", text, re.M)) / (1 + len(re.findall(r"\w+|\S", text)))


def assignments(p):
    other = len(re.findall(r"\b(?:if|for|while|switch|return|break|continue|goto)\b", p.code))
    return len([t for t in statements(p) if re.search(ASSIGN, t)]) / (1 + other)


# How often it is there, and settings under which it is easy to see.
WEIGHTS = {
    "stmt-assign": (assignments, "idioms=0"),
    "stmt-if": (per_token(r"\bif \("), "goto=0"),
    "stmt-for": (per_token(r"\b(?:for|while) \("), "array-statements=0 loop-nests=0 idioms=0"),
    "stmt-array": (per_token(r"\b(?:for|while) \("), "stmt-for=0 loop-nests=0 idioms=0 dead=1"),
    "stmt-idiom": (per_token(r"\b" + I + r" [+^]?= [^;]*;\n\s+" + I + " [+^]?= "), "loop-nests=0"),
    "stmt-nest": (per_token(r"\b(?:for|while) \("), "stmt-for=0 array-statements=0 idioms=0 dead=1"),
    "stmt-return": (per_token(r"\breturn\b"), ""),
    "stmt-continue": (per_token(r"\bcontinue;"), "stmt-for=40"),
    "stmt-break": (per_token(r"\bbreak;"), "switch=0 stmt-for=40"),
    "stmt-goto": (per_token(r"\bgoto\b"), ""),
    "stmt-switch": (per_token(r"\bswitch\b"), ""),
    "stmt-block": (per_token(r"^\s+\{$"), "switch=0"),
    "stmt-call": (per_token(r"^\s+(?:func_\d+|l_\d+)\(.*;"), "dead=1"),
    "expr-call": (per_token(r"\b(?:func_\d+)\("), "function-pointers=0 max-funcs=30"),
    "expr-constant": (per_token(r"(?<![\w.])-?\d\w*"), "loops=0 arrays=0"),
    "expr-variable": (per_token(NAMES), "arrays=0 pointers=0"),
    "expr-binary": (per_token(r" (?:[-+*/%&|^]|<<|>>|[<>=!]=|[<>]|&&|\|\|) "), ""),
    "expr-unary": (per_token(r"[ (][-!~+](?=[a-z(])"), ""),
    "expr-comma": (per_token(r", "), "calls=0 builtins=0 arrays=0 structs=0 unions=0"),
    "expr-assign": (per_token(r"\([^=()]* [-+*/%&|^<>]*= "), "increment=0"),
    "expr-conditional": (per_token(r" \? "), ""),
    "expr-cast": (per_token(CAST), "floats=0 arrays=0"),
    "expr-builtin": (per_token(r"__builtin_"), "builtins=1"),
    "scope-global": (share("g"), ""),
    "scope-local": (share("l"), "scope-parameter=0 scope-global=10 scope-new=0 loops=0 arrays=0 idioms=0"),
    "scope-parameter": (share("p"), ""),
    "scope-new": (declared, "loops=0"),
}


# What the loops of a nest do, where each row is the only one; all others show it less, or not at all.
KERNELS = {
    "kernel-map": r"(?m)^\s+[gl]_\d+(\[.*\])+ [-+*/%&|^]*= ",
    "kernel-reduce": r"(?m)^\s+" + I + r" [-+*&|^]?= .*\[",
    "kernel-conditional": r"\bif \(.*\[.*\) \{\n\s+[gl]_\d+\[",
    "kernel-recur": r"(?m)^\s+([gl]_\d+)\[.*\] = .*\b\1\[.*[+^]",
    "kernel-stencil": r"\] = .*([gl]_\d+)\[(" + I + r")\].*\1\[\2 \+ \w+\]",
    "kernel-copy": r"(?m)^\s+[gl]_\d+\[" + I + r"\] = (?:[gl]_\d+\[" + I + r"(?: \+ \w+)?\]|-?\w+);",
    "kernel-unswitched": r"\bif \([glp]_\d+ [<>=!]=? -?\w+\) \{\n\s+[gl]_\d+\[",
    "kernel-count": r"(?:\+\+" + I + "|" + I + r"\+\+);|(?m:^\s+" + I + r" \+= .* [<>=!]=? \w+;)",
    "kernel-extreme": r"(" + I + r") = (" + I + r") [<>] \1 \? \2 : \1;",
    "kernel-carry": r"(" + I + r") = (?:\([^()]*\))?\(?\1 \* \w+",
    "kernel-general": r"\[.*= .*safe_\w+",
    "kernel-group": r"\[(" + I + r") \* (\w+)\] = .*;\n\s+[gl]_\d+\[\1 \* \w+ \+ \w+\] = ",
    "kernel-swap": r"(" + I + r") = (.*\]);\n\s+\2 = (.*\]);\n\s+\3 = \1;",
    "kernel-matrix": r"(?m)^\s+([gl]_\d+\[" + I + r"\]\[" + I + r"\]) = .*\1 \+ .*\]\[" + I + r"\] \* ",
    "kernel-compress": r"\[" + I + r"\+\+\] = ",
    "kernel-search": r"\bif \(.*\) \{\n\s+" + I + " = " + I + r";",
    "kernel-reorder": r"(?m)^\s+g_\d+\[" + I + r"\] = .* & (?:1|3|7|15|31|0x\w+);",
    "kernel-walk": r"\*" + I + r"\+\+ = |\*" + I + r"\+\+;|\*--" + I + r"\b|(?m:^\s+(" + I + r") \+= (?:[12]|0x[12]);\n\s+\})|= .*\*" + I + r"\+\+",
    "kernel-exit": r"\bif \(.*\) \{\n\s+(?:break|continue|goto \w+);",
}


# Each is what it says where it is the only one.
IDIOMS = {
    "idiom-rotate": r"(" + I + r") << [^;|^+]*[|^+] ?\(?\1 >> |(" + I + r") >> [^;|^+]*[|^+] ?\(?\2 << ",
    "idiom-bswap": r"\(?" + I + r" >> (?:8|0x8)[) ]+& (?:255|0xFF)\)",
    "idiom-popcount": r"(" + I + r") &= \1 - (?:1|0x1);|(" + I + r") \+= (" + I + r") & (?:1|0x1);\n\s+\3 >>= ",
    "idiom-crc": r"(?m)^\s+(" + I + r") = .*\1 >> (?:1|0x1)\b.*\^",
    "idiom-bit-tests": r"\bif \(\(?" + I + r" & \w+\)?(?: [=!]= (?:0|0x0))?\) \{\n\s+" + I + r" [+^|]= ",
    "idiom-bit-tricks": r"(" + I + r") & \(?\1 - (?:1|0x1)|(" + I + r") & \(?(?:0|0x0)\w* - \(?\2|(" + I + r") \^ \(?\3 >> ",
    "idiom-pack": r"[|] \(?\(" + I + r" & \w+\) << ",
    "idiom-saturate": r"(" + I + r") [<>] (" + I + r") \? [^;:]* : |[|] \(?(?:0|0x0)\w* - \(" + I + " < " + I + r"\)",
    "idiom-clamp": r"(" + I + r") = (" + I + r") [<>] (" + I + r") \? \2 : \3;",
    "idiom-abs": r"(" + I + r") <=? (?:0|0x0) \? .*- .* : \1|(" + I + r") > (" + I + r") \? .*\2 - \3.*\3 - \2",
    "idiom-divide": r"(" + I + r") - \(?\1 / -?\w+\)? \* -?\w+|" + I + r" % -?\w+\)? [=!]= |" + I + r" / -?\w+\)? (?:<|>=) ",
    "idiom-sign": r"\((" + I + r") > (" + I + r")\) - \(\1 < \2\)|\(" + I + r" > (?:0|0x0)\) - |" + I + r" < (?:0|0x0) \? -1 : (?:1|0x1)",
    "idiom-wide": r"\((" + I + r") & (" + I + r")\) \+ \(\(\1 \^ \2\) >> |\+ \(" + I + " < " + I + r"\)|\(uint64_t\)" + I + r" \* ",
    "idiom-reassociate": r"= " + I + r"(?: [-+*^&|] \(?" + I + r"){3}",
    "idiom-narrow": r"\(u?int\d+_t\)\(u?int\d+_t\)" + I + r"",
    "idiom-if-conversion": r"\{\n\s+(" + I + r") = [^;\n]*;\n\s+\} else \{\n\s+\1 = [^;\n]*;\n\s+\}",
    "idiom-jump-threading": r"\bif \((" + I + r") == (?:0|0x0)\) \{\n[^{}]*\}\n\s+if \(\1 [=!]= (?:1|0x1)\)",
    "idiom-constants": r"(?m)^\s+" + I + r" = " + I + r" [<>=!]=? -?\w+ \? \w+ : \w+;$",
    "idiom-ranges": r"\{\n\s+if \(.*\) \{\n\s+(" + I + r") \+= .*\n\s+\} else \{\n\s+\1 \^= \w+;\n\s+\}\n\s+\1 \+= .* / ",
    "idiom-truth": r"(?:0|0x0) - \(" + I + r" [<>=!]=? -?\w+\)\) & |\(" + I + r" < " + I + r"\) [|] \(" + I + r" == |\) \^ (?:1|0x1)\b",
    "idiom-euclid": r"(" + I + r") = (" + I + r") % (" + I + r");\n\s+\2 = \3;\n\s+\3 = \1;",
    "idiom-digits": r"(" + I + r") \+= .*;\n\s+(" + I + r") /= \w+;",
    "idiom-series": r"(?m)^\s+" + I + r" [-+]= \(uint32_t\)" + I + r"[ ;]",
    "idiom-merge": r"(" + I + r")\[\w+\] = \(uint8_t\).*;\n\s+\1\[\w+\] = \(uint8_t\)",
    "idiom-switch-table": r"(?:case -?\w+:\n\s+\{\n\s+" + I + r" = -?\w+;\n\s+\}\n\s+(?:break;\n\s+)?){2}",
    "idiom-overflow": r"__builtin_(?:add|sub|mul)_overflow\(",
    "idiom-expect": r"\bif \(__builtin_expect\(",
    "idiom-count-zeros": r"__builtin_(?:clz|ctz|bswap32|popcount)\(",
    "idiom-pointer-loop": r"\bfor \((" + I + r") = &[gl]_\d+\[0\]; \1 (?:<|!=) " + I,
    "idiom-pointer-offset": r"\b" + I + r" (?:==|!=|<|>=) &|\*\(" + I + r" [-+] \w+\)",
    "idiom-neighbours": r"(" + I + r")\[(?:0|0x0)\] = .*;\n\s+\1\[(?:1|0x1)\] = .*;\n\s+\1\[(?:2|0x2)\] = ",
}


def test_idioms():
    more = ["--size=3000", "--wrappers=functions", "--dead=1", "--stmt-idiom=100", "--loop-nests=0", "--arrays=5%", "--while=15%", "--builtins=6%",
            "--expr-builtin=1"]
    for name, pattern in IDIOMS.items():
        alone = ["--%s=0" % other for other in IDIOMS if other != name]
        try:
            rate = lambda ps: sum(len(re.findall(pattern, p.code)) for p in ps) / sum(p.code.count("\n") for p in ps)
            much = rate(programs("--%s=100" % name, *more, *alone))
            none = rate(programs("--%s=0" % name, *more))
        except RuntimeError as e:
            ok(False, name, e)
            continue
        ok(much > 1.3 * none, "%s: it is what it says" % name, "%.4f, %.4f without" % (much, none))


def test_kernels():
    nests = ["--size=3000", "--wrappers=functions", "--dead=1", "--stmt-nest=100", "--stmt-for=0", "--stmt-array=0", "--stmt-switch=0", "--idioms=0"]
    for name, pattern in KERNELS.items():
        alone = ["--%s=%d" % (other, 1 if other == "kernel-map" else 0) for other in KERNELS if other != name]
        try:
            rate = lambda ps: sum(len(re.findall(pattern, p.code)) for p in ps) / sum(p.code.count("\n") for p in ps)
            much = rate(programs("--%s=100" % name, *nests, *alone))
            none = rate(programs("--%s=0" % name, *nests)) if name != "kernel-map" else 0
        except RuntimeError as e:
            ok(False, name, e)
            continue
        ok(much > 1.3 * none, "%s: it is what it says" % name, "%.4f, %.4f without" % (much, none))


def test_weights():
    known = {o["name"]: o for o in OPTIONS if o["section"] == "weights"}
    rows = {name for name in known if name.startswith(("kernel-", "idiom-"))}
    equal(sorted(rows ^ set(KERNELS) ^ set(IDIOMS)), [], "every kernel and idiom is in the table, and nothing else")
    equal(sorted(set(known) - rows ^ set(WEIGHTS)), [], "every weight is in the table, and nothing else")
    for name, (measure, apart) in WEIGHTS.items():
        more = ["--size=3000", "--wrappers=none"] + settings(apart)
        try:
            none = [measure(p) for p in programs("--%s=0" % name, *more)]
            much = [measure(p) for p in programs("--%s=%d" % (name, 8 * max(10, known[name]["default"])), *more)]
        except RuntimeError as e:
            ok(False, name, e)
            continue
        a, b = sum(none) / len(none), sum(much) / len(much)
        ok(b > 1.15 * a, "%s: more weight, more of it" % name, "%.3f %.3f" % (a, b))


# -- the rest ----------------------------------------------------------------------------------------


def test_wrappers():
    text = gen(2, "--wrappers=functions", SIZE)
    p = Program(text)
    ok(re.search(r"\bsafe_\w+_func_", p.code) and "safe_" in text[:text.index("func_1(")], "wrappers=functions")
    ok("#define safe_" not in text, "  no macros")
    text = gen(2, "--wrappers=macros", SIZE)
    ok(re.search(r"#define safe_\w+_macro_", text) and re.search(r"\bsafe_\w+_macro_", Program(text).code), "wrappers=macros")
    ok("safe_" not in gen(2, "--wrappers=none", SIZE), "wrappers=none")
    ok("safe_" not in gen(2, "--no-safe-math", SIZE), "no-safe-math is the same")
    count = lambda w: sum(len(re.findall(r"\bsafe_\w+\(", p.code)) for p in programs("--wrappers=" + w, SIZE))
    a, b = count("functions"), count("needed")
    ok(0 < b < a, "wrappers=needed: fewer", "%d of %d" % (b, a))
    drawn = set()
    for s in range(1, 101):  # the rarest are one in twelve
        if len(drawn) == 3:
            break
        t = gen(s, SIZE)
        n = len(re.findall(r"\bsafe_\w+\(", Program(t).code))
        drawn.add("macros" if "#define safe_" in t else "many" if n > 12 else "few")
    equal(drawn, {"macros", "many", "few"}, "wrappers are mixed by default")
    same = {re.search(r"expected: checksum = (\w+)", gen(4, "--wrappers=" + w, SIZE)).group(1)
            for w in ("functions", "macros", "needed")}
    equal(len(same), 1, "the answer does not depend on them")


def test_languages():
    for seed in (1, 2, 3, 4):
        t = gen(seed, "--lang=c++", SIZE)
        good, why = compiles(t, ("g++", "-w", "-std=c++17", "-fsyntax-only", "-xc++", "-"))
        ok(good and "C++17" in t, "lang=c++: seed %d" % seed, why)
    ok(not re.search(r"\b_Bool\b", gen(1, "--lang=c++", "--bool=1", SIZE)), "  no _Bool in C++")
    t = [Program(gen(s, "--plain-types", SIZE)) for s in SEEDS]
    ok(not any(re.search(r"\bu?int\d+_t\b", p.defs + p.globals + p.protos + re.sub(r"safe_\w+", "", p.code)) for p in t),
       "plain-types: no int32_t")
    ok(any("long long" in p.all for p in t), "  but long long")
    if shutil.which("clang"):
        for s in (1, 2, 3):
            good, why = compiles(gen(s), ("clang", "-w", "-fsyntax-only", "-xc", "-"))
            ok(good, "clang takes seed %d" % s, why)
    else:
        skip("clang", "it is not there")
    for s in range(1, 5):
        for more in ([], ["--swarm"], ["--wrappers=macros"]):
            good, why = compiles(gen(s, *more))
            ok(good, "gcc takes seed %d %s" % (s, " ".join(more)), why)


def test_swarm():
    traces = [n for n in FEATURES if FEATURES[n] and n not in ("invalid-pointers", "assert-facts", "comment-facts")]
    seen = lambda ps: [frozenset(n for n in traces if FEATURES[n][0](p)) for p in ps]
    seeds = range(1, 41)  # extensions come in some programs only
    plain, swarm = seen(programs("--size=4000", seeds=seeds)), seen(programs("--swarm", "--size=4000", seeds=range(1, 61)))
    a, b = [sum(map(len, s)) / len(s) for s in (plain, swarm)]
    ok(b < 0.85 * a, "swarm: fewer features in a program", "%.1f %.1f" % (a, b))
    gone = frozenset().union(*plain) - frozenset().union(*swarm)
    ok(len(gone) < len(traces) / 7, "  but nearly all in some program", sorted(gone))
    ok(len(set(swarm)) == len(swarm), "  and another choice each time")


def test_header():
    t = gen(7, "--no-goto", "--volatiles=20%", "--max-funcs=5", SIZE)
    command = re.search(r"made by assay: assay (gen smith .*)", t).group(1)
    again = subprocess.run([ASSAY] + command.split(), capture_output=True, text=True, env=ENV).stdout
    ok(again == t, "the command in the first comment makes the program again", command)
    ok(gen(7, "--size=1500") != gen(8, "--size=1500"), "another seed, another program")


OPTIONS = json.loads(subprocess.run([ASSAY, "gen", "smith", "--options", "--json"], capture_output=True, text=True,
                                    env=ENV, check=True).stdout)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    test_features()
    test_limits()
    test_weights()
    test_kernels()
    test_idioms()
    test_wrappers()
    test_languages()
    test_swarm()
    test_header()
done()

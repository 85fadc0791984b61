#!/usr/bin/env python3
"""The table of rewrites (src/gen/yarp/rewrite.h), proved by Z3 at the widths of real types.

  rewrites.py TEST-REWRITES [--limit SECONDS] [--keep FOLDER]

TEST-REWRITES --table prints the table. Its texts become SMT-LIB terms here, and for all values of
a, b and c Z3 has to say that there is none for which

  covered    the operation is undefined, and no row's condition holds;
  only       a row's condition holds, and the operation is defined;
  disjoint   the conditions of two rows hold;
  nonempty   a row's condition holds, and the interval of c is empty;
  safe       a row is the first to hold, c is in its interval, and the replacement is undefined
             (or c is no value of b's type).

What is undefined is stated anew, from C11 6.5p5, 6.5.5 and 6.5.7. Mathematical values are bit
vectors that are wide enough to hold every result. The same is asked twice about >> of a negative
value: it may be relied on, or not. A query that Z3 does not decide within the limit has failed."""
import argparse, ast, itertools, os, re, subprocess, sys

ap = argparse.ArgumentParser()
ap.add_argument("binary")
ap.add_argument("--limit", type=int, default=60, help="seconds for one query")
ap.add_argument("--keep", help="write each query to a file in this folder")
args = ap.parse_args()
WIDTHS = (8, 16, 32, 64)


class Type:
    def __init__(self, bits, signed):
        self.bits, self.signed = bits, signed
        self.least = -(1 << bits - 1) if signed else 0
        self.most = (1 << bits - signed) - 1

    def __str__(self):
        return "%s%d" % ("S" if self.signed else "U", self.bits)


def both(*terms):
    return "(and true %s)" % " ".join(terms)


def either(*terms):
    return "(or false %s)" % " ".join(terms)


def no(term):
    return "(not %s)" % term


class Scope:
    """One operation on operands of given types: mathematical values as bit vectors of `wide` bits."""

    def __init__(self, op, a, b):
        self.op, self.a, self.b = op, a, b
        self.wide = 2 * max(a.bits, b.bits) + 2

    def number(self, value):
        return "(_ bv%d %d)" % (value % (1 << self.wide), self.wide)

    def within(self, v, kind):
        return both("(bvsle %s %s)" % (self.number(kind.least), v), "(bvsle %s %s)" % (v, self.number(kind.most)))

    def declarations(self):
        lines = []
        for name, kind in (("a", self.a), ("b", self.b)):
            lines.append("(declare-const %s_ (_ BitVec %d))" % (name, kind.bits))
            lines.append("(define-fun %s () (_ BitVec %d) ((_ %s_extend %d) %s_))" % (
                name, self.wide, "sign" if kind.signed else "zero", self.wide - kind.bits, name))
        lines.append("(declare-const c (_ BitVec %d))" % self.wide)
        return "\n".join(lines)

    def wrap(self, v, kind):
        low = "((_ extract %d 0) %s)" % (kind.bits - 1, v)
        return "((_ %s_extend %d) %s)" % ("sign" if kind.signed else "zero", self.wide - kind.bits, low)

    def bits_of(self, v):
        term = self.number(0)
        for n in range(self.a.bits):
            term = "(ite (bvsge %s %s) %s %s)" % (v, self.number(1 << n), self.number(n + 1), term)
        return term

    # -- conditions and intervals: mathematical ---------------------------------------------------

    COMPARE = {ast.Lt: "bvslt", ast.LtE: "bvsle", ast.Gt: "bvsgt", ast.GtE: "bvsge", ast.Eq: "="}
    ARITHMETIC = {ast.Add: "bvadd", ast.Sub: "bvsub", ast.Mult: "bvmul", ast.LShift: "bvshl"}

    def mathematical(self, text):
        text = text.replace("&&", " and ").replace("||", " or ")
        return self.exact(ast.parse(re.sub(r"!(?!=)", " not ", text).strip(), mode="eval").body)

    def exact(self, e):
        if isinstance(e, ast.BoolOp):
            return (both if isinstance(e.op, ast.And) else either)(*map(self.exact, e.values))
        if isinstance(e, ast.UnaryOp):
            return "(%s %s)" % ("not" if isinstance(e.op, ast.Not) else "bvneg", self.exact(e.operand))
        if isinstance(e, ast.Compare):
            assert len(e.ops) == 1, "C has no chains of comparisons"
            return "(%s %s %s)" % (self.COMPARE[type(e.ops[0])], self.exact(e.left), self.exact(e.comparators[0]))
        if isinstance(e, ast.BinOp):
            return "(%s %s %s)" % (self.ARITHMETIC[type(e.op)], self.exact(e.left), self.exact(e.right))
        if isinstance(e, ast.Call) and e.func.id == "bits":
            return self.bits_of(self.exact(e.args[0]))
        if isinstance(e, ast.Call) and e.func.id == "lesser":
            x, y = map(self.exact, e.args)
            return "(ite (bvslt %s %s) %s %s)" % (x, y, x, y)
        if isinstance(e, ast.Constant):
            return self.number(e.value)
        constants = {"MIN": self.a.least, "MAX": self.a.most, "B_MIN": self.b.least, "B_MAX": self.b.most,
                     "width": self.a.bits}
        return self.number(constants[e.id]) if e.id in constants else e.id

    # -- what C says ------------------------------------------------------------------------------

    def undefined(self, op, x, y, kind):
        """When x op y in `kind` is undefined (6.5p5, 6.5.5p5 and p6, 6.5.7p3 and p4)."""
        least, zero = self.number(kind.least), self.number(0)
        if op in ("<<", ">>"):
            bad = either("(bvslt %s %s)" % (y, zero), "(bvsge %s %s)" % (y, self.number(kind.bits)))
            if op == "<<" and kind.signed:
                too_much = "(bvsgt %s (bvashr %s %s))" % (x, self.number(kind.most), y)
                bad = either(bad, "(bvslt %s %s)" % (x, zero), too_much)
            return bad
        if op in ("/", "%"):
            by_zero = "(= %s %s)" % (y, zero)
            leaves = both("(= %s %s)" % (x, least), "(= %s %s)" % (y, self.number(-1)))
            return either(by_zero, leaves) if kind.signed else by_zero
        if not kind.signed:
            return "false"
        if op == "neg":
            return "(= %s %s)" % (x, least)
        name = {"+": "bvadd", "-": "bvsub", "*": "bvmul"}[op]
        return no(self.within("(%s %s %s)" % (name, x, y), kind))

    def to_rewrite(self, relied_on):
        """When the operation itself has to go."""
        bad = self.undefined(self.op, "a", "b", self.a)
        if self.op == ">>" and self.a.signed and not relied_on:
            bad = either(bad, "(bvslt a %s)" % self.number(0))
        return bad

    # -- replacements: typed ----------------------------------------------------------------------

    OPS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.LShift: "<<", ast.RShift: ">>"}

    def bad_replacement(self, text, relied_on):
        text = re.sub(r"\((T|U)\)([abc])", r"\1(\2)", text)
        self.bad, self.relied_on = [], relied_on
        self.typed(ast.parse(text, mode="eval").body)
        return either(*self.bad)

    def typed(self, e):
        """The value and the type of an expression; when it is undefined goes to self.bad."""
        if isinstance(e, ast.Name):
            if e.id == "MAX":
                return self.number(self.a.most), self.a
            return e.id, self.a if e.id == "a" else self.b
        if isinstance(e, ast.Call):
            v, _ = self.typed(e.args[0])
            kind = self.a if e.func.id == "T" else Type(self.a.bits, False)
            return self.wrap(v, kind), kind
        if isinstance(e, ast.UnaryOp):
            assert isinstance(e.op, ast.UAdd)
            return self.typed(e.operand)
        (x, kind), (y, other), op = self.typed(e.left), self.typed(e.right), self.OPS[type(e.op)]
        assert op in ("<<", ">>") or (kind.bits, kind.signed) == (other.bits, other.signed)
        self.bad.append(self.undefined(op, x, y, kind))
        if op == ">>" and not self.relied_on:
            self.bad.append("(bvslt %s %s)" % (x, self.number(0)))
        value = {"+": "(bvadd %s %s)", "-": "(bvsub %s %s)", "*": "(bvmul %s %s)", "/": "(bvsdiv %s %s)",
                 "<<": "(bvshl %s %s)", ">>": "(bvashr %s %s)"}[op] % (x, y)
        return self.wrap(value, kind), kind


class Row:
    def __init__(self, number, line):
        self.op, self.a, self.b, self.condition, replacement, flags = line.split("\t")
        self.name = "row %d" % number
        self.by_compiler = "by-compiler" in flags
        m = re.fullmatch(r"(.*), c in \[(.*), ([^()]*|.*\(.*\))\]", replacement)
        self.text, self.interval = (m.group(1), m.group(2, 3)) if m else (replacement, None)

    def is_for(self, scope):
        sign = lambda kind: "S" if kind.signed else "U"
        return self.op == scope.op and sign(scope.a) in self.a and sign(scope.b) in self.b


# -- queries ----------------------------------------------------------------------------------------

def scopes():
    for op in ("neg", "+", "-", "*", "/", "%"):
        for bits, signed in itertools.product(WIDTHS, (True, False)):
            yield Scope(op, Type(bits, signed), Type(bits, signed))
    pairs = [(w, w) for w in WIDTHS] + [(32, 64), (64, 32)]
    for op in ("<<", ">>"):
        for (x, y), s, t in itertools.product(pairs, (True, False), (True, False)):
            yield Scope(op, Type(x, s), Type(y, t))


def queries(scope, rows):
    """(name, term that must have no solution)"""
    for relied_on in (True, False) if scope.op == ">>" and scope.a.signed else (True,):
        mine = [r for r in rows if r.is_for(scope) and not (r.by_compiler and relied_on)]
        holds = [scope.mathematical(r.condition) for r in mine]
        mode = "" if relied_on else ", >> of a negative value not relied on"
        bad = scope.to_rewrite(relied_on)
        yield "covered" + mode, both(bad, *map(no, holds))
        for i, row in enumerate(mine):
            yield row.name + ": only" + mode, both(holds[i], no(bad))
            for k in range(i):
                if mine[k].by_compiler == row.by_compiler:
                    yield "%s, %s: disjoint%s" % (mine[k].name, row.name, mode), both(holds[i], holds[k])
            first = both(holds[i], *map(no, holds[:i]))
            worst = scope.bad_replacement(row.text, relied_on)
            if row.interval:
                least, most = map(scope.mathematical, row.interval)
                yield row.name + ": nonempty" + mode, both(first, "(bvsgt %s %s)" % (least, most))
                chosen = both("(bvsle %s c)" % least, "(bvsle c %s)" % most)
                worst = both(chosen, either(worst, no(scope.within("c", scope.b))))
            yield row.name + ": safe" + mode, both(first, worst)


def ask(scope, asked):
    """What Z3 says to each query, in one process; the rest is 'no answer' if it does not end."""
    text = ["(set-logic QF_BV)", "(set-option :timeout %d)" % (args.limit * 1000), scope.declarations()]
    for name, term in asked:
        text += ["(push)", "(assert %s)" % term, "(check-sat)", "(pop)"]
    if args.keep:
        ops = {"<<": "shl", ">>": "shr", "/": "div", "%": "rem", "*": "mul", "+": "add", "-": "sub", "neg": "neg"}
        with open(os.path.join(args.keep, "%s-%s-%s.smt2" % (ops[scope.op], scope.a, scope.b)), "w") as f:
            f.write("\n".join(text) + "\n")
    try:
        p = subprocess.run(["z3", "-in"], input="\n".join(text), capture_output=True, text=True,
                           timeout=args.limit * len(asked) + 60)
        answers = p.stdout.split("\n")[:-1]
    except subprocess.TimeoutExpired as e:
        answers = (e.stdout or b"").decode().split("\n")[:-1]
    return answers + ["no answer"] * (len(asked) - len(answers))


def example(scope, term):
    """Values that satisfy the term, for people."""
    text = "%s\n(assert %s)\n(check-sat)\n(get-value (a_ b_ c))" % (scope.declarations(), term)
    p = subprocess.run(["z3", "-in"], input=text, capture_output=True, text=True, timeout=args.limit + 60)
    return " ".join(p.stdout.split()[1:])


table = subprocess.run([args.binary, "--table"], capture_output=True, text=True, check=True).stdout
rows = [Row(i, line) for i, line in enumerate(table.splitlines())]
passed = failed = 0
for scope in scopes():
    asked = list(queries(scope, rows))
    answers = ask(scope, asked)
    proved = answers.count("unsat")
    passed += proved
    failed += len(asked) - proved
    print("%s %s %s: %d of %d proved" % (scope.a, scope.op, scope.b, proved, len(asked)), flush=True)
    for (name, term), answer in zip(asked, answers):
        if answer == "sat":
            print("  wrong: %s: %s" % (name, example(scope, term)))
        elif answer in ("unknown", "timeout"):
            print("  not proved within %d s: %s" % (args.limit, name))
        elif answer != "unsat":
            print("  z3: %s: %s" % (answer, name))
used = [r for r in rows if any(r.is_for(s) for s in scopes())]
if len(rows) < 10 or len(used) != len(rows):
    print("the table has %d rows, %d of them in use" % (len(rows), len(used)))
    failed += 1
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed else 0)

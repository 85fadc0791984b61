#!/usr/bin/env python3
"""Scripts of lala:smtlib are valid and worth asking: no installed solver finds an error in one, of either logic, their
answers agree, and both sat and unsat occur. Then the two ways to ask a solver for more than it offers (testbeds/smt): a model
that is wrong is found out, and Boolector gets through a script in a language that it does not know.

  smtlib.py TESTS ASSAY [COUNT]      COUNT scripts per logic"""
import os, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok, skip

here = os.path.abspath(sys.argv[1])
assay = os.path.abspath(sys.argv[2])
count = int(sys.argv[3]) if len(sys.argv) > 3 else 10
SMT = os.path.join(here, "..", "testbeds", "smt")
PLAIN = ["sh", os.path.join(SMT, "plain.sh")]
MODELS = ["sh", os.path.join(SMT, "models.sh")]
LIMIT = 60  # seconds; a solver that needs longer has no answer

SOLVERS = {
    "z3": lambda f: ["z3", f],
    "cvc4": lambda f: ["cvc4", "--incremental", f],
    "cvc5": lambda f: ["cvc5", "--incremental", f],
    "boolector": lambda f: PLAIN + [f, "boolector", "--smt2"],
}


def answers(command):
    """What the solver prints, as a list of lines; None where it has no answer."""
    try:
        p = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    lines = (p.stdout + p.stderr).splitlines()
    if p.returncode:
        lines.append("exit %d" % p.returncode)
    return None if "unknown" in lines else lines


def generate(logic, seed, path):
    subprocess.run([assay, "gen", "lala:smtlib", "-s", str(seed), "--features=" + logic, "-o", path], check=True)


installed = {name: command for name, command in SOLVERS.items() if shutil.which(name)}
if not installed:
    skip("scripts of lala:smtlib", "no SMT solver here")
    done()

with tempfile.TemporaryDirectory() as folder:
    script = folder + "/t.smt2"
    for logic in "ufbv", "abv":
        wrong, differing, said = [], [], set()
        for seed in range(1, 1 + count):
            generate(logic, seed, script)
            by_answer = {}
            for name, command in installed.items():
                lines = answers(command(script))
                if lines is None:
                    continue
                if not lines or set(lines) - {"sat", "unsat"}:
                    wrong.append("seed %d, %s: %s" % (seed, name, "\n".join(lines)[:300]))
                    continue
                by_answer.setdefault(" ".join(lines), []).append(name)
                said.update(lines)
            if len(by_answer) > 1:
                differing.append("seed %d: %s" % (seed, by_answer))
        ok(not wrong, "%s: %s find nothing wrong with %d scripts" % (logic, ", ".join(installed), count), "\n".join(wrong))
        ok(not differing, "%s: they agree" % logic, "\n".join(differing))
        equal(sorted(said), ["sat", "unsat"], "%s: sat and unsat both occur" % logic)

    with open(script, "w") as f:
        f.write("""(set-logic QF_UFBV) ; names come back, lets are parallel, definitions nest
(declare-const x (_ BitVec 8))
(declare-fun f ((_ BitVec 8) Bool) Bool)
(define-fun y () (_ BitVec 8) (bvadd x #x01))
(define-fun g ((p (_ BitVec 8)) (q Bool)) Bool (f p (and q (f x q))))
(define-fun h ((p (_ BitVec 8)) (q Bool)) Bool (xor (g p q) (= p y)))
(assert (= x #x2a))
(push 1)
  (declare-fun z () (_ BitVec 4))
  (assert (let ((v (bvadd x x)) (w (let ((v y)) (bvmul v v)))) (= ((_ extract 3 0) (bvadd v w)) z)))
  (check-sat)
  (assert (distinct z #xd))
  (check-sat)
(pop 1)
(declare-fun z () Bool)
(assert (h x (h y z)))
(check-sat)
(check-sat-assuming ((not z)))
(push 1) (assert (f x true)) (assert (not (f (bvsub y #x01) true))) (check-sat) (pop 1)
""")
    wanted = ["sat", "unsat", "sat", "sat", "unsat"]
    for name, command in installed.items():
        equal(answers(command(script)), wanted, name + ": scopes, parallel lets and nested definitions")
    if {"z3", "cvc5"} <= set(installed):
        equal(answers(MODELS + [script, "cvc5 --incremental", "z3"]), wanted, "z3's models hold")
        equal(answers(MODELS + [script, "z3", "cvc5", "--incremental"]), wanted, "cvc5's models hold")
        liar = folder + "/liar"
        with open(liar, "w") as f:
            f.write("#!/bin/sh\nz3 \"$1\" | sed 's/#x2a/#x2b/'\n")
        os.chmod(liar, 0o755)
        lines = answers(MODELS + [script, "cvc5 --incremental", liar])
        ok("wrong model: unsat" in lines and lines[0] == "sat", "a wrong model is found out", lines)
    else:
        skip("models", "z3 and cvc5 are not both here")
done()

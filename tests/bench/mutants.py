"""Planted mutants (scripts/mutant-gcc, bench/mutants) of a very small compiler. Arguments: the tests folder, the source root."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok  # noqa: E402

tests, root = (os.path.abspath(path) for path in sys.argv[1:3])
sys.path.insert(0, root + "/bench")
import grouping  # noqa: E402

here = tests + "/bench"
KINDS = "bound code conjunct early equal kill negated order update".split()
BASIC = "set A 2 + 3\nprint A\n"
RICH = "input A\nset B A + 1\nset B 1 + A\nset C 2 + 3\nset C C - 9\nprint C\nset D C * 5\ninput C\nset E C * D\n" + "".join(
    "print %s\n" % name for name in "ABCDE")


def run(*command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **environment))
    return result.returncode, result.stdout + result.stderr


def compiled(program, binary="mutant", **environment):
    with open("in", "w", encoding="utf-8") as f:
        f.write(program)
    status, _ = run("./" + binary, "-O1", "in", "out", **environment)
    with open("out", encoding="utf-8") as f:
        return f.read() if status == 0 else "status %d" % status


crashes = []  # mutants that end the compiler when they are evaluated for a trace


def traced(program, **environment):
    """What was compiled, and the mutants; those that end the compiler are left out from then on, one after the other."""
    while True:
        text = compiled(program, MUTANT_TRACE="trace", MUTANT_CRASHES=",".join(crashes), **environment)
        with open("trace", encoding="utf-8") as f:
            lines = f.read().split("\n")[:-1]
        if not lines or not lines[0].startswith("in "):
            return text, lines
        crashes.append(lines[0][3:])


def planted():
    with open("mutants.tsv", encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def number(**wanted):
    """Of the first mutant with these fields."""
    found = [m["number"] for m in mutants if all(m[key] == value for key, value in wanted.items())]
    return found[0] if ok(found, "drawn: " + " ".join(wanted.values())) else "0"


def measured(*words):
    generators = ",".join("%s=sh %s/write %s" % (kind, here, kind) for kind in ("poor", "rich"))
    return run(root + "/bench/mutants", ".", "--generators", generators, "--corpus", "small", *words)


def searched(harmful, together=frozenset(), odds=None):
    """200 members, of which some do harm and some only together: what was found, and the groups."""
    groups = []

    def test(group):
        groups.append(group)
        return bool(harmful & set(group)) or len(together & set(group)) > 1

    found = grouping.search(range(200), odds or grouping.Odds(), lambda n: n // 4, test, bool, 16, random.Random(1))
    return found, groups


def grouped():
    for harmful in set(), {7}, {0, 1, 2, 3}, set(range(0, 200, 20)), set(range(200)):
        found, groups = searched(harmful)
        equal({n for n, harm in found.items() if harm}, harmful, "%d that do harm are found" % len(harmful))
        equal(len(found), 200, "and nobody is forgotten")
        ok(all(found[n] is None or [n] in groups for n in found), "what is said of one was seen with it alone")
        ok(all(len({n // 4 for n in group}) == len(group) <= 16 for group in groups), "no two of one place, no group too large")
        ok(len(groups) <= 16 + 6 * len(harmful), "%d tests" % len(groups))
    found, _ = searched({7}, together={1, 5, 9, 30, 70, 100, 150, 180})
    equal([n for n, harm in found.items() if harm], [7], "those that do harm only together are none")
    odds = grouping.Odds()
    for n in range(200):
        odds.note(n, n in (7, 90))
    found, groups = searched({7, 90}, odds=odds)
    ok([7] in groups[:2] and [90] in groups[:2], "who did harm before is tried alone, and first")


def spoiled():
    for bad in range(0, 100, 9):
        tests = []
        equal(grouping.culprit(range(100), lambda some: tests.append(some) or bad in some), bad, "one of 100 that spoils it")
        ok(len(tests) <= 15, "  is found in %d tests" % len(tests))
    equal(grouping.culprit(range(100), lambda some: 3 in some and 90 in some), None, "two that do it only together are not found")
    equal(grouping.culprit([5], lambda some: False), None, "nor one that does nothing")


def kills(name):
    """mutant: programs that kill it"""
    with open("measured/%s-3.json" % name, encoding="utf-8") as f:
        tried = json.load(f)["tried"]
    found = {mutant: [n for n, _, how in rows if how in ("crash", "wrong code")] for mutant, rows in tried.items()}
    return {mutant: numbers for mutant, numbers in found.items() if numbers}


grouped()
spoiled()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir("small")
    for name, text in ("print", "print A\n"), ("sum", BASIC):
        with open("small/%s.c" % name, "w", encoding="utf-8") as f:
            f.write(text)
    status, said = run(root + "/scripts/mutant-gcc", ".", "--target", here + "/tiny.ini", "--seeds", "1,2", "--count", "500")
    ok(status == 0, "planted", said)
    mutants = planted()
    equal(sorted({m["kind"] for m in mutants}), KINDS, "of each kind that there can be")
    ok("do not compile and are taken out" in said, "what does not compile is taken out", said)
    ok(not any("sizeof(int)" in m["before"] for m in mutants), "and not in the list")
    ok(not any("strcmp" in m["before"] for m in mutants), "nor what the target calls noise")
    ok(all(m["before"] != m["after"] and m["sets"] == "1,2" for m in mutants), "a set that is larger than what there is has all")

    crash, leaves = number(after="1 && last->n > 5"), number(after="1 && is_set_p(previous)")
    equal(compiled(BASIC, MUTANT=crash), "status -11", "a compiler that crashes")
    loops = number(after="1 && is_there_p(third)")
    traced(BASIC)
    equal(sorted(crashes), sorted([leaves, loops]), "one that ends, or does not end, when it is traced says where")
    ok({crash, leaves} <= set(traced(BASIC)[1]), "which is a difference, and a crash is another")

    for program in (BASIC, RICH):
        equal(compiled(program), compiled(program, "original"), "off, it is the original")
        equal(traced(program)[0], compiled(program, "original"), "and while it traces")

    guard = number(after="!is_known_p(a) || 0")
    ok(compiled(RICH, MUTANT=guard) != compiled(RICH), "a disjunct left out")
    equal(compiled(BASIC, MUTANT=guard), compiled(BASIC), "which is nothing where all is known")
    equal([guard in traced(program)[1] for program in (BASIC, RICH)], [False, True], "and the trace knows")
    kill = number(before="invalidate_value(name)")
    ok(kill in traced(RICH)[1] and compiled(RICH, MUTANT=kill) != compiled(RICH), "a kill left out")
    ok("A = -20;" in compiled("set A 7 - 27\n"), "operands in their order")
    ok("A = 20;" in compiled("set A 7 - 27\n", MUTANT=number(kind="order")), "and in the other")

    order = number(kind="order")
    ok("B = -20;" in compiled("set A 7 - 27\ninput C\nset B A * 1\n", MUTANT=kill), "the kill alone")
    both = compiled("set A 7 - 27\nset B 1 + 2\ninput B\nset C B + 1\n", MUTANT=kill + "," + order)
    ok("A = 20;" in both and "C = 4;" in both, "two mutants at once", both)
    traced(RICH)
    equal(traced(RICH, MUTANT_OF=kill)[1], [kill], "a trace of one mutant alone")

    status, said = run(root + "/scripts/mutant-gcc", ".", "--target", here + "/tiny.ini", "--seeds", "3,4", "--count", "16")
    mutants = planted()
    equal([sum(seed in m["sets"].split(",") for m in mutants) for seed in "34"], [16, 16], "sets of the size that was asked for")
    ok(any(m["sets"] == "3" for m in mutants) and any(m["sets"] == "4" for m in mutants), "two seeds, two sets")
    status, said = measured("--check", "4")
    ok(status == 0 and "4 programs at -O1: 0 times not" in said, "compared with the original", said)
    status, said = measured("--cpu", "0.01", "--seeds", "3", "--share", "50")
    ok(status == 0, "measured", said)
    poor, rich = (re.search(r"^%s +\d.*" % name, said, re.M)[0].split() for name in ("poor", "rich"))
    ok(int(rich[7]) > int(poor[7]), "programs that do more kill more", said)
    equal(int(rich[5]) + int(rich[6]), int(rich[7]), "kills are wrong code and crashes")
    ok(os.path.exists("measured/set-3.svg"), "a plot")
    equal(measured("--table", "--seeds", "3")[1].split("set 3:", 1)[1], said.split("set 3:", 1)[1].split("set 3:")[-1], "the table again")
    # groups, on the same programs
    for name, words in ("one", ["--group", "1"]), ("many", ["--group", "16", "--alone", "5"]):
        command = "%s=sh %s/write rich" % (name, here)
        status, said = run(root + "/bench/mutants", ".", "--generators", command, "--corpus", "small", "--programs", "4", "--seeds", "3",
                           "--enough", "1", *words)
        ok(status == 0, "measured in groups of " + words[1], said)
    equal(sorted(kills("many")), sorted(kills("one")), "groups find what each mutant does alone")
    ok("that did no harm in a group, 0 kill alone" in said, "and a sample is tried again alone", said)
    # the same programs for two sets
    status, said = run(root + "/bench/mutants", ".", "--generators", "both=sh %s/write rich" % here, "--corpus", "small", "--programs", "4",
                       "--seeds", "3,4", "--same-programs")
    ok(status == 0, "measured on two sets with the same programs", said)
    one, other = (json.load(open("measured/both-%s.json" % seed, encoding="utf-8")) for seed in "34")
    equal(one["programs"], other["programs"], "which are made once")
    equal([{m["number"] for m in mutants if seed in m["sets"].split(",")} >= set(result["tried"]) > set()
           for seed, result in (("3", one), ("4", other))], [True, True], "and each set has its own mutants")
    shared = set(one["tried"]) & set(other["tried"])
    equal([one["tried"][m] for m in shared], [other["tried"][m] for m in shared], "what is in both is tried once")
    # some mutants of a set, the same ones for each generator
    for name in "few", "same":
        status, said = run(root + "/bench/mutants", ".", "--generators", "%s=sh %s/write rich" % (name, here), "--corpus", "small", "--programs",
                           "2", "--seeds", "4", "--mutants", "3")
    few, same = (json.load(open("measured/%s-4.json" % name, encoding="utf-8"))["wanted"] for name in ("few", "same"))
    equal([len(few), few], [3, same], "three mutants of a set")
    ok(status != 0 and "were measured on other mutants of set 4" in said, "which are not compared with those of the whole set", said)
    # others, to tune with
    again = "again=sh %s/write rich" % here
    status, said = run(root + "/bench/mutants", ".", "--generators", again, "--corpus", "small", "--programs", "2", "--seeds", "4", "--mutants", "3",
                       "--tuning")
    others = json.load(open("tuning/again-4.json", encoding="utf-8"))["wanted"]
    three = json.load(open("measured/few-4.json", encoding="utf-8"))["wanted"]
    equal([len(others), set(others) & set(three)], [3, set()], "to tune with, three others")
    ok(run(root + "/bench/mutants", ".", "--tuning")[0] != 0, "if it is said how many are measured")
    # what was published is put beside what is measured
    status, table = run(root + "/bench/mutants", ".", "--table", "--seeds", "3", "--publish", "all.json")
    os.rename("measured", "before")
    status, again = run(root + "/bench/mutants", ".", "--table", "--seeds", "3", "--beside", "all.json")
    equal(again.replace("plot", "").split("\n")[:8], table.replace("plot", "").split("\n")[:8], "a published table is the same")
    with open("mutants.tsv", "r+", encoding="utf-8") as f:
        f.write(f.readlines()[-1])
    status, said = run(root + "/bench/mutants", ".", "--table", "--seeds", "3", "--beside", "all.json")
    ok(status != 0 and "is of other mutants than those in" in said, "but not that of other mutants", said)
    # a broken original is seen
    os.rename("mutant", "real")
    with open("mutant", "w", encoding="utf-8") as f:
        f.write('#!/bin/sh\n./real "$@" && echo "/* other */" >>"$3"\n')
    os.chmod("mutant", 0o755)
    status, said = measured("--check", "4")
    ok(status == 1 and "4 times not" in said, "another output is told", said)
done()

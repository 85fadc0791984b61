#!/usr/bin/env python3
"""Counts of variants against brute force, on real files, in every mode.

  counts.py TESTS ASSAY FEWEST PATH...

PATH is a C file, or a folder of them, `made:N` (N files made at random), or `torture`: GCC's gcc.c-torture/execute,
where scripts/torture unpacks it. FEWEST files must be small enough to be checked. What may stand in each hole
is asked of `assay spe show`; from that and from the braces of the text alone every filling is made, and:

  naive    they are counted
  compact  each is renamed within blocks, as far as the same holes see the variables and none lies between their
           declarations, to the least that comes out
  sound    the same within the classes that `show` prints
  pattern  the different set partitions of the holes are counted
  paper    Algorithm 1 is run as Example 6 runs it, with sets of promoted holes and partitions one by one

No file may have more variants in another mode than in naive."""
import atexit, itertools, json, os, random, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
import tap

assay, fewest, paths = os.path.realpath(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
MOST_FILLINGS, MOST_HOLES = 20000, 13


def assay_json(*command):
    out = subprocess.run((assay, "spe") + command, capture_output=True)
    return out.stdout.decode(errors="replace")


# -- the text ----------------------------------------------------------------------------------------

TOKEN = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|^[ \t]*#(?:\\\n|[^\n])*|\w+|[{}()]",
                   re.S | re.M)


def blocks(text):
    """For each offset of a word: the brace of its innermost block (None: outside), the outermost one, the `for` whose
    head it is in. None where braces do not match, as in branches that are left out."""
    out, braces, heads, before = {}, [], [], b""
    for m in TOKEN.finditer(text):
        t = m.group()
        if t == b"{":
            braces.append((m.start(), len(heads)))
        elif t == b"}":
            if not braces:
                return None
            braces.pop()
        elif t == b"(":
            heads.append(m.start() if before == b"for" else None)
        elif t == b")":
            if not heads:
                return None
            heads.pop()
        elif t[:1].isalnum() or t[:1] == b"_":
            since = braces[-1][1] if braces else 0
            head = next((h for h in reversed(heads[since:]) if h is not None), None)
            out[m.start()] = (braces[-1][0] if braces else None, braces[0][0] if braces else None, head)
        if not t.startswith((b"/*", b"//")):
            before = t
    return None if braces or heads else out


def block_of(variable, where):
    """The block that declares a variable: None is the file, a name the whole of a function."""
    if variable["offset"] < 0 or variable["function"] is None:
        return None
    inner, outer, head = where[variable["offset"]]
    if head is not None:
        return ("for", head)
    return variable["function"] if inner == outer else inner


def scope_of(variables, v, holes, where):
    """The block, and where it was cut: a declaration after a hole opens a scope of its own. A hole between two
    declarations that does not see the first one is in its initialiser, or another variable hides it."""
    me, block = variables[v], block_of(variables[v], where)
    cut = None
    for i, u in enumerate(variables):
        if u["part"] == me["part"] and u["offset"] < me["offset"] and block_of(u, where) == block:
            between = [h for h in holes if u["offset"] < h["offset"] < me["offset"] and
                       (i in h["variables"] or u["hidden"])]
            cut = max([cut or 0] + [h["offset"] for h in between]) or None
    return block, cut


# -- brute force -------------------------------------------------------------------------------------


class TooLarge(Exception):
    pass


def fillings(holes):
    n = 1
    for h in holes:
        n *= len(h["variables"])
        if n > MOST_FILLINGS:
            raise TooLarge
    return list(itertools.product(*(h["variables"] for h in holes)))


def least(filling, group, members):
    """The variables of a group come into use in order: what the least renaming of a filling looks like."""
    used, to, out = {}, {}, []
    for v in filling:
        if v not in to:
            g = group[v]
            to[v] = members[g][used.get(g, 0)]
            used[g] = used.get(g, 0) + 1
        out.append(to[v])
    return tuple(out)


def orbits(all_of_them, group):
    members = {}
    for v, g in sorted(group.items()):
        members.setdefault(g, []).append(v)
    return len({least(f, group, members) for f in all_of_them})


def partition(filling):
    seen = {}
    return tuple(seen.setdefault(v, len(seen)) for v in filling)


def partitions(n, fewest_blocks, most_blocks):
    """How many, one by one."""
    def extend(left, blocks):
        if left == 0:
            return int(fewest_blocks <= blocks <= most_blocks)
        return sum(extend(left - 1, max(blocks, b + 1)) for b in range(min(blocks + 1, most_blocks)))
    key = (n, fewest_blocks, most_blocks)
    if key not in partitions.known:
        partitions.known[key] = extend(n, 0)
    return partitions.known[key]


partitions.known = {}


def algorithm_1(n_global, v_global, scopes):
    if n_global + sum(u for u, _ in scopes) > MOST_HOLES:
        raise TooLarge

    def scope(i, promoted, ways):
        if i == len(scopes):
            n = n_global + promoted
            blocks = min(n, v_global)
            return ways * partitions(n, blocks, blocks)
        u, v = scopes[i]
        total = 0
        for k in range(u):  # not all of them: those that keep none are counted without scopes
            for _ in itertools.combinations(range(u), k):
                total += scope(i + 1, promoted + k, ways * partitions(u - k, 0, v))
        return total
    total = partitions(n_global + sum(u for u, _ in scopes), 0, v_global)
    return total + (scope(0, 0, 1) if scopes else 0)


def paper(file, where):
    """The product over functions and types."""
    count = 1
    for function in {h["function"] for h in file["holes"]} - {None}:
        for part in range(len(file["types"])):
            holes = [h for h in file["holes"] if h["function"] == function and h["part"] == part]
            if not holes:
                continue
            everywhere = set.intersection(*(set(h["variables"]) for h in holes))
            root = {v for v in everywhere if block_of(file["variables"][v], where) in (None, function)}
            scopes = {}
            for h in holes:
                local = frozenset(h["variables"]) - root
                scopes[local] = scopes.get(local, 0) + 1
            n_global = scopes.pop(frozenset(), 0)
            count *= algorithm_1(n_global, len(root), [(u, len(s)) for s, u in scopes.items()])
    return count


def brute(file):
    """The counts of all modes; None for one that is too large, or does not go with hidden variables."""
    with open(file["file"], "rb") as f:
        where = blocks(f.read())
    if where is None:
        return None
    counts = dict.fromkeys(("naive", "compact", "sound", "pattern"), 1)
    for part in range(len(file["types"])):
        holes = [h for h in file["holes"] if h["part"] == part]
        variables = [i for i, v in enumerate(file["variables"]) if v["part"] == part]
        everything = fillings(holes)
        seen = {v: frozenset(i for i, h in enumerate(holes) if v in h["variables"]) for v in variables}
        shared = {v: (str(scope_of(file["variables"], v, holes, where)), seen[v]) for v in variables}
        declared = {v: (file["variables"][v]["scope"], file["variables"][v]["class"]) for v in variables}
        counts["naive"] *= len(everything)
        counts["compact"] *= orbits(everything, shared)
        counts["sound"] *= orbits(everything, declared)
        counts["pattern"] *= len({partition(f) for f in everything})
    if not any(v["hidden"] for v in file["variables"]):
        counts["paper"] = paper(file, where)
    return counts


# -- files -------------------------------------------------------------------------------------------


class Maker:
    """Small files with all that makes a hole see something else: blocks in blocks, declarations after uses, names that
    hide others, `register` under `&`, lists of identifiers, several functions and types."""

    def __init__(self, seed):
        self.r, self.left = random.Random(seed), 7

    def declaration(self):
        storage = self.r.choice(("", "", "", "register ", "static "))
        names = self.r.sample("abcdgh", self.r.choice((1, 1, 2)))
        return "%s%s %s;" % (storage, self.r.choice(("int", "int", "long")), ", ".join(names)), names

    def use(self, names):
        self.left -= 1
        name, other = self.r.choice(names), self.r.choice(names)
        return self.r.choice(("%s = 1;" % name, "%s;" % name, "%s = sizeof %s;" % (name, other),
                              "*&g;" if "g" in names else "%s;" % other))

    def block(self, names, depth, declared=()):
        out, declared, names = [], set(declared), list(names)
        for _ in range(self.r.randint(2, 5)):
            kind = self.r.random()
            if kind < 0.35:
                text, new = self.declaration()
                if declared.isdisjoint(new):
                    out.append(text)
                    declared.update(new)
                    names += new
            elif kind < 0.5 and depth < 3:
                inner = self.block(names, depth + 1)
                out.append(inner if self.r.random() < 0.7 else "for (int i = 0;;) { i; %s }" % inner)
            elif self.left > 0:
                out.append(self.use(names))
        return "{ %s }" % " ".join(out)

    def file(self):
        out = ["int g, h; long a;"]
        for name in ("f", "k")[:self.r.choice((1, 2))]:
            head, parameters = self.r.choice((("(void)", []), ("(int b, long c)", ["b", "c"]),
                                              ("(b, c) int b; int c;", ["b", "c"])))
            body = self.block(["g", "h", "a"] + parameters, 0, parameters)
            out.append("void %s%s %s" % (name, head, body))
        return "\n".join(out) + "\n"


def make_files(n):
    folder = tempfile.mkdtemp(prefix="counts-")
    atexit.register(shutil.rmtree, folder)
    for i in range(n):
        with open(os.path.join(folder, "made%03d.c" % i), "w") as f:
            f.write(Maker(i).file())
    return folder


def find_files():
    for path in paths:
        if path.startswith("made:"):
            path = make_files(int(path[5:]))
        elif path == "torture":
            path = subprocess.run([os.path.join(sys.argv[1], "..", "scripts", "torture")], capture_output=True,
                                  text=True).stdout.strip()
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, f) for f in os.listdir(path) if f.endswith(".c"))
        else:
            yield path


def main():
    files = list(find_files())
    if files == [""]:
        tap.skip("counts of real programs", "GCC's test-suite is not here")
        tap.done()
    counted = {c["file"]: c["variants"] for c in json.loads(assay_json("count", "--json", *files) or "[]")}
    checked = hidden = many = 0
    wrong, above = [], []
    for line in assay_json("show", "--json", *files).splitlines():
        file = json.loads(line)
        told = {mode: int(n) for mode, n in counted[file["file"]].items()}
        name = os.path.basename(file["file"])
        if max(told.values()) > told["naive"]:
            above.append("%s: %s" % (name, told))
        try:
            counts = brute(file)
        except (TooLarge, KeyError):  # a name that a macro made is at no word
            continue
        if not counts:
            continue
        checked += 1
        hidden += "paper" not in counts
        many += counts["naive"] > 20
        for mode, n in counts.items():
            if told[mode] != n:
                wrong.append("%s: %s is %d, by brute force %d" % (name, mode, told[mode], n))
    tap.ok(not wrong, "the counts of %d files, in every mode; %d of them have more than 20 variants, %d hide a variable"
           % (checked, many, hidden), wrong)
    tap.ok(not above, "no mode counts more than there are fillings: %d files" % len(counted), above)
    tap.ok(checked >= fewest and many >= fewest // 4, "these are enough: at least %d" % fewest)
    tap.done()


main()

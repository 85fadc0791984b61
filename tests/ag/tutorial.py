#!/usr/bin/env python3
"""docs/a-language-in-an-hour.md does what it says: every file in it is written, every command is run in order, and what the text
shows is what comes out.

In the text, a line that begins with **NAME** names the file that the fenced block below is; where more follows on that line, the block
has classes of a specification that replace those of the same name, and new ones. An indented block has commands, each behind
`$ `, and under each what it prints, errors included. There `...` stands for anything, and alone in a line for any lines.

  tutorial.py TESTS ROOT ASSAY             the test
  tutorial.py TESTS ROOT ASSAY --write     puts what came out into the text, where it differs: look at the difference then"""
import os, re, subprocess, sys, tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok

root = os.path.abspath(sys.argv[2])
assay = os.path.abspath(sys.argv[3])
write = sys.argv[4:] == ["--write"]
TEXT = os.path.join(root, "docs", "a-language-in-an-hour.md")
LIMIT = 120  # seconds for one command


class Step:
    """A file to write or a command to run, and the lines of the text from which it was read."""

    def __init__(self, kind, name, first):
        self.kind, self.name, self.first, self.lines = kind, name, first, []

    @property
    def end(self):
        return self.first + len(self.lines)


def printed(text, i):
    """Does the line belong to what the command above prints? An empty one does where such a line follows."""
    rest = next((line for line in text[i:] if line), "")
    return rest.startswith("    ") and not rest.startswith("    $ ")


def steps_of(text):
    """The steps in their order. Lines of a step are those of a file, or of what a command prints."""
    steps, heading, fenced = [], None, False
    for i, line in enumerate(text):
        if fenced:
            fenced = line != "```"
            if fenced and steps and steps[-1].kind != "command":
                steps[-1].lines.append(line)
        elif line.startswith("```"):
            fenced = True
            if heading:
                kind = "classes" if heading.group(2) else "file"
                steps.append(Step(kind, heading.group(1), i + 1))
            else:
                steps.append(Step("example", "", i + 1))  # shown, but no file
            heading = None
        elif line.startswith("    $ "):
            steps.append(Step("command", line[6:], i + 1))
        elif steps and steps[-1].kind == "command" and steps[-1].end == i and printed(text, i):
            steps[-1].lines.append(line[4:])
        elif line:
            heading = re.match(r"\*\*([^ *]+)\*\*(.*)$", line)
    return steps


def classes_of(text):
    """A specification as a list of [name of the class, its text]; what stands outside of classes has the name None."""
    parts, waiting, inside = [], "", False
    for line in text.splitlines(True):
        start = re.match(r"class (\w+)", line)
        if start:
            parts.append([start.group(1), waiting + line])
            waiting, inside = "", line.endswith("{\n")
        elif inside:
            parts[-1][1] += line
            inside = line != "}\n"
        elif line.startswith(("@", "#")):
            waiting += line
        else:
            parts.append([None, waiting + line])
            waiting = ""
    return parts


def replace_classes(old, new):
    parts = classes_of(old)
    for name, text in classes_of(new):
        known = [part for part in parts if name and part[0] == name]
        if known:
            known[0][1] = text
        elif name:
            parts.append([name, "\n" + text])
    return "".join(text for _, text in parts)


def write_file(step):
    text = "\n".join(step.lines) + "\n"
    os.makedirs(os.path.dirname(step.name) or ".", exist_ok=True)
    if step.kind == "classes":
        text = replace_classes(open(step.name).read(), text)
    open(step.name, "w").write(text)


def run(command):
    """What it prints, line by line; a last line of its own where it takes too long."""
    try:
        p = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return ["(no end after %d s)" % LIMIT]
    return [line.rstrip() for line in p.stdout.decode(errors="replace").rstrip().splitlines()]


def pattern(shown):
    lines = ["(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.rstrip().split("..."))) + "\n" for line in shown]
    return re.compile("".join(lines))


def agree(shown, got):
    return bool(pattern(shown).fullmatch("".join(line + "\n" for line in got)))


def shortened(shown, got):
    """What came out, cut where the text was cut."""
    if "..." in shown:
        cut = shown.index("...")
        rest = len(shown) - cut - 1
        got = got[:cut] + ["..."] + (got[len(got) - rest :] if rest else [])
    kept = {i for i, line in enumerate(got) if i < len(shown) and agree([shown[i]], [line])}
    return [shown[i] if i in kept else line for i, line in enumerate(got)]


text = open(TEXT).read().split("\n")
steps = steps_of(text)
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(folder + "/bin")
    os.mkdir(folder + "/work")
    os.symlink(assay, folder + "/bin/assay")
    os.environ.update(PATH=folder + "/bin:" + os.environ["PATH"], ASSAY_DATA=root, HOME=folder, LC_ALL="C", NO_COLOR="1")
    os.environ.pop("XDG_CONFIG_HOME", None)
    os.chdir(folder + "/work")
    for step in steps:
        if step.kind in ("file", "classes"):
            write_file(step)
        elif step.kind == "command":
            got = run(step.name)
            if not write:
                ok(agree(step.lines, got), step.name, "the text shows\n  %s\nand there came\n  %s"
                   % ("\n  ".join(step.lines), "\n  ".join(got)))
            elif not agree(step.lines, got):
                step.replaces = len(step.lines)
                step.lines = shortened(step.lines, got)
    os.chdir(root)

if write:
    for step in reversed(steps):
        if hasattr(step, "replaces"):
            text[step.first : step.first + step.replaces] = [("    " + line).rstrip() for line in step.lines]
    open(TEXT, "w").write("\n".join(text))
    sys.exit()
equal({step.kind for step in steps} >= {"file", "classes", "command"}, True, "files, classes and commands were found in the text")
done()

"""The workflows in docs/ci are valid YAML, and what they call assay with is there. Arguments: tests folder,
source root, the assay binary."""
import os, re, subprocess, sys

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok, skip

root, assay = sys.argv[2], sys.argv[3]
try:
    import yaml
except ImportError:
    yaml = None


def texts(node):
    """Every text in a document."""
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        return [text for part in node for text in texts(part)]
    return [node] if isinstance(node, str) else []


def calls(document):
    """The command lines that begin with assay, as lists of words."""
    lines = [line.strip() for text in texts(document) for line in text.replace("\\\n", " ").splitlines()]
    return [line.split(" || ")[0].split() for line in lines if line.startswith("assay ")]


def unknown_options(words):
    help = subprocess.run([assay, words[1], "--help"], stdout=subprocess.PIPE, text=True).stdout
    known = re.findall(r"^  (?:-., |    )(--[a-z-]+)", help, re.M)
    return [word for word in words if word.startswith("--") and word not in known]


with open(os.path.join(root, "docs/REPORT.md")) as f:
    page = f.read()
for name in sorted(os.listdir(os.path.join(root, "docs/ci"))):
    ok("(ci/%s)" % name in page, "docs/REPORT.md links to ci/" + name)
    if not yaml:
        skip("ci/" + name, "no python3-yaml")
        continue
    with open(os.path.join(root, "docs/ci", name)) as f:
        try:
            document = yaml.safe_load(f)
        except yaml.YAMLError as e:
            ok(False, "ci/%s is YAML" % name, e)
            continue
    found = calls(document)
    equal(sorted({words[1] for words in found}), ["report", "run"], "ci/%s runs and reports" % name)
    for words in found:
        equal(unknown_options(words), [], "  assay %s with its options" % words[1])
done()

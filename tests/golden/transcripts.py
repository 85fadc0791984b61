"""The transcripts of docs/SPE.md and docs/REDUCE.md are what the commands print, in a copy of the folder
that belongs to the page. Arguments: the tests folder, the source root, assay. Those of campaigns, and of
files that are not there, are not run; numbers of tests and times may be others."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok  # noqa: E402

root, assay = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
# The folder of each page, what of it is run, and how many transcripts that must be at least.
PAGES = {
    "docs/SPE.md": ("docs/examples", r"assay (?!run|spe coverage DIR|check --ub ratio)", 10),
    "docs/REDUCE.md": ("docs/reduce", r"assay reduce --test|assay check --ub shift|cat ", 6),
}


def without_figures(text):
    return re.sub(r"\d+ tests, [\d.]+(s|ms)\b", "N tests, T", text)


def transcripts(lines):
    """(command, what it prints)"""
    at = 0
    while at < len(lines):
        command = re.match(r"( {4,6})\$ (.*)", lines[at])
        at += 1
        if not command:
            continue
        indent, wanted = command[1], []
        while at < len(lines) and not lines[at].startswith(indent + "$ ") and (
                lines[at].startswith(indent) or not lines[at].strip()):
            wanted.append(lines[at][len(indent):])
            at += 1
        yield command[2], "\n".join(wanted)


def run(command, folder):
    command = re.sub(r"^assay ", assay + " ", command)
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    for page, (files, is_run, least) in PAGES.items():
        examples = shutil.copytree(os.path.join(root, files), os.path.join(folder, os.path.basename(files)))
        with open(os.path.join(root, page), encoding="utf-8") as text:
            lines = text.read().split("\n")
        seen = 0
        for command, wanted in transcripts(lines):
            if not re.match(is_run, command):
                continue
            printed = run(command, examples)
            equal(without_figures(printed).rstrip("\n"), without_figures(wanted).rstrip("\n"), command)
            seen += 1
        ok(seen >= least, f"{page}: {seen} transcripts")
done()

"""The transcripts of docs/SPE.md are what the commands print, in docs/examples. Arguments: the tests
folder, the source root, assay. Those of campaigns, and of files that are not there, are not run."""
import os
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from tap import done, equal, ok  # noqa: E402

root, assay = sys.argv[2], os.path.abspath(sys.argv[3])
NOT_RUN = re.compile(r"run|spe coverage DIR|check --ub ratio")

with open(os.path.join(root, "docs/SPE.md"), encoding="utf-8") as page:
    lines = page.read().split("\n")
seen = at = 0
while at < len(lines):
    command = re.match(r"( {4,6})\$ assay (.*)", lines[at])
    at += 1
    if not command:
        continue
    indent, words, wanted = command[1], command[2], []
    while at < len(lines) and not lines[at].startswith(indent + "$ ") and (
            lines[at].startswith(indent) or not lines[at].strip()):
        wanted.append(lines[at][len(indent):])
        at += 1
    if NOT_RUN.match(words):
        continue
    printed = subprocess.run(f"{assay} {words}", shell=True, cwd=os.path.join(root, "docs/examples"),
                             capture_output=True, text=True).stdout
    equal(printed.rstrip("\n"), "\n".join(wanted).rstrip("\n"), words)
    seen += 1
ok(seen > 10, f"{seen} transcripts")
done()

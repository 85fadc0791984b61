"""What --help says of commands, actions and options, the man page and the completion say, and the
other way round. Arguments: tests folder, source root, the assay binary."""
import json, re, subprocess, sys

sys.path.insert(0, sys.argv[1])
from tap import ok, equal, done

root, assay = sys.argv[2:4]
page = re.sub(r"\\f.", "", open(root + "/man/assay.1").read().replace("\\-", "-"))
completion = open(root + "/completions/assay").read()
sections = {}
for part in re.split(r"^\.S[SH] ", page, flags=re.M)[1:]:
    title, _, text = part.partition("\n")
    sections[title] = text


def run(*words):
    return subprocess.run([assay, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def options_in_help(command):
    return set(re.findall(r"^  (?:-., |    )(--[a-z-]+)", run(*command.split(), "--help"), re.M))


def options_in_page(text):
    """Those that a macro for bold text begins with, or has behind a comma; commands are none."""
    bold = [line for line in text.split("\n") if re.match(r"\.(B|BR|BI|RB) ", line) and not re.search("assay |'|aq|dq", line)]
    return {o for line in bold for o in re.findall(r"(?<![\w-])--[a-z](?:[a-z-]*[a-z])?(?!-)\b", line)}


def actions(command):
    """The words of its usage that are typed as they stand: bugs mark, lala check."""
    usage = re.search(r"^usage: assay %s(.*)" % command, run(command, "--help"), re.M).group(1)
    return set(re.findall(r"\b[a-z]+\b", re.sub(r"\[options[^]]*\]|--?[a-z]+", "", usage)))


def of_generators():
    names = set()
    for generator in ("smith", "yarp", "graft", "ub", "lala:lua", "spe", "lm:c", "csmith"):
        for o in json.loads(run("gen", generator, "--options", "--json")):
            names |= {"--" + o["name"], "--no-" + o["name"]}
    return names


commands = re.findall(r"^  ([a-z]+) +\w", run("--help"), re.M)
commands = [c for c in commands if "assay " + c in run(c, "--help")]
ok(len(commands) > 10, "there are commands", commands)
listed = re.search(r'compgen -W "(run [^"]*)"', completion).group(1).split()
equal(sorted(set(listed) - {"help", "--help", "--version"}), sorted(commands), "the completion has them all")
for command in commands:
    text = sections["assay " + command]
    told = options_in_help(command)
    for more in re.findall(r"\b[a-z]+\b", "corpus train sample") if command == "lm" else []:
        told |= options_in_help("lm " + more)
    written = options_in_page(text)
    equal(sorted(told - written), [], "the man page has every option of assay %s" % command)
    there = told | (of_generators() if command in ("gen", "run") else set())
    equal(sorted(written - there), [], "  and no other")
    words = actions(command)
    equal(sorted(w for w in words if not re.search(r"\b%s\b" % w, text)), [], "  and its actions")
    equal(sorted(w for w in words if not re.search(r"\b%s\b" % w, sections["SYNOPSIS"])), [], "  in the synopsis, too")
    if command in ("lala", "spe", "lm", "bugs"):
        known = {w for group in re.findall(r'(?:-W|words=)\s*"([a-z ]+)"', completion) for w in group.split()}
        equal(sorted(words - known), [], "the completion has the actions of assay %s" % command)
kinds = re.search(r"""--kind' \| \*' -k'\)\n.*?-W "([^"]*)\"""", completion).group(1).split()
for kind in kinds:
    ok(kind in sections["assay bugs"], "the man page has the kind %s" % kind)
    ok("there is no kind" not in run("bugs", "--dir", "/", "--kind", kind), "  which there is")
ok("whatever the version" in run("bugs", "--help") and "whatever the version" in sections["assay bugs"],
   "both say the same of recheck")
done()

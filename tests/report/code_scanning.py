"""Does a SARIF log pass what GitHub's code scanning asks for, beyond the schema? Rules must say what
they are about, results must point to a file below the repository, and be known again in the next log
(https://docs.github.com/en/code-security, "SARIF support for code scanning").

Arguments: the tests folder, then logs, or the program that writes samples (`PROGRAM --write DIR`)."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from tap import done, ok  # noqa: E402

LEVELS = ("none", "note", "warning", "error")
MOST = {"rules": 25000, "results": 25000, "locations": 1000, "tags": 20}


def text_of(holder, key):
    return isinstance(holder.get(key), dict) and str(holder[key].get("text", "")).strip()


def faults_of_rule(rule):
    name = rule.get("id")
    if not name:
        yield "a rule without an id"
    for key in ("shortDescription", "fullDescription", "help"):
        if not text_of(rule, key):
            yield "%s: no %s.text" % (name, key)
    if len(text_of(rule, "shortDescription") or "") > 1024:
        yield "%s: its short description is long" % name
    if not rule.get("help", {}).get("markdown"):
        yield "%s: no help.markdown" % name
    if rule.get("defaultConfiguration", {}).get("level") not in LEVELS:
        yield "%s: no default level" % name
    if "helpUri" in rule and not re.match("https?://", rule["helpUri"]):
        yield "%s: its helpUri leads nowhere" % name
    if len(rule.get("properties", {}).get("tags", [])) > MOST["tags"]:
        yield "%s: too many tags" % name


def faults_of_location(location):
    place = location.get("physicalLocation", {})
    uri = place.get("artifactLocation", {}).get("uri", "")
    if not uri or uri.startswith("/") or re.match("[A-Za-z][A-Za-z0-9+.-]*:", uri) or ".." in uri:
        yield "the location %r is not relative" % uri
    if not re.fullmatch(r"([A-Za-z0-9._~+/-]|%[0-9A-F]{2})*", uri):
        yield "the location %r is no URI" % uri
    line = place.get("region", {}).get("startLine")
    if not isinstance(line, int) or line < 1:
        yield "no line in %r" % uri


def faults_of_result(result, rules):
    if result.get("ruleId") not in rules:
        yield "a result of no rule: %r" % result.get("ruleId")
    if result.get("level") not in LEVELS:
        yield "a result without a level"
    if not text_of(result, "message"):
        yield "a result without a message"
    locations = result.get("locations", [])
    if not 0 < len(locations) <= MOST["locations"]:
        yield "a result with %d locations" % len(locations)
    for location in locations:
        yield from faults_of_location(location)
    prints = result.get("partialFingerprints", {})
    if not prints or not all(isinstance(v, str) and v for v in prints.values()):
        yield "a result that is not known again"


def faults(log):
    if log.get("version") != "2.1.0" or "sarif-2.1.0" not in log.get("$schema", ""):
        yield "neither version nor schema"
    for run in log.get("runs", []):
        driver = run.get("tool", {}).get("driver", {})
        rules = driver.get("rules", [])
        if not driver.get("name") or not rules or len(rules) > MOST["rules"]:
            yield "a tool without a name or rules"
        if not run.get("automationDetails", {}).get("id"):
            yield "no category (automationDetails.id)"
        for rule in rules:
            yield from faults_of_rule(rule)
        if len(run.get("results", [])) > MOST["results"]:
            yield "too many results"
        seen = set()
        for result in run.get("results", []):
            yield from faults_of_result(result, [r.get("id") for r in rules])
            mark = json.dumps(result.get("partialFingerprints"), sort_keys=True)
            if mark in seen:
                yield "two results with one fingerprint"
            seen.add(mark)
    if not log.get("runs"):
        yield "no run"


def check(path):
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    found = list(faults(log))
    ok(not found, "%s passes for code scanning" % os.path.basename(path), "\n".join(found[:10]))
    return log


def check_checker(log):
    """Each of these must be seen."""
    run = log["runs"][0]
    rule, result = run["tool"]["driver"]["rules"][0], run["results"][0]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    for holder, key, wrong in ((rule, "help", {}), (rule, "fullDescription", None),
                               (rule, "defaultConfiguration", {}), (result, "ruleId", "x"),
                               (result, "level", None), (result, "locations", []),
                               (result, "partialFingerprints", {}), (artifact, "uri", "/etc/x"),
                               (run, "automationDetails", {})):
        right = holder.get(key)
        holder[key] = {} if wrong is None else wrong
        ok(list(faults(log)), "the checker sees a wrong %s" % key)
        holder[key] = right


with tempfile.TemporaryDirectory() as samples:
    for argument in sys.argv[2:]:
        if argument.endswith(".sarif"):
            check(argument)
            continue
        subprocess.run([argument, "--write", samples], check=True)
        for sample in sorted(glob.glob(samples + "/*.sarif")):
            last = check(sample)
            if os.path.basename(sample) == "typical.sarif":
                check_checker(last)
done()

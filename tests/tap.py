"""The harness of tap.h for tests in Python."""
import os, sys

_count = _failed = 0
if not os.environ.get("AT_LENGTH"):  # as in tap.sh
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def ok(good, name, note=""):
    global _count, _failed
    _count += 1
    _failed += not good
    print("%sok %d - %s" % ("" if good else "not ", _count, name), flush=True)
    if not good and note:
        print("\n".join("# " + line for line in str(note).splitlines()), flush=True)
    return good


def equal(got, wanted, name):
    return ok(got == wanted, name, "got    %r\nwanted %r" % (got, wanted))


def skip(name, why):
    global _count
    _count += 1
    print("ok %d - %s # SKIP %s" % (_count, name, why), flush=True)


def amount(quick, full):
    """How much is tried, in the gate and in the slow suite (AT_LENGTH)."""
    return full if os.environ.get("AT_LENGTH") else quick


def hide_testbeds(*names):
    """As in tap.sh: in $XDG_CONFIG_HOME, of the toolchains that are shipped assay knows those alone."""
    folder = os.environ["XDG_CONFIG_HOME"] + "/assay/testbeds"
    os.makedirs(folder)
    for file in os.listdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../testbeds")):
        name, suffix = os.path.splitext(file)
        if suffix == ".ini" and name not in names:
            with open(os.path.join(folder, file), "w") as f:
                f.write("[toolchain]\nname = %s\nlanguage = none\nfind = /nowhere\ncompile = {cc}\n" % name)


def done():
    print("1..%d" % _count)
    sys.exit(1 if _failed else 0)

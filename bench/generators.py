"""The generators that are measured: how each is started, and what it leaves behind.

YARPGen is not packaged: whoever has built it gives the path. Where it is not there, csmith, which
was measured beside it once, stands in for version 1; what follows from that is called implied."""
import os, shutil

import measure

# Measured in one run on one machine, one core, all three at their defaults.
BYTES_V1_OVER_CSMITH = 1.8 / 0.27     # MB of program text per CPU-second
EVENTS_V1_OVER_CSMITH = 23e3 / 17e3   # events of gcc -O3's counters per CPU-second
DISTINCT_CSMITH, DISTINCT_V2 = 132, 111  # counters after 300 CPU-seconds; of their union nothing is known

PATIENCE = 20  # programs


class Generator:
    """Makes one program at a time, in the current folder."""

    def __init__(self, name, command, folder=False, flags=()):
        self.name = name
        self.command = command    # of a seed and where the program shall go
        self.out = "program" if folder else "t.c"
        self.is_folder = folder   # the program is all files there
        self.flags = list(flags)  # that every compiler must get
        self.made = self.failed = 0

    def make(self, seed):
        """The program of the seed, instead of the last one. One that never works ends the benchmark,
        which would otherwise go on until failing has taken the whole budget."""
        if self.is_folder:
            shutil.rmtree(self.out, ignore_errors=True)
            os.mkdir(self.out)
        command = self.command(str(seed), self.out)
        result = measure.run(command)
        if result.status:
            self.failed += 1
        else:
            self.made += 1
        if self.failed >= PATIENCE and not self.made:
            measure.fail("%s made no program, %d times: %s" % (self.name, self.failed, " ".join(command)))
        return result

    def files(self):
        if not self.is_folder:
            return [self.out]
        return sorted(os.path.join(self.out, name) for name in os.listdir(self.out))

    def tests(self):
        """The sources with the code that is for the compiler; the others initialise and check."""
        return [path for path in self.files() if os.path.basename(path) in ("t.c", "func.c")]

    def drivers(self):
        return [path for path in self.files() if path.endswith(".c") and path not in self.tests()]


def smith(o):
    return Generator("smith", lambda seed, out: [o.assay, "gen", "smith", "-s", seed, "-o", out])


def yarp(o, *options, name="yarp"):
    return Generator(name, lambda seed, out: [o.assay, "gen", "yarp", *options, "-s", seed, "-o", out], folder=True)


def csmith():
    return Generator("csmith", lambda seed, out: ["csmith", "-s", seed, "-o", out], flags=["-I/usr/include/csmith"])


def yarpgen1(path):
    """C and not the C++ of its default, as all the others."""
    return Generator("yarpgen 1", lambda seed, out: [path, "-q", "-d", out, "-s", seed, "--std=c11"], folder=True)


def yarpgen2(path):
    return Generator("yarpgen 2", lambda seed, out: [path, "--std=c", "-s", seed, "-o", out], folder=True)


def tool(path):
    """A generator that the user built, by a path that holds in every folder."""
    found = shutil.which(path)
    if not found:
        measure.fail("%s is missing: YARPGen has to be built from its sources" % path)
    return os.path.abspath(found)

#!/usr/bin/env python3
"""How much of gcc's optimiser a program sets in motion, by gcc's own count.

  bench/gcc_stats.py FOLDER [FLAG...]     over every *.c in the folder and below

With -fdump-statistics-stats, gcc says for each pass what it did and how often:

    39 ccp "Constants propagated" 111

A counter is the pair of pass and text; passes that run several times are one, whether gcc tells
them apart by the number in front or by digits at the end of the name. Counters "... == N" are
histograms of sizes and no events; they are left out. `distinct` is how many counters are there,
`total` the sum of their values."""
import glob, os, re, sys

sys.dont_write_bytecode = True
import measure

LINE = re.compile(r'\s*\d+\s+(\S+)\s+"(.*)"\s+(-?\d+)\s*$')
HISTOGRAM = re.compile(r" == -?\d+$")


class Counters:
    def __init__(self):
        self.events = {}  # (pass, text) -> how often
        self.cpu = 0.0    # seconds of the compiler
        self.files = self.failed = self.bytes = 0

    def distinct(self):
        return len(self.events)

    def total(self):
        return sum(self.events.values())

    def add(self, dump):
        """The lines of one dump."""
        for line in dump:
            found = LINE.match(line)
            if not found or HISTOGRAM.search(found.group(2)):
                continue
            name = found.group(1).rstrip("0123456789") or found.group(1)
            key = name, found.group(2)
            self.events[key] = self.events.get(key, 0) + int(found.group(3))

    def compile(self, path, flags, folder, counted=True):
        """Compile the file at -O3; `folder` is for gcc's output and holds nothing afterwards. If not
        `counted`, only the time and the outcome matter."""
        result = measure.run(["gcc", "-O3", "-w", *flags, "-fdump-statistics-stats", "-dumpdir", folder + "/",
                              "-dumpbase", "t", "-c", path, "-o", folder + "/t.o"], limit=300)
        self.cpu += result.cpu
        self.files += 1
        self.failed += result.status != 0
        self.bytes += os.path.getsize(path)
        for name in os.listdir(folder):
            name = os.path.join(folder, name)
            if counted and ".statistics" in name:
                with open(name, errors="replace") as dump:
                    self.add(dump)
            os.unlink(name)


def main():
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    import tempfile
    measure.need("gcc")
    counters = Counters()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        for path in sorted(glob.glob(os.path.join(sys.argv[1], "**", "*.c"), recursive=True)):
            counters.compile(path, sys.argv[2:], folder)
    print("distinct %d, total %d, %.1f CPU-s of gcc, %d files, %d of them failed" %
          (counters.distinct(), counters.total(), counters.cpu, counters.files, counters.failed))


if __name__ == "__main__":
    main()

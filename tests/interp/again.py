"""Programs of our own generators, read again from their text: parsed by libclang, imported, and run
by interp as programs that people wrote. Nothing is undefined, and what they print is the checksum
that their generator knew. Arguments: tests folder, assay, programs of each generator."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import tap  # noqa: E402

assay, number = sys.argv[2], int(sys.argv[3])


def program(generator, seed, path):
    single = ["--single-file"] if generator == "yarp" else []
    text = subprocess.run([assay, "gen", generator, "-s", str(seed), *single],
                          check=True, capture_output=True, text=True).stdout
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


with tempfile.TemporaryDirectory() as folder:
    source, exe = os.path.join(folder, "t.c"), os.path.join(folder, "t")
    for generator in ("smith", "yarp", "graft"):
        for seed in range(1, number + 1):
            program(generator, seed, source)
            done = subprocess.run([assay, "check", "--ub", "--json", source],
                                  capture_output=True, text=True)
            said = json.loads(done.stdout) if done.stdout else {"message": done.stderr, "output": ""}
            subprocess.run(["gcc", "-w", "-O1", source, "-o", exe], check=True)
            printed = subprocess.run([exe], capture_output=True, text=True).stdout
            tap.ok(done.returncode == 0 and said["output"] == printed,
                   f"{generator} {seed}: {said['message'] or said['output'].strip()}")
tap.done()

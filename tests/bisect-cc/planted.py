"""What faulty-clang and faulty-gcc have in common: the real compiler makes assembly, and one kind of
instruction is made wrong in it.

Each kind of damage is an operator of C that no pass can do without where its operands are volatile
or unknown. So what the other passes did does not matter, and only the pass that is to blame decides.
None of them is in the checksum of a generated program."""
import os, re, shutil, signal, subprocess, sys, tempfile

# Kind: instruction, its operands, what comes in its place.
damages = {
    # a * b of 32 bits becomes a + b
    "product": (r"\timull\t([^$,]+, [^,]+)", r"\taddl\t\1"),
    # a % b of 32 bits, signed, has the wrong sign
    "remainder": (r"\tidivl\t(.+)", r"\tidivl\t\1\n\tnegl\t%edx"),
    # a / b of 32 bits, unsigned, is one too much
    "quotient": (r"\tdivl\t(.+)", r"\tdivl\t\1\n\tincl\t%eax"),
    # ~a of 64 bits becomes -a
    "complement": (r"\t(?:notq\t|xorq\t\$-1, )(.+)", r"\tnegq\t\1"),
    # a << b of 32 bits, by a variable, turns round
    "shift": (r"\ts[ah]ll\t(%cl, .+)", r"\troll\t\1"),
    # a + b of doubles becomes a - b; x + x is also how unsigned numbers are converted
    "sum": (r"\taddsd\t(?!(%\w+), \1$)(.+)", r"\tsubsd\t\2"),
}


def damage(assembly, kind, functions):
    """The assembly with that kind of instruction made wrong, in these functions; None: in all."""
    pattern, to = re.compile(damages[kind][0] + "$"), damages[kind][1]
    current, lines = None, []
    for line in assembly.split("\n"):
        label = re.match(r"([A-Za-z_][\w.$]*):", line)
        if label:
            current = label.group(1)
        elif functions is None or current in functions:
            line = pattern.sub(to, line)
        lines.append(line)
    return "\n".join(lines)


class Call:
    """A command line, without -ffault=NAME."""

    def __init__(self, arguments):
        self.fault, self.output, self.sources, self.options = None, "a.out", [], []
        self.arguments = [a for a in arguments if not a.startswith("-ffault=")]
        partial = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-###"}
        # Only whole builds of files called *.c are made wrong; everything else is the real compiler's.
        self.whole = not partial & set(arguments) and "-x" not in arguments
        words = iter(arguments)
        for word in words:
            if word.startswith("-ffault="):
                self.fault = word[len("-ffault="):]
            elif word == "-o":
                self.output = next(words, "a.out")
            elif word.endswith(".c") and not word.startswith("-"):
                self.sources.append(word)
            else:
                self.options.append(word)


def fault_of(call, faults, name):
    """The row of the table, or None where the real compiler does it all."""
    if call.fault is None:
        return None
    if call.fault not in faults:
        print("%s: there is no fault '%s'; there are: %s" % (name, call.fault, " ".join(faults)),
              file=sys.stderr)
        sys.exit(2)
    return faults[call.fault] if call.whole and call.sources else None


def build(compiler, call, options, kind, struck):
    """Builds the program. `struck` says in which functions it is wrong, from what the compiler
    printed while it compiled a source; it also passes on what the user is to see of that."""
    work = tempfile.mkdtemp(prefix="planted-")
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(end, lambda number, _: sys.exit(128 + number))
    try:
        assemblies = []
        for i, source in enumerate(call.sources):
            path = "%s/%d.s" % (work, i)
            made = subprocess.run([compiler, *options, "-S", "-o", path, source],
                                  stderr=subprocess.PIPE, text=True, errors="replace")
            functions = struck(made.stderr)
            if made.returncode:
                return made.returncode if made.returncode > 0 else 128 - made.returncode
            with open(path, errors="surrogateescape") as f:
                text = damage(f.read(), kind, functions)
            with open(path, "w", errors="surrogateescape") as f:
                f.write(text)
            assemblies.append(path)
        return subprocess.run([compiler, "-w", "-o", call.output, *assemblies,
                               *[o for o in call.options if o.startswith(("-l", "-L", "-m", "-pthread"))
                                 and not o.startswith("-mllvm")]]).returncode
    finally:
        shutil.rmtree(work, ignore_errors=True)

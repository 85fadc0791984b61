/* The commands and their help, one after the other in the order of `assay --help`. What each does
 * is in its cmd_*.c. */
#include "cli/cli.h"
#include "cli/cmd_lm.h"

const struct command command_run = {
    .name = "run",
    .summary = "generate programs, run them on every compiler, record wrong results",
    .usage = "assay run [options] [options of the generator]",
    .text = "Runs a campaign in a folder until its budget is spent or you press Ctrl-C. All\n"
            "results go to assay.db in that folder. The same command resumes the campaign; if its\n"
            "budget was spent, a new round with fresh seeds begins. Without options that select a\n"
            "generator or testbeds, the newest campaign of the folder resumes.\n"
            "`assay gen NAME --options` lists the options of a generator.",
    .example = "  assay run --time 20s\n"
               "  assay run --dir night --testbeds gcc,clang --all-flags --time 8h\n"
               "  assay run --dir flags --testbeds gcc,clang --flags random --time 8h\n"
               "  assay run --generator csmith --args='--max-funcs 3 --no-bitfields'",
    .run = cmd_run,
};

const struct command command_gen = {
    .name = "gen",
    .summary = "print one generated program",
    .usage = "assay gen GENERATOR -s SEED [-o FILE] [options of the generator]",
    .text = "Prints the program for a seed. The output is always the same, byte for byte, and the\n"
            "same as what `assay run` tests with these generator options.",
    .example = "  assay gen smith -s 7 -o t.c",
    .run = cmd_gen,
};

const struct command command_check = {
    .name = "check",
    .summary = "run your own programs once on every compiler",
    .usage = "assay check FILE|DIR... [options]",
    .text =
        "Builds and runs each program on every testbed and prints who deviates. Everything\n"
        "runs in a sandbox: no network, no home directories, a private /tmp. Nothing is\n"
        "recorded. If the first comment of a program states its output, as with smith and\n"
        "yarp, the output must match it; otherwise the testbeds must agree. Exit status 1: one\n"
        "is wrong, or they differ; 2: no testbed builds the file.\n"
        "DIR is a regression suite written by `assay report --suite`. Each case runs on the\n"
        "compiler it was found with, or on those of --testbeds, and must give the expected\n"
        "result.\n"
        "With --ub no compiler is used: the reference interpreter runs each C file and prints\n"
        "the first undefined behaviour that it reaches, with the clause of C11.",
    .example = "  assay check t.c --testbeds gcc,clang,tcc\n"
               "  assay check report/suite --testbeds gcc-13\n"
               "  assay check --ub t.c\n"
               "  assay check t.c --needs -I/usr/include/csmith",
    .run = cmd_check,
};

const struct command command_testbeds = {
    .name = "testbeds",
    .summary = "list the compilers found on this machine",
    .usage = "assay testbeds [options]",
    .text = "Lists every known toolchain, each installed compiler of it, and each set of flags. A\n"
            "toolchain is a text file; docs/TESTBEDS.md describes how to add one.",
    .example = "  assay testbeds --probe\n  assay testbeds --flags gcc",
    .run = cmd_testbeds,
};

const struct command command_bugs = {
    .name = "bugs",
    .summary = "list the bugs found, mark known ones",
    .usage = "assay bugs [mark ID known|fixed|wontfix|open | recheck | export] [options]",
    .text =
        "Prints one line per bug, with duplicates merged: how often it was found, the size of\n"
        "the reduced program, and the id of a finding for `assay show` or `assay reduce`. The\n"
        "bug least similar to the known ones comes first, then always the one least similar to\n"
        "those above.\n"
        "A finding that a reduction slipped into is listed as a bug once it is reduced itself.\n"
        "A bug marked known or wontfix is still counted, but no longer reported, and `assay\n"
        "run` does not treat it as new. When its compiler's version changes, `assay run`\n"
        "re-runs its reduced program and closes the bug if it is fixed. `assay bugs recheck`\n"
        "re-runs all known bugs, whatever the version. `assay bugs export` prints all bugs\n"
        "that are not fixed as text to keep under version control; `assay run --baseline`\n"
        "reads it.\n"
        "Exit status 1: there are bugs that are not marked.",
    .example = "  assay bugs --kind wrong-output\n"
               "  assay bugs mark 17 known --note \"GCC 98765\"\n"
               "  assay bugs --known",
    .run = cmd_bugs,
};

const struct command command_show = {
    .name = "show",
    .summary = "show one finding with all its evidence",
    .usage = "assay show ID|incidents [options]",
    .text =
        "Shows which testbed is wrong, what every testbed did, the compiler's messages, how to\n"
        "regenerate the program, the size of the reduced program, and what is to blame. With\n"
        "--reduced, prints only the reduced program, or writes it into the folder of --output.\n"
        "`assay show incidents` lists the seeds on which a worker or a generator died.",
    .example = "  assay show 17\n  assay show 17 -o bug17\n  assay show 17 --reduced >small.c",
    .run = cmd_show,
};

const struct command command_replay = {
    .name = "replay",
    .summary = "regenerate the program of a finding and run it again",
    .usage = "assay replay ID [options]",
    .text = "Regenerates the program, checks that it is identical to the stored one, and runs it\n"
            "on the testbed of the finding and on those that vote. Exit status 1: the anomaly is\n"
            "still there; 0: it is not.",
    .example = "  assay replay 17",
    .run = cmd_replay,
};

const struct command command_reduce = {
    .name = "reduce",
    .summary = "reduce the program of a finding, and find what is to blame",
    .usage = "assay reduce ID... | --all | SCRIPT FILE... | --test SCRIPT FILE... [options]",
    .text = "Removes everything that the anomaly does not need, until a few lines are left: the\n"
            "same anomaly, on the same testbed, with the same signature. No step introduces\n"
            "undefined behaviour into a C program that the interpreter can run. A candidate that\n"
            "shows another bug is kept as a new finding. After Ctrl-C the same command resumes.\n"
            "Exit status 1: the anomaly is there; 0: it did not reproduce.\n"
            "With SCRIPT, an interestingness test as for C-Reduce and C-Vise, reduces any files:\n"
            "SCRIPT runs in a fresh folder that holds the candidates under their own names; exit\n"
            "status 0 means interesting. The files are overwritten with the result, and FILE.orig\n"
            "keeps the original; after Ctrl-C they hold the best result so far. --test and\n"
            "--output leave them unchanged.",
    .example = "  assay reduce 17\n"
               "  assay reduce --all --time 1h\n"
               "  assay reduce ./interesting.sh crash.c crash.h\n"
               "  assay reduce --test ./interesting.sh crash.c -o small.c",
    .run = cmd_reduce,
};

const struct command command_report = {
    .name = "report",
    .summary = "write reports: web page, bug reports, files for CI",
    .usage = "assay report [options]",
    .text =
        "Writes the bugs of a campaign in the order of `assay bugs`: a page with plots\n"
        "(index.html), JSON, JUnit XML, SARIF, a table that counts the anomalies of each\n"
        "testbed by class, a folder per bug with a script that reproduces it, and a regression\n"
        "suite for `assay check` and lit. With one or more formats named, writes only those; -\n"
        "is standard output. Runs each reduced program once on its compiler, to record the\n"
        "output. Exit status 1: there are bugs that are not marked.",
    .example = "  assay report\n"
               "  assay report --html bugs.html --kind wrong-output\n"
               "  assay report --table -\n"
               "  assay report --json - | jq '.bugs[].title'",
    .run = cmd_report,
};

const struct command command_compare = {
    .name = "compare",
    .summary = "an experiment: which generator finds more in the same CPU time",
    .usage = "assay compare --a SIDE --b SIDE [--c SIDE ...] --cpu TIME [options]",
    .text =
        "Runs several trials of each side, each a campaign of its own with the same CPU time,\n"
        "and prints which side finds more bugs and findings and runs more tests, and how\n"
        "certain that is: medians with bootstrap intervals, Mann-Whitney U and A12 for each\n"
        "pair. A side is a generator with its options, in quotes. First comes trial 1 of each\n"
        "side, then trial 2; trials of the same number use the same seeds. Prints a table, and\n"
        "writes DIR/compare.csv and DIR/compare.html. The same command resumes and skips\n"
        "finished trials; other settings need another folder. docs/COMPARE.md explains the\n"
        "results.\n"
        "Exit status 0: the experiment is complete, whatever it found.",
    .example =
        "  assay compare --a smith --b csmith --testbeds gcc,clang,tcc --cpu 30m\n"
        "  assay compare --a smith --b \"smith --goto=0 --max-funcs=3\" --cpu 10m --trials 20",
    .run = cmd_compare,
};

const struct command command_lala = {
    .name = "lala",
    .summary = "check, explain and build a language specification",
    .usage = "assay lala check|explain|build SPEC [options]",
    .text =
        "SPEC is a folder with a language.ini, a .lala or .ls file, or the name of a language\n"
        "that comes with assay. `check` prints mistakes with their places and hints. `explain`\n"
        "prints what the search derives: components, heights, the order of evaluation. `build`\n"
        "compiles the runtime.c of a folder. docs/LALA.md describes the specification\n"
        "language.",
    .example = "  assay lala check lua\n  assay lala explain mine/mine.lala --no-runtime",
    .run = cmd_lala,
};

const struct command command_spe = {
    .name = "spe",
    .summary = "the skeleton of a C file, and all its variants",
    .usage =
        "assay spe show|count|list|sample|emit|judge|coverage|tables|vectors FILE... [options]",
    .text = "A skeleton is a C file with holes where its variables are used; a variant fills them\n"
            "with variables of the same type that are in scope. `show` prints the skeleton, its\n"
            "holes and classes. `count` prints the number of variants in each mode. `list` and\n"
            "`sample` print variants as lines, `emit` writes them as files. `judge` prints which\n"
            "are defined and their output, `coverage` which files the interpreter can run.\n"
            "`tables` measures a folder of files, `vectors` checks the counts against a file of\n"
            "known ones. docs/SPE.md describes the modes.",
    .example = "  assay spe show test.c --hoist-init\n"
               "  assay spe count tests/ --mode sound\n"
               "  assay spe emit test.c --radius 2 -o variants\n"
               "  assay spe list test.c --shard 3/16 --limit 100",
    .run = cmd_spe,
};

const struct command command_store = {
    .name = "store",
    .summary = "copy campaigns to and from a PostgreSQL server",
    .usage = "assay store copy FROM TO",
    .text = "Copies all campaigns of one store into an empty one, with the numbers of findings,\n"
            "marks and reductions. A store is the folder of a campaign, the file of its database,\n"
            "or the address of a PostgreSQL database, postgresql://USER@HOST/DATABASE. `bugs`,\n"
            "`show` and `report` read from an address as from a folder: --dir ADDRESS.",
    .example = "  assay store copy night postgresql://assay@db.example.org/night\n"
               "  assay bugs --dir postgresql://assay@db.example.org/night",
    .run = cmd_store,
};

const struct command command_graft = {
    .name = "graft",
    .summary = "collect real functions for the generator graft",
    .usage = "assay graft harvest|list|show [DIR...|NAME] [options]",
    .text = "`harvest` reads C files, in folders and those within, and writes a library: the\n"
            "functions that can be called with integers and arrays of integers, each with all\n"
            "that it needs and the arguments on which it is defined and ends, as the interpreter\n"
            "saw. `list` lists a library, `show` prints one function of it. `assay gen graft` and\n"
            "`assay run --generator graft` put such functions into programs of smith or yarp.\n"
            "docs/GRAFT.md describes the file and the programs.",
    .example = "  assay graft harvest ~/src/zlib -o zlib.c --why\n"
               "  assay graft list --library zlib.c\n"
               "  assay gen graft -s 7 --library zlib.c",
    .run = cmd_graft,
};

const struct command command_lm = {
    .name = "lm",
    .summary = "train a model on real programs, and sample new ones",
    .usage = "assay lm corpus|train|sample [options]",
    .text = "`corpus` collects real programs into one file: checked, renamed, in one style.\n"
            "`train` trains a neural network on it, `sample` prints programs drawn from the\n"
            "network.\n"
            "The generator `lm` of `assay run` tests compilers with them. docs/LM.md has the\n"
            "details.",
    .example = "  assay lm corpus --language opencl -o corpus kernels/\n"
               "  assay lm train --corpus corpus/corpus.txt --language opencl --output opencl.lm\n"
               "  assay lm sample --model opencl.lm -n 10",
    .run = cmd_lm,
};

const struct command command_lm_corpus = {
    .name = "lm corpus",
    .summary = "make a corpus of real programs",
    .usage = "assay lm corpus --language NAME -o DIR FOLDER...",
    .text =
        "Makes a corpus of the programs in the folders: each function with everything it\n"
        "needs, under canonical names, in one style, and compiled. Writes DIR/corpus.txt,\n"
        "which `assay lm train` reads, and DIR/manifest.json, which records what happened to\n"
        "the files of each package. Also prints this as a table: files that are unreadable or\n"
        "have nothing to extract; programs that need something undefined, contain assembly,\n"
        "are strange (not ASCII), too large, too short, repeated, wrong (do not compile), or\n"
        "alike.\n"
        "If a folder contains a folder files/, each folder in that is a package (as written by\n"
        "scripts/corpus-opencl and scripts/corpus-c); any other folder is one package.",
    .example =
        "  scripts/corpus-opencl opencl && assay lm corpus --language opencl -o opencl opencl",
    .run = lm_corpus_command,
};

const struct command command_lm_train = {
    .name = "lm train",
    .summary = "train a model on a corpus",
    .usage = "assay lm train --corpus FILE --output MODEL.lm [options]",
    .text =
        "Trains an LSTM on a corpus, token by token. Writes MODEL.lm at the end of each epoch,\n"
        "and MODEL.lm.checkpoint with everything needed to continue: you can stop at any time,\n"
        "and the same command resumes, also after the end with more --epochs. --from starts\n"
        "with a model trained on another corpus, such as one of C for OpenCL.",
    .example = "  assay lm train --corpus c/corpus.txt --output c.lm --epochs 5\n"
               "  assay lm train --corpus cl/corpus.txt --language opencl --from c.lm --output "
               "opencl.lm",
    .run = lm_train_command,
};

const struct command command_lm_sample = {
    .name = "lm sample",
    .summary = "print programs drawn from a model",
    .usage = "assay lm sample MODEL.lm [options]",
    .text = "Prints programs as the model generates them, separated by lines with ---; they are\n"
            "neither masked nor checked. Each program has its own seed and is the same on every\n"
            "machine. A program ends where the model ends it, when the counted brackets are\n"
            "closed, or after --most tokens.",
    .example = "  assay lm sample opencl.lm -n 5 --start 'kernel void A(' --open { --close }\n"
               "  assay lm sample --bench",
    .run = lm_sample_command,
};

const struct command *const all_commands[N_COMMANDS] = {
    &command_run,  &command_gen,    &command_check,  &command_testbeds, &command_bugs,
    &command_show, &command_replay, &command_reduce, &command_report,   &command_compare,
    &command_lala, &command_spe,    &command_lm,     &command_store,    &command_graft,
};

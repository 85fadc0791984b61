/* The commands and their help, one after the other in the order of `assay --help`. What each does
 * is in its cmd_*.c. */
#include "cli/cli.h"
#include "cli/cmd_lm.h"

const struct command command_run = {
    .name = "run",
    .summary = "make programs, try them on every compiler, record who is wrong",
    .usage = "assay run [options] [options of the generator]",
    .text = "Runs a campaign in a folder until its budget is spent or Ctrl-C. All results go to\n"
            "assay.db in that folder. The same command there resumes it; after a budget\n"
            "was used up it begins another round with fresh seeds. Without options that select a\n"
            "generator or testbeds, the newest campaign of the folder resumes.\n"
            "Options of the generator: `assay gen NAME --options` lists them.",
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
    .text = "Prints the program that the generator makes of the seed: the same bytes each time,\n"
            "and the same that `assay run` tests with the same options of the generator.",
    .example = "  assay gen smith -s 7 -o t.c",
    .run = cmd_gen,
};

const struct command command_check = {
    .name = "check",
    .summary = "try given programs once on every compiler",
    .usage = "assay check FILE|DIR... [options]",
    .text =
        "Builds and runs each program on every testbed and says who deviates. All of it happens\n"
        "in a sandbox: no network, no homes, a private /tmp. Nothing is recorded. A program that\n"
        "says in its first comment what it prints, as those of smith and yarp do, must do so;\n"
        "otherwise testbeds must agree. Exit status 1: one is wrong, or they differ; 2: no\n"
        "testbed builds the file.\n"
        "DIR is a suite that `assay report --suite` wrote: each case is tried on the compiler\n"
        "that it accuses, or on those of --testbeds, and must do what it says.\n"
        "With --ub no compiler is asked: the reference interpreter runs each C file and names\n"
        "the first undefined behaviour of its execution, with the clause of C11.",
    .example = "  assay check t.c --testbeds gcc,clang,tcc\n"
               "  assay check report/suite --testbeds gcc-13\n"
               "  assay check --ub t.c\n"
               "  assay check t.c --needs -I/usr/include/csmith",
    .run = cmd_check,
};

const struct command command_testbeds = {
    .name = "testbeds",
    .summary = "list the compilers found here",
    .usage = "assay testbeds [options]",
    .text =
        "Lists every toolchain that assay knows, each compiler of it that is installed and each\n"
        "set of flags. A toolchain is a text file: docs/TESTBEDS.md shows how to add one.",
    .example = "  assay testbeds --probe\n  assay testbeds --flags gcc",
    .run = cmd_testbeds,
};

const struct command command_bugs = {
    .name = "bugs",
    .summary = "list what was found, mark what is known",
    .usage = "assay bugs [mark ID known|fixed|wontfix|open | recheck | export] [options]",
    .text =
        "One line per bug, as far as findings can be told apart: how often it showed, how small\n"
        "it became, and the id of the finding to look at with `assay show` or `assay reduce`. The\n"
        "first is the one least like what is known, each next one the least like those above it.\n"
        "What slipped into a reduction is no bug of its own until it is reduced itself.\n"
        "A bug that is marked known or wontfix is counted, but no longer reported: `assay run` "
        "does\n"
        "not take it for news. When its compiler has another version its case is run again by\n"
        "`assay run`, and it is closed by itself when it is fixed; `assay bugs recheck` runs the\n"
        "cases of all known bugs, whatever the version. `assay bugs export` prints all bugs that\n"
        "are not fixed as a text for version control, which `assay run --baseline` reads.\n"
        "Exit status 1: there are bugs that are not known.",
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
        "Shows who misbehaved, what every testbed did, what the compiler said, how to make the\n"
        "program again, how small it became and what is to blame. With --reduced, prints the\n"
        "reduced program alone, or with --output writes it into a folder. `assay show incidents`\n"
        "lists seeds on which a worker or a generator died.",
    .example = "  assay show 17\n  assay show 17 -o bug17\n  assay show 17 --reduced >small.c",
    .run = cmd_show,
};

const struct command command_replay = {
    .name = "replay",
    .summary = "make the program of a finding again and try it again",
    .usage = "assay replay ID [options]",
    .text = "Makes the program again from its provenance, checks that it is the same to the bit,\n"
            "and runs it on that testbed and those that vote. Exit status 1: the anomaly is there "
            "again;\n"
            "0: it is not.",
    .example = "  assay replay 17",
    .run = cmd_replay,
};

const struct command command_reduce = {
    .name = "reduce",
    .summary = "make the program of a finding small, and ask what is to blame",
    .usage = "assay reduce ID... | --all | SCRIPT FILE... | --test SCRIPT FILE... [options]",
    .text =
        "Takes away whatever the anomaly does not need, until it shows in a few lines: the same\n"
        "anomaly, on the same testbed, with the same signature. No step introduces undefined\n"
        "behaviour into a C program that the interpreter can run. What shows another bug is kept\n"
        "as a new finding. After Ctrl-C the same command resumes. Exit status 1:\n"
        "the anomaly is there; 0: it did not show again.\n"
        "With a script of interest, any files, as for C-Reduce and C-Vise: SCRIPT is run in a\n"
        "fresh folder that holds the candidates under their own names; exit status 0 means\n"
        "interesting. The files become the result, and what they were is in FILE.orig; after\n"
        "Ctrl-C they are the best so far. With --test or --output they are left alone.",
    .example = "  assay reduce 17\n"
               "  assay reduce --all --time 1h\n"
               "  assay reduce ./interesting.sh crash.c crash.h\n"
               "  assay reduce --test ./interesting.sh crash.c -o small.c",
    .run = cmd_reduce,
};

const struct command command_report = {
    .name = "report",
    .summary = "write down what was found: pages, bug reports, files for CI",
    .usage = "assay report [options]",
    .text =
        "Writes the bugs of a campaign, in the order in which to look at them: a page with plots\n"
        "(index.html), JSON, JUnit XML, SARIF, a table of the anomalies of each testbed by class,\n"
        "a folder per bug with a script that shows it, and\n"
        "a regression suite for `assay check` and lit. With one or more forms named, only those;\n"
        "- is standard output. Reduced programs are run once on the accused compiler to see what\n"
        "they print. Exit status 1: there are bugs that nobody has marked.",
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
        "Runs trials of each side, every one a campaign of its own with the same CPU time, and\n"
        "says which side has more bugs, findings and tests, and how sure that is: medians with\n"
        "bootstrap intervals, Mann-Whitney U and A12 for each pair. A side is a text, a generator\n"
        "and its settings. Trial 1 of each side comes first, then trial 2 of each: trials of the\n"
        "same number have the same seeds. The table is printed; DIR/compare.csv and\n"
        "DIR/compare.html have the rest. The same command resumes; trials that are over are not\n"
        "run again, and other settings need another folder. docs/COMPARE.md tells how to read it.\n"
        "Exit status 0: the experiment is done, whatever was found.",
    .example =
        "  assay compare --a smith --b csmith --testbeds gcc,clang,tcc --cpu 30m\n"
        "  assay compare --a smith --b \"smith --goto=0 --max-funcs=3\" --cpu 10m --trials 20",
    .run = cmd_compare,
};

const struct command command_lala = {
    .name = "lala",
    .summary = "check, explain and build a specification of a language",
    .usage = "assay lala check|explain|build SPEC [options]",
    .text =
        "SPEC is a folder with a language.ini, a .lala or .ls file, or the name of a language\n"
        "that is shipped. `check` prints mistakes with their places and hints, `explain`\n"
        "what the search knows: components, heights, the order of evaluation; `build` compiles\n"
        "the runtime.c of a folder. docs/LALA.md describes the language.",
    .example = "  assay lala check lua\n  assay lala explain mine/mine.lala --no-runtime",
    .run = cmd_lala,
};

const struct command command_spe = {
    .name = "spe",
    .summary = "the skeleton of a C file, and all its variants",
    .usage =
        "assay spe show|count|list|sample|emit|judge|coverage|tables|vectors FILE... [options]",
    .text =
        "A skeleton is a C file with holes where its variables are used; a variant fills them "
        "with\n"
        "variables of the same type that are in scope. `show` prints skeleton, holes and classes,\n"
        "`count` how many variants there are in each mode, `list` and `sample` print variants as\n"
        "lines, `emit` writes them as files. `judge` says which are defined and what they print,\n"
        "`coverage` which files that can be said of. `tables` measures a folder of files, "
        "`vectors` "
        "checks\n"
        "the counts against a file of known ones. docs/SPE.md describes the modes.",
    .example = "  assay spe show test.c --hoist-init\n"
               "  assay spe count tests/ --mode sound\n"
               "  assay spe emit test.c --radius 2 -o variants\n"
               "  assay spe list test.c --shard 3/16 --limit 100",
    .run = cmd_spe,
};

const struct command command_lm = {
    .name = "lm",
    .summary = "learn a language from real programs, and make up others",
    .usage = "assay lm corpus|train|sample [options]",
    .text = "`corpus` makes one file of many real programs: checked, renamed, alike in form.\n"
            "`train` teaches it to a network, `sample` prints what the network makes up.\n"
            "The generator `lm` of `assay run` tests compilers with it. docs/LM.md tells more.",
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
        "Makes a corpus of the programs in the folders: each function with all that it needs, "
        "under\n"
        "canonical names, in one style, compiled. Writes DIR/corpus.txt, which `assay lm "
        "train` reads,\n"
        "and DIR/manifest.json, which says what became of each package's files. A table tells it, "
        "too:\n"
        "files that are unreadable, or empty of what could be taken; programs that need what is\n"
        "undefined, have assembly in them, are strange (not ASCII), too large, too short, "
        "repeated,\n"
        "wrong (do not compile), or alike.\n"
        "A folder with a folder files/ in it has a package in each folder of that "
        "(scripts/corpus-opencl\n"
        "and scripts/corpus-c make such); any other folder is one package.",
    .example =
        "  scripts/corpus-opencl opencl && assay lm corpus --language opencl -o opencl opencl",
    .run = lm_corpus_command,
};

const struct command command_lm_train = {
    .name = "lm train",
    .summary = "train a model on a corpus",
    .usage = "assay lm train --corpus FILE --output MODEL.lm [options]",
    .text = "An LSTM learns the programs of a corpus, token by token. MODEL.lm is written at the "
            "end of\n"
            "each epoch; MODEL.lm.checkpoint has all that it takes to go on: stop at any time, the "
            "same\n"
            "command resumes, and with more --epochs after the end, too. --from "
            "begins\n"
            "with what another corpus has taught, such as C for OpenCL.",
    .example = "  assay lm train --corpus c/corpus.txt --output c.lm --epochs 5\n"
               "  assay lm train --corpus cl/corpus.txt --language opencl --from c.lm --output "
               "opencl.lm",
    .run = lm_train_command,
};

const struct command command_lm_sample = {
    .name = "lm sample",
    .summary = "print programs that a model makes up",
    .usage = "assay lm sample MODEL.lm [options]",
    .text = "Programs as the model makes them up, one after the other, with a line --- between\n"
            "them: not masked, not checked. Each has a seed of its own and is the same on every\n"
            "machine. A program ends where the model ends it, when the brackets that are\n"
            "counted are closed, or after --most tokens.",
    .example = "  assay lm sample opencl.lm -n 5 --start 'kernel void A(' --open { --close }\n"
               "  assay lm sample --bench",
    .run = lm_sample_command,
};

const struct command *const all_commands[N_COMMANDS] = {
    &command_run,  &command_gen,    &command_check,  &command_testbeds, &command_bugs,
    &command_show, &command_replay, &command_reduce, &command_report,   &command_compare,
    &command_lala, &command_spe,    &command_lm,
};

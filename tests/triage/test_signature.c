/* Signatures, from messages in the style of the tools: the same crash of two programs or two
 * releases is one, different ones are different. */
#include "triage/signature.h"
#include "tap.h"

static struct arena arena;

/* As in testbeds/{gcc,clang}.ini. */
static const char *const crash_patterns[] = {"internal compiler error",
                                             "Please submit a full bug report",
                                             "PLEASE submit a bug report",
                                             "(frontend|linker) command failed due to signal",
                                             "fatal error: error in backend",
                                             "(LLVM ERROR|out of memory|std::bad_alloc)",
                                             "internal error at"};
enum { N_PATTERNS = sizeof crash_patterns / sizeof *crash_patterns };

static const char *make(const char *messages, enum anomaly anomaly, const char *detail)
{
    struct pattern crash[N_PATTERNS];
    for (int i = 0; i < N_PATTERNS; i++) {
        crash[i].text = crash_patterns[i];
        regcomp(&crash[i].regex, crash[i].text, REG_EXTENDED);
    }
    struct testbed t = {.name = "tcc -O1",
                        .compiler = "tcc",
                        .toolchain = "tcc",
                        .model = "lp64",
                        .suffix = ".c",
                        .crash = crash,
                        .n_crash = N_PATTERNS};
    struct observation o = {.messages = messages, .detail = detail, .output = {"", 0}};
    struct verdict v = {.anomaly = anomaly};
    const char *s = signature_make(&arena, &t, &o, &v);
    for (int i = 0; i < N_PATTERNS; i++)
        regfree(&crash[i].regex);
    return s;
}

static const struct {
    const char *messages;
    enum anomaly anomaly;
    const char *detail, *wanted;
} cases[] = {
    {"t.c:12:5: error: 'l_17' undeclared\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: '' undeclared"},
    {"t.c:99: error: 'g_2' undeclared\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: '' undeclared"},
    {"error: cache/tempfile_vihzzj.c:3:7: 'g_2' undeclared\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: '' undeclared"},
    {"error: cache/temp.c is no file, t.c: too\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: cache/temp.c is no file, t.c: too"},
    {"t.c:4: warning: x\nt.c:28: error: ',' expected (got \")\")\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: ',' expected (got \")\")"},
    {"t.c:28: error: ';' expected (got \"b\")\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: ';' expected (got \"N\")"},
    {"t.c:28: error: ';' expected (got \"l_7\")\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: ';' expected (got \"N\")"},
    {"t.c:1: error: foo\nt.c: internal compiler error: in fold, at fold-const.cc:123\n",
     ANOMALY_BUILD_CRASH, "exit 4",
     "tcc build-crash: internal compiler error: in fold, at fold-const"},
    {"", ANOMALY_BUILD_CRASH, "SIGSEGV", "tcc build-crash: SIGSEGV"},
    {"/tmp/c: Assembler messages:\n/tmp/c:7: Warning: end of file not at end of a line; newline "
     "inserted\n/tmp/c:9: Error: bad register name `%r'\n",
     ANOMALY_BUILD_CRASH, "exit 1", "tcc build-crash: truncated output"},
    {"crt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n",
     ANOMALY_BUILD_CRASH, "exit 1", "tcc build-crash: truncated output"},
    {"t.o: undefined reference to `main'\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: undefined reference to 'main'"},
    {"t.o: undefined reference to `func_12'\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: undefined reference to ''"},
    {"ld: warning: executable stack\n/tmp/x.o: undefined reference to `fabs'\n", ANOMALY_BUILD_FAIL,
     "exit 1", "tcc build-fail: undefined reference to 'fabs'"},
    {"t.c:(.text+0x12): undefined reference to `fabs'\ncollect2: error: ld returned 1 exit "
     "status\n",
     ANOMALY_BUILD_FAIL, "exit 1", "tcc build-fail: undefined reference to 'fabs'"},
    {"ld: warning: executable stack\nld: /tmp/ctm.nENGoi: in function `func_1':\n"
     "t.c:(.text+0x34d): undefined reference to `__builtin_clrsb'\n"
     "error: /usr/bin/ld terminated with status 1\n",
     ANOMALY_BUILD_FAIL, "exit 1", "tcc build-fail: undefined reference to '__builtin_clrsb'"},
    {"collect2: error: ld returned 1 exit status\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: ld returned N exit status"},
    {"", ANOMALY_WRONG_OUTPUT, "exit 0", "tcc -O1 wrong-output"},
    {"", ANOMALY_WRONG_VOLATILE, "exit 0", "tcc -O1 wrong-volatile"},
    {"", ANOMALY_RUN_CRASH, "SIGFPE", "tcc -O1 run-crash: SIGFPE"},
    {"", ANOMALY_DISAGREEMENT, "", "lp64 disagreement"},
    {"", ANOMALY_NONE, "", ""},
    {"t.c:3: internal error at codegen.c:812\n", ANOMALY_BUILD_CRASH, "exit 1",
     "tcc build-crash: internal error at codegen.c:N"},
    /* a token of the grammar tells something, a piece of the program does not */
    {"t.c:7:1: error: expected ';' before '}' token\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: expected ';' before '}' token"},
    {"t.c:7:1: error: the constant '/' has no value\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: the constant '' has no value"},
    /* nothing that a terminal would act on */
    {"\033[01m\033[Kt.c:12:5:\033[m\033[K \033[01;31m\033[Kerror: \033[m\033[Ka tab\ta bell\a and "
     "\033]0;a title\a\n",
     ANOMALY_BUILD_FAIL, "exit 1", "tcc build-fail: error: a tab a bell? and ?]N;a title?"},
};

/* -- crashes ----------------------------------------------------------------------------------- */

/* Two texts of one crash each: of two programs, of two releases. */
static const struct {
    const char *tool, *one, *other, *wanted;
} crashes[] = {
    {"gcc names the function",
     "during GIMPLE pass: vrp\nt.c: In function 'func_1':\nt.c:7:5: internal compiler error: in "
     "compare_values_warnv, at tree-vrp.c:1106\n    7 | int func_1(void)\n      |     ^~~~~~\n"
     "0x7f2c29 compare_values_warnv(tree_node*, tree_node*, "
     "bool*)\n\t../../src/gcc/tree-vrp.c:1106\n"
     "Please submit a full bug report,\nwith preprocessed source if appropriate.\n",
     "during GIMPLE pass: vrp\nprog.c: In function 'main':\nprog.c:31:5: internal compiler error: "
     "in compare_values_warnv, at tree-vrp.cc:1131\n0x9abcde "
     "compare_values_warnv(tree_node*, tree_node*, bool*)\n\t../../gcc/tree-vrp.cc:1131\n"
     "Please submit a full bug report, with preprocessed source (by using -freport-bug).\n",
     "internal compiler error: in compare_values_warnv, at tree-vrp"},
    {"a function with a number in its name",
     "t.c:1:1: internal compiler error: in expand_expr_real_1, at expr.c:10234\n",
     "u.c:9:2: internal compiler error: in expand_expr_real_1, at expr.cc:10601\n",
     "internal compiler error: in expand_expr_real_1, at expr"},
    {"a tree check",
     "t.c:2:6: internal compiler error: tree check: expected ssa_name, have integer_cst in "
     "get_range_info, at tree-ssanames.c:411\n",
     "t.c:90:1: internal compiler error: tree check: expected ssa_name, have integer_cst in "
     "get_range_info, at tree-ssanames.cc:399\n",
     "internal compiler error: tree check: expected ssa_name, have integer_cst in get_range_info, "
     "at tree-ssanames"},
    {"gcc dies of a signal",
     "during RTL pass: combine\nt.c: In function 'f':\nt.c:5:1: internal compiler error: "
     "Segmentation fault\n    5 | }\n      | ^\n0x55d0c1a2b3 crash_signal\n"
     "\t../../src/gcc/toplev.c:328\n0x55d0a1b2c3 rtx_equal_p(rtx_def const*, rtx_def const*)\n"
     "\t../../src/gcc/rtl.c:641\n0x55d0a1b2d4 try_combine\n\t../../src/gcc/combine.c:3021\n"
     "0x55d0a1b2e5 combine_instructions\n\t../../src/gcc/combine.c:1267\n0x55d0a1b2f6 "
     "rest_of_handle"
     "_combine\n\t../../src/gcc/combine.c:14983\nPlease submit a full bug report,\n",
     "during RTL pass: combine\nx.c:77:1: internal compiler error: Segmentation fault\n"
     "0x1112223 crash_signal\n\t../../src/gcc/toplev.cc:322\n0x1112224 rtx_equal_p(rtx_def const*, "
     "rtx_def const*)\n\t../../src/gcc/rtl.cc:660\n0x1112225 try_combine\n"
     "\t../../src/gcc/combine.cc:3030\n0x1112226 combine_instructions\n"
     "\t../../src/gcc/combine.cc:1264\n0x7f00 __libc_start_main\n\t../csu/libc-start.c:308\n",
     "internal compiler error: Segmentation fault [rtx_equal_p < try_combine < "
     "combine_instructions]"},
    {"a check in a header that everyone shares",
     "t.c:1:1: internal compiler error: in operator[], at vec.h:889\n0x8c4a vec<tree_node*, "
     "va_heap, "
     "vl_embed>::operator[](unsigned int)\n\t../../src/gcc/vec.h:889\n0x8c4b "
     "vectorizable_store\n\t../../src/gcc/tree-vect-stmts.cc:7012\n0x8c4c "
     "vect_analyze_stmt(vec_info*, _stmt_vec_info*, "
     "bool*)\n\t../../src/gcc/tree-vect-stmts.cc:99\n",
     "u.c:5:1: internal compiler error: in operator[], at vec.h:910\n0xaa vec<tree_node*, va_heap, "
     "vl_embed>::operator[](unsigned int)\n\t../../src/gcc/vec.h:910\n0xab "
     "vectorizable_store\n\t../../src/gcc/tree-vect-stmts.cc:7100\n0xac "
     "vect_analyze_stmt(vec_info*, _stmt_vec_info*, "
     "bool*)\n\t../../src/gcc/tree-vect-stmts.cc:98\n",
     "internal compiler error: in operator[], at vec [vectorizable_store < vect_analyze_stmt]"},
    {"an assertion of LLVM",
     "clang: /build/llvm-14/lib/Analysis/ScalarEvolution.cpp:4021: const llvm::SCEV "
     "*llvm::ScalarEvolution::getMinusSCEV(const llvm::SCEV *, const llvm::SCEV *): Assertion "
     "`LHS->getType() == RHS->getType() && \"SCEV types differ!\"' failed.\n"
     "PLEASE submit a bug report to https://bugs.llvm.org/ and include the crash backtrace.\n"
     "Stack dump:\n0.\tProgram arguments: clang -O2 t.c\n",
     "clang-15: /root/llvm/lib/Analysis/ScalarEvolution.cpp:4444: const llvm::SCEV "
     "*llvm::ScalarEvolution::getMinusSCEV(const llvm::SCEV *, const llvm::SCEV *): Assertion "
     "`LHS->getType() == RHS->getType() && \"SCEV types differ!\"' failed.\n"
     "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\nStack dump:\n",
     "assertion LHS->getType() == RHS->getType() && \"SCEV types differ!\" in "
     "llvm::ScalarEvolution::getMinusSCEV, at ScalarEvolution"},
    {"clang dies of a signal",
     "PLEASE submit a bug report to https://bugs.llvm.org/ and include the crash backtrace, "
     "preprocessed source, and associated run script.\nStack dump:\n0.\tProgram arguments: "
     "clang-14 "
     "-cc1 t.c\n1.\t<eof> parser at end of file\n2.\tOptimizer\n #0 0x00007f1 "
     "llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM-14.so.1+0xe4fd31)\n #1 "
     "0x00007f2 llvm::sys::RunSignalHandlers() (/lib/libLLVM-14.so.1+0xe4da5e)\n #2 0x00007f3 "
     "SignalHandler(int) Signals.cpp:0:0\n #3 0x00007f4 "
     "(/lib/x86_64-linux-gnu/libc.so.6+0x3bfd0)\n "
     "#4 0x00007f5 llvm::InstCombinerImpl::visitAdd(llvm::BinaryOperator&) "
     "/build/lib/Transforms/InstCombine/InstCombineAddSub.cpp:1203:7\n #5 0x00007f6 "
     "llvm::InstCombinerImpl::run() (/lib/libLLVM-14.so.1+0x1abf)\n #6 0x00007f7 "
     "combineInstructionsOverFunction(llvm::Function&, llvm::AAResults*) "
     "InstructionCombining.cpp:0:0\nclang: error: clang frontend command failed due to signal\n",
     "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include\n"
     "Stack dump:\n0.\tProgram arguments: clang-15 -cc1 other.c\n #0 0x0011 "
     "llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM-15.so.1+0xfff)\n #1 "
     "0x0012 (/lib/x86_64-linux-gnu/libc.so.6+0x42520)\n #2 0x0013 "
     "_ZN4llvm16InstCombinerImpl8visitAddERNS_14BinaryOperatorE (/usr/lib/libLLVM-15.so.1+0x123)\n"
     " #3 0x0014 llvm::InstCombinerImpl::run() (/usr/lib/libLLVM-15.so.1+0x124)\n #4 0x0015 "
     "combineInstructionsOverFunction(llvm::Function&, llvm::AAResults*) (.isra.0) (/usr/lib/x+1)\n"
     "clang: error: unable to execute command: Segmentation fault (core dumped)\n"
     "clang: error: clang frontend command failed due to signal (use -v to see invocation)\n",
     NULL},
    {"clang without symbols",
     "PLEASE submit a bug report to https://bugs.llvm.org/\nStack dump:\n0.\tProgram arguments: "
     "clang t.c\n1.\t<eof> parser at end of file\n2.\tCode generation\n3.\tRunning pass 'Function "
     "Pass Manager' on module 't.c'.\n4.\tRunning pass 'X86 DAG->DAG Instruction Selection' on "
     "function '@main'\n #0 0x07f (/lib/libLLVM-14.so.1+0xe4fd31)\n",
     "PLEASE submit a bug report to https://bugs.llvm.org/\nStack dump:\n0.\tProgram arguments: "
     "clang b.c\n3.\tRunning pass 'Function Pass Manager' on module 'b.c'.\n4.\tRunning pass 'X86 "
     "DAG->DAG Instruction Selection' on function '@func_12'\n #0 0x08f "
     "(/lib/libLLVM-14.so.1+0xe4fd99)\n",
     NULL},
    {"unreachable code of LLVM",
     "Unknown mask size!\nUNREACHABLE executed at /build/lib/Target/X86/X86ISelLowering.cpp:8123!\n"
     "PLEASE submit a bug report to https://bugs.llvm.org/\n",
     "Unknown mask size!\nUNREACHABLE executed at /src/lib/Target/X86/X86ISelLowering.cpp:9001!\n"
     "PLEASE submit a bug report to https://bugs.llvm.org/\n",
     "unreachable: Unknown mask size! at X86ISelLowering"},
    {"what a back end cannot select",
     "fatal error: error in backend: Cannot select: 0x55d0aa: i32 = X86ISD::FOO 0x55d0bb\n",
     "fatal error: error in backend: Cannot select: 0x7fff1c: i32 = X86ISD::FOO 0x7fff2d\n", NULL},
    {"a sanitizer in the compiler",
     "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4c bp 0x7f\n"
     "    #0 0x4c1 in __interceptor_memcpy (/x/cc+0x4c1)\n    #1 0x4c2 in gen_expr "
     "/x/codegen.c:31:9\n"
     "    #2 0x4c3 in gen_stmt /x/codegen.c:99:3\n    #3 0x4c4 in main /x/main.c:3:3\n",
     "==99==ERROR: AddressSanitizer: heap-use-after-free on address 0x777 at pc 0x8 bp 0x9\n"
     "    #0 0x8c2 in gen_expr /y/codegen.c:44:9\n    #1 0x8c3 in gen_stmt /y/codegen.c:98:3\n",
     NULL},
};

/* Crashes that must not be one. */
static const char *const different[] = {
    "t.c:1:1: internal compiler error: in fold_binary, at fold-const.cc:1\n",
    "t.c:1:1: internal compiler error: in fold_unary, at fold-const.cc:1\n",
    "t.c:1:1: internal compiler error: in fold_unary, at match.cc:1\n",
    "t.c:1:1: internal compiler error: tree check: expected a, have b in f, at t.cc:1\n",
    "t.c:1:1: internal compiler error: tree check: expected a, have c in f, at t.cc:1\n",
    "cc: a.c:1: f: Assertion `x > 0' failed.\n",
    "cc: a.c:1: f: Assertion `x > 1' failed.\n",
    "cc: a.c:1: g: Assertion `x > 0' failed.\n",
    "t.c:1:1: internal compiler error: Segmentation fault\n0x1 crash_signal\n\ttoplev.cc:1\n0x2 "
    "one(int)\n\ta.cc:1\n0x3 two\n\ta.cc:2\n",
    "t.c:1:1: internal compiler error: Segmentation fault\n0x1 crash_signal\n\ttoplev.cc:1\n0x2 "
    "other(int)\n\ta.cc:1\n0x3 two\n\ta.cc:2\n",
    "t.c:1:1: internal compiler error: Segmentation fault\n",
    "LLVM ERROR: out of memory\n",
};

/* What interpreters, solvers and databases say; the detail is what `run-crash` matched. */
static const struct {
    const char *tool, *messages, *detail, *wanted;
} runs[] = {
    {"Lua", "lua: lvm.c:1202: luaV_execute: Assertion `base <= L->top' failed.\n",
     "Assertion `base <= L->top' failed", "assertion base <= L->top in luaV_execute, at lvm"},
    {"SQLite", "sqlite3: sqlite3.c:98765: sqlite3VdbeExec: Assertion `pOp->p2>0' failed.\n",
     "Assertion `pOp->p2>0' failed", "assertion pOp->p2>0 in sqlite3VdbeExec, at sqlite3"},
    {"PostgreSQL",
     "TRAP: FailedAssertion(\"!IsParallel\", File: \"nodeGather.c\", Line: 77, PID: 4711)\n"
     "LOG:  server process (PID 4711) was terminated by signal 6: Aborted\n",
     "TRAP: FailedAssertion(\"!IsParallel\", File: \"nodeGather.c\"",
     "assertion !IsParallel at nodeGather"},
    {"PostgreSQL 16",
     "TRAP: failed Assert(\"!IsParallel\"), File: \"nodeGather.c\", Line: 81, PID: 1\n",
     "TRAP: failed Assert(\"!IsParallel\"), File: \"nodeGather.c\"",
     "assertion !IsParallel at nodeGather"},
    {"MariaDB",
     "mariadbd: /src/sql/item.cc:4711: virtual bool Item_field::fix_fields(THD*, Item**): "
     "Assertion "
     "`fixed()' failed.\n",
     "Assertion `fixed()' failed", "assertion fixed() in Item_field::fix_fields, at item"},
    {"MariaDB's frames",
     "got signal 11\n/usr/sbin/mariadbd(my_print_stacktrace+0x2e)[0x55aa]\n"
     "/usr/sbin/mariadbd(handle_fatal_signal+0x485)[0x55ab]\n"
     "/usr/sbin/mariadbd(_ZN10Item_field10fix_fieldsEP3THD+0x12)[0x55ac]\n"
     "sql/item.cc:12(Item::walk(bool))[0x55ad]\n",
     "got signal 11", "got signal 11 [Item_field::fix_fields < Item::walk]"},
    {"MariaDB's assertion, with frames",
     "mariadbd: /src/sql/item.cc:4711: virtual bool Item_field::fix_fields(THD*, Item**): "
     "Assertion `fixed()' failed.\n"
     "sql/item.cc:12(Item::walk(bool))[0x55ad]\n",
     "Assertion `fixed()' failed", "assertion fixed() in Item_field::fix_fields, at item"},
    {"Z3", "ASSERTION VIOLATION\nFile: ../src/ast/ast.cpp\nLine: 431\nm_ref_count > 0\n",
     "ASSERTION VIOLATION", "assertion m_ref_count > 0 at ast"},
    {"cvc5",
     "Fatal failure within void cvc5::internal::theory::bv::Foo::bar(TNode) at "
     "/src/theory/bv/foo.cpp:88\nCheck failure\n\n  n.isConst()\n",
     "Fatal failure", "Check failure in cvc5::internal::theory::bv::Foo::bar, at foo"},
    {"a word with a number", "", "PANIC: unprotected error in call 12",
     "unprotected error in call N"},
    {"a signal", "", "SIGSEGV", "SIGSEGV"},
};

static void test_crashes(void)
{
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        const char *one = make(crashes[i].one, ANOMALY_BUILD_CRASH, "exit 4");
        const char *other = make(crashes[i].other, ANOMALY_BUILD_CRASH, "exit 4");
        is_str(other, one, "%s: two are one", crashes[i].tool);
        ok(signature_evidence(one), "  which tells something: %s", one);
        if (crashes[i].wanted)
            is_str(signature_evidence(one), crashes[i].wanted, "  %s", crashes[i].wanted);
    }
    int n = sizeof different / sizeof *different;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            ok(strcmp(make(different[i], ANOMALY_BUILD_CRASH, "exit 4"),
                      make(different[j], ANOMALY_BUILD_CRASH, "exit 4")) != 0,
               "crashes %d and %d are two", i, j);
    has_str(make(crashes[6].one, ANOMALY_BUILD_CRASH, "exit 139"),
            "[llvm::InstCombinerImpl::visitAdd < llvm::InstCombinerImpl::run < "
            "combineInstructionsOverFunction]",
            "frames without machinery");
    has_str(make(crashes[7].one, ANOMALY_BUILD_CRASH, "exit 139"),
            "[X86 DAG->DAG Instruction Selection]", "the innermost pass");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        is_str(make(runs[i].messages, ANOMALY_RUN_CRASH, runs[i].detail),
               arena_printf(&arena, "tcc -O1 run-crash: %s", runs[i].wanted), "%s: %s",
               runs[i].tool, runs[i].wanted);
}

static const struct {
    const char *signature;
    bool tells;
} evidence[] = {
    {"gcc -O2 wrong-output", false},
    {"gcc-12 build-crash: SIGSEGV", false},
    {"gcc-12 build-crash: exit 1", false},
    {"gcc-12 build-crash: internal compiler error: Segmentation fault", false},
    {"gcc-12 build-crash: internal compiler error: Segmentation fault [f < g]", true},
    {"gcc-12 build-crash: internal compiler error: in f, at g", true},
    {"clang build-crash: PLEASE submit a bug report", false},
    {"lua5.4 run-crash: assertion x in f, at lvm", true},
    {"tcc run-crash: SIGFPE", false},
    {"gcc run-hang", false},
    {"tcc build-fail: error: ',' expected", true},
    {"tcc build-fail: ", false},
    {"", false},
};

/* -- what the testbed says of itself ----------------------------------------------------------- */

static const char *of_testbed(struct testbed t, const char *messages, const char *output,
                              enum anomaly anomaly)
{
    t.name = "sv -O1", t.compiler = "sv", t.model = "lp64";
    struct observation o = {.messages = messages, .detail = "exit 1", .output = bytes_of(output)};
    struct verdict v = {.anomaly = anomaly};
    return signature_make(&arena, &t, &o, &v);
}

static void test_testbeds(void)
{
    static const char *const steps[] = {"cc", NULL}, *const none[] = {NULL};
    static const char failed[] = "x.c:3: f: Assertion `a' failed.\n";
    struct testbed own = {.message.text = "^(E:.*)|F"}, plain = {.compile = none};
    regcomp(&own.message.regex, own.message.text, REG_EXTENDED | REG_NEWLINE);
    is_str(of_testbed(own, "E: bad 3\nrror: worse\n", "", ANOMALY_BUILD_FAIL),
           "sv build-fail: bad N", "a message that the toolchain file describes");
    is_str(of_testbed(own, "rror: first\nE: bad 3\n", "", ANOMALY_BUILD_FAIL),
           "sv build-fail: bad N", "  wherever it stands");
    is_str(of_testbed(own, "F\nx error: other\n", "", ANOMALY_BUILD_FAIL),
           "sv build-fail: x error: other", "  and not where its group is empty");
    regfree(&own.message.regex);
    own.message.text = NULL;
    is_str(of_testbed(own, "a\nb warning: w\n", "", ANOMALY_BUILD_FAIL), "sv build-fail: a",
           "the first of lines that tell as much");
    is_str(of_testbed(own, " \t\nx warning: w\n", "", ANOMALY_BUILD_FAIL),
           "sv build-fail: x warning: w", "a warning before nothing at all");
    is_str(of_testbed(own, " \n", "", ANOMALY_BUILD_FAIL), "sv build-fail: exit 1",
           "how it ended, where nothing is said");
    is_str(of_testbed(own, "error: a\tb\001c\n", "", ANOMALY_BUILD_FAIL), "sv build-fail: a b?c",
           "one line that a terminal may show");
    is_str(of_testbed(own, "\033[1;31merror:\033[0m red\033[", "", ANOMALY_BUILD_FAIL),
           "sv build-fail: red", "without colours");
    is_str(of_testbed(plain, failed, "", ANOMALY_RUN_CRASH),
           "sv -O1 run-crash: assertion a in f, at x", "what an interpreter says");
    is_str(of_testbed(plain, "", failed, ANOMALY_RUN_CRASH),
           "sv -O1 run-crash: assertion a in f, at x", "  or prints");
    is_str(of_testbed(plain, "other", failed, ANOMALY_RUN_CRASH), "sv -O1 run-crash: exit 1",
           "  where it says nothing");
    plain.compile = steps;
    is_str(of_testbed(plain, failed, failed, ANOMALY_RUN_CRASH), "sv -O1 run-crash: exit 1",
           "a program that was compiled tells how it ended");
    plain.n_run_crash = 1;
    is_str(of_testbed(plain, failed, "", ANOMALY_RUN_CRASH),
           "sv -O1 run-crash: assertion a in f, at x", "  unless the testbed knows its crashes");
    is_str(of_testbed(plain, "", "", ANOMALY_DISAGREEMENT), "lp64 disagreement",
           "a disagreement is the model's");
    is_str(of_testbed(plain, "", "", ANOMALY_WRONG_OUTPUT), "sv -O1 wrong-output",
           "a wrong output is the testbed's");
    is_str(of_testbed(plain, "", "", ANOMALY_NONE), "", "nothing to tell");
}

static const struct {
    const char *message, *wanted;
} generalised[] = {
    {"error: x12 and y_3 and plain and 0x1f and 77", "N and N and plain and NN and N"},
    {"error: 12ab34gh", "Ngh"},
    {"error: 'a' and `b' and 'c", "'' and '' and 'c"},
    {"error: '+' in 'a'", "'' in ''"},
    {"error: expected '_' or '+_' or 'b'", "expected '' or '+_' or ''"},
    {"error: expected '+' before 'a'", "expected '+' before ''"},
    {"error: expected \"abc\" or \"1\" or \"\" or \"a", "expected \"N\" or \"N\" or \"\" or \"a"},
    {"error: \"abc\" is bad", "\"abc\" is bad"},
    {"error:  many   spaces ", "many spaces"},
    {"tool: t.c:3:4: error: x", "error: x"},
    {"error: at dir/t.c:3:4: there", "at there"},
    {"error: at dir/t.c:3: there", "at there"},
    {"error: at dir/t.c:x: there", "at dir/t.c:x: there"},
    {"error: at dir/t.h:3:4: there", "at dir/t.h:N:N: there"},
    {"error: at dir/t.c:3:4 there", "at dir/t.c:N:N there"},
    {"error:", "error:"},
    {"error: ", "error:"},
};

static void test_generalised(void)
{
    struct testbed t = {.suffix = ".c"};
    for (size_t i = 0; i < sizeof generalised / sizeof *generalised; i++)
        is_str(of_testbed(t, generalised[i].message, "", ANOMALY_BUILD_FAIL),
               arena_printf(&arena, "sv build-fail: %s", generalised[i].wanted), "%s",
               generalised[i].message);
}

/* Names and frames as crashes tell them. */
static const struct {
    const char *messages, *wanted;
} told[] = {
    {"a.c:1: bool ns::F<int>::g(const X &) const: Assertion `p' failed.",
     "assertion p in ns::F::g, at a"},
    {"a.c:1: void F<int, char>::g(X): Assertion `p' failed.", "assertion p in F::g, at a"},
    {"a.c:1: static int *h(void): Assertion `p  q' failed.", "assertion p q in h, at a"},
    {"a.c:1: X::operator()(int): Assertion `p' failed.", "assertion p in X::operator(), at a"},
    {"a.c:1: X **k(int): Assertion `p' failed.", "assertion p in k, at a"},
    {"a.c:1: X &k(int): Assertion `p' failed.", "assertion p in k, at a"},
    {"a.c:1: X::operator<<(int): Assertion `p' failed.", "assertion p in X::operator<<, at a"},
    {"a.c:1: X::operator->(): Assertion `p' failed.", "assertion p in X::operator->, at a"},
    {"a.c:1: X::operator<(int): Assertion `p' failed.", "assertion p in X::operator<, at a"},
    {"a.c:1: {anonymous}::f(int): Assertion `p' failed.", "assertion p in {anonymous}::f, at a"},
    {"a.c:1: (anonymous namespace)::f(int): Assertion `p' failed.", "assertion p in f, at a"},
    {"a.c:1: f.isra.0: Assertion `0x12ab' failed.", "assertion N in f, at a"},
    {"x: src/b.x/a: 1: Assertion `p' failed.", NULL},
    {"b.x/a:1: Assertion `p' failed.", "assertion p at a"},
    {".rc:1: Assertion `p' failed.", "assertion p at .rc"},
    {"vec.h:1: f: Assertion `p' failed.\n#0 0x1 g(int) /x\n#1 0x2 k /x\n",
     "assertion p in f, at vec [g < k]"},
    {"vec.hpp:1: f: Assertion `p' failed.\n#0 0x1 g(int) /x\n", "assertion p in f, at vec [g]"},
    {"vec.hh:1: f: Assertion `p' failed.\n#0 0x1 g(int) /x\n", "assertion p in f, at vec"},
    {"Assertion failed: (x > 0), function f, file a/b.cpp, line 3.", "assertion x > 0 in f, at b"},
    {"why\nUNREACHABLE executed at /x/y.cpp:3!", "unreachable: why at y"},
    {"x: Segmentation fault\n#0 0x1 a /x\n#1 0x2 b /x\n#2 0x3 c /x\n#3 0x4 d /x\n",
     "crash [a < b < c]"},
    {"x: Segmentation fault\n#0 0x1 abort /x\n#1 0x2 main /x\n#2 0x3 kill /x\n#3 0x4 d (/lib+1)\n",
     "crash [d]"},
    {"x: Segmentation fault\n #1  0x2 in bar (x=1) at f.c:3\n", "crash [bar]"},
    {"x: Segmentation fault\ncc(_ZN1a2bcEv+0x1)[0x2]\ncc(+0x12)[0x3]\ncc()[0x4]\ncc(f[0x1)\n",
     "crash [a::bc]"},
    {"x: Segmentation fault\ncc(_ZNK3foo9abE+0x1)[0x2]\ncc(_Z+0x1)[0x2]\ncc(_ZTV+1)[0x2]\n",
     "crash [foo < _Z < _ZTV]"},
    {"x: Segmentation fault\n0x12 one(int)\n\tx.h:3\n0x13 two\n\ty.cc:3\n", "crash [two]"},
    {"x: Segmentation fault\nRunning pass 'A' on\nRunning pass \"B\"\nRunning pass C\n"
     "Running pass 'Function Pass Manager'\n",
     "crash [B]"},
};

static void test_told(void)
{
    has_str(make("PLEASE submit a bug report to x\nt.c:1: error: real\n", ANOMALY_BUILD_CRASH, ""),
            "error: real", "an error tells more than a request");
    has_str(make("a\nPLEASE submit a bug report to x\n", ANOMALY_BUILD_CRASH, ""), "build-crash: a",
            "  which tells no more than any line");
    has_str(make("t.c:1: error: real\nx: internal error at 3\n", ANOMALY_BUILD_CRASH, ""),
            "internal error at N", "  and a crash tells most");
    has_str(make("collect2: ld returned 1\nwarning: a\nb\n", ANOMALY_BUILD_CRASH, ""),
            "build-crash: b", "  farewells and warnings least");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char *s = signature_evidence(make(told[i].messages, ANOMALY_BUILD_CRASH, "SIGSEGV"));
        if (told[i].wanted)
            is_str(s, told[i].wanted, "%s", told[i].wanted);
    }
}

/* Patterns are given the beginning of a line. A line as long as the messages of a compiler may be,
 * with what each form of a crash needs at its end, would take them minutes. */
static void test_long_lines(void)
{
    static const char *const needs[] = {
        "internal compiler error: in f", "Assertion `x", "Assertion failed: (",  "UNREACHABLE",
        "TRAP: failed Assert(",          "\nLine: 3",    "Fatal failure within",
    };
    enum { LONG = 1 << 20 };
    char *line = arena_alloc(&arena, LONG + 64);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        memset(line, i % 2 ? 'x' : ':', LONG);
        snprintf(line + LONG, 64, "\n%s", needs[i]);
        const char *s = make(line, ANOMALY_BUILD_CRASH, "exit 1");
        ok(strlen(s) < 1100, "a line of a megabyte, and %s", needs[i]);
        line[LONG] = ' ';
        ok(!strstr(make(line, ANOMALY_BUILD_CRASH, "exit 1"), needs[i]), "  in one line");
    }
    int n = snprintf(line, LONG, "%*s\n", 900, "error: here");
    memset(line + n, '-', 1000);
    snprintf(line + n + 1000, 64, "internal compiler error: in f");
    is_str(make(line, ANOMALY_BUILD_CRASH, "exit 1"), "tcc build-crash: error: here",
           "what stands behind the thousandth character of a line is not seen");
}

int main(void)
{
    arena_init(&arena);
    test_testbeds();
    test_generalised();
    test_told();
    test_long_lines();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_str(make(cases[i].messages, cases[i].anomaly, cases[i].detail), cases[i].wanted, "%s",
               cases[i].wanted);
    test_crashes();
    for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
        is_int(signature_evidence(evidence[i].signature) != NULL, evidence[i].tells,
               "'%s' tells %s", evidence[i].signature, evidence[i].tells ? "something" : "nothing");
    arena_release(&arena);
    return tap_done();
}

#include "triage/signature.h"
#include "tap.h"

static struct arena arena;

static const char *make(const char *messages, enum anomaly anomaly, const char *detail)
{
    struct pattern crash = {.text = "internal compiler error"};
    regcomp(&crash.regex, crash.text, REG_EXTENDED);
    struct testbed t = {.name = "tcc -O1",
                        .compiler = "tcc",
                        .toolchain = "tcc",
                        .model = "lp64",
                        .crash = &crash,
                        .n_crash = 1};
    struct observation o = {.messages = messages, .detail = detail};
    struct verdict v = {.anomaly = anomaly};
    const char *s = signature_make(&arena, &t, &o, &v);
    regfree(&crash.regex);
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
    {"t.c:4: warning: x\nt.c:28: error: ',' expected (got \")\")\n", ANOMALY_BUILD_FAIL, "exit 1",
     "tcc build-fail: error: ',' expected (got \")\")"},
    {"t.c:1: error: foo\nt.c: internal compiler error: in fold, at fold-const.cc:123\n",
     ANOMALY_BUILD_CRASH, "exit 4",
     "tcc build-crash: internal compiler error: in fold, at fold-const.cc:N"},
    {"", ANOMALY_BUILD_CRASH, "SIGSEGV", "tcc build-crash: SIGSEGV"},
    {"ld: warning: executable stack\n/tmp/x.o: undefined reference to `fabs'\n", ANOMALY_BUILD_FAIL,
     "exit 1", "tcc build-fail: undefined reference to ''"},
    {"", ANOMALY_WRONG_OUTPUT, "exit 0", "tcc -O1 wrong-output"},
    {"", ANOMALY_WRONG_VOLATILE, "exit 0", "tcc -O1 wrong-volatile"},
    {"", ANOMALY_RUN_CRASH, "SIGFPE", "tcc -O1 run-crash: SIGFPE"},
    {"", ANOMALY_DISAGREEMENT, "", "lp64 disagreement"},
    {"", ANOMALY_NONE, "", ""},
};

int main(void)
{
    arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_str(make(cases[i].messages, cases[i].anomaly, cases[i].detail), cases[i].wanted, "%s",
               cases[i].wanted);
    arena_release(&arena);
    return tap_done();
}

/* Messages of compilers: crash patterns and signatures. The first byte chooses the anomaly. */
#include "fuzz.h"
#include "triage/signature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const crashes[] = {"internal compiler error", "PLEASE submit a bug report",
                                          "(LLVM ERROR|out of memory)", "Assertion .* failed"};
    enum { N = sizeof crashes / sizeof *crashes };
    struct arena a;
    struct pattern crash[N];
    struct error e = {0};
    if (size == 0)
        return 0;
    for (int i = 0; i < N; i++)
        if (pattern_compile(&crash[i], crashes[i], &e))
            abort();
    arena_init(&a);
    struct testbed t = {.name = "tcc -O1",
                        .compiler = "tcc",
                        .toolchain = "tcc",
                        .model = "lp64",
                        .suffix = ".c",
                        .crash = crash,
                        .n_crash = N};
    const char *text = fuzz_text(&a, data + 1, size - 1);
    struct observation o = {.messages = text, .detail = "exit 1", .output = bytes_of(text)};
    struct verdict v = {.anomaly = (enum anomaly)(data[0] % ANOMALY_COUNT)};
    const char *signature = signature_make(&a, &t, &o, &v);
    if (signature)
        signature_evidence(signature);
    arena_release(&a);
    for (int i = 0; i < N; i++)
        pattern_release(&crash[i]);
    return 0;
}

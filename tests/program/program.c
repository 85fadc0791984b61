#include "program/program.h"
#include "base/fs.h"
#include "program/finding.h"
#include "program/observation.h"
#include "program/verdict.h"
#include "tap.h"

int main(void)
{
    struct arena a;
    arena_init(&a);
    struct program_file files[] = {{"driver.c", "int main(void){}\n", 17}, {"init.h", "a\0b", 3}};
    struct program p = {.language = "c", .files = files, .n_files = 2, .needs = ""}, q = p;
    struct strbuf packed;
    strbuf_init(&packed, 0);
    program_pack(&p, &packed);
    q.files = NULL;
    is_int(program_unpack(&a, packed.s, packed.n, &q), 0, "unpacked");
    ok(q.n_files == 2 && !strcmp(q.files[0].name, "driver.c") && q.files[1].size == 3 &&
           !memcmp(q.files[1].text, "a\0b", 3),
       "all there, NULs too");
    char h1[PROGRAM_HASH_SIZE], h2[PROGRAM_HASH_SIZE];
    program_hash(&p, h1);
    program_hash(&q, h2);
    is_str(h1, h2, "the same program has the same hash");
    is_str(h1, "9af00e65d76e4f320d054f14a9a4a7f1", "which is pinned");
    q.language = "c++";
    program_hash(&q, h2);
    ok(strcmp(h1, h2) != 0, "another language is another program");
    bool refused = true;
    struct program r = p;
    for (size_t n = 0; n < packed.n; n++)
        refused &= n == 0 || n == 34 || program_unpack(&a, packed.s, n, &r) == -1;
    ok(refused, "a cut pack is refused");
    is_int(program_size(&p), 20, "size");
    ok(program_is_source("t.c") && program_is_source("x.lua") && !program_is_source("init.h"),
       "headers are no sources");
    for (int i = 0; i < OUTCOME_COUNT; i++)
        is_int(outcome_from_name(outcome_name[i]), i, "outcome %s", outcome_name[i]);
    is_int(OUTCOME_COUNT, 7, "seven outcomes");
    for (int i = 0; i < ANOMALY_COUNT; i++)
        is_int(anomaly_from_name(anomaly_name[i]), i, "anomaly %s", anomaly_name[i]);
    for (int i = 0; i < EVIDENCE_COUNT; i++)
        is_int(evidence_from_name(evidence_name[i]), i, "evidence %s", evidence_name[i]);
    for (int i = 0; i < FINDING_STATE_COUNT; i++)
        is_int(finding_state_from_name(finding_state_name[i]), i, "state %s",
               finding_state_name[i]);
    is_int(outcome_from_name("nonsense"), -1, "a name that is none");
    observation_hash(0, "x", 1, h1);
    observation_hash(1, "x", 1, h2);
    ok(strcmp(h1, h2) != 0, "the exit status is part of what is compared");
    strbuf_release(&packed);
    arena_release(&a);
    return tap_done();
}

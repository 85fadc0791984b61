#include "program/observation.h"
#include "base/strbuf.h"
#include "program/program.h"

void observation_hash(int exit_status, struct bytes output, char hash[33])
{
    struct strbuf all;
    strbuf_init(&all, 0);
    strbuf_addf(&all, "exit %d\n", exit_status);
    strbuf_add(&all, output.data, output.size);
    hash_bytes(all.s, all.n, hash);
    strbuf_release(&all);
}

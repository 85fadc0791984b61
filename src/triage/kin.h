/* The next of kin of a reduced case: programs one step away from it that come out right.
 *
 * A reducer ends when every step that is left to take makes the failure go away. What those last
 * candidates still have is therefore not what the fault needs, or not alone; what they lack and the
 * case has is. That is the spectrum that statistical bug isolation works on (Liblit et al., PLDI
 * 2005), with programs for runs, and with what a program makes the compiler do for predicates: the
 * constructs of its source, the instructions that the compiler made of it, and those that another
 * compiler makes: an instruction that was lost is to be seen nowhere else.
 *
 * The case itself and its kin travel as one text: the campaign writes it, the store keeps it, and
 * clusters are made of it. */
#ifndef ASSAY_TRIAGE_KIN_H
#define ASSAY_TRIAGE_KIN_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <stdbool.h>

struct kin {
    bool right;             /* false: the case itself */
    const char *text;       /* the program */
    const char *constructs; /* of it (triage/constructs.h); "": it has no tree */
    const char *code;       /* its instructions, a line each; "": not known */
    const char *second;     /* those that another compiler makes of it, whose code is right */
};

void kin_add(struct strbuf *out, const struct kin *k);
/* The next one at *at, in the arena; false: there is none. */
bool kin_next(const char **at, struct arena *a, struct kin *out);

/* From what objdump -d prints: of the functions that the program names, the instructions with the
 * kinds of their operands ("cmovne r64,r64", "add $0x4,m32"), and a line "NAME:" ahead of each
 * function. */
void kin_code(struct strbuf *out, const char *program, const char *listing);

#endif

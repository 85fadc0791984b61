/* What a report says of the machine that it is made on. */
#ifndef ASSAY_CLI_SYSTEM_H
#define ASSAY_CLI_SYSTEM_H

#include "report/report.h"

/* Texts in the arena; what this system does not tell is NULL. */
struct report_system cli_system(struct arena *a);

#endif

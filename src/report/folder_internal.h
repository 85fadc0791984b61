/* The two texts of a bug's folder. */
#ifndef ASSAY_REPORT_FOLDER_INTERNAL_H
#define ASSAY_REPORT_FOLDER_INTERNAL_H

#include "report/report_internal.h"

void folder_script(const struct report_bug *b, struct strbuf *out);   /* repro.sh */
void folder_markdown(const struct report_bug *b, struct strbuf *out); /* report.md */

#endif

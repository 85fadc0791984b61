/* What the files of the analysis share. */
#ifndef ASSAY_GEN_SMITH_GTAV_INTERNAL_H
#define ASSAY_GEN_SMITH_GTAV_INTERNAL_H

#include "gen/smith/gtav.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* The program is invalid, and why; only the first reason counts. */
void gtav_invalid(struct gtav *g, const char *why);
/* Of the function that is being walked; NULL: none is. */
struct gtav_frame *gtav_frame_now(struct gtav *g);
/* A fact as it is now, noted as touched by that function. */
uint32_t gtav_get(struct gtav *g, uint32_t slot);
void gtav_put(struct gtav *g, uint32_t slot, uint32_t value);

#endif

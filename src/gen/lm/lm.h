/* `lm:opencl`, `lm:c`, `lm:NAME`: programs sampled from a model that was trained on real code
 * (DeepSmith 2.1). A language is a file languages/NAME.ini (gen/lm/language.h), its model
 * models/NAME.lm beside that folder, or the setting `model`. `lm` alone is lm:opencl.
 *
 * The path of one program is `lm_next` in lm.c: draw whether it is masked and what it begins with,
 * sample it (writer.h), under the mask (scope.h) and mended (repair.h) or neither, and where it is
 * C, give it a main and find out what it prints (wrap.h). Programs are never trusted.
 *
 * A program depends on the model, the language's file, the settings, the choices, and, where it was
 * mended, on the checker: hashes of the first two are in the version, the checker's own version is
 * in the config. */
#ifndef ASSAY_GEN_LM_LM_H
#define ASSAY_GEN_LM_LM_H

#include "gen/gen.h"

extern const struct gen_class gen_lm;

#endif

/* Functions that do not compile here. Included ahead of every file by the build.
 *
 * Each has a better way next to it. The headers that declare them come first, so that a later
 * #include of the same header is a no-op and does not trip over the macros. */
#ifndef ASSAY_BASE_BANNED_H
#define ASSAY_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef strcpy
#define strcpy(...) BANNED_strcpy_use_strbuf_or_arena_strdup
#undef strcat
#define strcat(...) BANNED_strcat_use_strbuf
#undef strncpy
#define strncpy(...) BANNED_strncpy_use_strbuf_or_snprintf
#undef sprintf
#define sprintf(...) BANNED_sprintf_use_snprintf_or_strbuf
#undef vsprintf
#define vsprintf(...) BANNED_vsprintf_use_vsnprintf
#undef strtok
#define strtok(...) BANNED_strtok_use_text_split
#undef rand
#define rand(...) BANNED_rand_use_choice
#undef srand
#define srand(...) BANNED_srand_use_choice
#undef time
#define time(...) BANNED_time_use_clock_of_base
#undef system
#define system(...) BANNED_system_use_child_run
#undef popen
#define popen(...) BANNED_popen_use_child_run
#undef gets
#define gets(...) BANNED_gets_use_getline

#endif

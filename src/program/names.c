/* The vocabularies of the nouns, each from its one table. */
#include "program/finding.h"
#include "program/observation.h"
#include "program/verdict.h"

#define CLASS_ANOMALY(id, name, anomaly) anomaly,

const char *const outcome_name[OUTCOME_COUNT] = {OUTCOMES(WORD_NAME)};
const char *const outcome_help[OUTCOME_COUNT] = {OUTCOMES(WORD_HELP)};
const char *const anomaly_name[ANOMALY_COUNT] = {ANOMALIES(WORD_NAME)};
const char *const anomaly_help[ANOMALY_COUNT] = {ANOMALIES(WORD_HELP)};
const char *const evidence_name[EVIDENCE_COUNT] = {EVIDENCES(WORD_NAME)};
const char *const finding_state_name[FINDING_STATE_COUNT] = {FINDING_STATES(WORD_NAME)};
const char *const class_name[CLASS_COUNT] = {CLASSES(WORD_NAME)};
const enum anomaly class_anomaly[CLASS_COUNT] = {CLASSES(CLASS_ANOMALY)};

int outcome_from_name(const char *name)
{
    return word_find(name, outcome_name, OUTCOME_COUNT);
}

int anomaly_from_name(const char *name)
{
    return word_find(name, anomaly_name, ANOMALY_COUNT);
}

bool anomaly_is_of_detector(enum anomaly a)
{
    return a == ANOMALY_MISSED || a == ANOMALY_FALSE_ALARM || a == ANOMALY_MISPLACED;
}

bool anomaly_is_of_group(enum anomaly a)
{
    return a == ANOMALY_DISAGREEMENT || a == ANOMALY_SUSPECT;
}

int evidence_from_name(const char *name)
{
    return word_find(name, evidence_name, EVIDENCE_COUNT);
}

int finding_state_from_name(const char *name)
{
    return word_find(name, finding_state_name, FINDING_STATE_COUNT);
}

/* The vocabularies of the nouns, each from its one table. */
#include "program/finding.h"
#include "program/observation.h"
#include "program/verdict.h"

#include <string.h>

#define X(id, name, help) name,
const char *const outcome_name[OUTCOME_COUNT] = {OUTCOMES(X)};
const char *const anomaly_name[ANOMALY_COUNT] = {ANOMALIES(X)};
const char *const evidence_name[EVIDENCE_COUNT] = {EVIDENCES(X)};
const char *const finding_state_name[FINDING_STATE_COUNT] = {FINDING_STATES(X)};
#undef X
#define X(id, name, help) help,
const char *const outcome_help[OUTCOME_COUNT] = {OUTCOMES(X)};
const char *const anomaly_help[ANOMALY_COUNT] = {ANOMALIES(X)};
#undef X

#define X(id, name, anomaly) name,
const char *const class_name[CLASS_COUNT] = {CLASSES(X)};
#undef X
#define X(id, name, anomaly) anomaly,
const enum anomaly class_anomaly[CLASS_COUNT] = {CLASSES(X)};
#undef X

static int find(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(name, names[i]))
            return i;
    return -1;
}

int outcome_from_name(const char *name)
{
    return find(name, outcome_name, OUTCOME_COUNT);
}

int anomaly_from_name(const char *name)
{
    return find(name, anomaly_name, ANOMALY_COUNT);
}

int evidence_from_name(const char *name)
{
    return find(name, evidence_name, EVIDENCE_COUNT);
}

int finding_state_from_name(const char *name)
{
    return find(name, finding_state_name, FINDING_STATE_COUNT);
}

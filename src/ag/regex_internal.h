/* The tree of a regular expression, for the file that draws from it and the test that matches. */
#ifndef ASSAY_AG_REGEX_INTERNAL_H
#define ASSAY_AG_REGEX_INTERNAL_H

#include "ag/regex.h"

enum node_kind { SET, SEQUENCE, CHOICE, REPEAT };

struct node {
    enum node_kind kind;
    int least, most;       /* length of its strings, in bytes */
    const char *set;       /* SET: its characters, the simplest first */
    int n;                 /* SET: how many; SEQUENCE, CHOICE: parts */
    struct node **parts;   /* SEQUENCE, CHOICE; REPEAT: one */
    int at_least, at_most; /* REPEAT: how often */
};

struct ag_regex {
    const struct node *root;
};

#endif

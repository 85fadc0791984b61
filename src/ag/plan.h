/* A specification made ready for the search: rules compiled, productions chosen and ordered.
 *
 * A production becomes tables: its rules as small programs, for each attribute that a rule may read
 * the rules that wait for it, and how many sources each rule waits for. Evaluating is then counting
 * down (tree.c); nothing is ever scanned for what could be computed next. What features and weights
 * switch off is left out here, and the heights are counted again without it. Productions are
 * ordered so that the first is the one with the smallest tree: choice 0 is the simplest. */
#ifndef ASSAY_AG_PLAN_H
#define ASSAY_AG_PLAN_H

#include "ag/spec.h"
#include "base/map.h"

#include <stdint.h>

enum {
    PLAN_MAX_ATTRS = 64,        /* of a class */
    PLAN_MAX_PRODUCTIONS = 256, /* of a class */
    PLAN_MAX_RULES = 250,       /* of a production */
    PLAN_NO_LIMIT = 1 << 20,    /* height budget: none */
};

enum code_op {
    CODE_CONST,  /* constant */
    CODE_STRING, /* strings[slot] of the search */
    CODE_VALUE,  /* $ */
    CODE_THIS,   /* attribute `slot` of the node */
    CODE_CHILD,  /* attribute `slot` of child `child` */
    CODE_LOC,    /* local `slot` */
    CODE_NODE,   /* the node, or its child */
    CODE_CALL,
    CODE_MEMO, /* a call whose answers are remembered */
    CODE_BUILTIN,
};

struct code {
    enum code_op op;
    int child; /* -1: the node itself */
    int slot;
    enum ag_builtin builtin;
    lala constant;
    const struct lala_function *function;
    const char *space; /* of the function, for messages */
    struct code *args;
    int n_args;
};

struct source { /* an attribute that a rule reads */
    int child;  /* -1: this */
    int slot;
};

struct plan_rule {
    struct code code;
    int child, slot; /* the target; child -1: this */
    bool guard;      /* the target is a guard */
    bool reads_node; /* passes a node: answers by its number and by which child stands there */
    struct source *sources; /* each once, locals resolved */
    int n_sources, n_inherited;
    const struct ag_rule *rule;
};

struct rule_list { /* indices of rules */
    uint8_t *at;
    int n;
};

struct plan_production {
    const struct ag_production *production;
    struct plan_class *class;
    struct plan_class **children;
    int n_children;
    struct plan_rule *rules;
    int n_rules;
    struct code *locs;
    int n_locs;
    struct rule_list *waits_this;   /* [slot]: rules that read this attribute of the node */
    struct rule_list **waits_child; /* [child][slot] */
    uint8_t *missing;               /* [rule]: sources in all */
    uint8_t *missing_below;         /* [rule]: sources among the children */
    struct rule_list at_once;       /* rules that read inherited attributes or nothing */
    struct rule_list early;         /* guards among them: known before anything is built */
    int16_t **inherited_by;         /* [child][slot]: the rule that sets it */
    int16_t *defined_by; /* [slot]: the rule that sets it for the node itself; -1: none */
    int *visit;          /* order of the children for ALTERNATIVE */
    bool numbered;       /* a rule or the text passes the node: it needs a number */
    int rest;            /* of a list: index of the child that is the rest, -1: none */
    unsigned weight;
    int min_height;
    int64_t min_size;
    struct code *prints; /* [piece]: of #{expr} */
    int rank;            /* in class->productions */
    size_t body_size;    /* bytes of what an expanded node needs */
};

struct plan_class {
    const struct ag_class *class;
    struct plan_production **productions; /* enabled ones, simplest first */
    int n_productions;
    int n_attrs, n_inherited;
    uint64_t inherited, synthesized, guards; /* masks of slots */
    bool guarded;
    int min_height;
    int64_t min_size;
    int budget; /* where its component is entered */
    int component;
    struct plan_production *generator; /* generator classes */
    struct code *generator_args;
    struct ag_regex *regex;       /* literal classes */
    struct plan_production *base; /* of a list: the first production without a rest */
    int alternatives;
    size_t node_size;
};

struct plan {
    const struct ag_spec *spec;
    struct plan_class *classes; /* the first is the root */
    int n_classes;
    const char **strings; /* literals of the specification */
    size_t *string_sizes;
    int n_strings;
};

struct plan_options {
    const char *features;      /* enabled, with commas between */
    int max_height;            /* where a class says nothing; 0: no limit */
    const struct map *weights; /* "Class.production" -> number; may be NULL */
};

/* Compile a checked specification, all in the arena. -1 where, with these features, a class that is
 * needed has no production left, or something is larger than the limits above. */
int plan_make(struct arena *a, const struct ag_spec *spec, const struct plan_options *options,
              struct plan **out, struct error *e);

#endif

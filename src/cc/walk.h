/* Going over a tree.
 *
 * What the parts of a node are, is said here and nowhere else: whoever asks for names, uses or
 * calls passes a function for the nodes that it wants to see. */
#ifndef ASSAY_CC_WALK_H
#define ASSAY_CC_WALK_H

#include "cc/ast.h"

/* Who wants to see nodes. A function that returns true ends the walk; either may be NULL. */
struct cc_walk {
    bool (*stmt)(const struct cc_stmt *s, void *to);
    bool (*expr)(const struct cc_expr *e, void *to);
    void *to;
};

/* The node and all below it, a node ahead of its parts. NULL is a tree without nodes. Returns
 * whether a function ended the walk. */
bool cc_walk_expr(const struct cc_expr *e, const struct cc_walk *w);
bool cc_walk_stmt(const struct cc_stmt *s, const struct cc_walk *w);

/* Where its i-th operand is, from 0: the callee of a call and its arguments, elements of a list, or
 * a, b and c. NULL: it has no more. */
struct cc_expr **cc_operand(struct cc_expr *e, uint32_t i);

/* Its parts, each once, and nothing below them; the initialiser of what a statement declares is a
 * part of it. For those who go on by themselves. */
bool cc_expr_parts(const struct cc_expr *e, const struct cc_walk *w);
bool cc_stmt_parts(const struct cc_stmt *s, const struct cc_walk *w);

#endif

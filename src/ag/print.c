/* A finished tree as a program, and any tree for people to look at. Nothing here recurses: a list
 * is as deep as it is long. */
#include "ag/tree.h"
#include "base/json.h"

/* -- the program ------------------------------------------------------------------------------- */

struct printer {
    struct tree *tree;
    struct strbuf *out;
    int indent;
    bool fresh; /* a line was begun, and has no indent yet */
};

static void put(struct printer *p, const char *text, size_t n)
{
    if (!n)
        return;
    if (p->fresh)
        for (int i = 0; i < p->indent; i++)
            strbuf_adds(p->out, "  ");
    p->fresh = false;
    strbuf_add(p->out, text, n);
}

static void newline(struct printer *p, int more)
{
    p->indent += more;
    p->indent = p->indent < 0 ? 0 : p->indent;
    strbuf_addc(p->out, '\n');
    p->fresh = true;
}

static void put_value(struct printer *p, lala v)
{
    if (lala_kind(v) != LALA_KIND_STRING)
        v = lala_show(p->tree->env, v);
    put(p, lala_text(v), lala_size(v));
}

static bool needs_parens(const struct node *n, const struct node *child)
{
    int outer = n->production->production->precedence;
    int inner = child->production ? child->production->production->precedence : -1;
    return outer >= 0 && inner >= 0 && inner <= outer;
}

static void enter(struct printer *p, struct node *n, bool parens)
{
    if (!n->production || n->class->class->hidden || n->production->production->hidden)
        return;
    if (parens)
        put(p, "(", 1);
    if (n->class->class->kind == AG_TREE) {
        vec_push(&p->tree->printing, (struct printing){n, 0, parens});
        return;
    }
    put_value(p, n->value);
    if (parens)
        put(p, ")", 1);
}

static void print_piece(struct printer *p, struct node *n, int index)
{
    const struct ag_piece *piece = &n->production->production->pieces[index];
    switch (piece->kind) {
    case AG_P_TEXT:
        put(p, piece->text, piece->size);
        break;
    case AG_P_EXPR:
        put_value(p, tree_eval(p->tree, n, n->production, &n->production->prints[index]));
        break;
    case AG_P_NEWLINE:
        newline(p, 0);
        break;
    case AG_P_INDENT:
        newline(p, 1);
        break;
    case AG_P_OUTDENT:
        newline(p, -1);
        break;
    case AG_P_CHILD: {
        struct node *child = n->child[piece->child];
        enter(p, child, piece->parens && needs_parens(n, child));
        break;
    }
    }
}

void tree_print(struct tree *t, struct strbuf *out)
{
    struct printer p = {.tree = t, .out = out};
    t->printing.n = 0;
    enter(&p, t->root, false);
    while (t->printing.n) {
        struct printing *at = &t->printing.at[t->printing.n - 1];
        if (at->piece < at->node->production->production->n_pieces) {
            print_piece(&p, at->node, at->piece++);
            continue;
        }
        if (at->parens)
            put(&p, ")", 1);
        t->printing.n--;
    }
}

/* -- the tree ---------------------------------------------------------------------------------- */

/* Links of a list stand beneath each other, not inside each other. */
static uint64_t depth_below(const struct node *n)
{
    return n->seen + (n->parent && n->parent->production->rest == n->index ? 0 : 1);
}

static void dump_text(struct tree *t, struct strbuf *out)
{
    t->root->seen = 0;
    for (struct node *n = t->root; n; n = tree_next(t->root, n)) {
        n->seen = n == t->root ? 0 : depth_below(n->parent);
        strbuf_addf(out, "%*s%s", (int)(2 * n->seen), "", n->class->class->name);
        if (!n->production)
            strbuf_adds(out, " (not built)");
        else if (n->class->class->kind == AG_TREE)
            strbuf_addf(out, ":%s", n->production->production->name);
        if (n->value && n->class->class->kind != AG_TREE) {
            strbuf_addc(out, ' ');
            lala_describe(n->value, out);
        }
        strbuf_addc(out, '\n');
    }
}

static void dump_json_head(struct tree *t, const struct node *n, struct strbuf *out)
{
    strbuf_addf(out, "{\"class\":\"%s\"", n->class->class->name);
    if (n->production)
        strbuf_addf(out, ",\"production\":\"%s\"",
                    n->production->production->name ? n->production->production->name : "");
    if (n->value && n->class->class->kind != AG_TREE) {
        struct json *value = json_new("s", lala_text(lala_show(t->env, n->value)));
        strbuf_adds(out, ",\"value\":");
        json_write(value, true, out);
        out->s[--out->n] = '\0'; /* the newline */
    }
    strbuf_adds(out, ",\"children\":[");
}

static void dump_json(struct tree *t, struct strbuf *out)
{
    for (struct node *n = t->root; n;) {
        dump_json_head(t, n, out);
        if (n->production && n->production->n_children) {
            n = n->child[0];
            continue;
        }
        struct node *next = tree_skip(t->root, n);
        /* close whatever ends between here and there */
        for (struct node *at = n; !next || at->parent != next->parent; at = at->parent) {
            strbuf_adds(out, "]}");
            if (at == t->root)
                break;
        }
        if (next)
            strbuf_adds(out, "]},");
        n = next;
    }
    strbuf_addc(out, '\n');
}

void tree_dump(struct tree *t, bool json, struct strbuf *out)
{
    if (json)
        dump_json(t, out);
    else
        dump_text(t, out);
}

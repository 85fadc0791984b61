/* Expressions.
 *
 * Most kinds are a row of `shapes`. The rest is what libclang does not show: members reached
 * through anonymous ones, designators, and a dozen kinds that it calls unexposed, told apart by
 * their children, their extents and the word that they begin with. */
#include "cc/import/clang_internal.h"

/* What can be an array: objects and literals. Everything else has a value. */
static bool may_be_array(enum parsed_kind kind)
{
    return kind == PARSED_USE || kind == PARSED_MEMBER || kind == PARSED_INDEX ||
           kind == PARSED_STRING || kind == PARSED_LITERAL || kind == PARSED_INIT_LIST;
}

static uint32_t new_expr(struct reader *r, enum parsed_kind kind, CXCursor c, list *to)
{
    uint32_t i = reader_node(r, kind, c, to);
    CXType type = clang_getCursorType(c);
    uint32_t number = may_be_array(kind) ? reader_type(r, type) : reader_adjusted_type(r, type);
    node_at(r, i)->type = number;
    return i;
}

static void set_int(struct reader *r, uint32_t node, struct number v)
{
    node_at(r, node)->value = v.low;
    node_at(r, node)->value2 = v.high;
}

/* A constant whose value clang knows but whose text is no literal. */
static bool read_folded(struct reader *r, CXCursor c, list *to)
{
    struct number v = cursor_int(c);
    if (!v.known)
        return false;
    uint32_t i = new_expr(r, PARSED_INT, c, to);
    node_at(r, i)->flags |= PARSED_FOLDED;
    set_int(r, i, v);
    return true;
}

/* -- expressions ------------------------------------------------------------------------------ */

/* All the expressions below become children of the node. */
static void read_kids(struct reader *r, struct kids k, size_t from, uint32_t node)
{
    list l = {0};
    for (size_t i = from; i < k.n; i++)
        reader_read(r, kid(r, k, i), &l);
    node_at(r, node)->first = l.first;
}

void read_other(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_OTHER_EXPR, c, to);
    struct kids k = reader_expr_kids(r, c);
    size_t kept = 0;
    for (size_t j = 0; j < k.n; j++)
        if (clang_isExpression(clang_getCursorKind(kid(r, k, j))))
            r->stack.at[k.base + kept++] = kid(r, k, j);
    k.n = kept;
    read_kids(r, k, 0, i);
    reader_kids_done(r, k);
    reader_set_source(r, i);
}

/* A node whose children are the cursor's last `n`: types that are written before them leave
 * expressions of their own (typeof, sizes of arrays). */
static void read_operator(struct reader *r, struct shape s, unsigned op, unsigned flags, CXCursor c,
                          list *to)
{
    struct kids k = reader_expr_kids(r, c);
    if (k.n < s.n) {
        reader_kids_done(r, k);
        read_other(r, c, to);
        return;
    }
    uint32_t i = new_expr(r, s.kind, c, to);
    if (s.kind == PARSED_UNARY && op == '*')
        node_at(r, i)->type = reader_type(r, clang_getCursorType(c));
    node_at(r, i)->op = (uint16_t)op;
    node_at(r, i)->flags |= (uint16_t)flags;
    read_kids(r, k, k.n - s.n, i);
    reader_kids_done(r, k);
}

static void read_fixed(struct reader *r, CXCursor c, list *to)
{
    read_operator(r, reader_shape(c), 0, 0, c, to);
}

static void read_use(struct reader *r, CXCursor c, list *to)
{
    CXCursor decl = clang_getCursorReferenced(c);
    enum CXCursorKind declared = clang_getCursorKind(decl);
    uint32_t i = reader_node(r, PARSED_USE, c, to);
    /* a builtin's name has no type of its own; what it declares has */
    CXType type = clang_getCursorType(declared == CXCursor_FunctionDecl ? decl : c);
    uint32_t number =
        declared == CXCursor_ParmDecl ? reader_adjusted_type(r, type) : reader_type(r, type);
    uint32_t name = reader_spelling(r, c), ref = reader_entity(r, decl);
    struct parsed_node *n = node_at(r, i);
    n->type = number;
    n->name = name;
    n->ref = ref;
    reader_check_name(r, n);
    if (declared == CXCursor_EnumConstantDecl) {
        n->value = clang_getEnumConstantDeclValue(decl);
        n->value2 = n->value < 0 ? -1 : 0;
    }
}

static const struct {
    enum CXUnaryOperatorKind clang;
    unsigned op, flags;
} unary_ops[] = {
    {CXUnaryOperator_PostInc, PARSED_OP_INC, PARSED_POSTFIX},
    {CXUnaryOperator_PostDec, PARSED_OP_DEC, PARSED_POSTFIX},
    {CXUnaryOperator_PreInc, PARSED_OP_INC, 0},
    {CXUnaryOperator_PreDec, PARSED_OP_DEC, 0},
    {CXUnaryOperator_AddrOf, '&', 0},
    {CXUnaryOperator_Deref, '*', 0},
    {CXUnaryOperator_Plus, '+', 0},
    {CXUnaryOperator_Minus, '-', 0},
    {CXUnaryOperator_Not, '~', 0},
    {CXUnaryOperator_LNot, '!', 0},
    {CXUnaryOperator_Real, PARSED_OP_REAL, 0},
    {CXUnaryOperator_Imag, PARSED_OP_IMAG, 0},
};

/* The only child, in place of its parent: parentheses, implicit conversions, __extension__. */
static void read_through(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_expr_kids(r, c);
    if (k.n)
        reader_read(r, kid(r, k, k.n - 1), to);
    else
        read_other(r, c, to);
    reader_kids_done(r, k);
}

static void read_unary(struct reader *r, CXCursor c, list *to)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(c);
    if (kind == CXUnaryOperator_Extension) {
        read_through(r, c, to);
        return;
    }
    for (size_t i = 0; i < sizeof unary_ops / sizeof *unary_ops; i++)
        if (unary_ops[i].clang == kind) {
            read_operator(r, (struct shape){.kind = PARSED_UNARY, .n = 1}, unary_ops[i].op,
                          unary_ops[i].flags, c, to);
            return;
        }
    read_other(r, c, to);
}

static void read_binary(struct reader *r, CXCursor c, list *to)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    CXString s = clang_getBinaryOperatorKindSpelling(kind);
    const char *text = clang_getCString(s);
    size_t n = text ? strlen(text) : 0;
    bool compound = clang_getCursorKind(c) == CXCursor_CompoundAssignOperator;
    unsigned op = 0;
    n -= compound && n;
    for (size_t i = 0; i < n && i < 2; i++)
        op |= (unsigned)text[i] << 8 * i;
    clang_disposeString(s);
    bool assigns = compound || kind == CXBinaryOperator_Assign;
    read_operator(r, (struct shape){.kind = assigns ? PARSED_ASSIGN : PARSED_BINARY, .n = 2}, op, 0,
                  c, to);
}

/* libclang's spelling of a literal is one that it makes anew from the elements: prefix, quotes,
 * octal escapes, and "" where a hexadecimal one would run into the next element. */
static void read_string(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_STRING, c, to);
    CXString spelled = clang_getCursorSpelling(c);
    const char *s = clang_getCString(spelled);
    unsigned size = *s == 'L' || *s == 'U' ? 4 : *s == 'u' && s[1] != '8' ? 2 : 1;
    struct strbuf bytes;
    strbuf_init(&bytes, 0);
    spelled_add_string(&bytes, s, size);
    clang_disposeString(spelled);
    tables_set_text(&r->t, i, bytes.s, bytes.n);
    strbuf_release(&bytes);
}

static void read_int(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_INT, c, to);
    set_int(r, i, cursor_int(c));
}

static void read_float(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_FLOAT, c, to);
    node_at(r, i)->number = cursor_float(c);
    if (clang_getCanonicalType(clang_getCursorType(c)).kind != CXType_LongDouble)
        return;
    struct scan s = reader_spelled(r, c);
    size_t from = s.at;
    scan_token(&s);
    tables_set_text(&r->t, i, s.text + from, s.at - from);
}

static void read_imaginary(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_IMAGINARY, c, to);
    struct kids k = reader_expr_kids(r, c);
    if (k.n && clang_getCursorKind(kid(r, k, 0)) == CXCursor_FloatingLiteral) {
        node_at(r, i)->number = cursor_float(kid(r, k, 0));
    } else if (k.n) {
        set_int(r, i, cursor_int(kid(r, k, 0)));
        node_at(r, i)->number = (double)node_at(r, i)->value;
    }
    reader_kids_done(r, k);
}

/* sizeof and _Alignof: their operand is not evaluated unless its type is of variable length
 * (6.5.3.4p2); then it is the operand, or the sizes that its type names. libclang shows those
 * twice, as part of the type and of the expression. */
static void read_sizeof(struct reader *r, CXCursor c, list *to)
{
    if (read_folded(r, c, to))
        return;
    uint32_t i = new_expr(r, PARSED_SIZEOF, c, to);
    struct kids k = reader_expr_kids(r, c);
    list l = {0};
    for (size_t j = 0; j < k.n; j++) {
        bool again = false;
        for (size_t o = j + 1; o < k.n; o++)
            again |= clang_equalLocations(clang_getCursorLocation(kid(r, k, j)),
                                          clang_getCursorLocation(kid(r, k, o))) != 0;
        if (!again)
            reader_read(r, kid(r, k, j), &l);
    }
    reader_kids_done(r, k);
    node_at(r, i)->first = l.first;
}

static void read_literal(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_LITERAL, c, to);
    struct kids k = reader_expr_kids(r, c);
    list l = {0}, inner = {0};
    bool is_list = k.n && clang_getCursorKind(kid(r, k, k.n - 1)) == CXCursor_InitListExpr;
    uint32_t wrap = is_list ? 0 : new_expr(r, PARSED_INIT_LIST, c, &l);
    if (k.n)
        reader_read(r, kid(r, k, k.n - 1), is_list ? &l : &inner);
    if (wrap)
        node_at(r, wrap)->first = inner.first;
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

static void read_list(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, reader_shape(c).kind, c, to);
    struct kids k = reader_expr_kids(r, c);
    read_kids(r, k, 0, i);
    reader_kids_done(r, k);
}

/* The selected association has the type of the whole (6.5.1.1p3): known if it alone has. */
static void read_generic(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_expr_kids(r, c);
    size_t chosen = 0, n = 0;
    uint32_t type = reader_type(r, clang_getCursorType(c));
    for (size_t i = 1; i < k.n; i++)
        if (reader_type(r, clang_getCursorType(kid(r, k, i))) == type) {
            chosen = i;
            n++;
        }
    if (n == 1)
        reader_read(r, kid(r, k, chosen), to);
    else
        read_other(r, c, to);
    reader_kids_done(r, k);
}

/* -- members ---------------------------------------------------------------------------------- */

/* A way through anonymous members down to the record that holds the field. */
struct path {
    struct reader *r;
    CXCursor steps[16];
    int n;
    uint32_t goal; /* entity */
    bool found;
};

static bool seek_goal(struct path *p, CXType record);

static enum CXVisitorResult try_field(CXCursor field, CXClientData data)
{
    struct path *p = data;
    CXType inner;
    if (p->n == 16 || !cursor_is_anonymous(field, &inner))
        return CXVisit_Continue;
    p->steps[p->n++] = field;
    if (seek_goal(p, inner))
        return CXVisit_Break;
    p->n--;
    return CXVisit_Continue;
}

static bool seek_goal(struct path *p, CXType record)
{
    if (reader_entity(p->r, clang_getTypeDeclaration(record)) == p->goal)
        return p->found = true;
    clang_Type_visitFields(record, try_field, p);
    return p->found;
}

static uint32_t new_member(struct reader *r, CXCursor c, CXCursor field, bool arrow)
{
    uint32_t i = reader_node(r, PARSED_MEMBER, c, NULL);
    uint32_t type = reader_type(r, clang_getCursorType(field)), ref = reader_entity(r, field);
    node_at(r, i)->type = type;
    node_at(r, i)->ref = ref;
    node_at(r, i)->flags |= arrow ? PARSED_ARROW : 0;
    return i;
}

/* libclang leaves out steps through anonymous members (6.7.2.1p13), not always all of them. */
static void read_member(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_expr_kids(r, c);
    CXCursor field = clang_getCursorReferenced(c);
    if (k.n != 1 || clang_getCursorKind(field) != CXCursor_FieldDecl) {
        reader_kids_done(r, k);
        read_other(r, c, to);
        return;
    }
    CXType base = clang_getCanonicalType(clang_getCursorType(kid(r, k, 0)));
    bool arrow = base.kind == CXType_Pointer;
    if (arrow)
        base = clang_getCanonicalType(clang_getPointeeType(base));
    struct path path = {.r = r, .goal = reader_entity(r, clang_getCursorSemanticParent(field))};
    list inner = {0};
    seek_goal(&path, base);
    uint32_t outer = new_member(r, c, field, arrow && !path.n);
    uint32_t type = reader_type(r, clang_getCursorType(c)); /* with the base's qualifiers */
    CXType record;
    uint32_t name = cursor_is_anonymous(field, &record) ? 0 : reader_spelling(r, c);
    node_at(r, outer)->type = type;
    node_at(r, outer)->name = name;
    tables_append(&r->t, to, outer);
    for (int i = path.n; i-- > 0;) {
        uint32_t step = new_member(r, c, path.steps[i], arrow && !i);
        node_at(r, outer)->first = step;
        outer = step;
    }
    reader_read(r, kid(r, k, 0), &inner);
    node_at(r, outer)->first = inner.first;
    reader_kids_done(r, k);
}

/* -- designators ------------------------------------------------------------------------------ */

/* Is the index the start of a GNU range, `[1 ... 3]`? */
static bool is_range(struct reader *r, CXCursor index)
{
    CXSourceLocation end = clang_getRangeEnd(clang_getCursorExtent(index));
    struct scan s = reader_spelled_at(r, end);
    while (scan_space(&s) || scan_take(&s, ")"))
        ;
    return scan_starts(&s, "...");
}

/* The designator that is child `j`, with the next one if they are the ends of a range; steps
 * through anonymous members have no place of their own. Returns the last child that it took. */
static size_t read_designator(struct reader *r, CXCursor whole, struct kids k, size_t j, list *to)
{
    CXCursor d = kid(r, k, j);
    CXType record;
    if (clang_getCursorKind(d) == CXCursor_MemberRef) {
        CXCursor field = clang_getCursorReferenced(d);
        bool implicit = cursor_is_anonymous(field, &record);
        uint32_t node = reader_node(r, PARSED_FIELD_DESIGNATOR, implicit ? whole : d, to);
        uint32_t name = implicit ? 0 : reader_spelling(r, d), ref = reader_entity(r, field);
        node_at(r, node)->name = name;
        node_at(r, node)->ref = ref;
        return j;
    }
    uint32_t node = reader_node(r, PARSED_INDEX_DESIGNATOR, d, to);
    node_at(r, node)->value = cursor_int(d).low;
    if (j + 2 < k.n && is_range(r, d))
        d = kid(r, k, ++j);
    node_at(r, node)->value2 = cursor_int(d).low;
    return j;
}

static void read_designated(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_DESIGNATED, c, to);
    struct kids k = reader_expr_kids(r, c);
    list l = {0};
    for (size_t j = 0; j + 1 < k.n; j++)
        j = read_designator(r, c, k, j, &l);
    reader_read(r, kid(r, k, k.n - 1), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

/* -- what libclang does not expose ------------------------------------------------------------ */

/* The entity of a function that clang takes for an operator: it has no declaration, so that one is
 * made up. */
static uint32_t pseudo_function(struct reader *r, const char *name)
{
    bool added;
    struct map_entry *e = map_put_str(&r->entities, name, &added);
    if (added) {
        list body = {0};
        uint32_t f = tables_node(&r->t, PARSED_FUNCTION, NULL);
        reader_missing(r, &body);
        node_at(r, f)->first = body.first;
        node_at(r, f)->name = tables_name(&r->t, name);
        node_at(r, f)->flags = PARSED_IMPLICIT;
        e->value.number = tables_entity(&r->t);
        vec_push(&r->cursors, clang_getNullCursor());
        tables_declare(&r->t, (uint32_t)e->value.number, f, RANK_DECLARED);
        vec_push(&r->needed, (struct needed){.node = f});
    }
    return (uint32_t)e->value.number;
}

/* Children of an atomic operation come with the memory order second: back to the order of the
 * text. */
static void sort_kids(struct reader *r, struct kids k)
{
    for (size_t i = 1; i < k.n; i++)
        for (size_t j = i; j > 0; j--) {
            uint32_t a, b;
            CXCursor *at = &r->stack.at[k.base + j];
            reader_offset(r, clang_getRangeStart(clang_getCursorExtent(at[-1])), &a);
            reader_offset(r, clang_getRangeStart(clang_getCursorExtent(at[0])), &b);
            if (a <= b)
                break;
            CXCursor swap = at[0];
            at[0] = at[-1];
            at[-1] = swap;
        }
}

static void read_pseudo_call(struct reader *r, CXCursor c, struct scan s, list *to)
{
    char name[64];
    list l = {0};
    spelled_word(s, name, sizeof name);
    uint32_t call = new_expr(r, PARSED_CALL, c, to), use = reader_node(r, PARSED_USE, c, &l);
    uint32_t text = tables_name(&r->t, name), ref = pseudo_function(r, name);
    node_at(r, use)->name = text;
    node_at(r, use)->ref = ref;
    struct kids k = reader_expr_kids(r, c);
    sort_kids(r, k);
    for (size_t i = 0; i < k.n; i++)
        reader_read(r, kid(r, k, i), &l);
    reader_kids_done(r, k);
    node_at(r, call)->first = l.first;
}

/* __builtin_choose_expr is the operand that its constant chooses. */
static bool read_choice(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_expr_kids(r, c);
    struct number v = {0};
    if (k.n == 3)
        v = cursor_int(kid(r, k, 0));
    if (v.known)
        reader_read(r, kid(r, k, v.low || v.high ? 1 : 2), to);
    reader_kids_done(r, k);
    return v.known;
}

static void read_gnu_cond(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_COND, c, to);
    struct kids k = reader_expr_kids(r, c);
    list l = {0};
    reader_read(r, kid(r, k, 0), &l);
    reader_missing(r, &l);
    reader_read(r, kid(r, k, k.n - 1), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

static bool same_extent(CXCursor a, CXCursor b)
{
    return clang_equalRanges(clang_getCursorExtent(a), clang_getCursorExtent(b)) != 0;
}

typedef void expr_reader(struct reader *r, CXCursor c, list *to);

/* Who reads what is behind "unexposed", seen from its children and extents; NULL: its text tells.
 */
static expr_reader *reader_of_hidden(struct reader *r, CXCursor c, struct scan s)
{
    struct kids k = reader_expr_kids(r, c);
    expr_reader *hidden = NULL;
    CXCursor first = k.n ? kid(r, k, 0) : c;
    bool member = clang_getCursorKind(first) == CXCursor_MemberRef;
    if (k.n == 1 && same_extent(c, first))
        hidden = read_through;
    else if (k.n >= 2 && (member || scan_starts(&s, "[")) && !scan_starts(&s, "__builtin"))
        hidden = read_designated;
    else if (k.n == 4 && same_extent(kid(r, k, 1), kid(r, k, 2)) && !scan_starts(&s, "__atomic"))
        hidden = read_gnu_cond;
    reader_kids_done(r, k);
    return hidden;
}

static void read_unexposed(struct reader *r, CXCursor c, list *to)
{
    struct scan s = reader_spelled(r, c);
    expr_reader *hidden = reader_of_hidden(r, c, s);
    if (hidden)
        hidden(r, c, to);
    else if (spelled_starts_word(s, "__builtin_va_arg"))
        read_operator(r, (struct shape){.kind = PARSED_VA_ARG, .n = 1}, 0, 0, c, to);
    else if (spelled_starts_word(s, "__builtin_choose_expr") && read_choice(r, c, to))
        return;
    else if (scan_starts(&s, "__atomic_") || scan_starts(&s, "__c11_atomic_") ||
             spelled_starts_word(s, "__builtin_shufflevector") ||
             spelled_starts_word(s, "__builtin_convertvector"))
        read_pseudo_call(r, c, s, to);
    else if (!read_folded(r, c, to))
        read_other(r, c, to);
}

static void read_label_address(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_LABEL_ADDRESS, c, to);
    struct kids k = reader_kids(r, c);
    if (k.n) {
        uint32_t ref = reader_entity(r, clang_getCursorReferenced(kid(r, k, 0)));
        node_at(r, i)->ref = ref;
    }
    reader_kids_done(r, k);
}

static void read_stmt_expr(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_expr(r, PARSED_STMT_EXPR, c, to);
    struct kids k = reader_kids(r, c);
    list l = {0};
    if (k.n)
        reader_read(r, kid(r, k, 0), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

/* -- every kind of expression ----------------------------------------------------------------- */

static const struct shape shapes[] = {
    [CXCursor_ParenExpr] = {read_through, PARSED_NONE, 0},
    [CXCursor_UnexposedExpr] = {read_unexposed, PARSED_OTHER_EXPR, 0},
    [CXCursor_IntegerLiteral] = {read_int, PARSED_INT, 0},
    [CXCursor_CharacterLiteral] = {read_int, PARSED_INT, 0},
    [CXCursor_CXXBoolLiteralExpr] = {read_int, PARSED_INT, 0},
    [CXCursor_FloatingLiteral] = {read_float, PARSED_FLOAT, 0},
    [CXCursor_ImaginaryLiteral] = {read_imaginary, PARSED_IMAGINARY, 0},
    [CXCursor_StringLiteral] = {read_string, PARSED_STRING, 0},
    [CXCursor_DeclRefExpr] = {read_use, PARSED_USE, 0},
    [CXCursor_MemberRefExpr] = {read_member, PARSED_MEMBER, 1},
    [CXCursor_ArraySubscriptExpr] = {read_fixed, PARSED_INDEX, 2},
    [CXCursor_CallExpr] = {read_list, PARSED_CALL, 0},
    [CXCursor_UnaryOperator] = {read_unary, PARSED_UNARY, 1},
    [CXCursor_BinaryOperator] = {read_binary, PARSED_BINARY, 2},
    [CXCursor_CompoundAssignOperator] = {read_binary, PARSED_ASSIGN, 2},
    [CXCursor_ConditionalOperator] = {read_fixed, PARSED_COND, 3},
    [CXCursor_CStyleCastExpr] = {read_fixed, PARSED_CAST, 1},
    [CXCursor_UnaryExpr] = {read_sizeof, PARSED_SIZEOF, 0},
    [CXCursor_CompoundLiteralExpr] = {read_literal, PARSED_LITERAL, 1},
    [CXCursor_InitListExpr] = {read_list, PARSED_INIT_LIST, 0},
    [CXCursor_StmtExpr] = {read_stmt_expr, PARSED_STMT_EXPR, 1},
    [CXCursor_AddrLabelExpr] = {read_label_address, PARSED_LABEL_ADDRESS, 0},
    [CXCursor_GenericSelectionExpr] = {read_generic, PARSED_OTHER_EXPR, 0},
};

struct shape expr_shape(enum CXCursorKind k)
{
    return (size_t)k < sizeof shapes / sizeof *shapes ? shapes[k] : (struct shape){0};
}

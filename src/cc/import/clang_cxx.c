/* A C++ file as far as skeletons need it: scopes, functions, variables of builtin arithmetic types,
 * and their uses. In the module.
 *
 * Nothing else is in the tree: no expression keeps its shape, and nobody can run it. What is not
 * evaluated or has to be constant is not looked into (sizeof, decltype, arguments of templates,
 * labels of cases, sizes of arrays), nor are lambdas, which may not name what they do not capture,
 * and the default values of parameters. Members of classes are no variables here, and neither is
 * what only a name with :: in it reaches. */
#include "cc/import/clang_internal.h"

struct walk { /* where we are */
    struct reader *r;
    list *to;
    bool in_class; /* what is declared here are members */
};

static void walk_children(struct reader *r, CXCursor c, struct walk w);

/* -- declarations ----------------------------------------------------------------------------- */

static bool is_arithmetic(CXType type)
{
    enum CXTypeKind k = clang_getCanonicalType(type).kind;
    return k >= CXType_Bool && k <= CXType_LongDouble && k != CXType_Char16 && k != CXType_Char32 &&
           k != CXType_WChar;
}

static uint32_t declare(struct reader *r, enum parsed_kind kind, CXCursor c, list *to)
{
    uint32_t i = reader_node(r, kind, c, to), name = reader_spelling(r, c);
    CXType type = clang_getCursorType(c);
    uint32_t number = kind != PARSED_FUNCTION && is_arithmetic(type) ? reader_type(r, type) : 0;
    node_at(r, i)->name = name;
    node_at(r, i)->type = number;
    reader_check_name(r, node_at(r, i));
    return i;
}

static bool is_constant(const struct reader *r, const struct parsed_node *n)
{
    const char *from = r->job->text + n->begin;
    size_t size = n->at - n->begin;
    return memmem(from, size, "constexpr", 9) || memmem(from, size, "constinit", 9);
}

static void read_variable(struct walk w, CXCursor c)
{
    struct reader *r = w.r;
    bool member = w.in_class || clang_getCursorKind(clang_getCursorSemanticParent(c)) !=
                                    clang_getCursorKind(clang_getCursorLexicalParent(c));
    CXCursor init = clang_Cursor_getVarDeclInitializer(c);
    list all = {0};
    if (member)
        return;
    uint32_t i = declare(r, PARSED_VAR, c, w.to);
    bool constant = is_constant(r, node_at(r, i));
    if (constant)
        node_at(r, i)->type = 0; /* its value may be asked for where a constant has to be */
    if (clang_Cursor_getStorageClass(c) != CX_SC_None)
        node_at(r, i)->flags |= PARSED_ATTRIBUTES; /* like no other */
    node_at(r, i)->flags |= PARSED_DEFINED;
    reader_declare(r, c, i, RANK_DEFINED);
    if (clang_Cursor_isNull(init) || constant) {
        reader_missing(r, &all);
    } else {
        bool literal = clang_getCursorKind(init) == CXCursor_IntegerLiteral;
        uint32_t value = reader_node(r, literal ? PARSED_INT : PARSED_INIT_LIST, init, &all);
        list uses = {0};
        read_cxx(r, init, &uses);
        node_at(r, value)->first = uses.first;
    }
    node_at(r, i)->first = all.first;
}

struct parts { /* of a function */
    struct walk w;
    list parameters, body;
    CXCursor block;
    bool has_block;
};

static enum CXChildVisitResult see_part(CXCursor c, CXCursor parent, CXClientData data)
{
    struct parts *p = data;
    enum CXCursorKind k = clang_getCursorKind(c);
    (void)parent;
    if (k == CXCursor_ParmDecl) {
        uint32_t i = declare(p->w.r, PARSED_PARAM, c, &p->parameters);
        reader_declare(p->w.r, c, i, RANK_DEFINED);
    } else if (k == CXCursor_CompoundStmt || k == CXCursor_CXXTryStmt) {
        p->block = c;
        p->has_block = true;
    } else if (clang_isExpression(k)) { /* a constructor's initialisers */
        read_cxx(p->w.r, c, &p->body);
    }
    return CXChildVisit_Continue;
}

static void read_function(struct walk w, CXCursor c)
{
    struct reader *r = w.r;
    struct parts p = {.w = w};
    uint32_t i = declare(r, PARSED_FUNCTION, c, w.to);
    clang_visitChildren(c, see_part, &p);
    reader_declare(r, c, i, p.has_block ? RANK_DEFINED : RANK_DECLARED);
    if (p.has_block) {
        uint32_t block = reader_node(r, PARSED_BLOCK, p.block, &p.parameters);
        walk_children(r, p.block, (struct walk){.r = r, .to = &p.body});
        node_at(r, block)->first = p.body.first;
        node_at(r, i)->flags |= PARSED_DEFINED;
    } else {
        reader_missing(r, &p.parameters);
    }
    node_at(r, i)->first = p.parameters.first;
}

/* -- statements and expressions ---------------------------------------------------------------- */

/* Only an unqualified name of a variable that is in the tree can be another one. */
static void read_use(struct reader *r, CXCursor c, list *to)
{
    CXCursor declared = clang_getCursorReferenced(c);
    uint32_t entity = reader_entity(r, declared), at;
    if (clang_equalLocations(clang_getCursorLocation(c), clang_getCursorLocation(declared)))
        return; /* `if (int x = 1)` asks for the value of x, where it is declared */
    if (!entity || !r->t.entities.at[entity].node ||
        !reader_offset(r, clang_getCursorLocation(c), &at))
        return;
    while (at && (r->job->text[at - 1] == ' ' || r->job->text[at - 1] == '\n'))
        at--;
    if (at && r->job->text[at - 1] == ':' && at > 1 && r->job->text[at - 2] == ':')
        return;
    uint32_t i = reader_node(r, PARSED_USE, c, to), name = reader_spelling(r, c);
    struct parsed_node *n = node_at(r, i);
    n->name = name;
    n->ref = entity;
    reader_check_name(r, n);
}

static void read_scope(struct walk w, CXCursor c, bool in_class)
{
    list all = {0};
    uint32_t i = reader_node(w.r, PARSED_BLOCK, c, w.to);
    walk_children(w.r, c, (struct walk){.r = w.r, .to = &all, .in_class = in_class});
    node_at(w.r, i)->first = all.first;
}

static enum CXChildVisitResult see_kid(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    vec_push(&((struct reader *)data)->stack, c);
    return CXChildVisit_Continue;
}

static size_t count_labels(CXCursor c, size_t kids)
{
    return clang_getCursorKind(c) == CXCursor_CaseStmt && kids ? kids - 1 : 0;
}

static void read_one(struct walk w, CXCursor c);

static void walk_children(struct reader *r, CXCursor c, struct walk w)
{
    size_t base = r->stack.n;
    clang_visitChildren(c, see_kid, r);
    size_t end = r->stack.n;
    for (size_t i = base + count_labels(c, end - base); i < end; i++)
        read_one(w, r->stack.at[i]);
    r->stack.n = base;
}

static void read_one(struct walk w, CXCursor c)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_VarDecl:
        read_variable(w, c);
        return;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
    case CXCursor_FunctionTemplate:
        read_function(w, c);
        return;
    case CXCursor_Namespace:
    case CXCursor_CompoundStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CXXCatchStmt:
        read_scope(w, c, false);
        return;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        read_scope(w, c, true);
        return;
    case CXCursor_DeclRefExpr:
        read_use(w.r, c, w.to);
        return;
    case CXCursor_UnaryExpr: /* sizeof and the like */
    case CXCursor_CXXTypeidExpr:
    case CXCursor_LambdaExpr:
    case CXCursor_SizeOfPackExpr:
    case CXCursor_StaticAssert:
    case CXCursor_EnumDecl:
    case CXCursor_FieldDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
    case CXCursor_GCCAsmStmt:
        return;
    default:
        if (!clang_isReference(clang_getCursorKind(c)) &&
            !clang_isAttribute(clang_getCursorKind(c)))
            walk_children(w.r, c, w);
    }
}

void read_cxx(struct reader *r, CXCursor c, list *to)
{
    read_one((struct walk){.r = r, .to = to}, c);
}

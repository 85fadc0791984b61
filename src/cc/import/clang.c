/* libclang's cursors as tables: declarations, statements, and the unit.
 *
 * One walk over the main file makes nodes in the order of the text; `shapes` says how each kind of
 * cursor is read. Everything that a node refers to by name (declarations, labels, tags of types) is
 * an entity, known by the address of clang's own canonical declaration; its node comes about when
 * the walk reaches it. Entities that the walk never reached are declarations of included files or
 * implicit ones: they are read afterwards, with what they need in turn. Addresses are looked up and
 * never ordered, so nothing depends on them.
 *
 * libclang hides much of C: missing parts of a `for`, steps through anonymous members, and a dozen
 * kinds of expression are all "unexposed". What it hides is found by looking at the source text
 * where the thing was spelled, which for the body of a macro is its definition. */
#include "cc/import/parsed_internal.h"

#include "cc/import/clang_internal.h"

/* -- statements ------------------------------------------------------------------------------- */

/* A statement that is not understood keeps what is in it. */
void read_other_stmt(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = reader_node(r, PARSED_OTHER_STMT, c, to);
    struct kids k = reader_kids(r, c);
    list l = {0};
    for (size_t j = 0; j < k.n; j++)
        reader_read(r, kid(r, k, j), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
    reader_set_source(r, i);
}

/* libclang leaves out the missing parts, and does not say which. */
static void read_for(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_kids(r, c);
    int parts = k.n == 1 ? 0 : k.n == 4 ? 7 : spelled_for_parts(reader_spelled(r, c));
    if (parts < 0 || (size_t)__builtin_popcount((unsigned)parts) + 1 != k.n) {
        reader_kids_done(r, k);
        read_other_stmt(r, c, to);
        return;
    }
    uint32_t i = reader_node(r, PARSED_FOR, c, to);
    list l = {0};
    size_t next = 0;
    for (int part = 0; part < 3; part++)
        if (parts & 1 << part)
            reader_read(r, kid(r, k, next++), &l);
        else
            reader_missing(r, &l);
    reader_read(r, kid(r, k, next), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

/* As many parts as there are, and nothing in place of those that are missing at the end. */
static void read_parts(struct reader *r, CXCursor c, list *to)
{
    struct shape s = reader_shape(c);
    struct kids k = reader_kids(r, c);
    list l = {0};
    uint32_t i = reader_node(r, s.kind, c, to);
    for (size_t j = 0; j < k.n; j++)
        reader_read(r, kid(r, k, j), &l);
    for (size_t j = k.n; j < s.n; j++)
        reader_missing(r, &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

static void read_asm(struct reader *r, CXCursor c, list *to)
{
    read_parts(r, c, to);
    reader_set_source(r, to->last);
}

static void read_case(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_kids(r, c);
    list l = {0};
    if (k.n != 2 && k.n != 3) {
        reader_kids_done(r, k);
        read_other_stmt(r, c, to);
        return;
    }
    uint32_t i = reader_node(r, PARSED_CASE, c, to);
    node_at(r, i)->value = cursor_int(kid(r, k, 0)).low;
    node_at(r, i)->value2 = cursor_int(kid(r, k, k.n - 2)).low;
    reader_read(r, kid(r, k, 0), &l);
    if (k.n == 3)
        reader_read(r, kid(r, k, 1), &l);
    else
        reader_missing(r, &l);
    reader_read(r, kid(r, k, k.n - 1), &l);
    node_at(r, i)->first = l.first;
    reader_kids_done(r, k);
}

static void read_goto(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = reader_node(r, PARSED_GOTO, c, to);
    struct kids k = reader_kids(r, c);
    if (k.n) {
        uint32_t ref = reader_entity(r, clang_getCursorReferenced(kid(r, k, 0)));
        uint32_t name = reader_spelling(r, kid(r, k, 0));
        node_at(r, i)->ref = ref;
        node_at(r, i)->name = name;
    }
    reader_kids_done(r, k);
}

static void read_label(struct reader *r, CXCursor c, list *to)
{
    read_parts(r, c, to);
    uint32_t i = to->last, name = reader_spelling(r, c);
    node_at(r, i)->name = name;
    reader_declare(r, c, i, RANK_DEFINED);
}

/* An attribute in front of a statement wraps it. */
static void read_unexposed_stmt(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_kids(r, c);
    CXCursor only = k.n ? kid(r, k, 0) : c;
    size_t n = k.n;
    reader_kids_done(r, k);
    if (n == 1)
        reader_read(r, only, to);
    else
        read_other_stmt(r, c, to);
}

/* -- declarations ----------------------------------------------------------------------------- */

static uint32_t new_decl(struct reader *r, enum parsed_kind kind, CXCursor c, list *to)
{
    uint32_t i = reader_node(r, kind, c, to), offset;
    uint32_t type = kind == PARSED_PARAM ? reader_adjusted_type(r, clang_getCursorType(c))
                                         : reader_type(r, clang_getCursorType(c));
    uint32_t name = reader_spelling(r, c);
    struct parsed_node *n = node_at(r, i);
    n->type = type;
    n->name = name;
    reader_check_name(r, n);
    if (!reader_offset(r, clang_getCursorLocation(c), &offset))
        n->flags |= PARSED_INCLUDED;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c)))
        n->flags |= PARSED_SYSTEM;
    switch (clang_Cursor_getStorageClass(c)) {
    case CX_SC_Static:
        n->flags |= PARSED_STATIC;
        break;
    case CX_SC_Extern:
        n->flags |= PARSED_EXTERN;
        break;
    case CX_SC_Register:
        n->flags |= PARSED_REGISTER;
        break;
    default:
        break;
    }
    return i;
}

/* Sizes of variable length arrays in the declarator: expressions behind a bracket whose value is
 * not known. libclang shows the innermost first. */
static void read_sizes(struct reader *r, CXCursor c, CXCursor init, list *to)
{
    struct kids k = reader_expr_kids(r, c);
    for (size_t i = k.n; i-- > 0;) {
        CXCursor size = kid(r, k, i);
        if (!clang_isExpression(clang_getCursorKind(size)) || clang_equalCursors(size, init))
            continue;
        if (spelled_before(reader_spelled(r, size)) == '[' && !cursor_int(size).known)
            reader_read(r, size, to);
    }
    reader_kids_done(r, k);
}

static void read_var(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_decl(r, PARSED_VAR, c, to);
    bool file_scope =
        clang_isTranslationUnit(clang_getCursorKind(clang_getCursorLexicalParent(c))) != 0;
    CXCursor init = clang_Cursor_getVarDeclInitializer(c);
    bool has_init = !clang_Cursor_isNull(init);
    bool is_extern = node_at(r, i)->flags & PARSED_EXTERN;
    unsigned flags = clang_getCursorTLSKind(c) == CXTLS_None ? 0 : PARSED_THREAD;
    list l = {0};
    flags |= file_scope || is_extern ? PARSED_GLOBAL : 0;
    flags |= has_init || !is_extern ? PARSED_DEFINED : 0;
    node_at(r, i)->flags |= (uint16_t)flags;
    reader_declare(r, c, i,
                   has_init || (!is_extern && !file_scope) ? RANK_DEFINED
                   : is_extern                             ? RANK_DECLARED
                                                           : RANK_TENTATIVE);
    uint32_t end = node_at(r, i)->end, init_begin = end;
    if (has_init &&
        reader_offset(r, clang_getRangeStart(clang_getCursorExtent(init)), &init_begin) &&
        init_begin < end)
        end = init_begin;
    reader_set_attributes(r, i, c, end);
    if (has_init)
        reader_read(r, init, &l);
    else
        reader_missing(r, &l);
    read_sizes(r, c, init, &l);
    node_at(r, i)->first = l.first;
}

/* Does something stand in the brackets of `a[]`, which is no size? */
static bool has_qualified_brackets(struct reader *r, CXCursor c)
{
    struct scan s = reader_spelled_at(r, clang_getCursorLocation(c));
    scan_word(&s);
    while (scan_space(&s) || scan_take(&s, ")"))
        ;
    if (!scan_take(&s, "["))
        return false;
    scan_space(&s);
    return scan_peek(&s, 0) != ']';
}

/* `int a[restrict]` is a restrict pointer (6.7.6.3p7), which libclang shows as the array that is
 * written, and its qualifiers only in its text, if it has a size. */
static void set_restrict(struct reader *r, CXCursor c, uint32_t param)
{
    CXType type = clang_getCursorType(c);
    CXString text = clang_getTypeSpelling(type);
    bool array = clang_getArrayElementType(type).kind != CXType_Invalid;
    bool open = type.kind == CXType_IncompleteArray && has_qualified_brackets(r, c);
    if (open || (array && strstr(clang_getCString(text), "restrict"))) {
        uint32_t with = tables_qualified(&r->t, node_at(r, param)->type, PARSED_RESTRICT);
        node_at(r, param)->type = with;
    }
    clang_disposeString(text);
}

static void read_param(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_decl(r, PARSED_PARAM, c, to);
    list l = {0};
    set_restrict(r, c, i);
    reader_declare(r, c, i, RANK_DEFINED);
    reader_set_attributes(r, i, c, node_at(r, i)->end);
    read_sizes(r, c, clang_getNullCursor(), &l);
    node_at(r, i)->first = l.first;
}

static enum CXChildVisitResult find_body(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_CompoundStmt)
        *(CXCursor *)data = c;
    return CXChildVisit_Continue;
}

static void read_function(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_decl(r, PARSED_FUNCTION, c, to);
    CXCursor body = clang_getNullCursor();
    list l = {0};
    uint32_t end = node_at(r, i)->end, body_begin;
    clang_visitChildren(c, find_body, &body);
    bool defined = !clang_Cursor_isNull(body);
    node_at(r, i)->flags |= (uint16_t)((defined ? PARSED_DEFINED : 0) |
                                       (clang_Cursor_isFunctionInlined(c) ? PARSED_INLINE : 0));
    reader_declare(r, c, i, defined ? RANK_DEFINED : RANK_DECLARED);
    if (defined &&
        reader_offset(r, clang_getRangeStart(clang_getCursorExtent(body)), &body_begin) &&
        body_begin < end)
        end = body_begin;
    reader_set_attributes(r, i, c, end);
    for (int p = 0; p < clang_Cursor_getNumArguments(c); p++)
        reader_read(r, clang_Cursor_getArgument(c, (unsigned)p), &l);
    if (defined)
        reader_read(r, body, &l);
    else
        reader_missing(r, &l);
    node_at(r, i)->first = l.first;
}

/* Tags without a name have one made up by clang, or that of their typedef. */
static void clear_made_up_name(struct reader *r, uint32_t node, CXCursor c)
{
    struct parsed_node *n = node_at(r, node);
    struct scan s = reader_spelled_at(r, clang_getCursorLocation(c));
    const char *name = name_text(r, n->name);
    if (clang_Cursor_isAnonymous(c) || strchr(name, '(') || !spelled_starts_word(s, name))
        n->name = 0;
}

struct fields {
    struct reader *r;
    list list;
};

static enum CXVisitorResult read_field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    struct reader *r = f->r;
    CXType record;
    uint32_t i = new_decl(r, PARSED_FIELD, c, &f->list);
    long long offset = clang_Cursor_getOffsetOfField(c);
    node_at(r, i)->value = clang_getFieldDeclBitWidth(c);
    if (cursor_is_anonymous(c, &record))
        node_at(r, i)->name = 0;
    r->t.offsets.at[i] = offset > 0 ? (uint64_t)offset : 0;
    reader_declare(r, c, i, RANK_DEFINED);
    reader_set_attributes(r, i, c, node_at(r, i)->end);
    return CXVisit_Continue;
}

static bool is_tag(CXCursor c)
{
    enum CXCursorKind k = clang_getCursorKind(c);
    return k == CXCursor_StructDecl || k == CXCursor_UnionDecl || k == CXCursor_EnumDecl;
}

/* Tags that are declared inside of a record come before it. */
static void read_record(struct reader *r, CXCursor c, list *to)
{
    struct kids k = reader_kids(r, c);
    for (size_t i = 0; i < k.n; i++)
        if (is_tag(kid(r, k, i)))
            reader_read(r, kid(r, k, i), to);
    reader_kids_done(r, k);
    bool defined = clang_isCursorDefinition(c) != 0;
    uint32_t node = new_decl(r, PARSED_RECORD, c, to);
    reader_declare(r, c, node, defined ? RANK_DEFINED : RANK_DECLARED);
    node_at(r, node)->flags |= defined ? PARSED_DEFINED : 0;
    clear_made_up_name(r, node, c);
    reader_set_attributes(r, node, c, node_at(r, node)->end);
    if (defined) {
        struct fields f = {.r = r};
        clang_Type_visitFields(clang_getCursorType(c), read_field, &f);
        node_at(r, node)->first = f.list.first;
    }
}

static void read_enum(struct reader *r, CXCursor c, list *to)
{
    bool defined = clang_isCursorDefinition(c) != 0;
    uint32_t node = new_decl(r, PARSED_ENUM, c, to);
    struct kids k = reader_kids(r, c);
    list l = {0};
    reader_declare(r, c, node, defined ? RANK_DEFINED : RANK_DECLARED);
    node_at(r, node)->flags |= defined ? PARSED_DEFINED : 0;
    clear_made_up_name(r, node, c);
    reader_set_attributes(r, node, c, node_at(r, node)->end);
    for (size_t i = 0; i < k.n; i++) {
        CXCursor e = kid(r, k, i);
        if (clang_getCursorKind(e) != CXCursor_EnumConstantDecl)
            continue;
        uint32_t n = new_decl(r, PARSED_ENUMERATOR, e, &l);
        reader_declare(r, e, n, RANK_DEFINED);
        node_at(r, n)->value = clang_getEnumConstantDeclValue(e);
        node_at(r, n)->value2 = node_at(r, n)->value < 0 ? -1 : 0;
    }
    node_at(r, node)->first = l.first;
    reader_kids_done(r, k);
}

static void read_typedef(struct reader *r, CXCursor c, list *to)
{
    uint32_t i = new_decl(r, PARSED_TYPEDEF, c, to);
    reader_set_attributes(r, i, c, node_at(r, i)->end);
}

static void read_other_decl(struct reader *r, CXCursor c, list *to)
{
    reader_set_source(r, reader_node(r, PARSED_OTHER_DECL, c, to));
}

/* -- every kind of cursor --------------------------------------------------------------------- */

static const struct shape shapes[] = {
    [CXCursor_VarDecl] = {read_var, PARSED_VAR, 0},
    [CXCursor_ParmDecl] = {read_param, PARSED_PARAM, 0},
    [CXCursor_FunctionDecl] = {read_function, PARSED_FUNCTION, 0},
    [CXCursor_StructDecl] = {read_record, PARSED_RECORD, 0},
    [CXCursor_UnionDecl] = {read_record, PARSED_RECORD, 0},
    [CXCursor_EnumDecl] = {read_enum, PARSED_ENUM, 0},
    [CXCursor_TypedefDecl] = {read_typedef, PARSED_TYPEDEF, 0},

    [CXCursor_CompoundStmt] = {read_parts, PARSED_BLOCK, 0},
    [CXCursor_DeclStmt] = {read_parts, PARSED_DECLS, 0},
    [CXCursor_IfStmt] = {read_parts, PARSED_IF, 3},
    [CXCursor_ForStmt] = {read_for, PARSED_FOR, 4},
    [CXCursor_WhileStmt] = {read_parts, PARSED_WHILE, 2},
    [CXCursor_DoStmt] = {read_parts, PARSED_DO, 2},
    [CXCursor_SwitchStmt] = {read_parts, PARSED_SWITCH, 2},
    [CXCursor_CaseStmt] = {read_case, PARSED_CASE, 3},
    [CXCursor_DefaultStmt] = {read_parts, PARSED_DEFAULT, 1},
    [CXCursor_BreakStmt] = {read_parts, PARSED_BREAK, 0},
    [CXCursor_ContinueStmt] = {read_parts, PARSED_CONTINUE, 0},
    [CXCursor_GotoStmt] = {read_goto, PARSED_GOTO, 0},
    [CXCursor_IndirectGotoStmt] = {read_parts, PARSED_COMPUTED_GOTO, 1},
    [CXCursor_LabelStmt] = {read_label, PARSED_LABEL, 1},
    [CXCursor_ReturnStmt] = {read_parts, PARSED_RETURN, 1},
    [CXCursor_NullStmt] = {read_parts, PARSED_EMPTY, 0},
    [CXCursor_GCCAsmStmt] = {read_asm, PARSED_ASM, 0},
    [CXCursor_MSAsmStmt] = {read_asm, PARSED_ASM, 0},
    [CXCursor_UnexposedStmt] = {read_unexposed_stmt, PARSED_OTHER_STMT, 0},
};

struct shape reader_shape(CXCursor c)
{
    enum CXCursorKind k = clang_getCursorKind(c);
    struct shape s = expr_shape(k);
    if (!s.read && (size_t)k < sizeof shapes / sizeof *shapes)
        s = shapes[k];
    if (s.read)
        return s;
    return clang_isExpression(k)    ? (struct shape){read_other, PARSED_OTHER_EXPR, 0}
           : clang_isDeclaration(k) ? (struct shape){read_other_decl, PARSED_OTHER_DECL, 0}
                                    : (struct shape){read_other_stmt, PARSED_OTHER_STMT, 0};
}

void reader_read(struct reader *r, CXCursor c, list *to)
{
    reader_shape(c).read(r, c, to);
}

/* -- the unit --------------------------------------------------------------------------------- */

static const void *canonical_address(CXCursor c)
{
    return clang_getCanonicalCursor(c).data[0];
}

static enum CXChildVisitResult see_top_level(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reader *r = data;
    const void *address = canonical_address(c);
    uint32_t offset;
    bool added;
    (void)parent;
    struct map_entry *e = map_put(&r->top_by_address, &address, sizeof address, &added);
    if (added) {
        e->value.number = r->top.n;
        vec_push(&r->top, (struct top_level){.cursor = c, .ordinal = r->top.n + 1});
    }
    if (!reader_offset(r, clang_getCursorLocation(c), &offset))
        return CXChildVisit_Continue;
    if (r->job->options && r->job->options->cxx)
        read_cxx(r, c, &r->declarations);
    else
        reader_read(r, c, &r->declarations);
    return CXChildVisit_Continue;
}

/* The declaration at file scope, or what it is a part of; NULL: it is implicit. */
static const struct top_level *top_level_of(const struct reader *r, CXCursor c)
{
    while (clang_isDeclaration(clang_getCursorKind(c))) {
        const void *address = canonical_address(c);
        struct map_entry *e = map_find(&r->top_by_address, &address, sizeof address);
        if (e)
            return &r->top.at[e->value.number];
        c = clang_getCursorLexicalParent(c);
    }
    return NULL;
}

/* What declares an entity that the walk did not meet: the definition, else the first declaration
 * that is written (clang's own first one may be implicit: it knows the library's functions). */
static CXCursor declaration_of(const struct reader *r, CXCursor c)
{
    enum CXCursorKind k = clang_getCursorKind(c);
    if (k == CXCursor_EnumConstantDecl || k == CXCursor_FieldDecl)
        c = clang_getCursorSemanticParent(c);
    CXCursor definition = clang_getCursorDefinition(c);
    if (clang_isDeclaration(clang_getCursorKind(definition)))
        return definition;
    const struct top_level *top = top_level_of(r, c);
    return top && canonical_address(top->cursor) == canonical_address(c) ? top->cursor : c;
}

static void make_implicit(struct reader *r, uint32_t function)
{
    node_at(r, function)->flags = PARSED_IMPLICIT | PARSED_EXTERN;
    for (uint32_t i = node_at(r, function)->first; i; i = node_at(r, i)->next)
        node_at(r, i)->flags = 0;
}

static void read_needed(struct reader *r, CXCursor c)
{
    list l = {0};
    enum CXCursorKind k = clang_getCursorKind(c);
    if (k == CXCursor_ParmDecl || !clang_isDeclaration(k))
        return;
    c = declaration_of(r, c);
    const struct top_level *top = top_level_of(r, c);
    bool written = top && canonical_address(top->cursor) == canonical_address(c);
    uint64_t ordinal = top ? top->ordinal : 0;
    reader_read(r, c, &l);
    for (uint32_t i = l.first, next; i; i = next) {
        next = node_at(r, i)->next;
        node_at(r, i)->next = 0;
        vec_push(&r->needed, (struct needed){.ordinal = ordinal, .node = i});
        if (!written && node_at(r, i)->kind == PARSED_FUNCTION)
            make_implicit(r, i);
    }
}

static int by_ordinal(const void *a, const void *b)
{
    const struct needed *x = a, *y = b;
    int order = ORDER(x->ordinal, y->ordinal);
    return order ? order : ORDER(x->node, y->node);
}

static uint32_t read_unit(struct reader *r)
{
    list all = {0};
    uint32_t unit = tables_node(&r->t, PARSED_UNIT, NULL);
    clang_visitChildren(clang_getTranslationUnitCursor(r->unit), see_top_level, r);
    bool needs = !(r->job->options && r->job->options->cxx);
    for (size_t i = 1; i < r->t.entities.n && needs; i++)
        if (!r->t.entities.at[i].node)
            read_needed(r, r->cursors.at[i]);
    vec_sort(&r->needed, by_ordinal);
    for (size_t i = 0; i < r->needed.n; i++)
        tables_append(&r->t, &all, r->needed.at[i].node);
    if (r->declarations.first)
        tables_append(&r->t, &all, r->declarations.first);
    node_at(r, unit)->first = all.first;
    node_at(r, unit)->end = (uint32_t)r->job->n;
    return unit;
}

/* -- the library ------------------------------------------------------------------------------ */

/* Old C is what many test suites are written in. */
static const char *const modern[] = {"-std=gnu17", NULL};
static const char *const old[] = {"-std=gnu89",
                                  "-Wno-error=implicit-int",
                                  "-Wno-error=implicit-function-declaration",
                                  "-Wno-error=int-conversion",
                                  "-Wno-error=incompatible-pointer-types",
                                  "-Wno-error=incompatible-function-pointer-types",
                                  "-Wno-error=return-type",
                                  "-Wno-error=return-mismatch",
                                  NULL};
/* What GCC's preprocessor leaves of glibc's headers, and clang does not know. */
static const char *const preprocessed[] = {"-D_Float32=float",
                                           "-D_Float32x=double",
                                           "-D_Float64=double",
                                           "-D_Float64x=long double",
                                           "-D_Float128=__float128",
                                           "-D__malloc__(...)=__malloc__",
                                           NULL};
static const char *const always[] = {"-w", "-x", "c", "-ferror-limit=1", "-fno-spell-checking",
                                     NULL};
static const char *const cxx[] = {"-x", "c++", "-std=gnu++17", NULL};

/* The first error, if there is one. */
static int first_error(CXTranslationUnit unit, const struct parse_job *job, struct error *error)
{
    int bad = 0;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit) && !bad; i++) {
        CXDiagnostic d = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            CXFile file = NULL;
            unsigned line = 0;
            clang_getFileLocation(clang_getDiagnosticLocation(d), &file, &line, NULL, NULL);
            CXString name = clang_getFileName(file), text = clang_getDiagnosticSpelling(d);
            const char *path = file ? clang_getCString(name) : NULL;
            bad = error_at(error, ERROR_USAGE, path ? path : job->name, (int)line, "%s",
                           clang_getCString(text));
            clang_disposeString(name);
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(d);
    }
    return bad;
}

/* Does it have line markers, `# 1 "t.c"`? */
static bool is_preprocessed(const struct parse_job *job)
{
    static const char marker[] = "\n# 1 \"";
    return (job->n > 5 && !strncmp(job->text, marker + 1, 5)) ||
           memmem(job->text, job->n, marker, sizeof marker - 1);
}

static bool is_cxx(const struct parse_job *job)
{
    return job->options && job->options->cxx;
}

static int parse(CXIndex index, const struct parse_job *job, const char *const *standard,
                 CXTranslationUnit *unit, struct error *error)
{
    static const char *const none[] = {NULL};
    const char *const *more =
        job->options && job->options->arguments ? job->options->arguments : none;
    const char *const *shims = is_preprocessed(job) && !is_cxx(job) ? preprocessed : none;
    const char *const *const groups[] = {standard, shims, always, is_cxx(job) ? cxx : none, more};
    struct CXUnsavedFile file = {job->name, job->text, job->n};
    VEC(const char *) arguments = {0};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const char *const *a = groups[g]; *a; a++)
            vec_push(&arguments, *a);
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, job->name, arguments.at, (int)arguments.n, &file, 1, CXTranslationUnit_None, unit);
    vec_release(&arguments);
    if (code != CXError_Success || !*unit)
        return error_at(error, ERROR_USAGE, job->name, 0, "libclang does not read this file");
    if (!first_error(*unit, job, error))
        return 0;
    clang_disposeTranslationUnit(*unit);
    *unit = NULL;
    return -1;
}

static void reader_init(struct reader *r, const struct parse_job *job, CXTranslationUnit unit)
{
    CXTargetInfo target = clang_getTranslationUnitTargetInfo(unit);
    *r = (struct reader){.job = job, .unit = unit};
    r->main_file = clang_getFile(unit, job->name);
    r->has_attributes = memmem(job->text, job->n, "__attribute", 11) != NULL;
    r->pointer_size = (uint64_t)clang_TargetInfo_getPointerWidth(target) / 8;
    clang_TargetInfo_dispose(target);
    tables_init(&r->t);
    map_init(&r->types);
    map_init(&r->entities);
    map_init(&r->top_by_address);
    vec_push(&r->cursors, clang_getNullCursor());
    vec_push(&r->lines, 0);
    for (size_t i = 0; i < job->n; i++)
        if (job->text[i] == '\n')
            vec_push(&r->lines, (uint32_t)(i + 1));
}

static void reader_release(struct reader *r)
{
    tables_release(&r->t);
    map_release(&r->types);
    map_release(&r->entities);
    map_release(&r->top_by_address);
    vec_release(&r->lines);
    vec_release(&r->cursors);
    vec_release(&r->stack);
    vec_release(&r->top);
    vec_release(&r->needed);
}

void clang_version(char *out, size_t size)
{
    CXString version = clang_getClangVersion();
    snprintf(out, size, "%s", clang_getCString(version));
    clang_disposeString(version);
}

int clang_read(const struct parse_job *job, struct arena *arena, struct parsed *out,
               struct error *error)
{
    struct reader r;
    struct error second;
    CXTranslationUnit unit = NULL;
    clang_toggleCrashRecovery(0); /* a crash is for the parent to see */
    CXIndex index = clang_createIndex(0, 0);
    int bad = parse(index, job, modern, &unit, error);
    if (bad && !is_cxx(job))
        bad = parse(index, job, old, &unit, &second);
    if (!bad) {
        reader_init(&r, job, unit);
        tables_hand_over(&r.t, read_unit(&r), job->text, job->n, arena, out);
        reader_release(&r);
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    return bad;
}

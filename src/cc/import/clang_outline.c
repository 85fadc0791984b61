/* An outline (outline.h), made of libclang's cursors. In the module.
 *
 * Every cursor of the main file is visited once. A declaration is a name at the place of its
 * cursor; a reference likewise, and leads to the canonical declaration, which is the entity. Where
 * the text at that place is not the name (a macro of a header was expanded there, or a name is
 * missing), nothing is listed: whoever renames leaves such a place alone. */
#include "cc/import/clang_internal.h"

#include "cc/import/outline.h"

struct lister {
    const struct outline_job *job;
    struct arena *arena;
    CXTranslationUnit unit;
    struct map by_address;
    VEC(struct outline_entity) entities;
    VEC(struct outline_name) names;
    VEC(struct outline_body) bodies;
    VEC(struct outline_message) messages;
    uint32_t n_errors;
};

/* -- entities --------------------------------------------------------------------------------- */

static bool in_function(CXCursor c)
{
    enum CXCursorKind k = clang_getCursorKind(clang_getCursorSemanticParent(c));
    return k == CXCursor_FunctionDecl;
}

static enum outline_kind kind_of(CXCursor c)
{
    switch (clang_getCursorKind(c)) {
    case CXCursor_FunctionDecl:
        return OUTLINE_FUNCTION;
    case CXCursor_VarDecl:
        return in_function(c) ? OUTLINE_LOCAL : OUTLINE_GLOBAL;
    case CXCursor_ParmDecl:
        return OUTLINE_LOCAL;
    case CXCursor_EnumConstantDecl:
        return OUTLINE_ENUMERATOR;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
        return OUTLINE_TAG;
    case CXCursor_TypedefDecl:
        return OUTLINE_TYPEDEF;
    case CXCursor_FieldDecl:
        return OUTLINE_MEMBER;
    case CXCursor_LabelStmt:
        return OUTLINE_LABEL;
    default:
        return OUTLINE_OTHER;
    }
}

static bool in_main_file(CXCursor c)
{
    return clang_Location_isFromMainFile(clang_getCursorLocation(c)) != 0;
}

/* The record in which a member's name must be the only one: members of anonymous structs and unions
 * are the outer one's (C11 6.7.2.1p13). */
static CXCursor record_of(CXCursor field)
{
    CXCursor record = clang_getCursorSemanticParent(field);
    while (clang_Cursor_isAnonymousRecordDecl(record)) {
        CXCursor outer = clang_getCursorSemanticParent(record);
        enum CXCursorKind k = clang_getCursorKind(outer);
        if (k != CXCursor_StructDecl && k != CXCursor_UnionDecl)
            break;
        record = outer;
    }
    return record;
}

static uint32_t entity_of(struct lister *l, CXCursor c)
{
    bool added;
    enum outline_kind kind = kind_of(c);
    if (kind == OUTLINE_OTHER)
        return 0;
    if (kind != OUTLINE_LABEL)
        c = clang_getCanonicalCursor(c);
    if (!in_main_file(c))
        return 0;
    const void *address = kind == OUTLINE_LABEL ? c.data[1] : c.data[0];
    struct map_entry *e = map_put(&l->by_address, &address, sizeof address, &added);
    if (!added)
        return (uint32_t)e->value.number;
    uint32_t number = (uint32_t)l->entities.n;
    e->value.number = number;
    CXString name = clang_getCursorSpelling(c);
    const char *text = clang_getCString(name);
    vec_push(&l->entities,
             (struct outline_entity){.kind = (uint8_t)kind_of(c),
                                     .name = arena_strdup(l->arena, text ? text : "")});
    clang_disposeString(name);
    if (kind == OUTLINE_MEMBER) {
        uint32_t parent = entity_of(l, record_of(c));
        l->entities.at[number].parent = parent;
    }
    return number;
}

/* -- names ------------------------------------------------------------------------------------ */

static void add_name(struct lister *l, CXCursor at, uint32_t entity, bool declares)
{
    unsigned offset = 0;
    CXFile file = NULL;
    if (!entity)
        return;
    clang_getFileLocation(clang_getCursorLocation(at), &file, NULL, NULL, &offset);
    const char *name = l->entities.at[entity].name;
    size_t size = strlen(name);
    if (!in_main_file(at) || !size || offset + size > l->job->n ||
        memcmp(l->job->text + offset, name, size) != 0)
        return;
    vec_push(&l->names,
             (struct outline_name){
                 .at = offset, .size = (uint32_t)size, .entity = entity, .declares = declares});
}

static void add_declaration(struct lister *l, CXCursor c)
{
    uint32_t entity = entity_of(l, c);
    enum outline_kind kind = kind_of(c);
    bool defines = clang_isCursorDefinition(c) != 0;
    if (!entity)
        return;
    if (kind == OUTLINE_GLOBAL)
        defines = clang_Cursor_getStorageClass(c) != CX_SC_Extern || defines;
    l->entities.at[entity].defined |= defines;
    l->entities.at[entity].declared = true;
    add_name(l, c, entity, true);
    if (kind != OUTLINE_FUNCTION || !defines)
        return;
    unsigned begin = 0, end = 0;
    CXSourceRange range = clang_getCursorExtent(c);
    clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    if (begin < end && end <= l->job->n)
        vec_push(&l->bodies, (struct outline_body){.begin = begin, .end = end, .entity = entity});
}

static enum CXChildVisitResult see(CXCursor c, CXCursor parent, CXClientData data)
{
    struct lister *l = data;
    enum CXCursorKind k = clang_getCursorKind(c);
    if (clang_getCursorKind(parent) == CXCursor_TranslationUnit && !in_main_file(c))
        return CXChildVisit_Continue;
    if (kind_of(c) != OUTLINE_OTHER)
        add_declaration(l, c);
    else if (k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr || clang_isReference(k))
        add_name(l, c, entity_of(l, clang_getCursorReferenced(c)), false);
    return CXChildVisit_Recurse;
}

/* By place; at one place the declaration first. */
static int by_place(const void *a, const void *b)
{
    const struct outline_name *x = a, *y = b;
    int order = ORDER(x->at, y->at);
    return order ? order : (int)y->declares - (int)x->declares;
}

static int by_begin(const void *a, const void *b)
{
    const struct outline_body *x = a, *y = b;
    return ORDER(x->begin, y->begin);
}

/* A builtin is declared by the compiler, at the place of its first use. */
static bool is_of_the_text(const struct lister *l, const struct outline_name *n)
{
    const struct outline_entity *e = &l->entities.at[n->entity];
    return e->declared || e->kind == OUTLINE_TAG;
}

/* A type is visited once for each declarator behind it. */
static void sort_names(struct lister *l)
{
    size_t n = 0;
    vec_sort(&l->names, by_place);
    for (size_t i = 0; i < l->names.n; i++)
        if (is_of_the_text(l, &l->names.at[i]) &&
            (!n || l->names.at[n - 1].at != l->names.at[i].at))
            l->names.at[n++] = l->names.at[i];
    l->names.n = n;
    vec_sort(&l->bodies, by_begin);
}

/* -- messages --------------------------------------------------------------------------------- */

static void add_messages(struct lister *l)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(l->unit); i++) {
        CXDiagnostic d = clang_getDiagnostic(l->unit, i);
        enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(d);
        if (severity >= CXDiagnostic_Warning) {
            struct outline_message m = {.error = severity >= CXDiagnostic_Error};
            CXString text = clang_getDiagnosticSpelling(d);
            clang_getFileLocation(clang_getDiagnosticLocation(d), NULL, &m.line, &m.column, &m.at);
            m.text = arena_strdup(l->arena, clang_getCString(text));
            clang_disposeString(text);
            l->n_errors += m.error;
            vec_push(&l->messages, m);
        }
        clang_disposeDiagnostic(d);
    }
}

/* -- the whole -------------------------------------------------------------------------------- */

static void hand_over(struct lister *l, struct outline *out)
{
    *out = (struct outline){
        .n_entities = (uint32_t)l->entities.n,
        .n_names = (uint32_t)l->names.n,
        .n_bodies = (uint32_t)l->bodies.n,
        .n_messages = (uint32_t)l->messages.n,
        .n_errors = l->n_errors,
        .entities =
            (void *)arena_memdup(l->arena, l->entities.at, l->entities.n * sizeof *l->entities.at),
        .names = (void *)arena_memdup(l->arena, l->names.at, l->names.n * sizeof *l->names.at),
        .bodies = (void *)arena_memdup(l->arena, l->bodies.at, l->bodies.n * sizeof *l->bodies.at),
        .messages =
            (void *)arena_memdup(l->arena, l->messages.at, l->messages.n * sizeof *l->messages.at),
    };
}

int clang_outline(const struct outline_job *job, struct arena *arena, struct outline *out,
                  struct error *error)
{
    struct lister l = {.job = job, .arena = arena};
    struct CXUnsavedFile file = {job->name, job->text, job->n};
    int n = 0;
    while (job->arguments[n])
        n++;
    clang_toggleCrashRecovery(0); /* a crash is for the parent to see */
    CXIndex index = clang_createIndex(0, 0);
    enum CXErrorCode code = clang_parseTranslationUnit2(index, job->name, job->arguments, n, &file,
                                                        1, CXTranslationUnit_None, &l.unit);
    if (code != CXError_Success || !l.unit) {
        clang_disposeIndex(index);
        return error_at(error, ERROR_USAGE, job->name, 0, "libclang does not read this file");
    }
    map_init(&l.by_address);
    vec_push(&l.entities, (struct outline_entity){.name = ""});
    add_messages(&l);
    if (!job->messages_only)
        clang_visitChildren(clang_getTranslationUnitCursor(l.unit), see, &l);
    sort_names(&l);
    hand_over(&l, out);
    map_release(&l.by_address);
    vec_release(&l.entities);
    vec_release(&l.names);
    vec_release(&l.bodies);
    vec_release(&l.messages);
    clang_disposeTranslationUnit(l.unit);
    clang_disposeIndex(index);
    return 0;
}

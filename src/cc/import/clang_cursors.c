/* What can be asked of a cursor: where it is, what is below it, its value, its type.
 *
 * Two places matter. The *file location* is where a thing stands in the main file, or where the
 * macro stands that it came out of; edits are made there. The *spelling location* is where its
 * characters were written; where the two differ, it comes out of a macro's body. An argument of a
 * macro has both at the argument, and can be edited.
 *
 * Types are known by the address of clang's canonical type. Several of those may be one of ours:
 * `noreturn` is a part of clang's function types. */
#include "cc/import/clang_internal.h"

/* The library's string as a name; it goes away. */
static uint32_t take_name(struct reader *r, CXString s)
{
    const char *text = clang_getCString(s);
    uint32_t name = tables_name(&r->t, text ? text : "");
    clang_disposeString(s);
    return name;
}

uint32_t reader_spelling(struct reader *r, CXCursor c)
{
    return take_name(r, clang_getCursorSpelling(c));
}

/* -- places ----------------------------------------------------------------------------------- */

struct scan reader_spelled_at(struct reader *r, CXSourceLocation l)
{
    CXFile file = NULL;
    unsigned offset = 0;
    size_t n = 0;
    clang_getSpellingLocation(l, &file, NULL, NULL, &offset);
    if (file == r->main_file && offset <= r->job->n)
        return reader_main_text(r, offset);
    const char *text = file ? clang_getFileContents(r->unit, file, &n) : NULL;
    if (!text || offset > n)
        return reader_main_text(r, (uint32_t)r->job->n);
    return (struct scan){&scan_c, text, n, offset};
}

struct scan reader_spelled(struct reader *r, CXCursor c)
{
    return reader_spelled_at(r, clang_getRangeStart(clang_getCursorExtent(c)));
}

bool reader_offset(struct reader *r, CXSourceLocation l, uint32_t *offset)
{
    CXFile file = NULL;
    unsigned at = 0;
    clang_getFileLocation(l, &file, NULL, NULL, &at);
    *offset = at;
    return file == r->main_file && at <= r->job->n;
}

static void set_line(struct reader *r, struct parsed_node *n)
{
    size_t low = 0, high = r->lines.n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(r->lines.at[middle] <= n->at ? &low : &high) = middle;
    }
    n->line = (uint32_t)low + 1;
    n->column = n->at - r->lines.at[low] + 1;
}

/* Does what is found at the place of the file come out of a macro's body? An argument is found
 * where it is written; the body's own tokens were spelled elsewhere. */
static bool from_macro_body(struct reader *r, CXSourceLocation l, uint32_t offset)
{
    CXFile file = NULL;
    unsigned spelled = 0;
    clang_getSpellingLocation(l, &file, NULL, NULL, &spelled);
    return file != r->main_file || spelled != offset;
}

static bool named_by_place(uint16_t kind)
{
    return kind == PARSED_USE || kind == PARSED_VAR || kind == PARSED_PARAM ||
           kind == PARSED_FUNCTION;
}

static void set_place(struct reader *r, struct parsed_node *n, CXCursor c)
{
    CXSourceRange extent = clang_getCursorExtent(c);
    CXSourceLocation begin = clang_getRangeStart(extent);
    CXSourceLocation at = named_by_place(n->kind) ? clang_getCursorLocation(c) : begin;
    bool here = reader_offset(r, begin, &n->begin);
    here = reader_offset(r, clang_getRangeEnd(extent), &n->end) && here;
    here = reader_offset(r, at, &n->at) && here;
    if (!here) {
        clang_getFileLocation(at, NULL, &n->line, &n->column, NULL);
        n->begin = n->end = n->at = 0;
        n->flags |= PARSED_IN_MACRO;
        return;
    }
    if (n->end < n->begin)
        n->end = n->begin;
    if (from_macro_body(r, at, n->at))
        n->flags |= PARSED_IN_MACRO;
    set_line(r, n);
}

/* -- nodes ------------------------------------------------------------------------------------ */

uint32_t reader_node(struct reader *r, enum parsed_kind kind, CXCursor c, list *to)
{
    uint32_t i = tables_node(&r->t, kind, to);
    set_place(r, node_at(r, i), c);
    return i;
}

void reader_missing(struct reader *r, list *to)
{
    tables_node(&r->t, PARSED_NONE, to);
}

void reader_set_source(struct reader *r, uint32_t node)
{
    struct parsed_node *n = node_at(r, node);
    tables_set_text(&r->t, node, r->job->text + n->begin, n->end - n->begin);
}

void reader_check_name(const struct reader *r, struct parsed_node *n)
{
    if (n->name && named_by_place(n->kind) &&
        !spelled_starts_word(reader_main_text(r, n->at), name_text(r, n->name)))
        n->flags |= PARSED_IN_MACRO;
}

uint32_t reader_entity(struct reader *r, CXCursor c)
{
    bool added;
    bool label = clang_getCursorKind(c) == CXCursor_LabelStmt;
    if (clang_Cursor_isNull(c) || clang_isInvalid(clang_getCursorKind(c)))
        return 0;
    if (!label)
        c = clang_getCanonicalCursor(c);
    const void *address = label ? c.data[1] : c.data[0];
    struct map_entry *e = map_put(&r->entities, &address, sizeof address, &added);
    if (added) {
        e->value.number = tables_entity(&r->t);
        vec_push(&r->cursors, c);
    }
    return (uint32_t)e->value.number;
}

void reader_declare(struct reader *r, CXCursor c, uint32_t node, enum tables_rank rank)
{
    tables_declare(&r->t, reader_entity(r, c), node, rank);
}

/* -- children --------------------------------------------------------------------------------- */

static enum CXChildVisitResult push_kid(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reader *r = data;
    enum CXCursorKind k = clang_getCursorKind(c);
    (void)parent;
    if (clang_isAttribute(k) ||
        (clang_isReference(k) && k != CXCursor_MemberRef && k != CXCursor_LabelRef))
        return CXChildVisit_Continue;
    vec_push(&r->stack, c);
    return CXChildVisit_Continue;
}

struct kids reader_kids(struct reader *r, CXCursor c)
{
    struct kids k = {.base = r->stack.n};
    clang_visitChildren(c, push_kid, r);
    k.n = r->stack.n - k.base;
    return k;
}

void reader_kids_done(struct reader *r, struct kids k)
{
    r->stack.n = k.base;
}

/* Of an expression: without tags that are defined in a cast and the like. */
struct kids reader_expr_kids(struct reader *r, CXCursor c)
{
    struct kids k = reader_kids(r, c);
    size_t kept = 0;
    for (size_t i = 0; i < k.n; i++)
        if (!clang_isDeclaration(clang_getCursorKind(kid(r, k, i))))
            r->stack.at[k.base + kept++] = kid(r, k, i);
    r->stack.n = k.base + (k.n = kept);
    return k;
}

/* -- values ----------------------------------------------------------------------------------- */

struct number cursor_int(CXCursor c)
{
    struct number v = {0};
    CXEvalResult result = clang_Cursor_Evaluate(c);
    if (!result)
        return v;
    if (clang_EvalResult_getKind(result) == CXEval_Int) {
        v.known = true;
        if (clang_EvalResult_isUnsignedInt(result))
            v.low = (int64_t)clang_EvalResult_getAsUnsigned(result);
        else
            v.low = clang_EvalResult_getAsLongLong(result);
        v.high = !clang_EvalResult_isUnsignedInt(result) && v.low < 0 ? -1 : 0;
    }
    clang_EvalResult_dispose(result);
    return v;
}

double cursor_float(CXCursor c)
{
    double v = 0;
    CXEvalResult result = clang_Cursor_Evaluate(c);
    if (!result)
        return v;
    if (clang_EvalResult_getKind(result) == CXEval_Float)
        v = clang_EvalResult_getAsDouble(result);
    clang_EvalResult_dispose(result);
    return v;
}

/* -- types ------------------------------------------------------------------------------------ */

static const struct {
    enum CXTypeKind clang;
    enum parsed_type_kind ours;
} type_kinds[] = {
    {CXType_Void, PARSED_T_VOID},
    {CXType_Bool, PARSED_T_BOOL},
    {CXType_Char_U, PARSED_T_CHAR},
    {CXType_Char_S, PARSED_T_CHAR},
    {CXType_SChar, PARSED_T_SCHAR},
    {CXType_UChar, PARSED_T_UCHAR},
    {CXType_Short, PARSED_T_SHORT},
    {CXType_UShort, PARSED_T_USHORT},
    {CXType_Int, PARSED_T_INT},
    {CXType_UInt, PARSED_T_UINT},
    {CXType_Long, PARSED_T_LONG},
    {CXType_ULong, PARSED_T_ULONG},
    {CXType_LongLong, PARSED_T_LLONG},
    {CXType_ULongLong, PARSED_T_ULLONG},
    {CXType_Int128, PARSED_T_INT128},
    {CXType_UInt128, PARSED_T_UINT128},
    {CXType_Float, PARSED_T_FLOAT},
    {CXType_Double, PARSED_T_DOUBLE},
    {CXType_LongDouble, PARSED_T_LDOUBLE},
    {CXType_Float16, PARSED_T_FLOAT16},
    {CXType_Half, PARSED_T_FLOAT16},
    {CXType_Float128, PARSED_T_FLOAT128},
    {CXType_Complex, PARSED_T_COMPLEX},
    {CXType_Enum, PARSED_T_ENUM},
    {CXType_Pointer, PARSED_T_POINTER},
    {CXType_ConstantArray, PARSED_T_ARRAY},
    {CXType_IncompleteArray, PARSED_T_INCOMPLETE_ARRAY},
    {CXType_VariableArray, PARSED_T_VLA},
    {CXType_Vector, PARSED_T_VECTOR},
    {CXType_ExtVector, PARSED_T_VECTOR},
    {CXType_Record, PARSED_T_RECORD},
    {CXType_FunctionProto, PARSED_T_FUNCTION},
    {CXType_FunctionNoProto, PARSED_T_FUNCTION},
};

static enum parsed_type_kind type_kind(enum CXTypeKind k)
{
    for (size_t i = 0; i < sizeof type_kinds / sizeof *type_kinds; i++)
        if (type_kinds[i].clang == k)
            return type_kinds[i].ours;
    return PARSED_T_OTHER;
}

/* Parameters first, then their row in the table: making one type may make others. */
static void function_type(struct reader *r, CXType type, struct parsed_type *t)
{
    int n = clang_getNumArgTypes(type);
    uint32_t *numbers = mem_alloc((size_t)(n > 0 ? n : 1) * sizeof *numbers);
    t->to = reader_type(r, clang_getResultType(type));
    t->variadic = clang_isFunctionTypeVariadic(type);
    t->unprototyped = type.kind == CXType_FunctionNoProto;
    if (t->unprototyped) {
        t->variadic = false;
        n = 0;
    }
    for (int i = 0; i < n; i++)
        numbers[i] = reader_type(r, clang_getArgType(type, (unsigned)i));
    t->params = (uint32_t)r->t.params.n;
    t->n_params = (uint32_t)(n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        vec_push(&r->t.params, numbers[i]);
    free(numbers);
}

static void tag_type(struct reader *r, CXType type, struct parsed_type *t)
{
    CXCursor decl = clang_getTypeDeclaration(type);
    CXString name = clang_getCursorSpelling(decl);
    if (t->kind == PARSED_T_RECORD && !strcmp(clang_getCString(name), "__va_list_tag"))
        t->kind = PARSED_T_VA_LIST;
    else
        t->decl = reader_entity(r, decl);
    clang_disposeString(name);
    t->is_union = clang_getCursorKind(decl) == CXCursor_UnionDecl;
    if (t->kind == PARSED_T_ENUM)
        t->to = reader_type(r, clang_getEnumDeclIntegerType(decl));
}

static void type_parts(struct reader *r, CXType type, struct parsed_type *t)
{
    switch ((enum parsed_type_kind)t->kind) {
    case PARSED_T_POINTER:
        t->to = reader_type(r, clang_getPointeeType(type));
        break;
    case PARSED_T_COMPLEX:
        t->to = reader_type(r, clang_getElementType(type));
        break;
    case PARSED_T_VECTOR:
        t->to = reader_type(r, clang_getElementType(type));
        t->length = (uint64_t)clang_getNumElements(type);
        break;
    case PARSED_T_ARRAY:
        t->length = (uint64_t)clang_getArraySize(type);
        t->to = reader_type(r, clang_getArrayElementType(type));
        break;
    case PARSED_T_INCOMPLETE_ARRAY:
    case PARSED_T_VLA:
        t->to = reader_type(r, clang_getArrayElementType(type));
        break;
    case PARSED_T_RECORD:
    case PARSED_T_ENUM:
        tag_type(r, type, t);
        break;
    case PARSED_T_FUNCTION:
        function_type(r, type, t);
        break;
    default:
        break;
    }
}

static struct parsed_type describe_type(struct reader *r, CXType type)
{
    struct parsed_type t = {0};
    CXType plain = type.kind == CXType_Atomic ? clang_Type_getValueType(type) : type;
    long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
    plain = clang_getCanonicalType(plain);
    t.kind = (uint16_t)type_kind(plain.kind);
    t.quals = (uint16_t)((clang_isConstQualifiedType(type) ? PARSED_CONST : 0) |
                         (clang_isVolatileQualifiedType(type) ? PARSED_VOLATILE : 0) |
                         (clang_isRestrictQualifiedType(type) ? PARSED_RESTRICT : 0) |
                         (type.kind == CXType_Atomic ? PARSED_ATOMIC : 0));
    type_parts(r, plain, &t);
    if (t.kind == PARSED_T_ARRAY || t.kind == PARSED_T_INCOMPLETE_ARRAY || t.kind == PARSED_T_VLA) {
        t.to = tables_qualified(&r->t, t.to, t.quals);
        t.quals = 0;
    }
    bool sized = t.kind != PARSED_T_FUNCTION && t.kind != PARSED_T_VOID;
    t.size = sized && size > 0 ? (uint64_t)size : 0;
    t.align = sized && align > 0 ? (uint64_t)align : 0;
    t.complete = sized && (size >= 0 || t.kind == PARSED_T_VLA);
    t.name = take_name(r, clang_getTypeSpelling(type));
    return t;
}

uint32_t reader_type(struct reader *r, CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Invalid)
        return 0;
    const void *address = type.data[0];
    struct map_entry *e = map_find(&r->types, &address, sizeof address);
    if (e)
        return (uint32_t)e->value.number;
    struct parsed_type t = describe_type(r, type);
    uint32_t number = tables_type(&r->t, &t);
    map_put(&r->types, &address, sizeof address, NULL)->value.number = number;
    return number;
}

uint32_t reader_adjusted_type(struct reader *r, CXType type)
{
    uint32_t number = reader_type(r, type);
    const struct parsed_type *t = &r->t.types.at[number];
    switch ((enum parsed_type_kind)t->kind) {
    case PARSED_T_ARRAY:
    case PARSED_T_INCOMPLETE_ARRAY:
    case PARSED_T_VLA:
        return tables_pointer_to(&r->t, t->to, r->pointer_size);
    case PARSED_T_FUNCTION:
        return tables_pointer_to(&r->t, number, r->pointer_size);
    default:
        return number;
    }
}

bool cursor_is_anonymous(CXCursor field, CXType *record)
{
    *record = clang_getCanonicalType(clang_getCursorType(field));
    return record->kind == CXType_Record &&
           clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(*record));
}

/* -- attributes ------------------------------------------------------------------------------- */

struct attributes {
    struct reader *r;
    struct strbuf names;
};

/* Those that clang adds by itself, to functions of the library, stand at the declaration's name. */
static enum CXChildVisitResult see_attribute(CXCursor c, CXCursor parent, CXClientData data)
{
    static const char word[] = "asm"; /* its cursor is at the string */
    struct attributes *a = data;
    enum CXCursorKind k = clang_getCursorKind(c);
    if (k == CXCursor_AsmLabelAttr)
        spelled_add_attribute(&a->names, scan_of(&scan_c, word, 3));
    else if (clang_isAttribute(k) &&
             !clang_equalLocations(clang_getCursorLocation(c), clang_getCursorLocation(parent)))
        spelled_add_attribute(&a->names, reader_spelled(a->r, c));
    return CXChildVisit_Continue;
}

/* The attributes that libclang shows, and those that turned into a part of the type (vector_size,
 * mode, noreturn): in the text up to the end of the declarator, or right behind it. */
void reader_set_attributes(struct reader *r, uint32_t node, CXCursor c, uint32_t declarator_end)
{
    struct attributes a = {.r = r};
    struct parsed_node *n = node_at(r, node);
    bool shown = clang_Cursor_hasAttrs(c);
    if (!shown && !r->has_attributes)
        return;
    strbuf_init(&a.names, 0);
    if (shown)
        clang_visitChildren(c, see_attribute, &a);
    if (r->has_attributes && n->end)
        spelled_add_attributes(&a.names, reader_main_text(r, n->begin),
                               spelled_behind_attributes(reader_main_text(r, declarator_end)).at);
    if (a.names.n) {
        n->flags |= PARSED_ATTRIBUTES;
        tables_set_text(&r->t, node, a.names.s, a.names.n);
    }
    strbuf_release(&a.names);
}

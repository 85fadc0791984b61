/* Counts the constructs of C programs, by libclang: bench/constructs.
 *
 *   constructs_count [-I FOLDER] FILE...
 *
 * Prints one line "name value" for each row of the tables below, over all files together. What
 * stands in headers, in bodies of macros, in main and in helper functions of a generator (wrappers,
 * checksums) is not counted: only what was generated. A wrapper counts as its operator. A value is
 * a number of occurrences, or the largest of something (names that begin with "most "). */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clang-c/Index.h>

#define COUNT_TABLE(X)                                                                             \
    X(FUNCTIONS, "functions")                                                                      \
    X(STATEMENTS, "statements")                                                                    \
    X(EXPRESSIONS, "expressions")                                                                  \
    X(FOR, "for loops")                                                                            \
    X(WHILE, "while loops")                                                                        \
    X(DO, "do loops")                                                                              \
    X(NEST_2, "loops at depth 2")                                                                  \
    X(NEST_3, "loops at depth 3")                                                                  \
    X(NEST_4, "loops at depth 4 and more")                                                         \
    X(MOST_NEST, "most nesting of loops")                                                          \
    X(BOUND_VARIABLE, "loops: bound from a variable")                                              \
    X(STEP_VARIABLE, "loops: step from a variable")                                                \
    X(STEP_OTHER, "loops: constant step other than 1")                                             \
    X(DOWN, "loops: down-counting")                                                                \
    X(SEVERAL, "loops: several induction variables")                                               \
    X(LEFT_BREAK, "loops: left by break")                                                          \
    X(LEFT_FAR, "loops: left by goto or return")                                                   \
    X(WALKING, "loops: a pointer is stepped")                                                      \
    X(IF, "if")                                                                                    \
    X(ELSE, "else")                                                                                \
    X(SWITCH, "switch")                                                                            \
    X(CASE, "case")                                                                                \
    X(CASE_RANGE, "case ranges")                                                                   \
    X(MOST_CASES, "most cases of a switch")                                                        \
    X(GOTO, "goto")                                                                                \
    X(COMPUTED_GOTO, "computed goto")                                                              \
    X(BREAK, "break")                                                                              \
    X(CONTINUE, "continue")                                                                        \
    X(RETURN, "return")                                                                            \
    X(ADD, "+ -")                                                                                  \
    X(MUL, "*")                                                                                    \
    X(DIV, "/ %")                                                                                  \
    X(SHIFT, "<< >>")                                                                              \
    X(BITWISE, "& | ^")                                                                            \
    X(COMPARE, "comparisons")                                                                      \
    X(LOGICAL, "&& ||")                                                                            \
    X(UNARY, "unary - ~ !")                                                                        \
    X(COND, "?:")                                                                                  \
    X(COMMA, "comma operators")                                                                    \
    X(ASSIGN, "assignments")                                                                       \
    X(COMPOUND, "compound assignments")                                                            \
    X(INCDEC, "++ --")                                                                             \
    X(CAST, "explicit casts")                                                                      \
    X(SIZEOF, "sizeof")                                                                            \
    X(LITERAL, "compound literals")                                                                \
    X(STMT_EXPR, "statement expressions")                                                          \
    X(BUILTIN, "calls of builtins")                                                                \
    X(DEREF, "pointer dereferences")                                                               \
    X(ADDRESS, "address of")                                                                       \
    X(MOST_POINTER, "most levels of pointers")                                                     \
    X(POINTER_ADD, "pointer + integer")                                                            \
    X(POINTER_SUB, "pointer - pointer")                                                            \
    X(POINTER_STEP, "pointer stepped")                                                             \
    X(POINTER_COMPARE, "pointers compared")                                                        \
    X(POINTER_INDEX, "pointers subscripted")                                                       \
    X(ARRAY_VARIABLE, "array variables")                                                           \
    X(VLA, "arrays of variable length")                                                            \
    X(MOST_DIMENSIONS, "most dimensions of an array")                                              \
    X(INDEX_CONSTANT, "subscripts: constant")                                                      \
    X(INDEX_PLAIN, "subscripts: a variable")                                                       \
    X(INDEX_AFFINE, "subscripts: affine")                                                          \
    X(INDEX_GATHER, "subscripts: gathered (a[b[i]])")                                              \
    X(INDEX_OTHER, "subscripts: other")                                                            \
    X(CALL, "calls")                                                                               \
    X(CALL_POINTER, "calls through pointers")                                                      \
    X(CALL_TABLE, "calls through tables")                                                          \
    X(PARAMS, "parameters")                                                                        \
    X(PARAM_POINTER, "parameters: pointers")                                                       \
    X(PARAM_ARRAY, "parameters: arrays")                                                           \
    X(PARAM_RECORD, "parameters: records")                                                         \
    X(PARAM_QUALIFIED, "parameters: const or volatile")                                            \
    X(MOST_PARAMS, "most parameters of a function")                                                \
    X(RECURSIVE, "functions that call themselves")                                                 \
    X(MEMBER, "members accessed")                                                                  \
    X(RECORD, "struct and union types")                                                            \
    X(BITFIELD, "bit-fields")                                                                      \
    X(ENUM, "enumerations")                                                                        \
    X(FLOAT, "float expressions")                                                                  \
    X(LONG, "long expressions")                                                                    \
    X(INT128, "__int128 expressions")                                                              \
    X(VECTOR, "vector expressions")                                                                \
    X(COMPLEX, "_Complex expressions")                                                             \
    X(VOLATILE, "volatile variables")                                                              \
    X(CONST, "const variables")                                                                    \
    X(RESTRICT, "restrict pointers")                                                               \
    X(STATIC_LOCAL, "static locals")                                                               \
    X(ATTRIBUTE, "attributes")                                                                     \
    X(PRAGMA, "pragmas")

enum count {
#define X(id, name) id,
    COUNT_TABLE(X)
#undef X
        N_COUNTS
};

static const char *const names[] = {
#define X(id, name) name,
    COUNT_TABLE(X)
#undef X
};

struct counter {
    long n[N_COUNTS];
    CXTranslationUnit unit;
    CXFile file;
    unsigned char *directive; /* by line: it belongs to a # directive */
    unsigned n_lines;
};

/* Where a cursor stands. */
struct place {
    int loops;          /* around it, in its function */
    int breakable;      /* what a break leaves: 0 nothing, 1 a loop, 2 a switch */
    CXCursor function;  /* the definition around it */
    struct loop *loop;  /* the innermost */
    bool counted;       /* it is generated code */
    bool is_expression; /* its parent is one: it is no statement */
};

struct loop {
    bool by_break, far, walking;
};

struct children {
    CXCursor *at;
    unsigned n, cap;
};

static enum CXChildVisitResult add_child(CXCursor c, CXCursor parent, CXClientData to)
{
    struct children *list = to;
    (void)parent;
    if (list->n == list->cap) {
        list->cap = list->cap ? list->cap * 2 : 8;
        list->at = realloc(list->at, list->cap * sizeof *list->at);
        if (!list->at)
            abort();
    }
    list->at[list->n++] = c;
    return CXChildVisit_Continue;
}

static struct children children_of(CXCursor c)
{
    struct children list = {NULL, 0, 0};
    clang_visitChildren(c, add_child, &list);
    return list;
}

static void largest(struct counter *k, enum count which, long value)
{
    if (value > k->n[which])
        k->n[which] = value;
}

/* -- what was generated ----------------------------------------------------------------------- */

static bool is_generated(const struct counter *k, CXCursor c)
{
    CXFile file;
    unsigned line;
    clang_getSpellingLocation(clang_getCursorLocation(c), &file, &line, NULL, NULL);
    return file && clang_File_isEqual(file, k->file) && line < k->n_lines && !k->directive[line];
}

static bool is_helper(CXCursor function)
{
    static const char *const begins[] = {"safe_", "crc32", "transparent_", "platform_", "hash",
                                         "seed",  "main",  "init",         "checksum"};
    CXString name = clang_getCursorSpelling(function);
    const char *text = clang_getCString(name);
    bool found = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        found |= !strncmp(text, begins[i], strlen(begins[i]));
    clang_disposeString(name);
    return found;
}

/* -- types ------------------------------------------------------------------------------------ */

static CXType plain_type(CXCursor c)
{
    return clang_getCanonicalType(clang_getCursorType(c));
}

static bool is_array(CXType t)
{
    return t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray ||
           t.kind == CXType_IncompleteArray;
}

/* Of a value: an array is one by its conversion. */
static bool is_pointer(CXCursor c)
{
    CXType t = plain_type(c);
    return t.kind == CXType_Pointer || is_array(t);
}

static int pointer_levels(CXType t)
{
    int n = 0;
    for (t = clang_getCanonicalType(t); t.kind == CXType_Pointer || is_array(t);
         t = clang_getCanonicalType(t)) {
        n += t.kind == CXType_Pointer;
        t = t.kind == CXType_Pointer ? clang_getPointeeType(t) : clang_getArrayElementType(t);
    }
    return n;
}

static void count_expression_type(struct counter *k, CXCursor c)
{
    switch (plain_type(c).kind) {
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
        k->n[FLOAT]++;
        break;
    case CXType_Long:
    case CXType_ULong:
        k->n[LONG]++;
        break;
    case CXType_Int128:
    case CXType_UInt128:
        k->n[INT128]++;
        break;
    case CXType_Vector:
    case CXType_ExtVector:
        k->n[VECTOR]++;
        break;
    case CXType_Complex:
        k->n[COMPLEX]++;
        break;
    default:
        break;
    }
}

static void count_variable(struct counter *k, CXCursor c, bool local)
{
    CXType t = plain_type(c), element = t;
    int dimensions = 0;
    bool is_vla = false;
    for (; is_array(element);
         element = clang_getCanonicalType(clang_getArrayElementType(element))) {
        dimensions++;
        is_vla |= element.kind == CXType_VariableArray;
    }
    k->n[ARRAY_VARIABLE] += dimensions > 0;
    k->n[VLA] += is_vla;
    largest(k, MOST_DIMENSIONS, dimensions);
    largest(k, MOST_POINTER, pointer_levels(t));
    k->n[VOLATILE] += clang_isVolatileQualifiedType(element);
    k->n[CONST] += clang_isConstQualifiedType(element);
    k->n[RESTRICT] += clang_isRestrictQualifiedType(element);
    k->n[STATIC_LOCAL] += local && clang_Cursor_getStorageClass(c) == CX_SC_Static;
}

static void count_function(struct counter *k, CXCursor f)
{
    int n = clang_Cursor_getNumArguments(f);
    k->n[FUNCTIONS]++;
    largest(k, MOST_PARAMS, n);
    for (int i = 0; i < n; i++) {
        CXType t = plain_type(clang_Cursor_getArgument(f, (unsigned)i)); /* as it is written */
        k->n[PARAMS]++;
        k->n[PARAM_POINTER] += t.kind == CXType_Pointer;
        k->n[PARAM_ARRAY] += is_array(t);
        k->n[PARAM_RECORD] += t.kind == CXType_Record;
        k->n[PARAM_QUALIFIED] += clang_isConstQualifiedType(t) || clang_isVolatileQualifiedType(t);
        k->n[RESTRICT] += clang_isRestrictQualifiedType(t);
        largest(k, MOST_POINTER, pointer_levels(t));
    }
}

/* -- what is in an expression ----------------------------------------------------------------- */

struct search {
    const struct search *known; /* variables that do not count */
    CXCursor found[16];         /* variables that are mentioned */
    unsigned n;
    bool index, call;
};

static bool mentions(const struct search *s, CXCursor variable)
{
    for (unsigned i = 0; i < s->n; i++)
        if (clang_equalCursors(s->found[i], variable))
            return true;
    return false;
}

static enum CXChildVisitResult look(CXCursor c, CXCursor parent, CXClientData to)
{
    struct search *s = to;
    enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (kind == CXCursor_DeclRefExpr) {
        CXCursor v = clang_getCursorReferenced(c);
        enum CXCursorKind what = clang_getCursorKind(v);
        if ((what == CXCursor_VarDecl || what == CXCursor_ParmDecl) && s->n < 16 &&
            !mentions(s, v) && !(s->known && mentions(s->known, v)))
            s->found[s->n++] = v;
    }
    s->index |= kind == CXCursor_ArraySubscriptExpr;
    s->call |= kind == CXCursor_CallExpr;
    return CXChildVisit_Recurse;
}

static void look_into(struct search *s, CXCursor c)
{
    look(c, c, s);
    clang_visitChildren(c, look, s);
}

/* Without parentheses and conversions. */
static CXCursor bare(CXCursor c)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(c);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr &&
            kind != CXCursor_CStyleCastExpr)
            return c;
        struct children list = children_of(c);
        CXCursor inner = list.n ? list.at[list.n - 1] : c;
        free(list.at);
        if (!list.n)
            return c;
        c = inner;
    }
}

/* -- loops ------------------------------------------------------------------------------------ */

static void count_step(struct counter *k, CXCursor step)
{
    step = bare(step);
    struct children list = children_of(step);
    enum CXCursorKind kind = clang_getCursorKind(step);
    if (kind == CXCursor_UnaryOperator) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(step);
        k->n[DOWN] += op == CXUnaryOperator_PreDec || op == CXUnaryOperator_PostDec;
    } else if (kind == CXCursor_BinaryOperator &&
               clang_getCursorBinaryOperatorKind(step) == CXBinaryOperator_Comma) {
        k->n[SEVERAL]++;
        if (list.n)
            count_step(k, list.at[0]);
    } else if (list.n == 2) { /* i += step, or i = f(i, step) */
        struct search variable = {0}, by = {.known = &variable};
        look_into(&variable, list.at[0]);
        look_into(&by, list.at[1]);
        CXEvalResult value = by.n ? NULL : clang_Cursor_Evaluate(bare(list.at[1]));
        long long n = value ? clang_EvalResult_getAsLongLong(value) : 0;
        bool minus = kind == CXCursor_CompoundAssignOperator &&
                     clang_getCursorBinaryOperatorKind(step) == CXBinaryOperator_SubAssign;
        k->n[STEP_VARIABLE] += by.n > 0;
        k->n[STEP_OTHER] += !by.n && n != 1 && n != -1;
        k->n[DOWN] += minus != (n < 0);
        if (value)
            clang_EvalResult_dispose(value);
    }
    free(list.at);
}

static void count_loop(struct counter *k, CXCursor c, enum CXCursorKind kind, int depth)
{
    k->n[kind == CXCursor_ForStmt ? FOR : kind == CXCursor_WhileStmt ? WHILE : DO]++;
    largest(k, MOST_NEST, depth);
    if (depth > 1)
        k->n[depth == 2 ? NEST_2 : depth == 3 ? NEST_3 : NEST_4]++;
    struct children list = children_of(c);
    if (kind == CXCursor_ForStmt && list.n == 4) { /* as all generators write them */
        struct search stepped = {0}, bound = {.known = &stepped};
        look_into(&stepped, list.at[2]);
        look_into(&bound, list.at[1]);
        k->n[BOUND_VARIABLE] += bound.n > 0 || bound.call;
        count_step(k, list.at[2]);
    } else if (kind != CXCursor_ForStmt && list.n == 2) {
        struct search in = {0};
        look_into(&in, list.at[kind == CXCursor_DoStmt]);
        k->n[BOUND_VARIABLE] += in.n > 1 || in.call;
    }
    free(list.at);
}

/* -- operators -------------------------------------------------------------------------------- */

static void count_binary(struct counter *k, CXCursor c, struct place *at)
{
    struct children list = children_of(c);
    bool left = list.n == 2 && is_pointer(list.at[0]);
    bool right = list.n == 2 && is_pointer(list.at[1]);
    switch (clang_getCursorBinaryOperatorKind(c)) {
    case CXBinaryOperator_Add:
        k->n[left || right ? POINTER_ADD : ADD]++;
        break;
    case CXBinaryOperator_Sub:
        k->n[left && right ? POINTER_SUB : left ? POINTER_ADD : ADD]++;
        break;
    case CXBinaryOperator_Mul:
        k->n[MUL]++;
        break;
    case CXBinaryOperator_Div:
    case CXBinaryOperator_Rem:
        k->n[DIV]++;
        break;
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_Shr:
        k->n[SHIFT]++;
        break;
    case CXBinaryOperator_And:
    case CXBinaryOperator_Or:
    case CXBinaryOperator_Xor:
        k->n[BITWISE]++;
        break;
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
        k->n[LOGICAL]++;
        break;
    case CXBinaryOperator_Comma:
        k->n[COMMA]++;
        break;
    case CXBinaryOperator_Assign:
        k->n[ASSIGN]++;
        break;
    case CXBinaryOperator_AddAssign:
    case CXBinaryOperator_SubAssign:
        k->n[POINTER_STEP] += left;
        if (left && at->loop)
            at->loop->walking = true;
        k->n[COMPOUND]++;
        break;
    default:
        if (clang_getCursorKind(c) == CXCursor_CompoundAssignOperator)
            k->n[COMPOUND]++;
        else
            k->n[left || right ? POINTER_COMPARE : COMPARE]++;
        break;
    }
    free(list.at);
}

static void count_unary(struct counter *k, CXCursor c, struct place *at)
{
    switch (clang_getCursorUnaryOperatorKind(c)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        k->n[is_pointer(c) ? POINTER_STEP : INCDEC]++;
        if (is_pointer(c) && at->loop)
            at->loop->walking = true;
        break;
    case CXUnaryOperator_AddrOf:
        k->n[ADDRESS]++;
        break;
    case CXUnaryOperator_Deref:
        k->n[DEREF]++;
        break;
    case CXUnaryOperator_Minus:
    case CXUnaryOperator_Not:
    case CXUnaryOperator_LNot:
        k->n[UNARY]++;
        break;
    default:
        break;
    }
}

static void count_subscript(struct counter *k, CXCursor c)
{
    struct children list = children_of(c);
    if (list.n == 2) {
        CXCursor index = bare(list.at[1]);
        struct search in = {0};
        look_into(&in, index);
        enum CXCursorKind kind = clang_getCursorKind(index);
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(index);
        bool affine = kind == CXCursor_BinaryOperator &&
                      (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub ||
                       op == CXBinaryOperator_Mul);
        k->n[!in.n                          ? INDEX_CONSTANT
             : in.index                     ? INDEX_GATHER
             : kind == CXCursor_DeclRefExpr ? INDEX_PLAIN
             : affine && !in.call           ? INDEX_AFFINE
                                            : INDEX_OTHER]++;
        k->n[POINTER_INDEX] += plain_type(bare(list.at[0])).kind == CXType_Pointer;
    }
    free(list.at);
}

/* A wrapper, function or macro, is the operator that it wraps: safe_add_func_int32_t_s_s */
static void count_wrapper(struct counter *k, const char *name)
{
    static const struct {
        const char *begin;
        enum count count;
    } wrappers[] = {{"safe_add", ADD},      {"safe_sub", ADD},     {"safe_mul", MUL},
                    {"safe_div", DIV},      {"safe_mod", DIV},     {"safe_lshift", SHIFT},
                    {"safe_rshift", SHIFT}, {"safe_unary", UNARY}, {"safe_convert", CAST}};
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (!strncmp(name, wrappers[i].begin, strlen(wrappers[i].begin)))
            k->n[wrappers[i].count]++;
}

static void count_call(struct counter *k, CXCursor c, struct place *at)
{
    CXCursor f = clang_getCursorReferenced(c);
    struct children list = children_of(c);
    if (clang_getCursorKind(f) == CXCursor_FunctionDecl) {
        CXString name = clang_getCursorSpelling(f);
        bool builtin = !strncmp(clang_getCString(name), "__builtin_", 10) ||
                       !strncmp(clang_getCString(name), "mem", 3);
        count_wrapper(k, clang_getCString(name));
        clang_disposeString(name);
        if (!is_helper(f))
            k->n[builtin ? BUILTIN : CALL]++;
        k->n[RECURSIVE] +=
            clang_equalCursors(clang_getCanonicalCursor(f), clang_getCanonicalCursor(at->function));
    } else if (list.n) {
        struct search in = {0};
        look_into(&in, list.at[0]);
        k->n[in.index ? CALL_TABLE : CALL_POINTER]++;
    }
    free(list.at);
}

/* -- the tree --------------------------------------------------------------------------------- */

static void count_cursor(struct counter *k, CXCursor c, enum CXCursorKind kind, struct place *at)
{
    if (clang_isExpression(kind) && kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) {
        k->n[EXPRESSIONS]++;
        count_expression_type(k, c);
    }
    if (!at->is_expression && (clang_isStatement(kind) || clang_isExpression(kind)) &&
        kind != CXCursor_CompoundStmt && kind != CXCursor_DeclStmt)
        k->n[STATEMENTS]++;
    static const struct {
        enum CXCursorKind kind;
        enum count count;
    } simple[] = {
        {CXCursor_SwitchStmt, SWITCH},
        {CXCursor_GotoStmt, GOTO},
        {CXCursor_BreakStmt, BREAK},
        {CXCursor_IndirectGotoStmt, COMPUTED_GOTO},
        {CXCursor_ContinueStmt, CONTINUE},
        {CXCursor_ReturnStmt, RETURN},
        {CXCursor_ConditionalOperator, COND},
        {CXCursor_CStyleCastExpr, CAST},
        {CXCursor_UnaryExpr, SIZEOF},
        {CXCursor_CompoundLiteralExpr, LITERAL},
        {CXCursor_StmtExpr, STMT_EXPR},
        {CXCursor_MemberRefExpr, MEMBER},
        {CXCursor_StructDecl, RECORD},
        {CXCursor_UnionDecl, RECORD},
        {CXCursor_EnumDecl, ENUM},
    };
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        k->n[simple[i].count] += simple[i].kind == kind;
    if (clang_isAttribute(kind))
        k->n[ATTRIBUTE]++;
    if (kind == CXCursor_MacroExpansion) {
        CXString name = clang_getCursorSpelling(c);
        count_wrapper(k, clang_getCString(name));
        clang_disposeString(name);
    }
    switch (kind) {
    case CXCursor_IfStmt: {
        struct children list = children_of(c);
        k->n[IF]++;
        k->n[ELSE] += list.n == 3;
        free(list.at);
        break;
    }
    case CXCursor_CaseStmt: {
        struct children list = children_of(c);
        k->n[CASE]++;
        k->n[CASE_RANGE] += list.n == 3;
        free(list.at);
        break;
    }
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        count_binary(k, c, at);
        break;
    case CXCursor_UnaryOperator:
        count_unary(k, c, at);
        break;
    case CXCursor_ArraySubscriptExpr:
        count_subscript(k, c);
        break;
    case CXCursor_CallExpr:
        count_call(k, c, at);
        break;
    case CXCursor_VarDecl:
        count_variable(k, c, !clang_Cursor_isNull(at->function));
        break;
    case CXCursor_FieldDecl:
        k->n[BITFIELD] += clang_Cursor_isBitField(c) != 0;
        largest(k, MOST_POINTER, pointer_levels(clang_getCursorType(c)));
        break;
    default:
        break;
    }
}

static void note_jump(enum CXCursorKind kind, struct place *at)
{
    if (!at->loop)
        return;
    if (kind == CXCursor_BreakStmt && at->breakable == 1)
        at->loop->by_break = true;
    if (kind == CXCursor_GotoStmt || kind == CXCursor_ReturnStmt ||
        kind == CXCursor_IndirectGotoStmt)
        at->loop->far = true;
}

static long cases_in(CXCursor c)
{
    struct children list = children_of(c);
    long n = clang_getCursorKind(c) == CXCursor_CaseStmt;
    for (unsigned i = 0; i < list.n; i++)
        if (clang_getCursorKind(list.at[i]) != CXCursor_SwitchStmt)
            n += cases_in(list.at[i]);
    free(list.at);
    return n;
}

static void walk(struct counter *k, CXCursor c, struct place at)
{
    enum CXCursorKind kind = clang_getCursorKind(c);
    struct loop own = {0};
    if (kind == CXCursor_FunctionDecl) {
        at.function = clang_getNullCursor();
        if (clang_isCursorDefinition(c)) {
            if (is_helper(c))
                return;
            at.function = c;
            if (is_generated(k, c))
                count_function(k, c);
        }
    }
    bool is_loop =
        kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
    if (is_generated(k, c)) {
        count_cursor(k, c, kind, &at);
        note_jump(kind, &at);
        if (is_loop)
            count_loop(k, c, kind, at.loops + 1);
        if (kind == CXCursor_SwitchStmt)
            largest(k, MOST_CASES, cases_in(c));
    }
    at.is_expression = clang_isExpression(kind) && kind != CXCursor_StmtExpr;
    if (is_loop) {
        at.loops++;
        at.loop = &own;
        at.breakable = 1;
    } else if (kind == CXCursor_SwitchStmt) {
        at.breakable = 2;
    }
    struct children list = children_of(c);
    for (unsigned i = 0; i < list.n; i++) {
        struct place inside = at;
        /* conditions and headers are no statements of their own */
        bool header = (kind == CXCursor_IfStmt && i == 0) || (is_loop && i + 1 < list.n) ||
                      kind == CXCursor_ReturnStmt || kind == CXCursor_VarDecl ||
                      (kind == CXCursor_SwitchStmt && i == 0) ||
                      (kind == CXCursor_CaseStmt && i + 1 < list.n);
        inside.is_expression |= header && !(kind == CXCursor_DoStmt && i == 0);
        walk(k, list.at[i], inside);
    }
    free(list.at);
    k->n[LEFT_BREAK] += is_loop && own.by_break;
    k->n[LEFT_FAR] += is_loop && own.far;
    k->n[WALKING] += is_loop && own.walking;
}

/* -- files ------------------------------------------------------------------------------------ */

/* Which lines are directives, with what they go on in; pragmas are counted. */
static void find_directives(struct counter *k)
{
    size_t size;
    const char *text = clang_getFileContents(k->unit, k->file, &size);
    unsigned line = 1, cap = 2;
    bool begin = true, directive = false;
    for (size_t i = 0; i < size; i++)
        cap += text[i] == '\n';
    k->directive = calloc(cap, 1);
    if (!k->directive)
        abort();
    k->n_lines = cap;
    for (size_t i = 0; i < size; i++) {
        if (begin && text[i] == '#') {
            directive = true;
            const char *word = text + i + 1;
            while (*word == ' ')
                word++;
            k->n[PRAGMA] += !strncmp(word, "pragma", 6);
        }
        begin &= isspace((unsigned char)text[i]) != 0;
        k->directive[line] |= directive;
        if (text[i] == '\n') {
            directive = directive && i && text[i - 1] == '\\';
            begin = true;
            line++;
        }
    }
}

static int count_file(struct counter *k, CXIndex index, const char *path, const char *const *flags,
                      int n_flags)
{
    k->unit = clang_parseTranslationUnit(index, path, flags, n_flags, NULL, 0,
                                         CXTranslationUnit_DetailedPreprocessingRecord);
    if (!k->unit) {
        fprintf(stderr, "constructs_count: %s cannot be read\n", path);
        return 3;
    }
    k->file = clang_getFile(k->unit, path);
    find_directives(k);
    struct place at = {.function = clang_getNullCursor()};
    walk(k, clang_getTranslationUnitCursor(k->unit), at);
    clang_disposeTranslationUnit(k->unit);
    free(k->directive);
    return 0;
}

int main(int argc, char **argv)
{
    enum { MOST_FLAGS = 16 };
    const char *flags[MOST_FLAGS] = {"-std=gnu11", "-w", "-ferror-limit=1"};
    int n_flags = 3, status = 0, i = 1;
    for (; i < argc && argv[i][0] == '-' && n_flags + 1 < MOST_FLAGS; i++) {
        flags[n_flags++] = argv[i];
        if (!strcmp(argv[i], "-I") && i + 1 < argc)
            flags[n_flags++] = argv[++i];
    }
    if (i == argc) {
        fprintf(stderr, "usage: constructs_count [-I FOLDER] FILE...\n");
        return 2;
    }
    CXIndex index = clang_createIndex(0, 0);
    struct counter k = {0};
    for (; i < argc && !status; i++)
        status = count_file(&k, index, argv[i], flags, n_flags);
    clang_disposeIndex(index);
    for (int n = 0; n < N_COUNTS && !status; n++)
        printf("%s\t%ld\n", names[n], k.n[n]);
    return status;
}

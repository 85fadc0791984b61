/* What the files of the mask share: words and their classes (scope_words.c), the parser's state and
 * its two steps (scope_parse.c), types as far as they are known (scope_types.c). The lexer and the
 * mask itself are in scope.c.
 *
 * The parser is a stack of frames. `lm_decide` says what a lexeme would do there, and changes
 * nothing: it is asked for every class of candidates before each draw. `lm_perform` does it. */
#ifndef ASSAY_GEN_LM_SCOPE_INTERNAL_H
#define ASSAY_GEN_LM_SCOPE_INTERNAL_H

#include "gen/lm/scope.h"

/* -- types ------------------------------------------------------------------------------------- */

enum lm_base {
    LM_T_UNKNOWN,
    LM_T_VOID,
    LM_T_BOOL,
    LM_T_CHAR,
    LM_T_UCHAR,
    LM_T_SHORT,
    LM_T_USHORT,
    LM_T_INT,
    LM_T_UINT,
    LM_T_LONG,
    LM_T_ULONG,
    LM_T_HALF,
    LM_T_FLOAT,
    LM_T_DOUBLE,
    LM_T_RECORD,
    LM_T_OPAQUE, /* images, events: neither arithmetic nor members */
};

enum lm_type_flags {
    LM_TF_CONST = 1,   /* what it ends at is const, or constant */
    LM_TF_LITERAL = 2, /* a number: 0 is a pointer too */
    LM_TF_ENUMERATOR = 4,
    LM_TF_CALLABLE = 8, /* a pointer to a function */
};

struct lm_type {
    uint8_t base;  /* enum lm_base */
    uint8_t depth; /* pointers and dimensions around it */
    uint8_t dims;  /* of these, from the outside, dimensions */
    uint8_t width; /* lanes; 1: no vector */
    uint8_t flags;
    uint8_t space; /* enum lm_space of what a pointer points to */
    int16_t record;
};

/* Nothing is known of it. */
static const struct lm_type unknown = {.width = 1, .record = -1};

enum lm_space { LM_SPACE_NONE, LM_SPACE_GLOBAL, LM_SPACE_LOCAL, LM_SPACE_CONSTANT };

/* What is behind a pointer or in an array. */
struct lm_type lm_type_inner(struct lm_type t);
bool lm_type_is_float(struct lm_type t);  /* floating, no pointer */
bool lm_type_is_vector(struct lm_type t); /* no pointer */
bool lm_type_is_record(struct lm_type t); /* no pointer */
/* Could a value be assigned to, passed for or returned as `to`? True where it is not known. */
bool lm_type_fits(struct lm_type to, struct lm_type value);
/* Of `a op b`, unknown where it is not known. */
struct lm_type lm_type_combine(struct lm_type a, int op, struct lm_type b);
/* Is it wrong whatever comes next within the operand? */
bool lm_type_clash(struct lm_type a, int op, struct lm_type b);
struct lm_type lm_type_of(enum lm_base base);
/* "uint4", "size_t"; unknown base: it is no type's name. */
struct lm_type lm_type_named(const char *text, size_t n);
/* Is it, or the beginning of, a component of a vector so wide (0: any)? */
bool lm_component(const char *text, size_t n, int width, bool whole, int *lanes);

/* -- words ------------------------------------------------------------------------------------- */

enum lm_class {
    LM_W_NONE, /* a name, or what is not known */
    LM_W_TYPE,
    LM_W_SIGN, /* signed unsigned long short: go with others */
    LM_W_QUALIFIER,
    LM_W_RESTRICT,
    LM_W_GLOBAL, /* address spaces */
    LM_W_LOCAL,
    LM_W_CONSTANT_SPACE,
    LM_W_PRIVATE,
    LM_W_ACCESS, /* read_only */
    LM_W_STORAGE,
    LM_W_KERNEL,
    LM_W_TYPEDEF,
    LM_W_RECORD, /* struct union */
    LM_W_ENUM,
    LM_W_IF,
    LM_W_ELSE,
    LM_W_FOR,
    LM_W_WHILE,
    LM_W_DO,
    LM_W_SWITCH,
    LM_W_CASE,
    LM_W_DEFAULT,
    LM_W_BREAK,
    LM_W_CONTINUE,
    LM_W_RETURN,
    LM_W_GOTO,
    LM_W_SIZEOF,
    LM_W_ATTRIBUTE,
    LM_W_ASM,
    LM_W_FUNCTION,  /* of the library, with a result */
    LM_W_PROCEDURE, /* without */
    LM_W_CONSTANT,  /* of the library: NULL, M_PI */
    LM_W_ANY_CALL,  /* its arguments may be types: va_arg, vec_step */
    LM_W_COMPONENT, /* xyzw, s0: only behind a dot */
    LM_W_FOREIGN,   /* of no use here: words of strings and directives */
    LM_N_CLASSES
};

enum lm_result { /* of a function of the library */
                 LM_R_UNKNOWN,
                 LM_R_TYPE,    /* `type` */
                 LM_R_FIRST,   /* that of its first argument */
                 LM_R_ELEMENT, /* one lane of it */
};

enum lm_takes { /* arguments of a function of OpenCL's library */
                LM_A_ANY,
                LM_A_FLOATS,
                LM_A_FLOAT_OUT, /* a float, and where the other part of the result goes */
                LM_A_NUMBERS,
                LM_A_INTEGERS,
                LM_A_WORDS, /* int, uint */
                LM_A_IMAGE, /* first */
                LM_A_ATOMIC,
                LM_A_LOAD,
                LM_A_STORE, /* as many lanes as its type has */
};

struct lm_word {    /* what a word means, wherever it stands */
    uint8_t class;  /* enum lm_class */
    uint8_t result; /* enum lm_result */
    uint8_t takes;  /* enum lm_takes */
    int8_t arity;   /* arguments; -1: any */
    struct lm_type type;
};
struct lm_word lm_word_of(const char *text, size_t n);

/* -- lexemes ----------------------------------------------------------------------------------- */

enum lm_scope_kind { LM_SCOPE_WORD, LM_SCOPE_NUMBER, LM_SCOPE_STRING, LM_SCOPE_CHAR, LM_SCOPE_OP };

#define LM_OP2(a, b) ((a) | (b) << 8)
#define LM_OP3(a, b, c) ((a) | (b) << 8 | (c) << 16)

struct lm_scope_lexeme {
    enum lm_scope_kind kind;
    int op;                        /* OP: its bytes */
    int16_t number[LM_NAME_KINDS]; /* WORD: which canonical name it is; -1: none of the kind */
    struct lm_word word;
    const char *text;
    size_t size;
};

static inline bool lm_is_op(const struct lm_scope_lexeme *x, int op)
{
    return x->kind == LM_SCOPE_OP && x->op == op;
}
static inline bool lm_is_word(const struct lm_scope_lexeme *x, int class)
{
    return x->kind == LM_SCOPE_WORD && x->word.class == class;
}

void lm_scope_word(struct lm_scope_lexeme *x, const char *text, size_t n);
void lm_scope_name(struct lm_scope_lexeme *x, enum lm_name_kind kind, int n);

/* -- tokens ------------------------------------------------------------------------------------ */

enum { LM_NAMES = 702 }; /* of one and two letters: programs do not declare more of a kind */

enum lm_token_kind { LM_TOK_OTHER, LM_TOK_BLANK, LM_TOK_WORD, LM_TOK_DIGITS, LM_TOK_PUNCTUATION };

struct lm_spelled {
    const char *text;
    struct lm_word word;
};

struct lm_words {
    struct arena arena;
    const struct lm_encoder *encoder;
    bool opencl;
    uint8_t *kinds;                /* by token: enum lm_token_kind, of its first byte */
    struct lm_scope_lexeme *words; /* by token, of those that are words */
    /* tokens by class; those of class c: in_class[first[c]] .. in_class[first[c + 1]] */
    lm_token *in_class;
    int first[LM_N_CLASSES + 1];
    lm_token names[LM_NAME_KINDS][LM_NAMES]; /* the token that is this name; LM_END: none is */
    lm_token *numeric;                       /* tokens that could be part of a number */
    int n_numeric;
    VEC(struct lm_spelled) spelled; /* words of the language that are no tokens */
};

/* -- the parser -------------------------------------------------------------------------------- */

enum lm_frame_kind {
    LM_F_FILE,
    LM_F_BLOCK,
    LM_F_IF, /* bodies that are one statement; at: 1, the statement is over and `else` may come */
    LM_F_ELSE,
    LM_F_LOOP,
    LM_F_DO, /* at: 0 the body, 1 `while`, 2 `(`, 3 the condition, 4 `;` */
    LM_F_SWITCH,
    LM_F_LABELLED, /* a statement must follow */
    LM_F_HEAD,     /* if, while, switch, for: `(` must follow */
    LM_F_FOR,      /* within the parentheses of a for */
    LM_F_WORD,     /* break, continue: `;`; goto: a label; default, a label: `:` */
    LM_F_DECL,
    LM_F_PARAMS,
    LM_F_STRUCT,
    LM_F_ENUMS,
    LM_F_EXPR,
    LM_F_LIST, /* braces of an initialiser */
    LM_F_FREE, /* only brackets are counted */
};

enum lm_decl_at {
    LM_D_SPEC,
    LM_D_TAG,        /* behind struct, union, enum */
    LM_D_TAGGED,     /* behind a tag */
    LM_D_DECLARATOR, /* behind `*`, `(` or `,` */
    LM_D_NAMED,
    LM_D_FUNCTION, /* behind the parameters */
    LM_D_INITIALISED,
};

enum lm_decl_context { LM_C_FILE, LM_C_LOCAL, LM_C_FOR, LM_C_MEMBER, LM_C_PARAM, LM_C_CAST };

enum lm_expr_at { LM_E_OPERAND, LM_E_OPERATOR, LM_E_MEMBER, LM_E_CALLEE };

enum lm_expr_context {
    LM_X_STATEMENT,
    LM_X_RETURN,
    LM_X_CASE,
    LM_X_PAREN,
    LM_X_VECTOR, /* (float4)( ... ) */
    LM_X_CALL,
    LM_X_INDEX,
    LM_X_CONDITION, /* of if, while */
    LM_X_SWITCH,
    LM_X_DO,
    LM_X_FOR_INIT,
    LM_X_FOR_CONDITION,
    LM_X_FOR_STEP,
    LM_X_INIT,
    LM_X_SIZE,
    LM_X_BITS,
    LM_X_ENUM,
    LM_X_LIST,
    LM_X_DESIGNATOR, /* [ ... ] = */
};

enum lm_frame_flags {
    LM_FF_TYPED = 1,        /* DECL: there is a type */
    LM_FF_SIGNED = 2,       /* DECL: of words that go with others */
    LM_FF_KERNEL = 4,       /* DECL: a kernel */
    LM_FF_TYPEDEF = 8,      /* DECL */
    LM_FF_NAMED = 16,       /* DECL: a record or enumeration is declared by itself */
    LM_FF_UNNAMED = 32,     /* PARAMS, DECL of a function: a parameter has no name */
    LM_FF_CONSTANT = 64,    /* EXPR: only constants */
    LM_FF_BEGUN = 128,      /* EXPR: not the first lexeme; LIST, STRUCT, ENUMS, PARAMS: not empty */
    LM_FF_BINARY = 256,     /* EXPR: an operator that is no assignment stands before the operand */
    LM_FF_LVALUE = 512,     /* EXPR: the operand can be assigned to */
    LM_FF_MIXED = 1024,     /* EXPR: comparisons: the type is no longer known */
    LM_FF_SIZEOF = 2048,    /* EXPR, DECL of a type in parentheses: behind sizeof */
    LM_FF_NESTED = 4096,    /* PARAMS: of a pointer to a function */
    LM_FF_VOID_ONLY = 8192, /* PARAM: the first */
    LM_FF_COMMA = 16384,    /* PARAMS, LIST, ENUMS: behind a comma */
    LM_FF_UNION = 32768,
};

enum { LM_MOST_PREFIXES = 6 };

struct lm_frame {
    uint8_t kind, at, context, n_prefixes;
    uint16_t flags;
    int16_t args, arity; /* CALL: arguments so far, of how many; DECL: `(` open in it */
    int16_t ternary;     /* EXPR: `?` without `:` */
    int16_t entry;       /* BLOCK, FOR: variables at its beginning */
    int16_t function;    /* CALL: of the program; -1 */
    int16_t record;      /* STRUCT; DECL: -1 */
    int16_t name;        /* DECL: number of what is declared; -1 */
    uint8_t name_kind;   /* DECL */
    uint8_t result;      /* CALL: enum lm_result */
    uint8_t takes;       /* CALL: enum lm_takes */
    uint8_t next_takes;  /* EXPR: of the callee that is the operand */
    uint8_t next_lanes;  /* EXPR: that it loads or stores */
    uint8_t lanes;       /* EXPR: of the widest vector that was compared; 0: none was */
    int op;              /* EXPR: the operator before the operand; FREE: brackets open */
    char prefixes[LM_MOST_PREFIXES]; /* EXPR: - ! ~ * & and c, a cast, s, sizeof */
    struct lm_type type;             /* DECL: of the specifiers; EXPR: of the operand */
    struct lm_type whole;  /* DECL: with the declarator; EXPR: of what stands before `op` */
    struct lm_type target; /* EXPR: what it goes to; CALL: the result */
    struct lm_type cast;   /* EXPR */
    struct lm_type agreed; /* CALL: what its arguments chose so far, see scope_calls.c */
};

enum {
    LM_MOST_FRAMES = 160,
    LM_MOST_FUNCTIONS = 48,
    LM_MOST_PARAMS = 40,
    LM_MOST_VARIABLES = 256,
    LM_MOST_GLOBALS = 128,
    LM_MOST_TYPES = 64,
    LM_MOST_RECORDS = 64,
    LM_MOST_MEMBERS = 512,
    LM_MOST_LABELS = 32,
};

struct lm_function {
    struct lm_type result;
    int8_t arity; /* -1: any */
    bool defined;
    struct lm_type params[LM_MOST_PARAMS];
};

struct lm_named_type {
    bool is_typedef;
    bool is_enum, is_union;
    struct lm_type type;
};

struct lm_member {
    int16_t record;
    struct lm_type type;
};

enum { LM_LABEL_USED = 1, LM_LABEL_DEFINED = 2 };

/* What only grows by declarations; the frames are beside it. */
struct lm_symbols {
    int n_functions, n_variables, n_globals, n_types, n_records, n_members, n_labels;
    struct lm_function functions[LM_MOST_FUNCTIONS];
    struct lm_type variables[LM_MOST_VARIABLES];
    bool hidden[LM_MOST_VARIABLES]; /* its block is closed */
    struct lm_type globals[LM_MOST_GLOBALS];
    struct lm_named_type types[LM_MOST_TYPES];
    int16_t record_members[LM_MOST_RECORDS]; /* -1: incomplete */
    int16_t record_outer[LM_MOST_RECORDS];   /* what an unnamed one is in; -1 */
    int16_t record_base[LM_MOST_RECORDS];    /* number of its first member's name */
    struct lm_member members[LM_MOST_MEMBERS];
    uint8_t labels[LM_MOST_LABELS];
};

struct lm_parser {
    const struct lm_words *words;
    bool lost;           /* only brackets are counted */
    bool boundary;       /* the last lexeme ended a statement or a declaration */
    bool kernel;         /* a kernel was defined */
    int current;         /* the function whose body is open or head is read; -1 */
    bool opening_kernel; /* it is a kernel */
    int loops, switches;
    int n_open; /* brackets */
    char open[LM_MOST_FRAMES];
    int n_frames;
    struct lm_frame frames[LM_MOST_FRAMES];
    struct lm_symbols symbols;
};

void lm_parser_init(struct lm_parser *p, const struct lm_words *words);
/* May the lexeme follow? Nothing is changed. A frame of LM_F_IF whose statement is over must have
 * been dropped (lm_parser_settle) unless the lexeme is `else`. */
bool lm_decide(const struct lm_parser *p, const struct lm_scope_lexeme *x);
/* It follows. One that lm_decide refuses makes the parser lose its way. */
void lm_perform(struct lm_parser *p, const struct lm_scope_lexeme *x);
/* No `else` comes: the statements that end here are over. */
void lm_parser_settle(struct lm_parser *p);
bool lm_parser_may_else(const struct lm_parser *p);

/* The next lexeme of the text: settles, performs, follows brackets. */
void lm_parser_take(struct lm_parser *p, const struct lm_scope_lexeme *x);

bool lm_decide_decl(const struct lm_parser *p, const struct lm_frame *f,
                    const struct lm_scope_lexeme *x);
void lm_perform_decl(struct lm_parser *p, const struct lm_scope_lexeme *x);
void lm_decl_expr_ended(struct lm_parser *p, const struct lm_frame *expr, int op);
void lm_list_ended(struct lm_parser *p);

/* of expressions (scope_exprs.c) */
bool lm_decide_expr(const struct lm_parser *p, const struct lm_frame *f,
                    const struct lm_scope_lexeme *x);
void lm_perform_expr(struct lm_parser *p, const struct lm_scope_lexeme *x);
void lm_push_expr(struct lm_parser *p, enum lm_expr_context context, struct lm_type target);
/* of calls (scope_calls.c): may the argument end like this, as the last one? And it has. */
bool lm_argument_fits(const struct lm_frame *f, bool last, struct lm_type t);
void lm_argument_ended(struct lm_frame *f, struct lm_type t);
/* Does the lexeme begin the name of a type? */
bool lm_begins_type(const struct lm_parser *p, const struct lm_scope_lexeme *x);
struct lm_frame *lm_push(struct lm_parser *p, enum lm_frame_kind kind);
struct lm_frame *lm_top(struct lm_parser *p);
void lm_pop(struct lm_parser *p);
/* The expression on top has ended by the lexeme: it is gone, what contains it goes on. */
void lm_expr_ended(struct lm_parser *p, const struct lm_frame *expr, int op);
/* The type in parentheses on top has ended. */
void lm_cast_ended(struct lm_parser *p, const struct lm_frame *decl);
void lm_statement_ended(struct lm_parser *p);
/* A part in brackets of an expression, which is on top now, has ended. */
void lm_part_ended(struct lm_parser *p, const struct lm_frame *part);

#endif

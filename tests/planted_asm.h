/* For compilers with planted faults that edit what gcc -S made: lines of assembly, and what their
 * operands are. Included ahead of the faults; planted_gcc.h comes behind them. */
#ifndef ASSAY_TESTS_PLANTED_ASM_H
#define ASSAY_TESTS_PLANTED_ASM_H

#include "planted.h"

/* A line of assembly. */
struct line {
    char *text;              /* without the newline */
    const char *name, *args; /* of an instruction; name is NULL for all else */
    unsigned from;           /* the line of the source */
    bool ours;               /* that line may be edited */
    char *instead;           /* NULL: the line itself */
};

struct listing {
    struct line *lines;
    size_t count;
};

/* `t` is the first token of the construct. A fault that ends the compiler does not return; another
 * edits, and says whether it did. */
typedef bool strike_fn(struct unit *u, size_t t);
/* `i` is an instruction. The text to write instead, or NULL. */
typedef char *edit_fn(const struct listing *l, size_t i);

struct fault {
    const char *name, *construct;
    strike_fn *strike;
    bool ends; /* the compiler, wherever the construct is */
    edit_fn *edit;
};

static bool named(const struct line *l, const char *name)
{
    return l->name && strcmp(l->name, name) == 0;
}

/* The instruction ahead of or behind i in the same block; NULL: there is none. */
static const struct line *step(const struct listing *l, size_t *i, bool ahead)
{
    for (;;) {
        if (ahead ? *i == 0 : *i + 1 >= l->count)
            return NULL;
        *i += ahead ? (size_t)-1 : 1;
        const struct line *at = &l->lines[*i];
        if (at->name)
            return at;
        if (at->text[0] == '.' && at->text[1] == 'L' && isdigit((unsigned char)at->text[2]))
            return NULL;
    }
}

__attribute__((unused)) static const struct line *ahead_of(const struct listing *l, size_t i)
{
    return step(l, &i, true);
}

/* The operand behind the last comma that is not in parentheses. */
static const char *last_operand(const char *args)
{
    const char *last = args;
    int depth = 0;
    for (const char *p = args; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (*p == ',' && depth == 0)
            last = p + 1 + (p[1] == ' ');
    }
    return last;
}

/* Registers by number and width. */
static const char *const registers[][4] = {
    {"%al", "%ax", "%eax", "%rax"},      {"%bl", "%bx", "%ebx", "%rbx"},
    {"%cl", "%cx", "%ecx", "%rcx"},      {"%dl", "%dx", "%edx", "%rdx"},
    {"%sil", "%si", "%esi", "%rsi"},     {"%dil", "%di", "%edi", "%rdi"},
    {"%bpl", "%bp", "%ebp", "%rbp"},     {"%spl", "%sp", "%esp", "%rsp"},
    {"%r8b", "%r8w", "%r8d", "%r8"},     {"%r9b", "%r9w", "%r9d", "%r9"},
    {"%r10b", "%r10w", "%r10d", "%r10"}, {"%r11b", "%r11w", "%r11d", "%r11"},
    {"%r12b", "%r12w", "%r12d", "%r12"}, {"%r13b", "%r13w", "%r13d", "%r13"},
    {"%r14b", "%r14w", "%r14d", "%r14"}, {"%r15b", "%r15w", "%r15d", "%r15"}};
enum { BYTE, WORD, LONG, QUAD };

/* -1 for what is no register; its width goes to *width. */
static int register_of(const char *operand, size_t len, int *width)
{
    for (int r = 0; r < 16; r++)
        for (int w = 0; w < 4; w++)
            if (strlen(registers[r][w]) == len && memcmp(registers[r][w], operand, len) == 0) {
                *width = w;
                return r;
            }
    return -1;
}

/* Both operands are registers of that width? */
static inline bool two_registers(const struct line *at, int width, int *from, int *to)
{
    int a = -1, b = -1;
    const char *last = last_operand(at->args);
    *from = register_of(at->args, strcspn(at->args, ","), &a);
    *to = register_of(last, strlen(last), &b);
    return *from >= 0 && *to >= 0 && a == width && b == width;
}

#endif

/* Faults that edit what gcc -S made. */
#include "planted.h"

/* -- the first set ----------------------------------------------------------------------------- */

/* Some instructions become others, with the same operands. */
static char *exchange(const struct listing *l, size_t i, const char *const (*pairs)[2])
{
    for (; (*pairs)[0]; pairs++)
        if (named(&l->lines[i], (*pairs)[0]))
            return text_of("\t%s\t%s", (*pairs)[1], l->lines[i].args);
    return NULL;
}

/* A shift goes the other way. (Not those of 64 bits: they scale indices, and programs would crash
 * instead of printing something else.) */
char *wrong_shift(const struct listing *l, size_t i)
{
    static const char *const pairs[][2] = {
        {"sarb", "salb"}, {"sarw", "salw"}, {"sarl", "sall"}, {"shrb", "salb"}, {"shrw", "salw"},
        {"shrl", "sall"}, {"salb", "sarb"}, {"salw", "sarw"}, {"sall", "sarl"}, {NULL, NULL}};
    return exchange(l, i, pairs);
}

/* A comparison for its value, not for a jump. */
char *wrong_compare(const struct listing *l, size_t i)
{
    static const char *const pairs[][2] = {
        {"setl", "setb"},  {"setg", "seta"},  {"setle", "setbe"}, {"setge", "setae"},
        {"sete", "setbe"}, {"setne", "seta"}, {NULL, NULL}};
    return exchange(l, i, pairs);
}

char *wrong_extend(const struct listing *l, size_t i)
{
    static const char *const pairs[][2] = {
        {"movsbw", "movzbw"}, {"movsbl", "movzbl"}, {"movsbq", "movzbq"}, {"movswl", "movzwl"},
        {"movswq", "movzwq"}, {"movzbl", "movsbl"}, {"movzwl", "movswl"}, {NULL, NULL}};
    return exchange(l, i, pairs);
}

/* Small constants count and index too often. */
char *wrong_constant(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    long long value;
    if (!starts(at->name, "mov") || !immediate(at->args, &value) || !strchr(at->args, '(') ||
        (value >= -1 && value <= 255))
        return NULL;
    return text_of("\t%s\t$%lld%s", at->name, value ^ 1, strchr(at->args, ','));
}

/* Does the program declare this object with `volatile TYPE NAME`? */
static bool declared_volatile(const struct unit *u, const char *name, size_t len)
{
    for (size_t i = 2; i + 1 < u->count; i++) {
        const struct token *t = &u->tokens[i];
        if (t->len != len || memcmp(t->at, name, len) != 0 || !strchr(";=[,", t[1].at[0]))
            continue;
        size_t k = i - 1; /* back over the words of the type */
        while (k > 0 && is_word(u->tokens[k].at[0]) && !is(&u->tokens[k], "volatile"))
            k--;
        if (is(&u->tokens[k], "volatile"))
            return true;
    }
    return false;
}

/* "movl 4+g_5(%rip), %eax" of a volatile g_5. */
char *wrong_volatile(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    size_t offset = strspn(at->args, "0123456789"), len = 0;
    const char *object = at->args + (offset && at->args[offset] == '+' ? offset + 1 : 0);
    while (is_word(object[len]))
        len++;
    if (!starts(at->name, "mov") || len == 0 || !starts(object + len, "(%rip), %") ||
        !declared_volatile(l->unit, object, len))
        return NULL;
    return text_of("%s\n%s", at->text, at->text);
}

char *run_crash(const struct listing *l, size_t i)
{
    long long value;
    if (!starts(l->lines[i].name, "xor") || !immediate(l->lines[i].args, &value))
        return NULL;
    return text_of("\tud2");
}

/* To go round for ever would run over the ends of arrays, and the program would crash. */
char *run_hang(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    size_t before = i, label = i;
    long long value;
    if (at->name[0] != 'j' || named(at, "jmp") || !starts(at->args, ".L"))
        return NULL;
    while (before > 0 && !l->lines[--before].name)
        ;
    if (!l->lines[before].name || !starts(l->lines[before].name, "cmp") ||
        !immediate(l->lines[before].args, &value) || value < 10)
        return NULL;
    while (label > 0) {
        const char *text = l->lines[--label].text;
        if (starts(text, at->args) && text[strlen(at->args)] == ':')
            return text_of("0:\tjmp\t0b");
    }
    return NULL;
}

char *wrong_remainder(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    return named(at, "idivq") ? text_of("\tidivq\t%s\n\tnegq\t%%rdx", at->args) : NULL;
}

char *wrong_rotate(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    return named(at, "sall") && starts(at->args, "%cl") ? text_of("\troll\t%s", at->args) : NULL;
}

/* Not where gcc makes a complement of x ^ -1 or of x >= 0. */
char *wrong_complement(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    for (size_t t = 0; t < l->unit->count && named(at, "notq"); t++)
        if (l->unit->tokens[t].line == at->from && is(&l->unit->tokens[t], "~"))
            return text_of("\tnegq\t%s", at->args);
    return NULL;
}

/* x.y, x->y; a number with a point counts as well. */
static bool names_member(const struct unit *u, unsigned line)
{
    for (size_t i = 1; i + 1 < u->count; i++) {
        const struct token *t = &u->tokens[i];
        bool point = isdigit((unsigned char)t->at[0]) && memchr(t->at, '.', t->len);
        if (t->line == line && (point || ((is(t, ".") || is(t, "->")) && is_word(t[1].at[0]))))
            return true;
    }
    return false;
}

/* It is read by two shifts. Where no member is named, such a shift belongs to the division of a
 * small number. */
char *wrong_bit_field(const struct listing *l, size_t i)
{
    static const char *const pairs[][2] = {{"sarb", "shrb"}, {"sarw", "shrw"}, {NULL, NULL}};
    if (!starts(l->lines[i].name, "sar") || starts(l->lines[i].args, "%cl") ||
        !names_member(l->unit, l->lines[i].from))
        return NULL;
    return exchange(l, i, pairs);
}

/* x + x is also how an unsigned number of 64 bits becomes a double. */
char *wrong_double(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    const char *second = strchr(at->args, ',');
    if (!named(at, "addsd") || !second ||
        strncmp(at->args, second + 2, (size_t)(second - at->args)) == 0)
        return NULL;
    return text_of("\tsubsd\t%s", at->args);
}

/* "ja" ahead of a jump through a table: straight on leads to the table. */
char *run_default(const struct listing *l, size_t i)
{
    if (!named(&l->lines[i], "ja"))
        return NULL;
    while (++i < l->count) {
        const char *text = l->lines[i].text;
        if (starts(text, "\tjmp\t*") || starts(text, "\tnotrack jmp\t*"))
            return text_of("\tjbe\t0f\n\tud2\n0:");
        if (starts(text, "\tj") || text[0] == '.')
            return NULL;
    }
    return NULL;
}

/* -- the third set ----------------------------------------------------------------------------- */

static const struct line *behind(const struct listing *l, size_t i)
{
    return step(l, &i, false);
}

static bool same_place(const char *a, const char *b)
{
    int wa, wb, ra = register_of(a, strlen(a), &wa), rb = register_of(b, strlen(b), &wb);
    return ra >= 0 ? ra == rb : strcmp(a, b) == 0;
}

/* Does instruction i clear the bits of a bit-field, for the `or` that follows to set them? */
static bool clears_bits(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *next;
    long long value;
    if (!starts(at->name, "and") || !immediate(at->args, &value) || value >= 0)
        return false;
    for (int n = 0; n < 3 && (next = step(l, &i, false)); n++)
        if (starts(next->name, "or") &&
            same_place(last_operand(next->args), last_operand(at->args)))
            return true;
    return false;
}

/* A store into a bit-field does not clear what was there. */
char *store_bits(const struct listing *l, size_t i)
{
    return clears_bits(l, i) ? text_of("\tnop") : NULL;
}

/* c ? a : b of 64 bits, without a jump, chooses the other one. */
char *select_wide(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int width;
    if (!starts(at->name, "cmov"))
        return NULL;
    const char *to = last_operand(at->args), *condition = at->name + 4;
    if (register_of(to, strlen(to), &width) < 0 || width != QUAD)
        return NULL;
    bool negated = condition[0] == 'n';
    return text_of("\tcmov%s%s\t%s", negated ? "" : "n", condition + negated, at->args);
}

/* An object that is decremented in memory is incremented. */
char *decrement_memory(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!starts(at->name, "sub") || strlen(at->name) != 4 || !starts(at->args, "$1, ") ||
        last_operand(at->args)[0] == '%')
        return NULL;
    return text_of("\tadd%s\t%s", at->name + 3, at->args);
}

/* x &= y, x |= y and x ^= y do not happen, where x is in memory and y in a register. (Not the `or`
 * of a bit-field.) */
char *update_lost(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!(starts(at->name, "or") || starts(at->name, "xor") || starts(at->name, "and")) ||
        at->args[0] != '%' || last_operand(at->args)[0] == '%')
        return NULL;
    size_t k = i;
    for (int n = 0; n < 3 && step(l, &k, true); n++)
        if (clears_bits(l, k))
            return NULL;
    return text_of("\tnop");
}

/* -x of 32 bits is x. (Not where gcc needs the flags of the negation.) */
char *minus_lost(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *next = behind(l, i);
    if (!named(at, "negl") || (next && (starts(next->name, "sbb") || starts(next->name, "cmov"))))
        return NULL;
    return text_of("\tnop");
}

/* a < b of doubles, for its value, is a > b. */
char *double_less(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    return named(at, "seta") && before && named(before, "comisd") ? text_of("\tsetb\t%s", at->args)
                                                                  : NULL;
}

/* -- the fourth set ---------------------------------------------------------------------------- */

/* int to 64 bits, between registers, loses the sign. */
char *extend_long(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int width, from = register_of(at->args, strcspn(at->args, ","), &width);
    const char *last = last_operand(at->args);
    int to = register_of(last, strlen(last), &width);
    if (named(at, "cltq"))
        return text_of("\tmovl\t%%eax, %%eax");
    if (!named(at, "movslq") || from < 0 || to < 0)
        return NULL;
    return text_of("\tmovl\t%s, %s", registers[from][LONG], registers[to][LONG]);
}

/* A store of 16 bits through a pointer writes the low byte only. */
char *store_through(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    const char *to = last_operand(at->args);
    int width, r = register_of(at->args, strcspn(at->args, ","), &width);
    if (!named(at, "movw") || r < 0 || !starts(to, "(%r") || strstr(to, "%rsp"))
        return NULL;
    return text_of("\tmovb\t%s, %s", registers[r][BYTE], to);
}

/* == and != of doubles, for their value, only look whether the operands are ordered. */
char *double_equal(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before;
    size_t k = i;
    if (!named(at, "cmovne"))
        return NULL;
    for (int n = 0; n < 3 && (before = step(l, &k, true)); n++)
        if (named(before, "setp") || named(before, "setnp"))
            return text_of("\tnop");
    return NULL;
}

/* x <= N, unsigned, is x < N. */
char *bound_off(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    bool above = named(at, "ja") || named(at, "seta");
    bool below = named(at, "jbe") || named(at, "setbe");
    long long value;
    if (!(above || below) || !before || !starts(before->name, "cmp") ||
        !immediate(before->args, &value))
        return NULL;
    return text_of("\t%s%s\t%s", at->name[0] == 'j' ? "j" : "set", above ? "ae" : "b", at->args);
}

/* -- the fifth set ----------------------------------------------------------------------------- */

/* The lower half of a register of 32 bits; NULL for what is none. */
static const char *word_of(const char *operand, size_t len)
{
    int width = BYTE, r = register_of(operand, len, &width);
    return r >= 0 && width == LONG ? registers[r][WORD] : NULL;
}

/* a - b, of doubles, is b - a. */
char *subtract_swapped(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "subsd"))
        return NULL;
    return text_of("%s\n\t.pushsection .rodata\n\t.align 8\n771:\t.double -1.0\n\t.popsection\n"
                   "\tmulsd\t771b(%%rip), %s",
                   at->text, last_operand(at->args));
}

/* int * int, of registers: 16 bits of it. */
char *product_short(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    const char *to = last_operand(at->args), *a = word_of(at->args, strcspn(at->args, ","));
    const char *b = word_of(to, strlen(to));
    return named(at, "imull") && a && b ? text_of("\timulw\t%s, %s", a, b) : NULL;
}

/* >> of a signed number loses the sign; not in a division, nor of a bit-field. */
char *shift_sign(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before;
    size_t k = i;
    if (!(named(at, "sarl") || named(at, "sarq")) || starts(at->args, "$31,") ||
        starts(at->args, "$63,") || !strchr(at->args, ','))
        return NULL;
    before = step(l, &k, true);
    if (before && (starts(before->name, "sal") || starts(before->name, "imul")))
        return NULL;
    return text_of("\tshr%c\t%s", at->name[3], at->args);
}

/* 16 bytes are copied as if they were aligned. */
char *copy_aligned(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (named(at, "movups") || named(at, "movdqu") || named(at, "movupd"))
        return text_of("\tmovaps\t%s", at->args);
    return NULL;
}

/* -- the sixth set ----------------------------------------------------------------------------- */

/* A store of the byte 0 to a static object is taken for its first value, and dropped. */
char *zero_store(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "movb") || !starts(at->args, "$0, ") || !strstr(at->args, "(%rip)"))
        return NULL;
    return text_of("\tnop");
}

/* a | b of 32 bits, as if no bit were in both. */
char *or_adds(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int from, to;
    if (!named(at, "orl") || !two_registers(at, LONG, &from, &to))
        return NULL;
    return text_of("\taddl\t%s", at->args);
}

/* a < b of two ints decides a branch as if they were unsigned. */
char *less_branch(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    int from, to;
    if ((!named(at, "jl") && !named(at, "jge")) || !before || !named(before, "cmpl") ||
        !two_registers(before, LONG, &from, &to))
        return NULL;
    return text_of("\t%s\t%s", named(at, "jl") ? "jb" : "jae", at->args);
}

/* -- the seventh set --------------------------------------------------------------------------- */

/* An int becomes a float: the operand has the wrong size, and the assembler says so. */
char *operand_float(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "cvtsi2ssl"))
        return NULL;
    return text_of("\tcvtsi2ssl\t%%ax, %s", last_operand(at->args));
}

/* 16 bits through a pointer: only the low 8 are read. */
char *narrow_load(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if ((!named(at, "movzwl") && !named(at, "movswl")) || !starts(at->args, "(%r"))
        return NULL;
    return text_of("\t%s\t%s", named(at, "movzwl") ? "movzbl" : "movsbl", at->args);
}

/* &, |, ^ of 64 bits are done with 32. */
char *low_logic(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int from, to;
    if ((!named(at, "xorq") && !named(at, "andq") && !named(at, "orq")) ||
        !two_registers(at, QUAD, &from, &to))
        return NULL;
    return text_of("\t%.*sl\t%s, %s", (int)strlen(at->name) - 1, at->name, registers[from][LONG],
                   registers[to][LONG]);
}

/* -- the eighth set ---------------------------------------------------------------------------- */

/* A block is copied: by a function that no library has. */
char *link_copy(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!at->name || !starts(at->text, "\trep") || !strstr(at->text, "movs"))
        return NULL;
    return text_of("\tcall\t__octava_block_copy");
}

/* A constant of 128 to 255 is encoded as a signed byte. */
char *imm_byte(const struct listing *l, size_t i)
{
    static const char *const names[] = {"addl", "subl", "andl", "orl",   "xorl", "cmpl",
                                        "movl", "movw", "cmpw", "imull", "addq", "andq",
                                        "orq",  "xorq", "cmpq", NULL};
    const struct line *at = &l->lines[i];
    bool known = false;
    for (int k = 0; names[k]; k++)
        known = known || named(at, names[k]);
    if (!known || at->args[0] != '$' || strstr(at->args, "%rsp"))
        return NULL;
    char *rest;
    long n = strtol(at->args + 1, &rest, 10);
    return n < 128 || n > 255 ? NULL : text_of("\t%s\t$%ld%s", at->name, n - 256, rest);
}

/* A signed division of 32 bits is done as an unsigned one. */
char *unsigned_quotient(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "idivl"))
        return NULL;
    return text_of("\txorl\t%%edx, %%edx\n\tdivl\t%s", at->args);
}

/* A mask of 5 low bits or more lacks its highest. */
char *mask_top(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    char *rest;
    if (!named(at, "andl") || at->args[0] != '$')
        return NULL;
    long n = strtol(at->args + 1, &rest, 10);
    return n < 31 || n & (n + 1) ? NULL : text_of("\tandl\t$%ld%s", n >> 1, rest);
}

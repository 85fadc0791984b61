/* A very small optimising compiler, for the test of planted mutants: from lines
       set A B + 3      A = B + 3; also - * <, operands are names of one letter or numbers
       input A          a value that is not known
       print A
   to C, folding what is known. tiny [-O1] IN OUT. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum code { PLUS_EXPR, MINUS_EXPR, MULT_EXPR, LT_EXPR, LE_EXPR };

struct value {
    bool is_known;
    long n;
};

static struct value values[26];
static struct value *last, *previous, *third; /* the values that were printed last */
static int printed;

static bool is_known_p(const char *word)
{
    if (word[0] < 'A')
        return true;
    return values[word[0] - 'A'].is_known;
}

static long value_of(const char *word)
{
    return word[0] < 'A' ? atol(word) : values[word[0] - 'A'].n;
}

static bool is_set_p(const struct value *v)
{
    if (!v)
        exit(2);
    return v->is_known;
}

static bool is_there_p(const struct value *v)
{
    while (!v)
        printed += v == last;
    return true;
}

static bool is_small_p(long n)
{
    return n >= -1000 && n <= 1000;
}

static enum code code_of(char sign)
{
    switch (sign) {
    case '+':
        return PLUS_EXPR;
    case '-':
        return MINUS_EXPR;
    case '*':
        return MULT_EXPR;
    default:
        return LT_EXPR;
    }
}

static long int_const_binop(enum code code, long a, long b)
{
    switch (code) {
    case PLUS_EXPR:
        return a + b;
    case MINUS_EXPR:
        return a - b;
    case MULT_EXPR:
        return a * b;
    case LT_EXPR:
        return a < b;
    default:
        return a <= b;
    }
}

static void invalidate_value(const char *name)
{
    values[name[0] - 'A'].is_known = false;
}

static void set_value(const char *name, long n)
{
    values[name[0] - 'A'] = (struct value){.is_known = true, .n = n};
}

/* What the product of two small numbers is; false: not known. */
static bool fold(const char *a, char sign, const char *b, long *result)
{
    if (!is_known_p(a) || !is_known_p(b))
        return false;
    enum code code = code_of(sign);
    if (code == MULT_EXPR && !(is_small_p(value_of(a)) && is_small_p(value_of(b))))
        return false;
    long x = value_of(a), y = value_of(b);
    *result = int_const_binop(code, x, y);
    return true;
}

static void line(FILE *out, bool optimise, const char *verb, const char *name, const char *a,
                 char sign, const char *b)
{
    long n = 0;
    if (!strcmp(verb, "input")) {
        fprintf(out, "    %s = seven;\n", name);
        invalidate_value(name);
    } else if (!strcmp(verb, "print")) {
        if (printed > 0 && last->n > 5)
            fprintf(out, "    /* behind %ld */\n", last->n);
        if (printed > 1 && is_set_p(previous))
            fprintf(out, "    /* and %ld */\n", previous->n);
        if (printed > 3 && is_there_p(third))
            fprintf(out, "    /* three */\n");
        third = previous;
        previous = last;
        last = &values[name[0] - 'A'];
        printed++;
        fprintf(out, "    printf(\"%%ld\\n\", %s);\n", name);
    } else if (optimise && fold(a, sign, b, &n)) {
        fprintf(out, "    %s = %ld;\n", name, n);
        set_value(name, n);
    } else {
        fprintf(out, "    %s = %s %c %s;\n", name, a, sign, b);
        invalidate_value(name);
    }
}

int main(int argc, char **argv)
{
    /* what must be constant cannot be changed: such mutants do not compile */
    const int operands = __builtin_choose_expr(sizeof(int) == 4 && sizeof(char) == 1, 3, 4);
    FILE *in = fopen(argv[argc - 2], "r"), *out = fopen(argv[argc - 1], "w");
    char verb[8], name[2], a[8], b[8], sign, text[80];
    if (!in || !out)
        return 1;
    fputs("#include <stdio.h>\nint main(void)\n{\n    volatile long seven = 7;\n    long", out);
    for (char c = 'A'; c <= 'Z'; c++)
        fprintf(out, " %c = 0%s", c, c < 'Z' ? "," : ";\n");
    while (fgets(text, sizeof text, in))
        if (sscanf(text, "%7s %1[A-Z] %7s %c %7s", verb, name, a, &sign, b) >= operands - 1)
            line(out, !strcmp(argv[1], "-O1"), verb, name, a, sign, b);
    fputs("    return 0;\n}\n", out);
    return fclose(out) ? 1 : 0;
}

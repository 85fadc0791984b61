/* What gcc -S made: lines, which of them may be edited, and what their operands are. */
#include "planted.h"

bool named(const struct line *l, const char *name)
{
    return l->name && strcmp(l->name, name) == 0;
}

const struct line *step(const struct listing *l, size_t *i, bool ahead)
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

const struct line *ahead_of(const struct listing *l, size_t i)
{
    return step(l, &i, true);
}

/* The operand behind the last comma that is not in parentheses. */
const char *last_operand(const char *args)
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

const char *const registers[16][4] = {
    {"%al", "%ax", "%eax", "%rax"},      {"%bl", "%bx", "%ebx", "%rbx"},
    {"%cl", "%cx", "%ecx", "%rcx"},      {"%dl", "%dx", "%edx", "%rdx"},
    {"%sil", "%si", "%esi", "%rsi"},     {"%dil", "%di", "%edi", "%rdi"},
    {"%bpl", "%bp", "%ebp", "%rbp"},     {"%spl", "%sp", "%esp", "%rsp"},
    {"%r8b", "%r8w", "%r8d", "%r8"},     {"%r9b", "%r9w", "%r9d", "%r9"},
    {"%r10b", "%r10w", "%r10d", "%r10"}, {"%r11b", "%r11w", "%r11d", "%r11"},
    {"%r12b", "%r12w", "%r12d", "%r12"}, {"%r13b", "%r13w", "%r13d", "%r13"},
    {"%r14b", "%r14w", "%r14d", "%r14"}, {"%r15b", "%r15w", "%r15d", "%r15"}};

int register_of(const char *operand, size_t len, int *width)
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
bool two_registers(const struct line *at, int width, int *from, int *to)
{
    int a = -1, b = -1;
    const char *last = last_operand(at->args);
    *from = register_of(at->args, strcspn(at->args, ","), &a);
    *to = register_of(last, strlen(last), &b);
    return *from >= 0 && *to >= 0 && a == width && b == width;
}

bool immediate(const char *args, long long *value)
{
    char *end;
    if (args[0] != '$')
        return false;
    *value = strtoll(args + 1, &end, 10);
    return end != args + 1 && (*end == ',' || *end == '\0');
}

/* Does the line `.file 1 "dir/t.c"`, or `.file 0 "/dir" "t.c"`, name that file? */
static bool names_file(const char *path, const char *text)
{
    const char *last = strrchr(text, '"'), *open = last;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    while (open && open > text && open[-1] != '"' && open[-1] != '/')
        open--;
    return open && strlen(base) == (size_t)(last - open) && starts(open, base);
}

struct listing listing_of(const struct unit *u, char *text, bool operators)
{
    size_t room = 1;
    for (const char *p = text; *p; p++)
        room += *p == '\n';
    struct listing l = {u, need(calloc(room, sizeof *l.lines)), 0};
    bool unit_file[1000] = {false}, operators_file[1000] = {false}, ours = false;
    unsigned from = 1;
    for (char *p = text; *p;) {
        char *end = strchr(p, '\n');
        if (end)
            *end = '\0';
        unsigned long file = 1000;
        char *rest;
        if (starts(p, "\t.file ") && isdigit((unsigned char)p[7])) {
            file = strtoul(p + 7, &rest, 10);
            if (file < 1000) {
                unit_file[file] = names_file(u->path, p);
                operators_file[file] = operators && names_file("safe_math.h", p);
            }
        } else if (starts(p, "\t.loc ")) {
            file = strtoul(p + 6, &rest, 10);
            from = (unsigned)strtoul(rest, NULL, 10);
            ours = file < 1000 && (operators_file[file] ||
                                   (unit_file[file] && from <= u->lines && !u->spared[from]));
        }
        struct line *at = &l.lines[l.count++];
        *at = (struct line){.text = p, .from = from, .ours = ours, .args = ""};
        if (p[0] == '\t' && isalpha((unsigned char)p[1])) {
            size_t n = strcspn(p + 1, "\t");
            at->name = text_of("%.*s", (int)n, p + 1);
            at->args = p[1 + n] ? p + 2 + n : "";
        }
        p = end ? end + 1 : p + strlen(p);
    }
    return l;
}

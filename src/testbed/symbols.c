#include "testbed/symbols.h"
#include "base/fs.h"

#include <elf.h>
#include <stdbool.h>

enum { LARGEST = 64 << 20 };

/* How well a symbol answers to a name. */
enum match { NO_MATCH, RENAMED, EXACT };

struct image {
    const char *at;
    size_t size;
};

struct search {
    struct symbol *symbols;
    enum match *found; /* how symbols[i] was found */
    int *times;        /* how often in that way */
    int n;
};

/* `size` bytes at `offset`, NULL when the file does not have them or not in a place for what is to
 * be read there. */
static const void *part(const struct image *m, uint64_t offset, uint64_t size, size_t alignment)
{
    bool there = offset <= m->size && size <= m->size - offset && offset % alignment == 0;
    return there ? m->at + offset : NULL;
}

static enum match match(const char *symbol, const char *name)
{
    size_t n = strlen(name);
    const char *last = strrchr(symbol, '.');
    if (!strcmp(symbol, name))
        return EXACT;
    bool renamed =
        last && (!strcmp(last + 1, name) || (!strncmp(symbol, name, n) && symbol[n] == '.'));
    return renamed ? RENAMED : NO_MATCH;
}

static void see_symbol(struct search *s, const char *name, uint64_t address, uint64_t size)
{
    for (int i = 0; i < s->n; i++) {
        enum match m = match(name, s->symbols[i].name);
        if (m == NO_MATCH || m < s->found[i])
            continue;
        s->times[i] = m > s->found[i] ? 1 : s->times[i] + 1;
        s->found[i] = m;
        s->symbols[i].address = address;
        s->symbols[i].size = size;
    }
}

/* The two classes of ELF have the same fields in structures of different layout. */
#define READ_TABLE(Ehdr, Shdr, Sym)                                                                \
    const Ehdr *head = part(m, 0, sizeof *head, 1);                                                \
    if (!head || head->e_shentsize != sizeof(Shdr))                                                \
        return "is not a complete ELF file";                                                       \
    if (head->e_type != ET_EXEC)                                                                   \
        return "has no fixed address: build it with -no-pie or -static";                           \
    const Shdr *sections =                                                                         \
        part(m, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections, _Alignof(Shdr));        \
    for (int i = 0; sections && i < head->e_shnum; i++) {                                          \
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum)             \
            continue;                                                                              \
        const Shdr *names = &sections[sections[i].sh_link];                                        \
        const Sym *all = part(m, sections[i].sh_offset, sections[i].sh_size, _Alignof(Sym));       \
        const char *text = part(m, names->sh_offset, names->sh_size, 1);                           \
        if (!all || !text || !names->sh_size || text[names->sh_size - 1])                          \
            return "is not a complete ELF file";                                                   \
        for (size_t k = 0; k < sections[i].sh_size / sizeof *all; k++)                             \
            if (ELF64_ST_TYPE(all[k].st_info) == STT_OBJECT && all[k].st_size &&                   \
                all[k].st_shndx != SHN_UNDEF && all[k].st_name < names->sh_size)                   \
                see_symbol(s, text + all[k].st_name, all[k].st_value, all[k].st_size);             \
        return NULL;                                                                               \
    }                                                                                              \
    return "has no symbol table: build it without -s"

static const char *read_table_64(const struct image *m, struct search *s)
{
    READ_TABLE(Elf64_Ehdr, Elf64_Shdr, Elf64_Sym);
}

static const char *read_table_32(const struct image *m, struct search *s)
{
    READ_TABLE(Elf32_Ehdr, Elf32_Shdr, Elf32_Sym);
}

static const char *read_tables(const struct image *m, struct search *s)
{
    static const unsigned short probe = 1;
    unsigned char order = *(const unsigned char *)&probe ? ELFDATA2LSB : ELFDATA2MSB;
    const unsigned char *ident = part(m, 0, EI_NIDENT, 1);
    if (!ident || memcmp(ident, ELFMAG, SELFMAG) != 0 || ident[EI_DATA] != order)
        return "is not an ELF file of this machine's byte order";
    return ident[EI_CLASS] == ELFCLASS64 ? read_table_64(m, s) : read_table_32(m, s);
}

const char *symbols_find(const char *path, const char *const *names, int n, struct arena *a,
                         struct symbol *symbols)
{
    struct strbuf file;
    struct error e = {0};
    struct search s = {.symbols = symbols,
                       .found = arena_array(a, enum match, n),
                       .times = arena_array(a, int, n),
                       .n = n};
    for (int i = 0; i < n; i++)
        symbols[i] = (struct symbol){.name = names[i]};
    strbuf_init(&file, LARGEST);
    const char *why = NULL;
    if (fs_read(path, &file, &e))
        why = "cannot be read";
    else
        why = read_tables(&(struct image){file.s, file.n}, &s);
    strbuf_release(&file);
    for (int i = 0; i < n && !why; i++)
        if (s.times[i] > 1)
            why = arena_printf(a, "has %d objects that may be %s", s.times[i], names[i]);
    return why ? arena_printf(a, "the built program %s", why) : NULL;
}

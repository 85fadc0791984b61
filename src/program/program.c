#include "program/program.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/words.h"

#include <xxhash.h>

void hash_bytes(const void *data, size_t n, char hash[PROGRAM_HASH_SIZE])
{
    XXH128_hash_t h = XXH3_128bits(data, n);
    snprintf(hash, PROGRAM_HASH_SIZE, "%016llx%016llx", (unsigned long long)h.high64,
             (unsigned long long)h.low64);
}

void program_pack(const struct program *p, struct strbuf *out)
{
    for (int i = 0; i < p->n_files; i++) {
        const struct program_file *f = &p->files[i];
        strbuf_add(out, f->name, strlen(f->name) + 1);
        for (int shift = 0; shift < 64; shift += 8)
            strbuf_addc(out, (char)((uint64_t)f->size >> shift & 0xff));
        strbuf_add(out, f->text, f->size);
    }
}

int program_unpack(struct arena *a, const void *data, size_t n, struct program *p)
{
    const char *at = data, *end = at + n;
    int n_files = 0;
    struct program_file *files = NULL;
    /* Two rounds: count, then fill. */
    for (int round = 0; round < 2; round++) {
        n_files = 0;
        for (at = data; at < end;) {
            const char *name = at;
            const char *nul = memchr(at, 0, (size_t)(end - at));
            if (!nul || end - nul < 9)
                return -1;
            uint64_t size = 0;
            for (int i = 8; i > 0; i--)
                size = size << 8 | (unsigned char)nul[i];
            at = nul + 9;
            if (size > (uint64_t)(end - at))
                return -1;
            if (files)
                files[n_files] =
                    program_file_new(a, arena_strdup(a, name), (struct bytes){at, size});
            n_files++;
            at += size;
        }
        if (!files)
            files = arena_array(a, struct program_file, n_files);
    }
    p->files = files;
    p->n_files = n_files;
    return 0;
}

void program_hash(const struct program *p, char hash[PROGRAM_HASH_SIZE])
{
    struct strbuf all;
    strbuf_init(&all, 0);
    strbuf_add(&all, p->language, strlen(p->language) + 1);
    program_pack(p, &all);
    if (p->build_only) /* no file has an empty name */
        strbuf_addc(&all, '\0');
    hash_bytes(all.s, all.n, hash);
    strbuf_release(&all);
}

struct json *program_files_json(const struct program *p)
{
    struct json *files = json_new("[]");
    for (int i = 0; i < p->n_files; i++)
        json_append(files, "{s:s,s:y}", "name", p->files[i].name, "text",
                    program_bytes(&p->files[i]));
    return files;
}

int program_lines(const struct program *p)
{
    int n = 0;
    for (int i = 0; i < p->n_files; i++)
        n += text_lines(p->files[i].text, p->files[i].size);
    return n;
}

size_t program_size(const struct program *p)
{
    size_t size = 0;
    for (int i = 0; i < p->n_files; i++)
        size += p->files[i].size;
    return size;
}

int program_write(const struct program *p, const char *dir, struct error *e)
{
    for (int i = 0; i < p->n_files; i++)
        if (fs_write_in(dir, p->files[i].name, p->files[i].text, p->files[i].size, e))
            return -1;
    return 0;
}

struct program program_copy(struct arena *a, const struct program *p)
{
    struct program copy = *p;
    copy.files = arena_array(a, struct program_file, p->n_files);
    for (int i = 0; i < p->n_files; i++)
        copy.files[i] =
            program_file_new(a, arena_strdup(a, p->files[i].name), program_bytes(&p->files[i]));
    copy.language = arena_strdup(a, p->language);
    copy.needs = arena_strdup(a, p->needs);
    copy.expected = bytes_copy(a, p->expected);
    copy.made.generator = arena_strdup(a, p->made.generator);
    copy.made.version = arena_strdup(a, p->made.version);
    copy.made.config = arena_strdup(a, p->made.config);
    copy.made.choices = arena_strdup(a, p->made.choices);
    return copy;
}

struct program_file program_file_new(struct arena *a, const char *name, struct bytes text)
{
    return (struct program_file){name, arena_memdup(a, text.data, text.size), text.size};
}

int program_file_read(const char *path, size_t most, struct arena *a, struct program_file *out,
                      struct error *e)
{
    return program_file_read_in(NULL, path, most, a, out, e);
}

int program_file_read_in(const char *dir, const char *path, size_t most, struct arena *a,
                         struct program_file *out, struct error *e)
{
    struct strbuf text;
    strbuf_init(&text, most);
    int status = dir ? fs_read_in(dir, path, &text, e) : fs_read(path, &text, e);
    *out = program_file_new(a, arena_strdup(a, fs_name(path)), bytes_in(&text));
    strbuf_release(&text);
    return status;
}

/* Behind a label in the first comment, to the end of the line. */
static struct bytes announced(const struct program_file *f, const char *label)
{
    static const char begin[] = "/* made by assay: ";
    const struct bytes none = {0};
    const char *end = f->text;
    if (f->size < strlen(begin) || memcmp(f->text, begin, strlen(begin)) != 0 ||
        !(end = memmem(f->text, f->size, "*/", 2)))
        return none;
    const char *line = memmem(f->text, (size_t)(end - f->text), label, strlen(label));
    if (!line)
        return none;
    line += strlen(label);
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t n = (size_t)((newline ? newline : end) - line);
    while (n && (line[n - 1] == ' ' || line[n - 1] == '\r'))
        n--;
    return n ? (struct bytes){line, n} : none;
}

struct bytes program_announced_output(const struct program_file *f, struct arena *a)
{
    struct bytes line = announced(f, "\n * expected: ");
    return line.size ? bytes_of(arena_printf(a, "%.*s\n", (int)line.size, line.data)) : line;
}

const char *program_announced_needs(const struct program_file *f)
{
    struct bytes line = announced(f, "\n * needs: ");
    bool ieee = bytes_equal(line, bytes_of(PROGRAM_NEEDS_IEEE)) ||
                bytes_equal(line, bytes_of(PROGRAM_NEEDS_IEEE_TOLD));
    return ieee ? PROGRAM_NEEDS_IEEE : "";
}

bool program_may_be_invalid(const struct program *p)
{
    size_t n = strlen(PROGRAM_MAYBE_INVALID);
    const struct program_file *f = &p->files[0];
    return p->build_only && p->n_files == 1 && f->size >= n &&
           !memcmp(f->text + f->size - n, PROGRAM_MAYBE_INVALID, n);
}

bool program_is_source(const char *name)
{
    static const char *const headers[] = {".h", ".hh", ".hpp", ".inc", ".txt"};
    const char *dot = strrchr(name, '.');
    return !dot || word_find(dot, headers, sizeof headers / sizeof *headers) < 0;
}

const struct program_file *program_first_source(const struct program *p)
{
    for (int i = 0; i < p->n_files; i++)
        if (program_is_source(p->files[i].name))
            return &p->files[i];
    return NULL;
}

bool program_includes(const struct program *p)
{
    for (int i = 0; i < p->n_files; i++)
        if (memmem(p->files[i].text, p->files[i].size, "#include", 8))
            return true;
    return false;
}

bool program_is_library(const char *name)
{
    return !strncmp(name, "lib", 3) && strrchr(name, '.') && program_is_source(name);
}

/* Files (7.21), as far as a program makes them itself: by tmpfile, and by fopen with a name from
 * tmpnam. They are in memory. What is in the files of the machine, and in stdin, nobody knows: the
 * run is undecided. So is what C leaves open, such as reading right after writing (7.21.5.3p7). */
#include "interp/library_internal.h"

#include <limits.h>
#include <stdio.h>

enum { NAME_BYTES = 20, MAX_FILE = 1 << 20 };

/* -- files and streams --------------------------------------------------------------------------
 */

static struct file *new_file(struct call *c, const char *name)
{
    struct file *f = arena_new(&c->in->arena, struct file);
    *f = (struct file){.name = arena_strdup(&c->in->arena, name), .next = c->in->files};
    strbuf_init(&f->data, 0);
    return c->in->files = f;
}

void interp_end_files(struct interp *in)
{
    for (struct file *f = in->files; f; f = f->next)
        strbuf_release(&f->data);
}

static union value new_stream(struct call *c, struct file *f, const char *mode)
{
    struct interp *in = c->in;
    struct stream *s = arena_new(&in->arena, struct stream);
    bool update = strchr(mode, '+') != NULL;
    const struct cc_type *type = cc_basic(&in->p->types, CC_CHAR);
    *s = (struct stream){.next = in->streams,
                         .file = f,
                         .object = interp_new_literal(in, &in->static_literals, NULL, type),
                         .reads = *mode == 'r' || update,
                         .writes = *mode != 'r' || update,
                         .appends = *mode == 'a',
                         .pushed = EOF};
    in->streams = s;
    return (union value){.p = {s->object, s->object->serial, AT_WIDE}};
}

/* NULL: one of stdin, stdout and stderr. */
static struct stream *stream_of(struct call *c, struct pointer p)
{
    for (struct stream *s = c->in->streams; s; s = s->next)
        if (s->object == p.object && s->object->serial == p.serial)
            return s;
    if (is_null(p))
        FAIL(c, NULL_ACCESS, "%s", c->f->name);
    if (p.object && p.object->serial != p.serial) /* 7.21.3p4 */
        FAIL(c, DANGLING, "%s of a stream that is closed", c->f->name);
    return NULL;
}

static struct stream *reading(struct call *c, struct pointer p)
{
    struct stream *s = stream_of(c, p);
    if (!s || !s->reads || s->last == STREAM_WROTE)
        FAIL(c, UNDECIDED, "%s", c->f->name);
    s->last = STREAM_READ;
    return s;
}

static struct stream *any_of_ours(struct call *c, struct pointer p)
{
    struct stream *s = stream_of(c, p);
    if (!s)
        FAIL(c, UNDECIDED, "%s of a standard stream", c->f->name);
    return s;
}

/* -- bytes --------------------------------------------------------------------------------------
 */

void library_write(struct call *c, struct pointer to, const char *text, size_t n)
{
    struct stream *s = stream_of(c, to);
    if (!s) {
        if (library_is_stdout(c, to))
            library_print(c, text, n);
        return;
    }
    struct strbuf *data = &s->file->data;
    if (!s->writes || s->last == STREAM_READ || s->at + n > MAX_FILE)
        FAIL(c, UNDECIDED, "%s to this stream", c->f->name);
    s->last = STREAM_WROTE;
    s->at = s->appends ? data->n : s->at;
    while (data->n < s->at)
        strbuf_addc(data, '\0');
    size_t over = data->n - s->at < n ? data->n - s->at : n;
    memcpy(data->s + s->at, text, over);
    strbuf_add(data, text + over, n - over);
    s->at += n;
}

static int get(struct stream *s)
{
    int byte = s->pushed;
    s->pushed = EOF;
    if (byte != EOF)
        return byte;
    if (s->at < s->file->data.n)
        return (unsigned char)s->file->data.s[s->at++];
    s->eof = true;
    return EOF;
}

union value library_fgetc(struct call *c)
{
    struct stream *s = reading(c, c->a[0].p);
    return library_integer(c, get(s));
}

union value library_ungetc(struct call *c)
{
    struct stream *s = reading(c, c->a[1].p);
    if (c->a[0].i == EOF)
        return library_integer(c, EOF);
    if (s->pushed != EOF) /* only one is sure to fit */
        FAIL(c, UNDECIDED, "%s of a second character", c->f->name);
    s->pushed = (unsigned char)c->a[0].i;
    s->eof = false;
    return library_integer(c, s->pushed);
}

union value library_fgets(struct call *c)
{
    struct stream *s = reading(c, c->a[2].p);
    int64_t size = c->a[1].i, n = 0;
    if (size < 2)
        FAIL(c, UNDECIDED, "%s of %lld bytes", c->f->name, (long long)size);
    char *line = library_space(c, (uint64_t)(size < MAX_FILE ? size : MAX_FILE) + 1);
    for (int byte; n < size - 1 && n < MAX_FILE && (byte = get(s)) != EOF;) {
        line[n++] = (char)byte;
        if (byte == '\n')
            break;
    }
    if (!n)
        return (union value){.w = 0};
    line[n++] = '\0';
    library_need(c, c->a[0].p, (uint64_t)n);
    interp_write_bytes(c->in, c->e, c->a[0].p, (uint64_t)n, (const uint8_t *)line);
    return c->a[0];
}

static uint64_t product(struct call *c)
{
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)c->a[1].i, (uint64_t)c->a[2].i, &bytes) ||
        bytes > MAX_FILE)
        FAIL(c, UNDECIDED, "%s of very much", c->f->name);
    return bytes;
}

union value library_fread(struct call *c)
{
    struct stream *s = reading(c, c->a[3].p);
    uint64_t bytes = product(c), size = (uint64_t)c->a[1].i, n = 0;
    uint8_t *data = library_space(c, bytes + 1);
    for (int byte; n < bytes && (byte = get(s)) != EOF;)
        data[n++] = (uint8_t)byte;
    if (size && n % size) /* 7.21.8.1p2 */
        FAIL(c, UNDECIDED, "%s of a part of an element", c->f->name);
    library_need(c, c->a[0].p, bytes);
    if (n)
        interp_write_bytes(c->in, c->e, c->a[0].p, n, data);
    return library_integer(c, size ? (int64_t)(n / size) : 0);
}

union value library_fwrite(struct call *c)
{
    uint64_t bytes = product(c);
    uint8_t *data = library_space(c, bytes + 1);
    library_need(c, c->a[0].p, bytes);
    if (bytes)
        interp_read_bytes(c->in, c->e, c->a[0].p, bytes, data);
    library_write(c, c->a[3].p, (const char *)data, (size_t)bytes);
    return library_integer(c, bytes ? c->a[2].i : 0);
}

/* -- places -------------------------------------------------------------------------------------
 */

union value library_fseek(struct call *c)
{
    struct stream *s = any_of_ours(c, c->a[0].p);
    bool rewinds = c->f->library == CC_LIB_REWIND;
    int64_t offset = rewinds ? 0 : c->a[1].i, whence = rewinds ? SEEK_SET : c->a[2].i;
    int64_t from = whence == SEEK_SET   ? 0
                   : whence == SEEK_CUR ? (int64_t)s->at
                                        : (int64_t)s->file->data.n;
    if ((whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) || s->pushed != EOF ||
        from + offset < 0 || from + offset > MAX_FILE)
        FAIL(c, UNDECIDED, "%s", c->f->name);
    s->at = (size_t)(from + offset);
    s->eof = s->eof_open = false;
    s->last = STREAM_FRESH;
    return library_integer(c, 0);
}

union value library_ftell(struct call *c)
{
    struct stream *s = any_of_ours(c, c->a[0].p);
    if (s->pushed != EOF || s->appends)
        FAIL(c, UNDECIDED, "%s", c->f->name);
    return library_integer(c, (int64_t)s->at);
}

union value library_feof(struct call *c)
{
    struct stream *s = any_of_ours(c, c->a[0].p);
    if (s->eof_open)
        FAIL(c, UNDECIDED, "%s after formatted input", c->f->name);
    bool end = s->eof && c->f->library == CC_LIB_FEOF; /* errors do not happen here */
    if (c->f->library == CC_LIB_CLEARERR)
        s->eof = false;
    return library_integer(c, end ? library_open(c, 1) : 0);
}

/* -- opening and closing ------------------------------------------------------------------------
 */

union value library_tmpfile(struct call *c)
{
    return new_stream(c, new_file(c, ""), "w+");
}

/* A name that no file has; which one is the library's. */
union value library_tmpnam(struct call *c)
{
    char name[NAME_BYTES];
    struct pointer to = c->a[0].p;
    interp_note_choice(c->in, "a name of a file");
    snprintf(name, sizeof name, "/tmp/file%c%05d", c->in->options.way == 1 ? 'B' : 'A',
             c->in->n_names++ % 100000);
    if (is_null(to)) { /* an object of the library */
        struct cc_types *t = &c->in->p->types;
        const struct cc_type *type = cc_array_of(t, cc_basic(t, CC_CHAR), NAME_BYTES);
        struct object **o = &c->in->name_buffer;
        if (!*o)
            *o = interp_new_literal(c->in, &c->in->static_literals, NULL, type);
        to = (struct pointer){*o, (*o)->serial, 0};
    }
    struct file *f = new_file(c, name);
    f->removed = true;
    library_need(c, to, NAME_BYTES);
    interp_write_bytes(c->in, c->e, to, strlen(name) + 1, (const uint8_t *)name);
    return (union value){.p = to};
}

static struct file *file_named(struct call *c, int argument)
{
    struct text name = library_read_text(c, c->a[argument].p, NO_LIMIT);
    for (struct file *f = c->in->files; f; f = f->next)
        if (*f->name && !strcmp(f->name, name.s))
            return f;
    FAIL(c, UNDECIDED, "%s of a file of the machine", c->f->name);
}

union value library_fopen(struct call *c)
{
    struct file *f = file_named(c, 0);
    struct text mode = library_read_text(c, c->a[1].p, NO_LIMIT);
    if (!strchr("rwa", *mode.s) || !*mode.s || strspn(mode.s + 1, "b+") != mode.n - 1)
        FAIL(c, UNDECIDED, "%s with mode %.20s", c->f->name, mode.s);
    if (*mode.s == 'r' && f->removed)
        return (union value){.w = 0};
    if (*mode.s == 'w')
        strbuf_clear(&f->data);
    f->removed = false;
    return new_stream(c, f, mode.s);
}

union value library_fclose(struct call *c)
{
    struct stream *s = any_of_ours(c, c->a[0].p);
    s->object->serial = 0;
    return library_integer(c, 0);
}

union value library_remove(struct call *c)
{
    struct file *f = file_named(c, 0);
    if (f->removed)
        FAIL(c, UNDECIDED, "%s of a file that is not there", c->f->name);
    for (struct stream *s = c->in->streams; s; s = s->next)
        if (s->file == f && s->object->serial)
            FAIL(c, UNDECIDED, "%s of a file that is open", c->f->name);
    f->removed = true;
    strbuf_clear(&f->data);
    return library_integer(c, 0);
}

/* -- formatted input ----------------------------------------------------------------------------
 */

union value library_fscanf(struct call *c)
{
    struct stream *s = reading(c, c->a[0].p);
    struct strbuf *data = &s->file->data;
    uint64_t used = 0, left = s->at < data->n ? data->n - s->at : 0;
    if (s->pushed != EOF || memchr(data->s + data->n - left, '\0', left))
        FAIL(c, UNDECIDED, "%s", c->f->name);
    char *text = library_space(c, left + 1);
    memcpy(text, data->s + data->n - left, left);
    text[left] = '\0';
    union value v = library_scan_text(c, (struct text){text, left, left}, &used);
    s->at += used;
    s->eof_open = used == left; /* some conversions look for what follows, others do not */
    return v;
}

/* How a stream is buffered cannot be seen. */
union value library_setvbuf(struct call *c)
{
    return library_integer(c, 0);
}

/* -- output -------------------------------------------------------------------------------------
 */

static bool flushes(struct call *c, struct pointer p)
{
    struct stream *s = stream_of(c, p);
    if (s)
        s->last = STREAM_FRESH;
    return s != NULL;
}

union value library_puts(struct call *c)
{
    struct text s = library_read_text(c, c->a[0].p, NO_LIMIT);
    library_print(c, s.s, (size_t)s.n);
    library_print(c, "\n", 1);
    return library_integer(c, library_open(c, 1));
}

union value library_fputs(struct call *c)
{
    struct text s = library_read_text(c, c->a[0].p, NO_LIMIT);
    library_write(c, c->a[1].p, s.s, (size_t)s.n);
    return library_integer(c, library_open(c, 1));
}

union value library_putchar(struct call *c)
{
    unsigned char byte = (unsigned char)c->a[0].i;
    library_print(c, (const char *)&byte, 1);
    return library_integer(c, byte);
}

union value library_fputc(struct call *c)
{
    unsigned char byte = (unsigned char)c->a[0].i;
    library_write(c, c->a[1].p, (const char *)&byte, 1);
    return library_integer(c, byte);
}

union value library_fflush(struct call *c)
{
    if (!is_null(c->a[0].p) && !flushes(c, c->a[0].p)) /* all streams otherwise */
        library_is_stdout(c, c->a[0].p);
    return library_integer(c, 0);
}

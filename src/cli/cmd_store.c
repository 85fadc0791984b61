/* assay store: campaigns from one store to another. */
#include "cli/cli.h"

#include "base/fs.h"
#include "base/text.h"
#include "campaign/campaign.h"

#include <inttypes.h>

/* A folder stands for the database in it. */
static void path_of(const char *name, char *out, size_t size)
{
    if (store_is_url(name) || fs_is_dir(name))
        campaign_db_path(name, out, size);
    else
        snprintf(out, size, "%s", name);
}

static int copy(const char *from_name, const char *to_name, struct error *e)
{
    struct store *from, *to;
    char from_path[PATH_MAX], to_path[PATH_MAX];
    int64_t rows;
    path_of(from_name, from_path, sizeof from_path);
    path_of(to_name, to_path, sizeof to_path);
    if (store_open(from_path, STORE_READ, &from, e))
        return -1;
    int status = store_open(to_path, STORE_WRITE, &to, e);
    if (!status) {
        status = store_copy(from, to, &rows, e);
        store_close(to);
    }
    store_close(from);
    if (!status)
        text_print(stdout, "%" PRId64 " rows copied\n", rows);
    return status;
}

int cmd_store(int argc, char **argv)
{
    int rest, status;
    struct error e = {0};
    if (!cli_parse(&command_store, NULL, 0, argc, argv, &rest, &status))
        return status;
    if (rest != 3 || strcmp(argv[0], "copy") != 0)
        return cli_usage(&command_store, "store copy FROM TO");
    return copy(argv[1], argv[2], &e) ? cli_fail(&e) : EXIT_CLEAN;
}

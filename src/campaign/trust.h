/* Whose is a campaign's folder?
 *
 * A folder that came from somebody else can name commands: toolchain files, generators, flags and
 * programs. Commands that only read it run none of them. Commands that try something again need the
 * user's word for it, unless the folder's database was made here by this user: that is noted in the
 * user's own files ($XDG_STATE_HOME/assay/folders, else ~/.local/state/assay/folders), by the
 * database's inode and its time of birth, which nobody can put into an archive. */
#ifndef ASSAY_CAMPAIGN_TRUST_H
#define ASSAY_CAMPAIGN_TRUST_H

#include "base/error.h"

#include <stdbool.h>

/* Was the database in this folder made here by this user, or did they say that they trust it? */
bool campaign_is_trusted(const char *dir);
/* Note that it is. -1 where that cannot be written. */
int campaign_trust(const char *dir, struct error *e);
/* Ahead of the first campaign in a folder: its database as an empty file, which is noted before
 * anything is in it, so that whoever is killed has made it all the same. -1 where it cannot be
 * noted. */
int campaign_begin_folder(const char *dir, struct error *e);
/* Ahead of a command that runs what the folder names: 0 where it may, which with `trust`, the
 * user's word, is noted. A folder without a database, or with an empty one, is nobody's
 * yet. */
int campaign_need_trust(const char *dir, bool trust, struct error *e);

#endif

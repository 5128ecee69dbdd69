/* SPDX-License-Identifier: MIT
 *
 * The folder of an unfinished build.
 */
#include "builder/workplace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/bits.h"

enum { FOLDER_MODE = 0755, FILE_MODE = 0644 };

static const plb_workplace nowhere = {.files = -1, .lock = -1};
static const char *const kinds[PLB_SCRATCH_KINDS] = {
    [PLB_SCRATCH_REACH] = "reach", [PLB_SCRATCH_VALUES] = "values", [PLB_SCRATCH_TABLE] = "table"};
static const char claim_name[] = "game", unsaved_claim_name[] = "game.tmp", lock_name[] = "lock";

/* ---- names ---- */

void plb_workplace_name(plb_scratch_kind kind, int ply, bool saved, char name[PLB_NAME_TEXT]) {
    snprintf(name, PLB_NAME_TEXT, "%s.%02d%s", kinds[kind], ply, saved ? "" : ".tmp");
}

/* Note a scratch file; false if the name is not one's. */
static bool list_scratch(const char *name, plb_folder_files *listing) {
    char made[PLB_NAME_TEXT];
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS; kind++)
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
            for (int saved = 0; saved < 2; saved++) {
                plb_workplace_name(kind, ply, saved, made);
                if (strcmp(name, made) != 0) continue;
                (saved ? listing->saved : listing->unsaved)[kind][ply] = true;
                return true;
            }
    return false;
}

static void list_name(const char *name, plb_folder_files *listing) {
    const struct {
        const char *name;
        bool *found;
    } others[] = {{claim_name, &listing->claim},
                  {unsaved_claim_name, &listing->unsaved_claim},
                  {lock_name, &listing->lock},
                  {PLB_UNNAMED_TABLE, &listing->table}};
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++)
        if (strcmp(name, others[o].name) == 0) {
            *others[o].found = true;
            return;
        }
    if (!list_scratch(name, listing))
        snprintf(listing->foreign, sizeof listing->foreign, "%s", name);
}

int plb_workplace_list(const plb_workplace *place, plb_folder_files *listing,
                       plb_message *message) {
    *listing = (plb_folder_files){0};
    DIR *folder = opendir(place->folder); /* NOLINT: never NULL, as plb_fail never returns 0 */
    if (!folder) return plb_fail_errno(message, errno, "cannot read", place->folder);
    struct dirent *e;
    while (errno = 0, (e = readdir(folder))) list_name(e->d_name, listing);
    int error = errno ? plb_fail_errno(message, errno, "cannot read", place->folder) : PLB_OK;
    closedir(folder);
    return error;
}

static bool has_saved(const plb_folder_files *files) {
    bool found = false;
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS; kind++)
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) found = found || files->saved[kind][ply];
    return found;
}

static bool has_scratch(const plb_folder_files *files) {
    bool found = files->table || has_saved(files);
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS; kind++)
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) found = found || files->unsaved[kind][ply];
    return found;
}

/* ---- files ---- */

/* "<doing> <folder>/<name>: <system's text>" */
static int fail_file(const plb_workplace *place, const char *doing, const char *name,
                     plb_message *message) {
    int number = errno;
    return plb_fail(message, plb_error_of_errno(number), "%s %s/%s: %s", doing, place->folder, name,
                    strerror(number));
}

int plb_workplace_delete(const plb_workplace *place, const char *name, plb_message *message) {
    if (unlinkat(place->files, name, 0) == 0 || errno == ENOENT) return PLB_OK;
    return fail_file(place, "cannot delete", name, message);
}

int plb_workplace_rename(const plb_workplace *place, const char *from, const char *to,
                         plb_message *message) {
    if (renameat(place->files, from, place->files, to) == 0) return PLB_OK;
    return fail_file(place, "cannot name", to, message);
}

int plb_workplace_sync(const plb_workplace *place, const char *name, plb_message *message) {
    if (!name)
        return fsync(place->files) == 0
                   ? PLB_OK
                   : plb_fail_errno(message, errno, "cannot sync", place->folder);
    int file = openat(place->files, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return fail_file(place, "cannot open", name, message);
    int error = fdatasync(file) == 0 ? PLB_OK : fail_file(place, "cannot sync", name, message);
    close(file);
    return error;
}

int plb_workplace_open_parent(const char *path, int *folder, plb_message *message) {
    char *copy = strdup(path);
    if (!copy) return plb_fail(message, PLB_ENOMEM, "out of memory");
    *folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (*folder >= 0) return PLB_OK;
    return plb_fail_errno(message, errno, "cannot open the folder of", path);
}

int plb_workplace_sync_parent(int folder, const char *path, plb_message *message) {
    int error = PLB_OK;
    if (fsync(folder) != 0)
        error = plb_fail_errno(message, errno, "cannot sync the folder of", path);
    close(folder);
    return error;
}

/* Delete the scratch files of a kind. */
static int delete_kind(const plb_workplace *place, plb_scratch_kind kind,
                       const plb_folder_files *listing, plb_message *message) {
    char name[PLB_NAME_TEXT];
    int error = PLB_OK;
    for (int ply = 0; ply <= PLB_MAX_CELLS && !error; ply++)
        for (int saved = 0; saved < 2 && !error; saved++) {
            if (!(saved ? listing->saved : listing->unsaved)[kind][ply]) continue;
            plb_workplace_name(kind, ply, saved, name);
            error = plb_workplace_delete(place, name, message);
        }
    return error;
}

/* Delete every file but the lock, which is held. Values go first, the deepest before the others, so
 * that what is left if this is cut short is an earlier state of the build; the claim last, after
 * files that outlast a power cut are gone for good: without it they would be nobody's. */
static int clear_folder(const plb_workplace *place, plb_message *message) {
    static const plb_scratch_kind order[] = {PLB_SCRATCH_VALUES, PLB_SCRATCH_REACH,
                                             PLB_SCRATCH_TABLE};
    plb_folder_files listing;
    int error = plb_workplace_list(place, &listing, message);
    for (int k = 0; k < PLB_SCRATCH_KINDS && !error; k++)
        error = delete_kind(place, order[k], &listing, message);
    if (!error) error = plb_workplace_delete(place, PLB_UNNAMED_TABLE, message);
    if (!error) error = plb_workplace_delete(place, unsaved_claim_name, message);
    if (!error && has_saved(&listing)) error = plb_workplace_sync(place, NULL, message);
    return error ? error : plb_workplace_delete(place, claim_name, message);
}

/* ---- the claim ---- */

static const char claim_head[] = "unfinished table of plybase";
static const char build_word[] = " build "; /* between what is built and the number of the build */

typedef enum claim_state { NO_CLAIM, BROKEN_CLAIM, WHOLE_CLAIM } claim_state;

/* The line of a claim's text; NULL if it is not a whole one. */
static char *parse_claim(char *text) {
    char *line = strchr(text, '\n'), *end = line ? strchr(line + 1, '\n') : NULL;
    if (!end || end[1]) return NULL;
    *line = *end = 0;
    return strcmp(text, claim_head) == 0 && strstr(line + 1, build_word) ? line + 1 : NULL;
}

static int read_claim(const plb_workplace *place, claim_state *state, char claim[PLB_CLAIM_TEXT],
                      plb_message *message) {
    char text[PLB_CLAIM_TEXT + sizeof claim_head + 1] = "";
    *state = NO_CLAIM;
    int file = openat(place->files, claim_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return PLB_OK;
    if (file < 0) return fail_file(place, "cannot read", claim_name, message);
    ssize_t size = read(file, text, sizeof text - 1);
    int error = size < 0 ? fail_file(place, "cannot read", claim_name, message) : PLB_OK;
    close(file);
    const char *line = parse_claim(text);
    *state = line ? WHOLE_CLAIM : BROKEN_CLAIM;
    if (line) snprintf(claim, PLB_CLAIM_TEXT, "%.*s", PLB_CLAIM_TEXT - 1, line);
    return error;
}

static int write_text(const plb_workplace *place, const char *name, const char *text,
                      plb_message *message) {
    ssize_t length = (ssize_t)strlen(text);
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
    int file = openat(place->files, name, flags, FILE_MODE);
    if (file < 0) return fail_file(place, "cannot create", name, message);
    ssize_t written = pwrite(file, text, length, 0);
    if (written >= 0 && written < length) errno = ENOSPC;
    int error = written == length ? PLB_OK : fail_file(place, "cannot write", name, message);
    close(file);
    return error;
}

/* Begin a build: its claim is on the disk before it makes any other file. */
static int make_claim(plb_workplace *place, const char *claim, plb_message *message) {
    char text[PLB_CLAIM_TEXT + sizeof claim_head + 1];
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return plb_fail_errno(message, errno, "cannot begin", place->folder);
    snprintf(place->claim, sizeof place->claim, "%s%s%016llx", claim, build_word,
             (unsigned long long)number);
    snprintf(text, sizeof text, "%s\n%s\n", claim_head, place->claim);
    int error = write_text(place, unsaved_claim_name, text, message);
    if (!error) error = plb_workplace_sync(place, unsaved_claim_name, message);
    if (!error) error = plb_workplace_rename(place, unsaved_claim_name, claim_name, message);
    return error ? error : plb_workplace_sync(place, NULL, message);
}

/* ---- entering ---- */

static int open_folder(plb_workplace *place, plb_message *message) {
    if (mkdir(place->folder, FOLDER_MODE) != 0 && errno != EEXIST)
        return plb_fail_errno(message, errno, "cannot create", place->folder);
    place->files = open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place->files < 0) return plb_fail_errno(message, errno, "cannot open", place->folder);
    return PLB_OK;
}

/* The table is renamed from the folder to its place, which works within one file system. */
static int check_device(const plb_workplace *place, const char *output, plb_message *message) {
    struct stat here, there;
    char *copy = strdup(output);
    if (!copy) return plb_fail(message, PLB_ENOMEM, "out of memory");
    bool differs = fstat(place->files, &here) == 0 && stat(dirname(copy), &there) == 0 &&
                   here.st_dev != there.st_dev;
    free(copy);
    if (!differs) return PLB_OK;
    return plb_fail(message, PLB_EARGUMENT,
                    "%s is on another file system than %s: choose an output on that one with -o",
                    place->folder, output);
}

static int check_foreign(const plb_workplace *place, plb_message *message) {
    plb_folder_files listing;
    int error = plb_workplace_list(place, &listing, message);
    if (error || !*listing.foreign) return error;
    return plb_fail(
        message, PLB_ENOTTABLE,
        "%.100s holds '%.60s', which no build has made: remove it from there, or choose "
        "another output with -o",
        place->folder, listing.foreign);
}

/* A lock without a name is that of a build which has just ended and taken the folder with it. */
static int take_lock(plb_workplace *place, plb_message *message) {
    struct stat held;
    int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    place->lock = openat(place->files, lock_name, flags, FILE_MODE);
    if (place->lock < 0) return plb_fail_errno(message, errno, "cannot lock", place->folder);
    bool locked = flock(place->lock, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK)
        return plb_fail_errno(message, errno, "cannot lock", place->folder);
    if (locked && fstat(place->lock, &held) == 0 && held.st_nlink > 0) return PLB_OK;
    return plb_fail(message, PLB_EBUSY, "another process is building in %s", place->folder);
}

/* Scratch files of which nobody says what they are: not ours to use, nor to delete. */
static int check_unclaimed(const plb_workplace *place, plb_message *message) {
    plb_folder_files listing;
    int error = plb_workplace_list(place, &listing, message);
    if (error || !has_scratch(&listing)) return error;
    return plb_fail(message, PLB_ECORRUPT,
                    "%s holds scratch files, but its file '%s' does not tell of which build: "
                    "remove the folder, or choose another output with -o",
                    place->folder, claim_name);
}

/* Is it the claim of a build of this, whatever the number of the build? */
static bool is_claim_of(const char *found, const char *claim) {
    size_t length = strlen(claim);
    return strncmp(found, claim, length) == 0 &&
           strncmp(found + length, build_word, strlen(build_word)) == 0;
}

static int take_over(plb_workplace *place, const char *claim, bool force, plb_message *message) {
    claim_state state;
    int error = read_claim(place, &state, place->claim, message);
    if (error) return error;
    if (state == WHOLE_CLAIM && !force) {
        if (is_claim_of(place->claim, claim)) return PLB_OK;
        return plb_fail(message, PLB_EOTHERGAME,
                        "%.100s holds the unfinished build of '%.*s', not of '%.80s': finish that "
                        "one, choose another output with -o, or discard it with --force",
                        place->folder,
                        (int)plb_min(80, strstr(place->claim, build_word) - place->claim),
                        place->claim, claim);
    }
    error = state == WHOLE_CLAIM ? clear_folder(place, message) : check_unclaimed(place, message);
    return error ? error : make_claim(place, claim, message);
}

int plb_workplace_enter(const char *output, const char *claim, bool force, plb_workplace *place,
                        plb_message *message) {
    *place = nowhere;
    if (asprintf(&place->folder, "%s.part", output) < 0) {
        place->folder = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    int error = open_folder(place, message);
    if (!error) error = check_device(place, output, message);
    if (!error) error = check_foreign(place, message);
    if (!error) error = take_lock(place, message);
    if (!error) error = take_over(place, claim, force, message);
    if (error) plb_workplace_leave(place, false);
    return error;
}

void plb_workplace_leave(plb_workplace *place, bool remove) {
    if (remove && place->lock >= 0 && clear_folder(place, NULL) == PLB_OK) {
        plb_workplace_delete(place, lock_name, NULL);
        rmdir(place->folder);
    }
    if (place->lock >= 0) close(place->lock);
    if (place->files >= 0) close(place->files);
    free(place->folder);
    *place = nowhere;
}

/* ---- folders of others ---- */

static char *folder_of(const char *output) {
    char *folder;
    return asprintf(&folder, "%s.part", output) < 0 ? NULL : folder;
}

void plb_workplace_sweep(const char *output, const char *claim) {
    plb_workplace place;
    char *folder = folder_of(output);
    bool left = folder && access(folder, F_OK) == 0;
    free(folder);
    if (left && plb_workplace_enter(output, claim, false, &place, NULL) == PLB_OK)
        plb_workplace_leave(&place, true);
}

double plb_workplace_bytes(const char *output) {
    enum { STATUS_BLOCK = 512 };
    char *name = folder_of(output);
    DIR *folder = name ? opendir(name) : NULL;
    double bytes = 0;
    struct stat status;
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (fstatat(dirfd(folder), e->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            bytes += (double)status.st_blocks * STATUS_BLOCK;
    if (folder) closedir(folder);
    free(name);
    return bytes;
}

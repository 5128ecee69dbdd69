/* SPDX-License-Identifier: MIT
 *
 * The folder of an unfinished build.
 */
#include "builder/workplace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0755, FILE_MODE = 0644, CLAIM_BYTES = 256, NAME_BYTES = 64 };

static const plb_workplace nowhere = {.files = -1, .lock = -1};

static void make_name(const char *name, int ply, char made[NAME_BYTES]) {
    if (ply < 0)
        snprintf(made, NAME_BYTES, "%s", name);
    else
        snprintf(made, NAME_BYTES, "%s.%02d", name, ply);
}

const char *plb_workplace_path(plb_workplace *place, const char *name, int ply) {
    char made[NAME_BYTES];
    make_name(name, ply, made);
    free(place->path);
    if (asprintf(&place->path, "%s/%s", place->folder, made) < 0) place->path = NULL;
    return place->path;
}

bool plb_workplace_has(const plb_workplace *place, const char *name, int ply) {
    char made[NAME_BYTES];
    make_name(name, ply, made);
    return faccessat(place->files, made, F_OK, 0) == 0;
}

void plb_workplace_delete(const plb_workplace *place, const char *name, int ply) {
    char made[NAME_BYTES];
    make_name(name, ply, made);
    unlinkat(place->files, made, 0);
}

/* Delete every file in the folder but the lock, which is held; the claim last, for without it the
 * rest would be anybody's. */
static int clear_folder(const plb_workplace *place, plb_message *message) {
    DIR *folder = opendir(place->folder); /* NOLINT: never NULL, as plb_fail never returns 0 */
    if (!folder) return plb_fail_errno(message, errno, "cannot read", place->folder);
    for (struct dirent *e; (e = readdir(folder));)
        if (strcmp(e->d_name, "lock") != 0 && strcmp(e->d_name, "game") != 0)
            unlinkat(place->files, e->d_name, 0);
    closedir(folder);
    plb_workplace_delete(place, "game", -1);
    return PLB_OK;
}

static int open_folder(plb_workplace *place, plb_message *message) {
    if (mkdir(place->folder, FOLDER_MODE) != 0 && errno != EEXIST)
        return plb_fail_errno(message, errno, "cannot create", place->folder);
    place->files = open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place->files < 0) return plb_fail_errno(message, errno, "cannot open", place->folder);
    return PLB_OK;
}

/* A lock without a name is that of a build which has just ended and taken the folder with it. */
static int take_lock(plb_workplace *place, plb_message *message) {
    struct stat held;
    place->lock = openat(place->files, "lock", O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (place->lock < 0) return plb_fail_errno(message, errno, "cannot lock", place->folder);
    bool locked = flock(place->lock, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK)
        return plb_fail_errno(message, errno, "cannot lock", place->folder);
    if (locked && fstat(place->lock, &held) == 0 && held.st_nlink > 0) return PLB_OK;
    return plb_fail(message, PLB_EBUSY, "another process is building in %s", place->folder);
}

/* Is the folder ours? An empty or half-written claim is nobody's: nothing was built under it. */
static int compare_claim(const plb_workplace *place, int file, const char *claim,
                         plb_message *message) {
    char found[CLAIM_BYTES] = "";
    ssize_t size = read(file, found, sizeof found - 1), length = (ssize_t)strlen(claim);
    if (size < 0) return plb_fail_errno(message, errno, "cannot read the game of", place->folder);
    if (strcmp(claim, found) == 0) return PLB_OK;
    if (strncmp(claim, found, size) != 0)
        return plb_fail(message, PLB_EOTHERGAME,
                        "%s holds the unfinished build of '%.80s', not of '%.80s': finish that "
                        "one, choose another output with -o, or discard it with --force",
                        place->folder, found, claim);
    ssize_t written = pwrite(file, claim, length, 0);
    if (written == length) return PLB_OK;
    return plb_fail_errno(message, written < 0 ? errno : ENOSPC, "cannot write in", place->folder);
}

static int check_claim(const plb_workplace *place, const char *claim, plb_message *message) {
    int file = openat(place->files, "game", O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (file < 0) return plb_fail_errno(message, errno, "cannot write in", place->folder);
    int error = compare_claim(place, file, claim, message);
    close(file);
    return error;
}

int plb_workplace_enter(const char *output, const char *claim, bool force, plb_workplace *place,
                        plb_message *message) {
    *place = nowhere;
    if (asprintf(&place->folder, "%s.part", output) < 0) {
        place->folder = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    int error = open_folder(place, message);
    if (!error) error = take_lock(place, message);
    if (!error && force) error = clear_folder(place, message);
    if (!error) error = check_claim(place, claim, message);
    if (error) plb_workplace_leave(place, false);
    return error;
}

void plb_workplace_leave(plb_workplace *place, bool remove) {
    if (remove && place->lock >= 0) {
        clear_folder(place, NULL);
        plb_workplace_delete(place, "lock", -1);
        rmdir(place->folder);
    }
    if (place->lock >= 0) close(place->lock);
    if (place->files >= 0) close(place->files);
    free(place->folder);
    free(place->path);
    *place = nowhere;
}

void plb_workplace_sweep(const char *output, const char *claim) {
    plb_workplace place;
    char *folder = NULL;
    if (asprintf(&folder, "%s.part", output) < 0) return;
    bool left = access(folder, F_OK) == 0;
    free(folder);
    if (left && plb_workplace_enter(output, claim, false, &place, NULL) == PLB_OK)
        plb_workplace_leave(&place, true);
}

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

enum { FOLDER_MODE = 0755, FILE_MODE = 0644, CLAIM_BYTES = 256 };

const char *plb_workplace_path(plb_workplace *place, const char *name, int ply) {
    free(place->path);
    place->path = NULL;
    int length = ply < 0 ? asprintf(&place->path, "%s/%s", place->folder, name)
                         : asprintf(&place->path, "%s/%s.%02d", place->folder, name, ply);
    if (length < 0) place->path = NULL;
    return place->path;
}

bool plb_workplace_has(plb_workplace *place, const char *name, int ply) {
    const char *path = plb_workplace_path(place, name, ply);
    return path && access(path, F_OK) == 0;
}

void plb_workplace_delete(plb_workplace *place, const char *name, int ply) {
    const char *path = plb_workplace_path(place, name, ply);
    if (path) unlink(path);
}

/* Delete every file in the folder but the lock, which is held. */
static void clear_folder(const plb_workplace *place) {
    DIR *folder = opendir(place->folder);
    if (!folder) return;
    for (struct dirent *e; (e = readdir(folder));)
        if (strcmp(e->d_name, "lock") != 0) unlinkat(dirfd(folder), e->d_name, 0);
    closedir(folder);
}

static int take_lock(plb_workplace *place, plb_message *message) {
    const char *path = plb_workplace_path(place, "lock", -1);
    if (!path) return plb_fail(message, PLB_ENOMEM, "out of memory");
    place->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (place->lock < 0) return plb_fail_errno(message, errno, "cannot create", path);
    if (flock(place->lock, LOCK_EX | LOCK_NB) == 0) return PLB_OK;
    if (errno == EWOULDBLOCK)
        return plb_fail(message, PLB_EBUSY, "another process is building in %s", place->folder);
    return plb_fail_errno(message, errno, "cannot lock", path);
}

static int write_claim(const char *path, const char *claim, plb_message *message) {
    FILE *file = fopen(path, "we");
    if (!file) return plb_fail_errno(message, errno, "cannot create", path);
    bool written = fputs(claim, file) >= 0;
    if (fclose(file) != 0 || !written) {
        int error = plb_fail_errno(message, errno, "cannot write", path);
        unlink(path);
        return error;
    }
    return PLB_OK;
}

/* Is the folder ours? An empty or half-written claim is nobody's: nothing was built under it. */
static int check_claim(plb_workplace *place, const char *claim, plb_message *message) {
    const char *path = plb_workplace_path(place, "game", -1);
    if (!path) return plb_fail(message, PLB_ENOMEM, "out of memory");
    char found[CLAIM_BYTES] = "";
    FILE *file = fopen(path, "re");
    if (!file) return write_claim(path, claim, message);
    bool any = fgets(found, sizeof found, file) != NULL;
    fclose(file);
    if (!any || strncmp(claim, found, strlen(found)) == 0) {
        if (any && strcmp(claim, found) == 0) return PLB_OK;
        return write_claim(path, claim, message);
    }
    return plb_fail(message, PLB_EOTHERGAME,
                    "%s holds the unfinished build of '%.80s', not of '%.80s': finish that one, "
                    "choose another output with -o, or discard it with --force",
                    place->folder, found, claim);
}

int plb_workplace_enter(const char *output, const char *claim, bool force, plb_workplace *place,
                        plb_message *message) {
    *place = (plb_workplace){.lock = -1};
    if (asprintf(&place->folder, "%s.part", output) < 0) {
        place->folder = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    int error = PLB_OK;
    if (mkdir(place->folder, FOLDER_MODE) != 0 && errno != EEXIST)
        error = plb_fail_errno(message, errno, "cannot create", place->folder);
    if (!error) error = take_lock(place, message);
    if (!error && force) clear_folder(place);
    if (!error) error = check_claim(place, claim, message);
    if (error) plb_workplace_leave(place, false);
    return error;
}

void plb_workplace_leave(plb_workplace *place, bool remove) {
    if (remove && place->lock >= 0) {
        clear_folder(place);
        plb_workplace_delete(place, "lock", -1);
        rmdir(place->folder);
    }
    if (place->lock >= 0) close(place->lock);
    free(place->folder);
    free(place->path);
    *place = (plb_workplace){.lock = -1};
}

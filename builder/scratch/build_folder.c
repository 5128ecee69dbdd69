/* SPDX-License-Identifier: MIT */
#include "builder/scratch/build_folder.h"

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
#include <sys/statvfs.h>
#include <unistd.h>

#include "tables/bits.h"
#include "tables/store/store.h"

enum { FOLDER_MODE = 0755, FILE_MODE = 0644 };

static const plb_build_folder nowhere = {.files = -1, .lock = -1};
static const char *const kinds[PLB_SCRATCH_KINDS] = {
    [PLB_SCRATCH_REACH] = "reach", [PLB_SCRATCH_VALUES] = "values", [PLB_SCRATCH_TABLE] = "table"};
static const char label_name[] = "game", unsaved_label_name[] = "game.tmp", lock_name[] = "lock";

/* ---- sets ---- */

bool plb_scratch_set_find(const plb_scratch_set *set, plb_scratch_file *file) {
    for (; file->kind < PLB_SCRATCH_KINDS; file->kind++, file->ply = 0)
        for (; file->ply <= PLB_MAX_CELLS; file->ply++, file->part = 0) {
            if (file->part == PLB_PLY_PARTS) continue;
            uint32_t rest = set->parts[file->kind][file->ply] >> file->part;
            if (!rest) continue;
            file->part += __builtin_ctz(rest);
            return true;
        }
    return false;
}

/* ---- names ---- */

void plb_build_folder_name(plb_scratch_file file, bool saved, char name[PLB_NAME_TEXT]) {
    char part[4] = "";
    if (file.part > 0) snprintf(part, sizeof part, ".%02d", file.part % 100);
    snprintf(name, PLB_NAME_TEXT, "%s.%02d%s%s", kinds[file.kind], file.ply, part,
             saved ? "" : ".tmp");
}

/* Add a scratch file to the listing; false if the name is not that of a scratch file. */
static bool list_scratch(const char *name, plb_folder_files *listing) {
    char kind[PLB_NAME_TEXT], made[PLB_NAME_TEXT];
    plb_scratch_file file = {0};
    if (strlen(name) >= sizeof kind) return false;
    if (sscanf(name, "%15[a-z].%2d.%2d", kind, &file.ply, &file.part) < 2) return false;
    while (file.kind < PLB_SCRATCH_KINDS && strcmp(kind, kinds[file.kind]) != 0) file.kind++;
    if (file.kind == PLB_SCRATCH_KINDS || file.ply < 0 || file.ply > PLB_MAX_CELLS ||
        file.part < 0 || file.part >= PLB_PLY_PARTS)
        return false;
    for (int saved = 0; saved < 2; saved++) {
        plb_build_folder_name(file, saved, made);
        if (strcmp(name, made) != 0) continue;
        plb_scratch_set_add(saved ? &listing->saved : &listing->unsaved, file);
        return true;
    }
    return false;
}

int plb_build_folder_list(const plb_build_folder *folder, plb_folder_files *listing,
                          plb_message *message) {
    static const char *const own[] = {".", "..", label_name, unsaved_label_name, lock_name};
    *listing = (plb_folder_files){0};
    DIR *directory = opendir(folder->path); /* NOLINT: never NULL, as plb_fail never returns 0 */
    if (!directory) return plb_fail_errno(message, errno, "cannot read", folder->path);
    struct dirent *e;
    while (errno = 0, (e = readdir(directory))) {
        const char *name = e->d_name;
        bool is_own = false;
        for (size_t o = 0; o < sizeof own / sizeof *own; o++) is_own |= strcmp(name, own[o]) == 0;
        if (strcmp(name, PLB_UNNAMED_TABLE) == 0 || strcmp(name, PLB_UNNAMED_SHARD) == 0)
            listing->table = true;
        else if (!is_own && !list_scratch(name, listing))
            snprintf(listing->foreign, sizeof listing->foreign, "%s", name);
    }
    int error = errno ? plb_fail_errno(message, errno, "cannot read", folder->path) : PLB_OK;
    closedir(directory);
    return error;
}

static bool has_any(const plb_scratch_set *set) {
    return plb_scratch_set_find(set, &(plb_scratch_file){0});
}

/* ---- files ---- */

/* "<doing> <folder>/<name>: <system's text>" */
static int fail_file(const plb_build_folder *folder, const char *doing, const char *name,
                     plb_message *message) {
    int number = errno;
    return plb_fail(message, plb_error_of_errno(number), "%s %s/%s: %s", doing, folder->path, name,
                    strerror(number));
}

int plb_build_folder_delete(const plb_build_folder *folder, const char *name,
                            plb_message *message) {
    if (unlinkat(folder->files, name, 0) == 0 || errno == ENOENT) return PLB_OK;
    return fail_file(folder, "cannot delete", name, message);
}

int plb_build_folder_rename(const plb_build_folder *folder, const char *from, const char *to,
                            plb_message *message) {
    if (renameat(folder->files, from, folder->files, to) == 0) return PLB_OK;
    return fail_file(folder, "cannot name", to, message);
}

int plb_build_folder_sync(const plb_build_folder *folder, const char *name, plb_message *message) {
    if (!name)
        return fsync(folder->files) == 0
                   ? PLB_OK
                   : plb_fail_errno(message, errno, "cannot sync", folder->path);
    int file = openat(folder->files, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return fail_file(folder, "cannot open", name, message);
    int error = fdatasync(file) == 0 ? PLB_OK : fail_file(folder, "cannot sync", name, message);
    close(file);
    return error;
}

int plb_build_folder_open_parent(const char *path, int *folder, plb_message *message) {
    char *copy = strdup(path);
    if (!copy) return plb_fail(message, PLB_ENOMEM, "out of memory");
    *folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (*folder >= 0) return PLB_OK;
    return plb_fail_errno(message, errno, "cannot open the folder of", path);
}

int plb_build_folder_sync_parent(int folder, const char *path, plb_message *message) {
    int error = PLB_OK;
    if (fsync(folder) != 0)
        error = plb_fail_errno(message, errno, "cannot sync the folder of", path);
    close(folder);
    return error;
}

/* Delete every file except the lock, which is held. Values go first, those of the lowest ply before
 * the others: if this is interrupted, an earlier state of the build is left. The label goes last,
 * after a sync of the other deletions: saved files without a label would belong to no build. */
static int clear_folder(const plb_build_folder *folder, plb_message *message) {
    static const plb_scratch_kind order[] = {PLB_SCRATCH_VALUES, PLB_SCRATCH_REACH,
                                             PLB_SCRATCH_TABLE};
    plb_folder_files listing;
    int error = plb_build_folder_list(folder, &listing, message);
    for (int k = 0; k < 2 * PLB_SCRATCH_KINDS; k++) {
        bool saved = k % 2;
        const plb_scratch_set *set = saved ? &listing.saved : &listing.unsaved;
        plb_scratch_file file = {.kind = order[k / 2]};
        char name[PLB_NAME_TEXT];
        for (; !error && plb_scratch_set_find(set, &file) && file.kind == order[k / 2];
             file.part++) {
            plb_build_folder_name(file, saved, name);
            error = plb_build_folder_delete(folder, name, message);
        }
    }
    if (!error) error = plb_build_folder_delete(folder, PLB_UNNAMED_TABLE, message);
    if (!error) error = plb_build_folder_delete(folder, PLB_UNNAMED_SHARD, message);
    if (!error) error = plb_build_folder_delete(folder, unsaved_label_name, message);
    if (!error && has_any(&listing.saved)) error = plb_build_folder_sync(folder, NULL, message);
    return error ? error : plb_build_folder_delete(folder, label_name, message);
}

/* ---- the label ---- */

static const char label_head[] = "unfinished table of plybase";
static const char build_word[] = " build "; /* between what is built and the number of the build */

typedef enum label_state { NO_LABEL, BROKEN_LABEL, COMPLETE_LABEL } label_state;

static int read_label(const plb_build_folder *folder, label_state *state,
                      char label[PLB_LABEL_TEXT], plb_message *message) {
    char text[PLB_LABEL_TEXT + sizeof label_head + 1] = "";
    *state = NO_LABEL;
    int file = openat(folder->files, label_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return PLB_OK;
    if (file < 0) return fail_file(folder, "cannot read", label_name, message);
    ssize_t size = read(file, text, sizeof text - 1);
    int error = size < 0 ? fail_file(folder, "cannot read", label_name, message) : PLB_OK;
    close(file);
    /* A complete label is two lines, the second of which has the number of the build. */
    char *line = strchr(text, '\n'), *end = line ? strchr(line + 1, '\n') : NULL;
    if (end && !end[1]) {
        *line++ = *end = 0;
        if (strcmp(text, label_head) != 0 || !strstr(line, build_word)) line = NULL;
    } else {
        line = NULL;
    }
    *state = line ? COMPLETE_LABEL : BROKEN_LABEL;
    if (line) snprintf(label, PLB_LABEL_TEXT, "%.*s", PLB_LABEL_TEXT - 1, line);
    return error;
}

static int write_text(const plb_build_folder *folder, const char *name, const char *text,
                      plb_message *message) {
    ssize_t length = (ssize_t)strlen(text);
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
    int file = openat(folder->files, name, flags, FILE_MODE);
    if (file < 0) return fail_file(folder, "cannot create", name, message);
    ssize_t written = pwrite(file, text, length, 0);
    if (written >= 0 && written < length) errno = ENOSPC;
    int error = written == length ? PLB_OK : fail_file(folder, "cannot write", name, message);
    close(file);
    return error;
}

/* ---- entering ---- */

static char *path_of(const char *output) {
    char *path;
    return asprintf(&path, "%s" PLB_UNFINISHED_SUFFIX, output) < 0 ? NULL : path;
}

/* Refuse another file system: the finished table is renamed from the folder to the output. */
static int check_device(const plb_build_folder *folder, const char *output, plb_message *message) {
    struct stat here, there;
    char *copy = strdup(output);
    if (!copy) return plb_fail(message, PLB_ENOMEM, "out of memory");
    bool differs = fstat(folder->files, &here) == 0 && stat(dirname(copy), &there) == 0 &&
                   here.st_dev != there.st_dev;
    free(copy);
    if (!differs) return PLB_OK;
    return plb_fail(message, PLB_EARGUMENT,
                    "%s is on another file system than %s: choose an output on that one with -o",
                    folder->path, output);
}

/* If the lock file has been deleted meanwhile, a build has just ended and deleted the folder. */
static int take_lock(plb_build_folder *folder, plb_message *message) {
    struct stat held;
    int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    folder->lock = openat(folder->files, lock_name, flags, FILE_MODE);
    if (folder->lock < 0) return plb_fail_errno(message, errno, "cannot lock", folder->path);
    bool locked = flock(folder->lock, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK)
        return plb_fail_errno(message, errno, "cannot lock", folder->path);
    if (locked && fstat(folder->lock, &held) == 0 && held.st_nlink > 0) return PLB_OK;
    return plb_fail(message, PLB_EBUSY, "another process is building in %s", folder->path);
}

/* Refuse scratch files without a complete label: they are neither used nor deleted. */
static int check_unidentified(const plb_build_folder *folder, plb_message *message) {
    plb_folder_files listing;
    int error = plb_build_folder_list(folder, &listing, message);
    if (error) return error;
    if (!listing.table && !has_any(&listing.saved) && !has_any(&listing.unsaved)) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT,
                    "%s holds scratch files, but its file '%s' does not say of which build: "
                    "remove the folder, or choose another output with -o",
                    folder->path, label_name);
}

/* Is a text `other` followed by the number of a build? */
static bool is_numbered(const char *text, const char *other) {
    size_t length = strlen(other);
    return strncmp(text, other, length) == 0 &&
           strncmp(text + length, build_word, strlen(build_word)) == 0;
}

static int take_over(plb_build_folder *folder, const char *label, bool force,
                     plb_message *message) {
    label_state state;
    int error = read_label(folder, &state, folder->label, message);
    if (error) return error;
    if (state == COMPLETE_LABEL && !force) {
        if (is_numbered(folder->label, label)) return PLB_OK;
        size_t before = strcspn(label, " ") + 4; /* the game, and its values */
        bool is_same_game = strncmp(folder->label, label, before) == 0;
        const char *versions = strstr(label, PLB_LABEL_VERSIONS);
        const char *other_versions = strstr(folder->label, PLB_LABEL_VERSIONS);
        if (is_same_game && versions && other_versions && !is_numbered(other_versions, versions))
            return plb_fail(message, PLB_EOTHERGAME,
                            "%s holds a build that another version of plybase has begun, which "
                            "this one cannot resume: finish it with that one, choose another "
                            "output with -o, or discard it with --force",
                            folder->path);
        if (is_same_game && strstr(folder->label, PLB_LABEL_SHARDS " ") &&
            !strstr(label, PLB_LABEL_SHARDS " "))
            return plb_fail(message, PLB_EOTHERGAME,
                            "%s holds the build of a table in shards: resume it with --shards, "
                            "choose another output with -o, or discard it with --force",
                            folder->path);
        return plb_fail(message, PLB_EOTHERGAME,
                        "%s holds the unfinished build of '%.*s', not of '%.80s': finish that "
                        "one, choose another output with -o, or discard it with --force",
                        folder->path,
                        (int)plb_min(80, strstr(folder->label, build_word) - folder->label),
                        folder->label, label);
    }
    error = state == COMPLETE_LABEL ? clear_folder(folder, message)
                                    : check_unidentified(folder, message);
    if (error) return error;
    /* Begin a build. Its label must be on the disk before any other file is made. */
    char text[PLB_LABEL_TEXT + sizeof label_head + 1];
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return plb_fail_errno(message, errno, "cannot begin", folder->path);
    snprintf(folder->label, sizeof folder->label, "%s%s%016llx", label, build_word,
             (unsigned long long)number);
    snprintf(text, sizeof text, "%s\n%s\n", label_head, folder->label);
    error = write_text(folder, unsaved_label_name, text, message);
    if (!error) error = plb_build_folder_sync(folder, unsaved_label_name, message);
    if (!error) error = plb_build_folder_rename(folder, unsaved_label_name, label_name, message);
    return error ? error : plb_build_folder_sync(folder, NULL, message);
}

int plb_build_folder_enter(const char *output, const char *label, bool force,
                           plb_build_folder *folder, plb_message *message) {
    plb_folder_files listing;
    *folder = nowhere;
    folder->path = path_of(output);
    if (!folder->path) return plb_fail(message, PLB_ENOMEM, "out of memory");
    int error = PLB_OK;
    if (mkdir(folder->path, FOLDER_MODE) != 0 && errno != EEXIST)
        error = plb_fail_errno(message, errno, "cannot create", folder->path);
    if (!error) folder->files = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!error && folder->files < 0)
        error = plb_fail_errno(message, errno, "cannot open", folder->path);
    if (!error) error = check_device(folder, output, message);
    if (!error) error = plb_build_folder_list(folder, &listing, message);
    if (!error && *listing.foreign)
        error = plb_fail(message, PLB_ENOTTABLE,
                         "%s holds '%.60s', a file of another program: remove it from there, or "
                         "choose another output with -o",
                         folder->path, listing.foreign);
    if (!error) error = take_lock(folder, message);
    if (!error) error = take_over(folder, label, force, message);
    if (error) plb_build_folder_leave(folder, false);
    return error;
}

void plb_build_folder_leave(plb_build_folder *folder, bool remove) {
    if (remove && folder->lock >= 0 && clear_folder(folder, NULL) == PLB_OK) {
        plb_build_folder_delete(folder, lock_name, NULL);
        rmdir(folder->path);
    }
    if (folder->lock >= 0) close(folder->lock);
    if (folder->files >= 0) close(folder->files);
    free(folder->path);
    *folder = nowhere;
}

/* ---- other folders ---- */

bool plb_build_folder_enter_leftover(const char *output, const char *label,
                                     plb_build_folder *folder) {
    char *path = path_of(output);
    bool left = path && access(path, F_OK) == 0;
    free(path);
    return left && plb_build_folder_enter(output, label, false, folder, NULL) == PLB_OK;
}

void plb_build_folder_remove_leftover(const char *output, const char *label) {
    plb_build_folder folder;
    if (plb_build_folder_enter_leftover(output, label, &folder))
        plb_build_folder_leave(&folder, true);
}

void plb_build_folder_visit_ranks(const char *output, plb_visit_rank *visit, void *context) {
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    char *path = NULL, *parent = slash ? strndup(output, (size_t)(base - output)) : strdup(".");
    DIR *folder = parent ? opendir(parent) : NULL;
    for (const struct dirent *e; folder && (e = readdir(folder));) {
        const char *rest = e->d_name + strlen(base);
        int rank = -1, end = 0;
        if (strncmp(e->d_name, base, strlen(base)) != 0 ||
            sscanf(rest, ".rank%4d%n", &rank, &end) != 1 || rank < 0 ||
            strcmp(rest + end, PLB_UNFINISHED_SUFFIX) != 0)
            continue;
        if (asprintf(&path, "%s.rank%d", output, rank) < 0) break;
        visit(context, rank, path);
        free(path);
    }
    if (folder) closedir(folder);
    free(parent);
}

double plb_build_folder_bytes(const char *output) {
    enum { STATUS_BLOCK = 512 };
    char *path = path_of(output);
    DIR *folder = path ? opendir(path) : NULL;
    double bytes = 0;
    struct stat status;
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (fstatat(dirfd(folder), e->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            bytes += (double)status.st_blocks * STATUS_BLOCK;
    if (folder) closedir(folder);
    free(path);
    return bytes;
}

typedef struct rank_space {
    const char *label;
    double bytes;
} rank_space;

static void add_bytes(void *context, int rank, const char *output) {
    rank_space *space = context;
    plb_build_folder folder = nowhere;
    label_state state;
    (void)rank;
    folder.path = path_of(output);
    if (folder.path) folder.files = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder.files >= 0 && read_label(&folder, &state, folder.label, NULL) == PLB_OK &&
        state == COMPLETE_LABEL && strncmp(folder.label, space->label, strlen(space->label)) == 0)
        space->bytes += plb_build_folder_bytes(output);
    plb_build_folder_leave(&folder, false);
}

double plb_build_folder_max_bytes(const char *output, const char *label) {
    struct statvfs disk;
    char *copy = strdup(output);
    double bytes = 0;
    if (copy && statvfs(dirname(copy), &disk) == 0) {
        bytes = (double)disk.f_bavail * (double)disk.f_frsize + plb_build_folder_bytes(output);
        rank_space others = {.label = label};
        if (label) plb_build_folder_visit_ranks(output, add_bytes, &others);
        bytes += others.bytes;
    }
    free(copy);
    return bytes;
}

/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library, implemented by system calls, and a model of the files as they are and
 * as they were last synced.
 */
#include "tests/support/watched_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/support/support.h"

enum { FILES = 1024, NODES = 4096 };

/* ---- the watched folder ---- */

static char root[SUPPORT_PATH];
static char *paths[FILES]; /* by descriptor: path of an open file under the root, or NULL */

static const char *path_of(int file) {
    return file >= 0 && file < FILES ? paths[file] : NULL;
}

static void set_path(int file, const char *path) {
    if (file < 0 || file >= FILES) return;
    free(paths[file]);
    paths[file] = path ? strdup(path) : NULL;
}

/* The full path of a name; false if it is not under the root. */
static bool find_path(int folder, const char *name, char path[SUPPORT_PATH]) {
    const char *parent = *name == '/' ? "" : folder == AT_FDCWD ? NULL : path_of(folder);
    if (!parent || !*root) return false;
    int length = snprintf(path, SUPPORT_PATH, "%s%s%s", parent, *parent ? "/" : "", name);
    return length < SUPPORT_PATH && strncmp(path, root, strlen(root)) == 0;
}

/* ---- failures ---- */

static struct {
    bool armed, failed, for_good;
    disk_call call;
    uint64_t calls_left;
    int number;
} fault;

const char *disk_call_name(disk_call call) {
    static const char *const names[DISK_CALLS] = {"open",   "read",   "write", "sync", "rename",
                                                  "delete", "folder", "lock",  "map"};
    return names[call];
}

void watched_disk_arm(disk_call call, uint64_t nth, int number, bool for_good) {
    fault.call = call;
    fault.calls_left = nth;
    fault.number = number;
    fault.for_good = for_good;
    fault.failed = false;
    fault.armed = true;
}

bool watched_disk_disarm(void) {
    fault.armed = false;
    return fault.failed;
}

static bool must_fail(disk_call call) {
    if (!fault.armed || call != fault.call) return false;
    if (!(fault.failed && fault.for_good) && --fault.calls_left > 0) return false;
    fault.failed = true;
    if (!fault.for_good) fault.armed = false;
    errno = fault.number;
    return true;
}

/* ---- other file systems ---- */

static unsigned lacking;

void watched_disk_lack(unsigned features) {
    lacking = features;
}

static bool lacks(unsigned feature, int number) {
    if (lacking & feature) errno = number;
    return lacking & feature;
}

/* ---- the model ---- */

typedef struct content {
    uint8_t *bytes;
    size_t size;
} content;

enum { NOW, SYNCED };

/* A file or a folder. A path is empty if there is no name. */
typedef struct node {
    bool is_folder;
    char path[2][SUPPORT_PATH]; /* [NOW, SYNCED] */
    content content[2];
} node;

static node *nodes;
static int node_count;
static uint64_t changes, cut_at;

void watched_disk_begin(const char *folder) {
    for (int n = 0; n < node_count; n++)
        for (int when = 0; when < 2; when++) free(nodes[n].content[when].bytes);
    free(nodes);
    nodes = folder ? calloc(NODES, sizeof *nodes) : NULL;
    node_count = 0;
    changes = cut_at = 0;
    snprintf(root, sizeof root, "%s", folder ? folder : "");
}

void watched_disk_cut_at(uint64_t nth) {
    cut_at = nth;
}

bool watched_disk_is_cut(void) {
    return cut_at && changes >= cut_at;
}

uint64_t watched_disk_changes(void) {
    return changes;
}

/* Count a change. False: it comes after the power cut. */
static bool reaches_disk(void) {
    changes++;
    return !watched_disk_is_cut();
}

static node *find_node(const char *path, int when) {
    for (int n = 0; n < node_count; n++)
        if (strcmp(nodes[n].path[when], path) == 0) return &nodes[n];
    return NULL;
}

static node *add_node(const char *path, bool is_folder) {
    assert_true(node_count < NODES);
    node *made = &nodes[node_count++];
    made->is_folder = is_folder;
    snprintf(made->path[NOW], SUPPORT_PATH, "%s", path);
    return made;
}

static void resize(content *c, size_t size) {
    if (size > c->size) {
        c->bytes = realloc(c->bytes, size);
        assert_non_null(c->bytes);
        memset(c->bytes + c->size, 0, size - c->size);
    }
    c->size = size;
}

static void note_open(const char *path, int flags) {
    node *n = find_node(path, NOW);
    if (n && !(flags & O_TRUNC)) return;
    if (!n && !(flags & O_CREAT)) return;
    if (!reaches_disk()) return;
    if (!n) n = add_node(path, false);
    if (flags & O_TRUNC) resize(&n->content[NOW], 0);
}

static void note_write(int file, const void *bytes, size_t size, off_t offset) {
    node *n = path_of(file) ? find_node(path_of(file), NOW) : NULL;
    if (!path_of(file) || !reaches_disk() || !n) return;
    content *c = &n->content[NOW];
    if (offset + size > c->size) resize(c, offset + size);
    if (size) memcpy(c->bytes + offset, bytes, size);
}

static void note_size(int file, off_t size) {
    node *n = path_of(file) ? find_node(path_of(file), NOW) : NULL;
    if (path_of(file) && reaches_disk() && n) resize(&n->content[NOW], size);
}

static bool is_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' &&
           !strchr(path + length + 1, '/');
}

/* The current content of a file, or the current names in a folder, become the synced ones. */
static void note_sync(int file) {
    const char *path = path_of(file);
    if (!path || !reaches_disk()) return;
    node *synced = find_node(path, NOW);
    if (synced && !synced->is_folder) {
        const content *now = &synced->content[NOW];
        resize(&synced->content[SYNCED], now->size);
        if (now->size) memcpy(synced->content[SYNCED].bytes, now->bytes, now->size);
        return;
    }
    for (node *n = nodes; n < nodes + node_count; n++)
        if (is_in(n->path[NOW], path))
            strcpy(n->path[SYNCED], n->path[NOW]);
        else if (is_in(n->path[SYNCED], path))
            *n->path[SYNCED] = 0;
}

static void note_rename(const char *from, const char *to) {
    if (!reaches_disk()) return;
    node *moved = find_node(from, NOW), *replaced = find_node(to, NOW);
    if (replaced) *replaced->path[NOW] = 0;
    if (moved) snprintf(moved->path[NOW], SUPPORT_PATH, "%s", to);
    for (int file = 0; file < FILES; file++)
        if (paths[file] && strcmp(paths[file], from) == 0) set_path(file, to);
}

static void note_delete(const char *path) {
    node *n = find_node(path, NOW);
    if (n && reaches_disk()) *n->path[NOW] = 0;
}

/* ---- after the cut ---- */

/* The content of which the first `first` bytes are as now, and the rest as synced. */
static content mix_contents(const node *n, size_t first) {
    const content *now = &n->content[NOW], *synced = &n->content[SYNCED];
    content mixed = {NULL, 0};
    resize(&mixed, first > synced->size ? first : synced->size);
    if (synced->size) memcpy(mixed.bytes, synced->bytes, synced->size);
    if (first) memcpy(mixed.bytes, now->bytes, first);
    return mixed;
}

static void restore_node(const node *n, int name, disk_loss loss, uint64_t *random) {
    const char *path = n->path[name];
    size_t size = n->content[NOW].size, first = 0;
    if (!*path) return;
    if (n->is_folder) {
        mkdir(path, 0755);
        return;
    }
    if (loss == DISK_LOSES_SOME && support_random(random) % 2)
        first = support_random(random) % 2 ? size : support_random_below(random, size + 1);
    FILE *file = fopen(path, "wb");
    if (!file) return; /* its folder was lost */
    content mixed = mix_contents(n, first);
    if (mixed.size) assert_int_equal(fwrite(mixed.bytes, 1, mixed.size, file), mixed.size);
    fclose(file);
    free(mixed.bytes);
}

/* NOW or SYNCED: the name of a node after the cut. */
static int choose_name(disk_loss loss, uint64_t *random) {
    if (loss == DISK_LOSES_ALL) return SYNCED;
    return loss == DISK_LOSES_CONTENT || support_random(random) % 2 ? NOW : SYNCED;
}

/* Restore folders, then files, each with a name of NOW or SYNCED. At last, where a rename was lost,
 * restore the file that it would have replaced. */
void watched_disk_restore(disk_loss loss, uint64_t *random) {
    node *saved = nodes;
    int count = node_count;
    char command[2 * SUPPORT_PATH];
    nodes = NULL;
    node_count = 0;
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    watched_disk_begin(NULL);
    assert_int_equal(system(command), 0);
    for (int pass = 0; pass < 2; pass++) /* folders, files */
        for (int n = 0; n < count; n++)
            if (saved[n].is_folder == !pass)
                restore_node(&saved[n], choose_name(loss, random), loss, random);
    for (int n = 0; n < count; n++) {
        const char *path = saved[n].path[SYNCED];
        bool is_replaced = false;
        for (int m = 0; m < count; m++)
            is_replaced = is_replaced || (m != n && *path && !strcmp(saved[m].path[NOW], path));
        if (is_replaced && !support_exists(path)) restore_node(&saved[n], SYNCED, loss, random);
    }
    for (int n = 0; n < count; n++)
        for (int when = 0; when < 2; when++) free(saved[n].content[when].bytes);
    free(saved);
}

/* ---- the calls ---- */

static bool is_unnamed(int flags) {
    return (flags & O_TMPFILE) == O_TMPFILE;
}

static int open_file(int folder, const char *name, int flags, mode_t mode) {
    char path[SUPPORT_PATH];
    bool watched = find_path(folder, name, path);
    if (watched && must_fail(DISK_OPEN)) return -1;
    if (watched && is_unnamed(flags) && lacks(DISK_NO_UNNAMED, EOPNOTSUPP)) return -1;
    int file = (int)syscall(SYS_openat, folder, name, flags, mode);
    if (file < 0) return file;
    set_path(file, watched ? path : NULL);
    if (watched) note_open(path, flags);
    return file;
}

int open(const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT || is_unnamed(flags) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_file(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT || is_unnamed(flags) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_file(folder, name, flags, mode);
}

int close(int file) {
    set_path(file, NULL);
    return (int)syscall(SYS_close, file);
}

ssize_t read(int file, void *bytes, size_t size) {
    if (path_of(file) && must_fail(DISK_READ)) return -1;
    return syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
    if (path_of(file) && must_fail(DISK_READ)) return -1;
    return syscall(SYS_pread64, file, bytes, size, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (path_of(file) && must_fail(DISK_WRITE)) return -1;
    ssize_t written = syscall(SYS_pwrite64, file, bytes, size, offset);
    if (written > 0) note_write(file, bytes, written, offset);
    return written;
}

ssize_t write(int file, const void *bytes, size_t size) {
    if (path_of(file) && must_fail(DISK_WRITE)) return -1;
    off_t offset = path_of(file) ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t written = syscall(SYS_write, file, bytes, size);
    if (written > 0) note_write(file, bytes, written, offset);
    return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (path_of(file) && must_fail(DISK_WRITE)) return -1;
    off_t offset = path_of(file) ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t written = syscall(SYS_writev, file, parts, count), left = written;
    for (int p = 0; p < count && left > 0; p++) {
        ssize_t size = left < (ssize_t)parts[p].iov_len ? left : (ssize_t)parts[p].iov_len;
        note_write(file, parts[p].iov_base, size, offset);
        offset += size;
        left -= size;
    }
    return written;
}

int ftruncate(int file, off_t size) {
    if (path_of(file) && must_fail(DISK_WRITE)) return -1;
    int result = (int)syscall(SYS_ftruncate, file, size);
    if (result == 0) note_size(file, size);
    return result;
}

static int sync_file(long call, int file) {
    if (path_of(file) && must_fail(DISK_SYNC)) return -1;
    int result = (int)syscall(call, file);
    if (result == 0) note_sync(file);
    return result;
}

int fsync(int file) {
    return sync_file(SYS_fsync, file);
}

int fdatasync(int file) {
    return sync_file(SYS_fdatasync, file);
}

int msync(void *address, size_t size, int flags) {
    return must_fail(DISK_SYNC) ? -1 : (int)syscall(SYS_msync, address, size, flags);
}

int renameat2(int old_folder, const char *old_name, int folder, const char *name, unsigned flags) {
    char from[SUPPORT_PATH], to[SUPPORT_PATH];
    bool watched = find_path(old_folder, old_name, from) && find_path(folder, name, to);
    if (watched && must_fail(DISK_RENAME)) return -1;
    if (watched && flags && lacks(DISK_NO_NEW_NAME, EINVAL)) return -1;
    if (watched && flags == RENAME_EXCHANGE && lacks(DISK_NO_EXCHANGE, EXDEV)) return -1;
    int result = (int)syscall(SYS_renameat2, old_folder, old_name, folder, name, flags);
    if (result == 0 && watched) note_rename(from, to);
    return result;
}

int renameat(int old_folder, const char *old_name, int folder, const char *name) {
    return renameat2(old_folder, old_name, folder, name, 0);
}

int rename(const char *old_name, const char *name) {
    return renameat(AT_FDCWD, old_name, AT_FDCWD, name);
}

/* The model has one name of each file: the new one, as after the old one is deleted. */
int linkat(int old_folder, const char *old_name, int folder, const char *name, int flags) {
    char from[SUPPORT_PATH], to[SUPPORT_PATH];
    bool watched = find_path(folder, name, to);
    if (watched && must_fail(DISK_RENAME)) return -1;
    if (watched && lacks(DISK_NO_LINK, EPERM)) return -1;
    int result = (int)syscall(SYS_linkat, old_folder, old_name, folder, name, flags);
    if (result == 0 && watched && find_path(old_folder, old_name, from)) note_rename(from, to);
    return watched && lacks(DISK_LOSES_ANSWER, EEXIST) ? -1 : result;
}

int link(const char *old_name, const char *name) {
    return linkat(AT_FDCWD, old_name, AT_FDCWD, name, 0);
}

static int delete_name(disk_call call, int folder, const char *name, int flags) {
    char path[SUPPORT_PATH];
    bool watched = find_path(folder, name, path);
    if (watched && must_fail(call)) return -1;
    int result = (int)syscall(SYS_unlinkat, folder, name, flags);
    if (result == 0 && watched) note_delete(path);
    return result;
}

int unlinkat(int folder, const char *name, int flags) {
    return delete_name(DISK_DELETE, folder, name, flags);
}

int unlink(const char *name) {
    return delete_name(DISK_DELETE, AT_FDCWD, name, 0);
}

int rmdir(const char *name) {
    return delete_name(DISK_FOLDER, AT_FDCWD, name, AT_REMOVEDIR);
}

int remove(const char *name) {
    return unlink(name) == 0 || (errno == EISDIR && rmdir(name) == 0) ? 0 : -1;
}

int mkdir(const char *name, mode_t mode) {
    char path[SUPPORT_PATH];
    bool watched = find_path(AT_FDCWD, name, path);
    if (watched && must_fail(DISK_FOLDER)) return -1;
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, name, mode);
    if (result == 0 && watched && reaches_disk()) add_node(path, true);
    return result;
}

DIR *opendir(const char *name) {
    char path[SUPPORT_PATH];
    if (find_path(AT_FDCWD, name, path) && must_fail(DISK_FOLDER)) return NULL;
    int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return file < 0 ? NULL : fdopendir(file);
}

int flock(int file, int operation) {
    if (path_of(file) && must_fail(DISK_LOCK)) return -1;
    return (int)syscall(SYS_flock, file, operation);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (path_of(file) && must_fail(DISK_MAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

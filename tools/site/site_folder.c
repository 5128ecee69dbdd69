/* SPDX-License-Identifier: MIT */
#include "tools/site/site_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/bits.h"
#include "tables/message.h"
#include "tables/rename.h"

/* ---- the files that every site has: page, library as a module, licences ----
 *
 * The assembler embeds them in the program. pack-page writes site_files.inc, which has a row
 * FILE_ROW(symbol, name) for each; it is empty if the module for browsers was not built. */

#define FILE_ROW(symbol, name)                                                         \
    __asm__(".pushsection .rodata\nsite_" #symbol ":\n.incbin \"" SITE_FOLDER "/" name \
            "\"\nsite_" #symbol "_end:\n.byte 0\n.popsection\n");                      \
    extern const unsigned char site_##symbol[], site_##symbol##_end[];
#include "site_files.inc"
#undef FILE_ROW

/* The last row has no name. If it is the only one, no site can be written. */
static const struct site_asset {
    const char *name;
    const unsigned char *bytes, *end;
} assets[] = {
#define FILE_ROW(symbol, name) {name, site_##symbol, site_##symbol##_end},
#include "site_files.inc"
    {NULL, NULL, NULL}};

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static int remove_tree(const char *path, plb_message *message) {
    enum { OPEN_FOLDERS = 16 };
    if (nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
        return PLB_OK;
    return plb_fail_errno(message, errno, "cannot remove", path);
}

/* Is the folder a site, or an unfinished one? The module is the first file that is written. */
static bool is_site(const char *path) {
    char module[4096];
    int length = snprintf(module, sizeof module, "%s/assets/plybase.wasm", path);
    return length < (int)sizeof module && access(module, F_OK) == 0;
}

/* Remove an unfinished site of an earlier run, and make the folders. */
static int make_folders(const site_folder *site, plb_message *message) {
    static const char *const names[] = {"", "/assets", "/tables"};
    if (rmdir(site->temporary) != 0 && errno == ENOTEMPTY) {
        if (!is_site(site->temporary))
            return plb_fail(message, PLB_EARGUMENT,
                            "%s is in the way and is not a site: remove it, or give another name",
                            site->temporary);
        int error = remove_tree(site->temporary, message);
        if (error) return error;
    }
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char folder[4096];
        snprintf(folder, sizeof folder, "%s%s", site->temporary, names[n]);
        if (mkdir(folder, 0777) != 0)
            return plb_fail_errno(message, errno, "cannot create", folder);
    }
    return PLB_OK;
}

/* ---- files ---- */

static int fail_path(const char *path, plb_message *message) {
    return plb_fail_errno(message, errno, "cannot write", path);
}

/* Open a file of the site for writing. path [out]: for messages. */
static FILE *create(site_folder *site, const char *name, char path[4096], plb_message *message) {
    snprintf(path, 4096, "%s/%s", site->temporary, name);
    FILE *file = fopen(path, "wxe");
    if (!file) fail_path(path, message);
    site->files += file != NULL;
    return file;
}

/* Close a file. Returns the earlier error, or that of writing. */
static int finish(FILE *file, const char *path, int error, plb_message *message) {
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    return error || good ? error : fail_path(path, message);
}

int site_folder_put(site_folder *site, const char *name, const void *bytes, size_t size,
                    plb_message *message) {
    char path[4096];
    FILE *file = create(site, name, path, message);
    if (!file) return plb_error_of_errno(errno);
    fwrite(bytes, 1, size, file);
    site->bytes += size;
    return finish(file, path, PLB_OK, message);
}

int site_folder_copy(site_folder *site, const char *name, const char *from, uint64_t begin,
                     uint64_t end, plb_message *message) {
    static char bytes[1 << 18];
    char path[4096];
    FILE *file = create(site, name, path, message);
    if (!file) return plb_error_of_errno(errno);
    int error = PLB_OK;
    int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0) error = plb_fail_errno(message, errno, "cannot open", from);
    site->bytes += end - begin;
    site->largest_part = plb_max(site->largest_part, end - begin);
    while (!error && begin < end) {
        ssize_t got = pread(source, bytes, plb_min(sizeof bytes, end - begin), (off_t)begin);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            error = plb_fail_errno(message, got ? errno : EIO, "cannot read", from);
        else if (fwrite(bytes, 1, (size_t)got, file) != (size_t)got)
            error = fail_path(path, message);
        begin += plb_max(got, 0);
    }
    if (source >= 0) close(source);
    return finish(file, path, error, message);
}

/* ---- the site ---- */

int site_folder_open(const char *path, bool force, uint64_t part_bytes, site_folder *site,
                     plb_message *message) {
    struct stat status;
    *site = (site_folder){.path = strdup(path), .part_bytes = part_bytes};
    if (!site->path) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/';) site->path[--end] = 0;
    path = site->path;
    if (!assets->name)
        return plb_fail(message, PLB_EARGUMENT,
                        "this plybase was built without the module for browsers: build it where "
                        "clang-14, lld-14, wasi-libc, libclang-rt-14-dev-wasm32, binaryen "
                        "and npm are");
    site->replaces = lstat(path, &status) == 0;
    if (site->replaces && !(force && is_site(path)))
        return plb_fail(message, PLB_EARGUMENT,
                        is_site(path) ? "%s exists: -f replaces it, with all that is in it"
                                      : "%s exists and is not a site: give another name",
                        path);
    if (asprintf(&site->temporary, "%s.part", path) < 0) {
        site->temporary = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    }
    open_object(&site->list, NULL);
    open_list(&site->list, "tables");
    int error = make_folders(site, message);
    for (const struct site_asset *a = assets; a->name && !error; a++)
        error = site_folder_put(site, a->name, a->bytes, (size_t)(a->end - a->bytes), message);
    return error;
}

/* Replace the old site. NFS cannot exchange two folders: there the old one is first moved aside,
 * because a file that a server has open keeps its folder from being removed. An overlay cannot move
 * one of a lower layer. In both cases there is no site between two steps. */
static int replace(const site_folder *site, plb_message *message) {
    char *old;
    if (renameat2(AT_FDCWD, site->temporary, AT_FDCWD, site->path, RENAME_EXCHANGE) == 0)
        return remove_tree(site->temporary, message); /* it is the old site now */
    if (errno != EINVAL && errno != ENOSYS && errno != EXDEV) return fail_path(site->path, message);
    if (asprintf(&old, "%s.old", site->path) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", site->path);
    bool is_aside = plb_rename(site->path, old, false) == 0;
    int error = is_aside ? PLB_OK : remove_tree(site->path, message);
    if (!error && rename(site->temporary, site->path) != 0) error = fail_path(site->path, message);
    if (!error && is_aside) error = remove_tree(old, message);
    free(old);
    return error;
}

int site_folder_finish(site_folder *site, plb_message *message) {
    size_t size;
    close_list(&site->list);
    close_object(&site->list);
    char *line = take_json_line(&site->list, &size);
    if (!line) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", site->path);
    int error = site_folder_put(site, "tables/tables.json", line, size, message);
    free(line);
    if (error) return error;
    int root = open(site->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = root >= 0 && syncfs(root) == 0;
    if (root >= 0) close(root);
    if (!is_synced) return fail_path(site->path, message);
    if (site->replaces) error = replace(site, message);
    if (error) return error;
    if (!site->replaces && plb_rename(site->temporary, site->path, false) != 0) {
        if (errno != EEXIST) return fail_path(site->path, message);
        error = plb_fail(message, PLB_EARGUMENT,
                         "another process has made %s meanwhile, and it stays: the complete new "
                         "site is %s",
                         site->path, site->temporary);
    }
    free(site->temporary);
    site->temporary = NULL;
    return error;
}

void site_folder_close(site_folder *site) {
    if (site->temporary && is_site(site->temporary)) remove_tree(site->temporary, NULL);
    free(site->temporary);
    free(site->path);
    drop_json(&site->list);
    *site = (site_folder){.path = NULL};
}

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
#include <zstd.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/message.h"
#include "tables/rename.h"
#include "tables/store/input_file.h"
#include "tools/answers/table_answers.h"
#include "tools/terminal/text_stream.h"

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
static int create(site_folder *site, const char *name, char path[4096], FILE **file,
                  plb_message *message) {
    snprintf(path, 4096, "%s/%s", site->temporary, name);
    *file = fopen(path, "wxe");
    site->files += *file != NULL;
    return *file ? PLB_OK : fail_path(path, message);
}

/* Close a file. Returns the earlier error, or that of writing. */
static int finish(FILE *file, const char *path, int error, plb_message *message) {
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    return error || good ? error : fail_path(path, message);
}

static int put_file(site_folder *site, const char *name, const void *bytes, size_t size,
                    plb_message *message) {
    char path[4096];
    FILE *file;
    int error = create(site, name, path, &file, message);
    if (error) return error;
    fwrite(bytes, 1, size, file);
    site->bytes += size;
    return finish(file, path, PLB_OK, message);
}

/* Copy the bytes [begin, end) of an open table to a file. */
static int copy_bytes(site_folder *site, const char *name, const plb_input_file *from,
                      uint64_t begin, uint64_t end, plb_message *message) {
    static char bytes[1 << 18];
    char path[4096];
    FILE *file;
    int error = create(site, name, path, &file, message);
    if (error) return error;
    site->bytes += end - begin;
    site->largest_part = plb_max(site->largest_part, end - begin);
    while (!error && begin < end) {
        const plb_extent next = {begin, plb_min(sizeof bytes, end - begin)};
        error = plb_input_file_read(from, next, bytes, message);
        if (!error && fwrite(bytes, 1, next.size, file) != next.size)
            error = fail_path(path, message);
        begin += next.size;
    }
    return finish(file, path, error, message);
}

enum { NAME = 128, FILE_NAME = NAME + 32 };

/* ---- the directory ---- */

static int compare_extents(const void *a, const void *b) {
    const plb_extent *s = a, *t = b;
    return (s->offset > t->offset) - (s->offset < t->offset);
}

/* Sort the extents that were read, and merge those that overlap or touch. */
static void merge_reads(plb_read_log *log) {
    size_t last = 0;
    qsort(log->reads, log->count, sizeof *log->reads, compare_extents);
    for (size_t r = 1; r < log->count; r++) {
        plb_extent *to = &log->reads[last], *next = &log->reads[r];
        uint64_t end = plb_max(to->offset + to->size, next->offset + next->size);
        if (next->offset > to->offset + to->size)
            log->reads[++last] = *next;
        else
            to->size = end - to->offset;
    }
    if (log->count) log->count = last + 1;
}

/* Make the content of a directory: the logged extents and their bytes, read from the file. The
 * caller frees it, also after an error. */
static int read_extents(const char *path, const plb_read_log *log, uint8_t **content, size_t *size,
                        plb_message *message) {
    plb_input_file input;
    uint64_t count = log->count, all = sizeof count + count * sizeof *log->reads;
    for (size_t r = 0; r < count; r++) all += log->reads[r].size;
    if (all >= 1U << 30) return plb_fail(message, PLB_ETOOBIG, "%s is too big for a page", path);
    uint8_t *next = *content = malloc(all);
    *size = all;
    if (!next) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    next = mempcpy(next, &count, sizeof count); /* little-endian */
    next = mempcpy(next, log->reads, count * sizeof *log->reads);
    int error = plb_input_file_open(path, &input, message);
    if (error) return error;
    for (size_t r = 0; r < count && !error; r++) {
        error = plb_input_file_read(&input, log->reads[r], next, message);
        next += log->reads[r].size;
    }
    plb_input_file_close(&input);
    return error;
}

/* Compress the content to [size: 32 bits][zstd frame]. The caller frees *packed, also after an
 * error. Errors: PLB_ENOMEM. */
static int pack(const uint8_t *content, size_t size, uint8_t **packed, size_t *packed_size,
                plb_message *message) {
    enum { LEVEL = 19 };
    const uint32_t content_size = (uint32_t)size;
    size_t room = ZSTD_compressBound(size);
    uint8_t *to = *packed = malloc(sizeof content_size + room);
    size_t frame = to ? ZSTD_compress(to + sizeof content_size, room, content, size, LEVEL) : 0;
    if (!to || ZSTD_isError(frame))
        return plb_fail(message, PLB_ENOMEM, "out of memory for a directory");
    memcpy(to, &content_size, sizeof content_size);
    *packed_size = sizeof content_size + frame;
    return PLB_OK;
}

static int put_directory(site_folder *site, const char *path, const char *name,
                         plb_message *message) {
    plb_read_log log = {.count = 0};
    plb_table *table = NULL;
    uint8_t *content = NULL, *packed = NULL;
    size_t size = 0, packed_size = 0;
    int error = plb_table_load(path, &log, &table, message);
    plb_close(table);
    if (!error && log.is_incomplete)
        error = plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    if (!error) {
        merge_reads(&log);
        error = read_extents(path, &log, &content, &size, message);
    }
    if (!error) error = pack(content, size, &packed, &packed_size, message);
    if (!error) {
        char file[FILE_NAME];
        snprintf(file, sizeof file, "tables/%s.dir", name);
        error = put_file(site, file, packed, packed_size, message);
    }
    free(packed);
    free(content);
    free(log.reads);
    return error;
}

/* ---- the table, its description and its counts ---- */

/* Write the file of a table, in parts of so many bytes; 0: whole. */
static int put_table(site_folder *site, const char *path, const char *name, uint64_t part,
                     plb_message *message) {
    char file[FILE_NAME];
    plb_input_file input;
    int number = 0, error = plb_input_file_open(path, &input, message);
    if (error) return error;
    snprintf(file, sizeof file, "tables/%s.plb", name);
    if (!part) error = copy_bytes(site, file, &input, 0, input.size_bytes, message);
    for (uint64_t begin = 0; part && begin < input.size_bytes && !error; begin += part) {
        uint64_t end = plb_min(begin + part, input.size_bytes);
        snprintf(file, sizeof file, "tables/%s.%03d", name, number++);
        error = copy_bytes(site, file, &input, begin, end, message);
    }
    plb_input_file_close(&input);
    return error;
}

static int put_json(site_folder *site, const char *spec, const char *ending, json_writer *from,
                    plb_message *message) {
    char file[FILE_NAME];
    size_t size;
    snprintf(file, sizeof file, "tables/%s%s", spec, ending);
    close_object(from);
    char *line = take_json_line(from, &size);
    if (!line) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", spec);
    int error = put_file(site, file, line, size, message);
    free(line);
    return error;
}

static int put_counts(site_folder *site, const plb_table *table, plb_message *message) {
    char file[FILE_NAME];
    text_stream counts;
    const char *spec = plb_info(table)->spec;
    json_writer w = begin_json_object();
    put_stats(&w, table);
    int error = put_json(site, spec, ".stats.json", &w, message);
    FILE *to = text_stream_open(&counts);
    if (to) write_stats_csv(table, to);
    if (!text_stream_close(&counts, to) && !error)
        error = plb_fail(message, PLB_ENOMEM, "out of memory for %s", spec);
    snprintf(file, sizeof file, "tables/%s.stats.csv", spec);
    if (!error) error = put_file(site, file, counts.text, counts.size, message);
    free(counts.text);
    return error;
}

static int put_files(site_folder *site, const char *path, const plb_table *table,
                     plb_value first_player, plb_message *message) {
    const plb_table_info *info = plb_info(table);
    char name[NAME];
    uint64_t part = info->size_bytes > site->part_bytes ? site->part_bytes : 0;
    snprintf(name, sizeof name, "%s-%s", info->spec, info->id);
    json_writer w = begin_json_object();
    put_description(&w, table, first_player);
    open_object(&w, "file");
    put_word(&w, "name", name);
    put_number(&w, "size_bytes", (int64_t)info->size_bytes);
    put_number(&w, "part_bytes", (int64_t)part);
    close_object(&w);
    int error = put_json(site, info->spec, ".json", &w, message);
    if (!error && !info->player) error = put_counts(site, table, message);
    if (!error) error = put_directory(site, path, name, message);
    if (!error) error = put_table(site, path, name, part, message);
    if (error) return error;
    open_object(&site->list, NULL);
    put_word(&site->list, "spec", info->spec);
    put_text(&site->list, "file", name);
    put_word(&site->list, "state", "ok");
    put_null(&site->list, "detail");
    put_listed(&site->list, info, first_player);
    close_object(&site->list);
    site->tables++;
    return PLB_OK;
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
        error = put_file(site, a->name, a->bytes, (size_t)(a->end - a->bytes), message);
    return error;
}

int site_folder_add(site_folder *site, const char *path, plb_message *message) {
    plb_table *table = NULL;
    plb_answer empty = {.value = PLB_DRAW};
    int error = plb_open(path, &table, message);
    if (!error && plb_store_shards(table->file.store) > 0)
        error =
            plb_fail(message, PLB_EARGUMENT,
                     "%s is in shards, and a site needs its table in one file: build it without "
                     "--shards",
                     path);
    if (!error) error = plb_table_read_id(table, NULL, message);
    if (!error) error = plb_probe(table, 0, 0, &empty, message);
    if (!error) {
        char description[4096];
        snprintf(description, sizeof description, "%s/tables/%s.json", site->temporary,
                 plb_info(table)->spec);
        if (access(description, F_OK) == 0)
            error = plb_fail(message, PLB_EARGUMENT,
                             "%s is a second table of %s: a site has one of each game", path,
                             plb_info(table)->spec);
    }
    if (!error) error = put_files(site, path, table, empty.value, message);
    plb_close(table);
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
    int error = put_file(site, "tables/tables.json", line, size, message);
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

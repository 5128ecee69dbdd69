/* SPDX-License-Identifier: MIT
 *
 * The files of one table in a site.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/message.h"
#include "tools/answers/table_answers.h"
#include "tools/site/site_folder.h"
#include "tools/terminal/text_stream.h"

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
 * caller frees it. */
static int read_extents(const char *path, const plb_read_log *log, uint8_t **content, size_t *size,
                        plb_message *message) {
    plb_input_file input;
    uint64_t count = log->count, bytes_begin = sizeof count + count * sizeof *log->reads;
    uint64_t all = bytes_begin;
    for (size_t r = 0; r < count; r++) all += log->reads[r].size;
    if (all >= 1U << 30) return plb_fail(message, PLB_ETOOBIG, "%s is too big for a page", path);
    uint8_t *made = malloc(all);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    uint8_t *bytes = made + bytes_begin;
    memcpy(made, &count, sizeof count); /* little-endian */
    memcpy(made + sizeof count, log->reads, count * sizeof *log->reads);
    int error = plb_input_file_open(path, &input, message);
    for (size_t r = 0; r < count && !error; r++) {
        error = plb_input_file_read(&input, log->reads[r], bytes, message);
        bytes += log->reads[r].size;
    }
    if (input.path) plb_input_file_close(&input);
    if (error)
        free(made);
    else
        *content = made;
    *size = all;
    return error;
}

/* Compress the content to [size: 32 bits][zstd frame]. The caller frees *packed. Errors:
 * PLB_ENOMEM. */
static int pack(const uint8_t *content, size_t size, uint8_t **packed, size_t *packed_size,
                plb_message *message) {
    enum { LEVEL = 19 };
    const uint32_t content_size = (uint32_t)size;
    size_t room = ZSTD_compressBound(size);
    uint8_t *made = malloc(sizeof content_size + room);
    size_t frame = made ? ZSTD_compress(made + sizeof content_size, room, content, size, LEVEL) : 0;
    if (!made || ZSTD_isError(frame)) {
        free(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory for a directory");
    }
    memcpy(made, &content_size, sizeof content_size);
    *packed = made;
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
        error = site_folder_put(site, file, packed, packed_size, message);
    }
    free(packed);
    free(content);
    free(log.reads);
    return error;
}

/* ---- the table, its description and its counts ---- */

static int put_table(site_folder *site, const char *path, const char *name, uint64_t size,
                     uint64_t part, plb_message *message) {
    char file[FILE_NAME];
    int error = PLB_OK, number = 0;
    snprintf(file, sizeof file, "tables/%s.plb", name);
    if (!part) return site_folder_copy(site, file, path, 0, size, message);
    for (uint64_t begin = 0; begin < size && !error; begin += part) {
        snprintf(file, sizeof file, "tables/%s.%03d", name, number++);
        error = site_folder_copy(site, file, path, begin, plb_min(begin + part, size), message);
    }
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
    int error = site_folder_put(site, file, line, size, message);
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
    if (!error) error = site_folder_put(site, file, counts.text, counts.size, message);
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
    if (!error) error = put_table(site, path, name, info->size_bytes, part, message);
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

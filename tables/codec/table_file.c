/* SPDX-License-Identifier: MIT
 *
 * Opening the file of a table: each record is checked before anything is made from it.
 */
#include "tables/codec/table_file.h"

#include <stdlib.h>

#include "tables/format/automaton_record.h"
#include "tables/format/distance_record.h"
#include "tables/games/static_value.h"

static int read_stats(plb_table_file *file, plb_message *message) {
    int plies = plb_store_plies(file->store);
    for (int ply = 0; ply <= file->space.game.cells; ply++) {
        plb_ply_stats *s = &file->stats[ply];
        int error = plb_store_get_stats(file->store, ply, s, message);
        if (error) return error;
        if (s->total != s->won + s->drawn + s->lost || s->terminal > s->total)
            return plb_fail(message, PLB_ECORRUPT,
                            "the table is damaged: the counts of ply %d do not add up", ply);
    }
    if (plies <= file->space.game.cells + 1) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: it has counts of ply %d",
                    plb_store_path(file->store), plies - 1);
}

/* Distances are an optional record, and of no use in a table of values. */
static int read_distances(plb_table_file *file, plb_message *message) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (file->coding.values != PLB_DTM || !plb_store_has_record(file->store, PLB_RECORD_DISTANCES))
        return PLB_OK;
    int error = plb_store_get_record(file->store, PLB_RECORD_DISTANCES, &bytes, &size, message);
    if (error) return error;
    file->distances = calloc(file->space.game.cells + 1, sizeof *file->distances);
    error = file->distances ? plb_distance_record_decode(&file->space.game, file->stats, bytes,
                                                         size, file->distances, message)
                            : plb_fail(message, PLB_ENOMEM, "out of memory for distances");
    free(bytes);
    return error;
}

/* The automaton of columns is an optional record; without it a search decides. */
static int read_columns(plb_table_file *file, plb_message *message) {
    const plb_game *game = &file->space.game;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!game->gravity || !plb_store_has_record(file->store, PLB_RECORD_COLUMNS)) return PLB_OK;
    int error = plb_store_get_record(file->store, PLB_RECORD_COLUMNS, &bytes, &size, message);
    if (error) return error;
    plb_column_board board = {game->width, game->height, game->k};
    plb_column_automaton *columns = calloc(1, sizeof *columns);
    error = columns ? plb_automaton_record_decode(board, plb_store_identity(file->store), bytes,
                                                  size, columns)
                    : PLB_ENOMEM;
    free(bytes);
    file->space.columns = columns;
    if (!error || error == PLB_ENOMEM) return error ? plb_fail(message, error, "out of memory") : 0;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its record %s is not an automaton",
                    plb_store_path(file->store), PLB_RECORD_COLUMNS);
}

/* ---- the index ---- */

static int read_set(const plb_store *store, int ply, uint64_t slab, plb_perfect_hash *set,
                    plb_message *message) {
    char name[PLB_RECORD_NAME];
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_meta_name_keys(ply, slab, name);
    int error = plb_store_get_record(store, name, &bytes, &size, message);
    if (error) return error;
    error = plb_perfect_hash_read(bytes, size, set);
    if (error == PLB_ENOMEM) return plb_fail(message, error, "out of memory for keys");
    if (!error && set->fingerprints) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its record %s is not a set of keys",
                    plb_store_path(store), name);
}

static int fail_shape(const plb_store *store, int ply, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT,
                    "%s is damaged: ply %d has keys that its game cannot have",
                    plb_store_path(store), ply);
}

/* Can a ply have so many keys in so many slabs? */
static bool is_shape(const plb_index *index, int ply, uint64_t keys, uint64_t slabs) {
    double sets = plb_index_count_slabs(index->game, index->symmetry, ply);
    double most = sets * index->game->rules->fillings(index->game, ply);
    if (slabs == 0) return true;
    return plb_static_value_is_stored_ply(ply) && (double)keys <= most && !(slabs & (slabs - 1)) &&
           keys > slabs / 2 * PLB_SEGMENT_ENTRIES;
}

/* Read the sets of keys of all plies, which are records of meta, into an index of keys. */
static int read_keys(const plb_store *store, plb_index *index, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= index->game->cells && !error; ply++) {
        char name[PLB_RECORD_NAME];
        uint64_t slabs = 0, keys = 0; /* records are numbered from 0 on */
        while (plb_meta_name_keys(ply, slabs, name), plb_store_has_record(store, name)) slabs++;
        if (slabs > PLB_MAX_KEY_SLABS) return fail_shape(store, ply, message);
        plb_perfect_hash *sets = slabs ? calloc(plb_size(slabs), sizeof *sets) : NULL;
        if (slabs && !sets) return plb_fail(message, PLB_ENOMEM, "out of memory for keys");
        for (uint64_t slab = 0; slab < slabs && !error; slab++) {
            error = read_set(store, ply, slab, &sets[slab], message);
            keys += sets[slab].keys;
        }
        if (!error && !is_shape(index, ply, keys, slabs)) error = fail_shape(store, ply, message);
        plb_index_set_keys(index, ply, sets, slabs);
    }
    return error;
}

/* Making an index of slabs takes time in proportion to the size of the game. So it is made only if
 * the file has all segments of the game; each has a record, even if it is empty. A small forged
 * file cannot take much time then. */
static int make_index(plb_table_file *file, plb_message *message) {
    const plb_meta *meta = &file->meta;
    if (meta->index == PLB_SLABS) {
        uint64_t count, segments = plb_block_layout_count_segments(
                            &file->space.game, &file->space.symmetry, meta->block_entries);
        plb_store_segments(file->store, &count);
        if (segments == 0 || segments > count)
            return plb_fail(message, PLB_ECORRUPT,
                            "%s is damaged: it has too few segments to be a table of %s",
                            plb_store_path(file->store), meta->spec);
    }
    int error = plb_space_add_index(&file->space, meta->index, message);
    if (error == PLB_EARGUMENT)
        return plb_fail(message, PLB_ECORRUPT, "%s is damaged: a table of %s has an index of keys",
                        plb_store_path(file->store), meta->spec);
    if (!error && meta->index == PLB_KEYS)
        error = read_keys(file->store, &file->space.index, message);
    return error;
}

int plb_table_file_open(plb_table_file *file, plb_message *message) {
    int error = plb_meta_read(file->store, &file->meta, &file->space, message);
    if (error) return error;
    file->coding = plb_outcome_code_make(&file->space.game, file->meta.values);
    error = read_stats(file, message);
    if (!error) error = read_distances(file, message);
    if (!error) error = read_columns(file, message);
    if (!error) error = make_index(file, message);
    if (!error) error = plb_enumeration_open(&file->space, file->stats, &file->positions, message);
    if (!error)
        error = plb_block_codec_open(&file->space.index, &file->meta, file->store, &file->codec,
                                     message);
    return error;
}

double plb_table_file_bytes(const plb_table_file *file) {
    const plb_index *index = &file->space.index;
    const plb_column_automaton *columns = file->space.columns;
    uint64_t segments = 0, bytes = 0;
    if (file->store) plb_store_segments(file->store, &segments);
    bytes += segments * sizeof(plb_stored_segment);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
        for (uint64_t slab = 0; index->plies[ply].sets && slab < index->plies[ply].slabs; slab++)
            bytes += sizeof(plb_perfect_hash) + index->plies[ply].sets[slab].size;
    for (int layer = 0; columns && layer < columns->width; layer++)
        bytes += sizeof(uint16_t) * (uint64_t)columns->layers[layer].states * columns->words.count;
    return (double)bytes + (index->game ? plb_index_bytes(index) : 0) +
           (file->positions ? plb_enumeration_bytes(file->positions) : 0);
}

void plb_table_file_close(plb_table_file *file) {
    plb_block_codec_close(file->codec);
    plb_enumeration_close(file->positions);
    plb_space_close(&file->space);
    plb_store_close(file->store);
    free(file->distances);
}

/* SPDX-License-Identifier: MIT
 *
 * Reads and writes strategies. Blocks have the bytes of all positions by significance, which
 * compresses better than one position after the other: the higher bytes of differences are nearly
 * all 0.
 */
#include "tables/strategies/strategy_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/index/index.h"
#include "tables/store/checksum.h"
#include "tables/store/segment.h"
#include "tables/store/segment_writer.h"
#include "tables/store/store_writer.h"

enum { CODE_BYTES = sizeof(plb_code), ENTRY_BYTES = CODE_BYTES + 1 };

static const char *const player_names[] = {"first", "second"};

const char *plb_strategy_player_text(int player) {
    return player_names[player];
}

/* ---- descriptions ---- */

static void describe(const plb_strategy_meta *meta, char text[PLB_DESCRIPTION_TEXT]) {
    const plb_strategy_claim *claim = &meta->claim;
    snprintf(text, PLB_DESCRIPTION_TEXT,
             "strategy %d\nspec %s\nplayer %s\nclaim %s\nlook-ahead %d\n" PLB_META_STORED_LINES,
             PLB_STRATEGY_VERSION, meta->spec, plb_strategy_player_text(claim->player),
             plb_value_text(claim->value), claim->look_ahead, meta->level, meta->symmetries,
             meta->block_entries);
}

static int read_description(const plb_store *store, plb_strategy_meta *meta, plb_space *space,
                            plb_message *message) {
    plb_strategy_claim *claim = &meta->claim;
    char again[PLB_DESCRIPTION_TEXT], spec[PLB_META_TEXT], player[PLB_META_TEXT],
        value[PLB_META_TEXT], compression[PLB_META_TEXT];
    int read = sscanf(
        plb_store_description(store),
        "strategy %*d spec %95s player %95s claim %95s look-ahead %9d " PLB_META_STORED_FORM, spec,
        player, value, &claim->look_ahead, compression, &meta->symmetries, &meta->block_entries);
    if (read < 7) return plb_meta_fail(store, "is malformed", message);
    bool wins = strcmp(value, plb_value_text(PLB_WIN)) == 0;
    bool draws = strcmp(value, plb_value_text(PLB_DRAW)) == 0;
    claim->player = strcmp(player, player_names[0]) == 0   ? 0
                    : strcmp(player, player_names[1]) == 0 ? 1
                                                           : -1;
    claim->value = wins ? PLB_WIN : PLB_DRAW;
    snprintf(meta->spec, sizeof meta->spec, "%.*s", PLB_SPEC_TEXT - 1, spec);
    int error = plb_meta_read_compression(store, compression, &meta->level, message);
    if (error) return error;
    if (claim->player < 0 || (!wins && !draws))
        return plb_meta_fail(store, "names no player or no claim", message);
    describe(meta, again);
    error = plb_meta_check_form(store, again, message);
    if (error) return error;
    if (claim->look_ahead < 1 || claim->look_ahead > PLB_MAX_LOOK_AHEAD ||
        claim->look_ahead % 2 == 0)
        return plb_meta_fail(store, "looks an impossible number of plies ahead", message);
    if (meta->block_entries < 1 || meta->block_entries > PLB_STRATEGY_BLOCK)
        return plb_meta_fail(store, "gives blocks an impossible size", message);
    return plb_meta_begin_space(store, spec, meta->symmetries, meta->spec, space, message);
}

int plb_strategy_read_meta(const plb_store *store, plb_strategy_meta *meta, plb_space *space,
                           plb_message *message) {
    plb_strategy_meta read = {.spec = ""};
    int version = 0;
    if (sscanf(plb_store_description(store), "strategy %9d\n", &version) != 1)
        return plb_meta_fail(store, "names no version", message);
    if (version != PLB_STRATEGY_VERSION)
        return plb_fail(message, PLB_EVERSION,
                        "%s is a strategy of version %d; this program reads version %d: use the "
                        "program that wrote it",
                        plb_store_path(store), version, PLB_STRATEGY_VERSION);
    int error = plb_meta_read_builder(store, read.builder, message);
    if (!error) error = read_description(store, &read, space, message);
    if (!error) *meta = read;
    return error;
}

/* ---- blocks ---- */

/* The number of positions of a block: `full`, or the rest of the ply in the last one. */
static uint64_t positions_of_block(uint64_t count, uint64_t full, uint64_t block) {
    return plb_min(count - block * full, full);
}

static uint64_t words_of_block(uint64_t count) {
    return plb_divide_up(count * ENTRY_BYTES, sizeof(uint64_t));
}

/* False if positions are not in ascending order, or the padding is not 0. */
static bool unpack(const uint8_t *bytes, uint64_t count, plb_code *codes, uint8_t *moves) {
    plb_code last = 0;
    for (uint64_t i = 0; i < count; last = codes[i++]) {
        plb_code more = 0;
        for (int b = 0; b < CODE_BYTES; b++) more |= (plb_code)bytes[b * count + i] << (8 * b);
        codes[i] = last + more;
        if (codes[i] < last || (i > 0 && more == 0)) return false;
    }
    memcpy(moves, bytes + CODE_BYTES * count, (size_t)count);
    for (uint64_t b = ENTRY_BYTES * count; b < words_of_block(count) * sizeof(uint64_t); b++)
        if (bytes[b]) return false;
    return true;
}

/* ---- writing ---- */

typedef struct writing {
    const plb_strategy_meta *meta;
    plb_store_writer *store;
    plb_segment_writer *segments;
    uint64_t *plane; /* buffer for a block */
    plb_message *message;
} writing;

static int put_block(const writing *w, int ply, const plb_strategy_ply *of, uint64_t block) {
    uint64_t full = w->meta->block_entries, count = positions_of_block(of->count, full, block);
    uint64_t words = words_of_block(count);
    uint8_t *packed = (uint8_t *)w->plane;
    const plb_code *codes = of->codes + block * full;
    plb_code last = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    w->plane[words - 1] = 0;
    for (uint64_t i = 0; i < count; last = codes[i++])
        for (int b = 0; b < CODE_BYTES; b++)
            packed[b * count + i] = (uint8_t)((codes[i] - last) >> (8 * b));
    memcpy(packed + CODE_BYTES * count, of->moves + block * full, (size_t)count);
    int error = plb_segment_writer_begin(w->segments, ply, block, 1);
    if (!error) error = plb_segment_writer_add(w->segments, w->plane, words);
    if (!error) error = plb_segment_writer_end(w->segments, &bytes, &size);
    if (error) return plb_fail(w->message, error, "%s", plb_error_text(error));
    return plb_store_put_segment(w->store, ply, block, bytes, size, w->message);
}

int plb_strategy_write(const char *path, const plb_strategy_meta *meta,
                       const plb_strategy *strategy, int plies, plb_message *message) {
    writing w = {.meta = meta, .message = message};
    char text[PLB_DESCRIPTION_TEXT];
    describe(meta, text);
    w.plane = calloc(plb_size(words_of_block(meta->block_entries)), sizeof *w.plane);
    int error = w.plane
                    ? plb_segment_writer_open(plb_checksum_identity(text), meta->level, &w.segments)
                    : PLB_ENOMEM;
    if (error)
        plb_fail(message, error, "out of memory for %s", path);
    else
        error = plb_meta_begin(path, text, meta->builder, false, &w.store, message);
    for (int ply = 0; ply < plies && !error; ply++) {
        const plb_strategy_ply *of = &strategy->ply[ply];
        uint64_t blocks = plb_divide_up(of->count, meta->block_entries);
        for (uint64_t block = 0; block < blocks && !error; block++)
            error = put_block(&w, ply, of, block);
        plb_ply_stats stats = {.total = of->count};
        if (!error) error = plb_store_put_stats(w.store, ply, &stats, message);
    }
    if (error)
        plb_store_abandon(w.store);
    else
        error = plb_store_finish(w.store, message);
    plb_segment_writer_close(w.segments);
    free(w.plane);
    return error;
}

/* ---- reading ---- */

typedef struct reading {
    const plb_store *store;
    const plb_strategy_meta *meta;
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_segment_reader *reader;
    uint64_t *plane;    /* buffer for a block */
    uint64_t max_count; /* limit for the positions of the remaining plies */
    plb_message *message;
} reading;

static int fail_reading(const reading *r, int ply, const char *what) {
    return plb_fail(r->message, PLB_ECORRUPT, "%s is damaged: ply %d %s", plb_store_path(r->store),
                    ply, what);
}

static int read_block(const reading *r, int ply, uint64_t block, plb_strategy_ply *to) {
    uint64_t full = r->meta->block_entries, count = positions_of_block(to->count, full, block);
    plb_block_name name = {plb_store_identity(r->store), ply, block};
    plb_code *codes = to->codes + block * full;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int error = plb_store_get_segment(r->store, ply, block, &bytes, &size, r->message);
    if (error) return error;
    const plb_segment segment = {bytes, size, 1};
    error = plb_segment_reader_unpack_block(r->reader, &segment, 0, &name, words_of_block(count),
                                            r->plane);
    free(bytes);
    if (error == PLB_ENOMEM) return plb_fail(r->message, error, "out of memory");
    if (error) return fail_reading(r, ply, "has a block that is not as written");
    bool is_right = unpack((const uint8_t *)r->plane, count, codes, to->moves + block * full);
    if (block > 0) is_right &= codes[-1] < codes[0];
    if (!is_right) return fail_reading(r, ply, "has positions that are not in order");
    plb_position position;
    for (uint64_t i = 0; i < count; i++)
        if (!plb_position_of_number(r->game, ply, codes[i], &position))
            return fail_reading(r, ply, "has a position that is none");
    return PLB_OK;
}

/* Read a ply, whose number of positions is not trusted. */
static int read_ply(reading *r, int ply, uint64_t segments, plb_strategy_ply *to) {
    plb_ply_stats s;
    int error = plb_store_get_stats(r->store, ply, &s, r->message);
    if (error) return error;
    bool is_own = plb_ply_x_moves(ply) == (r->meta->claim.player == 0);
    double max =
        plb_index_count_slabs(r->game, r->symmetry, ply) * r->game->rules->fillings(r->game, ply);
    if (s.terminal || s.won || s.drawn || s.lost)
        return fail_reading(r, ply, "has counts of values, which a strategy has not");
    if ((!is_own && s.total) || (double)s.total > max || s.total > r->max_count)
        return fail_reading(r, ply, "has more positions than there can be");
    if (plb_divide_up(s.total, r->meta->block_entries) != segments)
        return fail_reading(r, ply, "has another number of blocks than its count of positions");
    r->max_count -= s.total;
    to->count = s.total;
    to->codes = malloc(plb_size((to->count + 1) * sizeof *to->codes));
    to->moves = malloc(plb_size(to->count + 1));
    if (!to->codes || !to->moves)
        return plb_fail(r->message, PLB_ENOMEM, "out of memory for %s", plb_store_path(r->store));
    for (uint64_t block = 0; block < segments && !error; block++)
        error = read_block(r, ply, block, to);
    return error;
}

int plb_strategy_read(const plb_store *store, const plb_strategy_meta *meta, const plb_game *game,
                      const plb_symmetry *symmetry, plb_strategy *strategy, plb_message *message) {
    reading r = {
        .store = store, .meta = meta, .game = game, .symmetry = symmetry, .message = message};
    uint64_t segments[PLB_MAX_CELLS + 1] = {0}, count, bytes = 0; /* segments: of each ply */
    const plb_stored_segment *stored = plb_store_segments(store, &count);
    memset(strategy, 0, sizeof *strategy);
    for (uint64_t s = 0; s < count; s++) {
        if (stored[s].ply <= PLB_MAX_CELLS) segments[stored[s].ply]++;
        bytes += stored[s].size;
    }
    r.max_count = PLB_STRATEGY_DENSITY * bytes;
    r.plane = malloc(plb_size(words_of_block(meta->block_entries) * sizeof *r.plane));
    int error = r.plane ? plb_segment_reader_open(&r.reader) : PLB_ENOMEM;
    if (error) error = plb_fail(message, error, "out of memory for %s", plb_store_path(store));
    for (int ply = 0; ply <= game->cells && !error; ply++) {
        error = read_ply(&r, ply, segments[ply], &strategy->ply[ply]);
        strategy->positions += strategy->ply[ply].count;
    }
    plb_segment_reader_close(r.reader);
    free(r.plane);
    return error;
}

void plb_strategy_free(plb_strategy *strategy) {
    if (!strategy) return;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        free(strategy->ply[ply].codes);
        free(strategy->ply[ply].moves);
    }
    memset(strategy, 0, sizeof *strategy);
}

int64_t plb_strategy_find(const plb_strategy *strategy, int ply, plb_code code) {
    const plb_strategy_ply *of = &strategy->ply[ply];
    uint64_t low = PLB_FIRST(i, of->count, of->codes[i] >= code);
    return low < of->count && of->codes[low] == code ? (int64_t)low : -1;
}

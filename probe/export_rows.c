/* SPDX-License-Identifier: MIT
 *
 * Rows from a table. The table is probed once for each class of symmetric positions; the best moves
 * of the images are mapped.
 *
 * A sample must be uniform over positions, but the index is not. Of G symmetries let S keep the set
 * of cells and s the position: a class has S/s entries in the index, and G/s positions. So a drawn
 * entry is accepted with probability count / G = 1/S (count = G/S, the positions that it stands
 * for), and is then mapped by a random symmetry. A class is drawn with a weight of S/s * 1/S = 1/s,
 * in proportion to its positions. With keys a class has one entry and count is G/s: the weight is
 * 1/s, too. Plies are drawn in proportion to their positions. For a sample of classes a position is
 * accepted with probability s/G: if the random symmetry maps it to itself.
 */
#include "probe/export_rows.h"

#include <stdlib.h>

#include "tables/array.h"
#include "tables/index/orbit.h"
#include "tables/stop.h"

enum {
    TASK_ENTRIES = 1 << 12, /* minimum for a task, unless the ply has fewer */
    TASK_SAMPLES = 1 << 11, /* rows of a task of a sample */
    MAX_DRAWS = 1 << 17,    /* for one row of a sample */
    SOME_DRAWS = 1 << 10,   /* after so many, check whether any position is wanted */
};

typedef struct task {
    const plb_export_source *export;
    const plb_export_taker *taker;
    uint64_t done;
    plb_message *message;
    int error;
} task;

static bool is_stopped(task *t) {
    if (!t->error && plb_is_stopped(t->export->options.stop))
        t->error = plb_fail(t->message, PLB_EINTERRUPTED, "interrupted");
    return t->error;
}

/* ---- probing ---- */

/* The best moves of a position: internal cells and, in games of numbers, tiles. */
typedef struct best_moves {
    uint64_t cells;
    uint16_t tiles[PLB_MAX_TILES]; /* [cell] a bit mask of tiles */
} best_moves;

/* Find value, distance and best moves of a position. */
static bool probe_position(task *t, plb_position position, plb_export_row *row, best_moves *best) {
    const plb_export_source *e = t->export;
    uint64_t x, o;
    plb_rules_to_words(e->game, position, &x, &o);
    plb_analysis found;
    plb_message why;
    int error = plb_analyse(e->table, x, o, &found, &why);
    if (error) {
        char board[PLB_BOARD_TEXT] = "";
        bool is_damage = error != PLB_ENOMEM && error != PLB_EIO;
        plb_rules_format_board(t->export->game, position, board);
        t->error = plb_fail(t->message, is_damage ? PLB_ECORRUPT : error, "position %s: %.120s",
                            board, why.text);
        return false;
    }
    *row = (plb_export_row){.ply = plb_rules_ply(e->game, position),
                            .value = found.answer.value,
                            .dtm = found.answer.dtm};
    *best = (best_moves){.cells = 0};
    for (int m = 0; m < found.best; m++) {
        int cell = plb_game_cell(e->game, found.moves[m].column, found.moves[m].row), made = 0;
        best->cells |= 1ULL << cell;
        if (!e->game->tiles[0]) continue;
        e->game->rules->from_public_move(e->game, position, &found.moves[m], &made, NULL);
        best->tiles[cell] |= 1u << made / PLB_MAX_CELLS;
    }
    return true;
}

static void give_row(task *t, plb_export_row *row, plb_position position, const best_moves *best) {
    const plb_game *game = t->export->game;
    plb_rules_to_words(game, position, &row->x, &row->o);
    row->best = plb_game_bits_of_cells(game, best->cells);
    for (int bit = 0; game->tiles[0] && bit < game->cells; bit++)
        row->tiles[bit] = best->tiles[plb_game_cell(game, bit / game->height, bit % game->height)];
    if (!t->taker->take(t->taker->context, row))
        t->error =
            plb_fail(t->message, PLB_ENOMEM, "out of memory for the rows of ply %d", row->ply);
}

/* ---- the options ---- */

bool plb_export_wants(const plb_export_source *e, plb_position position, plb_value value) {
    const plb_export_options *o = &e->options;
    if (o->values && !(o->values & PLB_VALUE_BIT(value))) return false;
    if (o->stage == PLB_STAGE_ALL) return true;
    if (plb_rules_is_over(e->game, position)) return false;
    if (o->stage == PLB_STAGE_OPEN) return true;
    /* Would a stone of either player on a playable cell complete a group? */
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(e->game, position, moves);
    for (int m = 0; m < count; m++) {
        uint64_t stone = 1ULL << plb_move_cell(moves[m]);
        if (plb_game_has_group(e->game, position.x | stone) ||
            plb_game_has_group(e->game, position.o | stone))
            return false;
    }
    return true;
}

/* ---- all positions ---- */

static bool visit_images(void *context, plb_position position, uint64_t positions) {
    task *t = context;
    const plb_space *space = &t->export->file->space;
    plb_orbit_row images[PLB_MAX_SYMMETRIES];
    (void)positions;
    plb_export_row row;
    best_moves best;
    if (is_stopped(t)) return false;
    if (!plb_position_is_same(plb_enumeration_canonical(t->export->file->positions, position),
                              position))
        return true;
    if (!probe_position(t, position, &row, &best)) return false;
    int count = plb_orbit_list(&space->game, &space->symmetry, position, images);
    t->done += count;
    if (!plb_export_wants(t->export, position, row.value)) return true;
    for (int i = 0; i < (t->export->options.canonical ? 1 : count) && !t->error; i++) {
        /* Map the best moves, too. */
        best_moves image = {.cells =
                                plb_symmetry_map(&space->symmetry, images[i].element, best.cells)};
        for (int cell = 0; space->game.tiles[0] && cell < space->game.cells; cell++)
            for (uint32_t tiles = best.tiles[cell]; tiles; tiles &= tiles - 1)
                image.tiles[space->symmetry.image[images[i].element][cell]] |=
                    1u << space->symmetry.tiles[images[i].element][plb_lowest(tiles)];
        give_row(t, &row, images[i].position, &image);
    }
    return !t->error;
}

/* The number of chunks of a task; small chunks are combined. */
static uint64_t chunks_per_task(const plb_enumeration *enumeration, int ply) {
    uint64_t entries = plb_enumeration_entries(enumeration, ply),
             chunks = plb_enumeration_chunks(enumeration, ply);
    return chunks ? plb_max(1, TASK_ENTRIES * chunks / plb_max(1, entries)) : 1;
}

/* ---- a sample ---- */

static bool draw_position(task *t, uint64_t *random, plb_position *position) {
    const plb_export_source *e = t->export;
    for (;;) {
        plb_position drawn;
        uint64_t number = plb_random_below(random, e->positions);
        int ply = e->first_ply;
        for (; number >= e->totals[ply]; ply++) number -= e->totals[ply];
        /* Accept with probability count / order; see the beginning of this file. */
        uint64_t order = e->file->space.symmetry.order, count;
        do {
            if (is_stopped(t)) return false;
        } while (!plb_enumeration_draw(e->file->positions, ply, random, &drawn, &count) ||
                 plb_random_below(random, order) >= count);
        int element = (int)plb_random_below(random, e->file->space.symmetry.order);
        *position = e->game->rules->map(&e->file->space.symmetry, element, drawn);
        if (!e->options.canonical) return true;
        if (!plb_position_is_same(*position, drawn)) continue;
        *position = plb_enumeration_canonical(e->file->positions, drawn);
        return true;
    }
}

static bool refuse_row(void *context, const plb_export_row *row) {
    (void)context, (void)row;
    return false;
}

/* Is it certain that no position is wanted? If there are few positions, all are tested. */
static bool knows_of_none(const plb_export_source *e) {
    plb_export_options all = e->options;
    plb_export_source source;
    uint64_t done;
    all.samples = 0;
    int error = e->positions > MAX_DRAWS || plb_export_vary(e, &all, &source, NULL);
    for (uint64_t number = 0; !error && number < source.tasks; number++)
        error =
            plb_export_run(&source, number, &(plb_export_taker){.take = refuse_row}, &done, NULL);
    return !error;
}

static void run_sample(task *t, uint64_t number) {
    uint64_t row = number * TASK_SAMPLES;
    uint64_t end = plb_min(row + TASK_SAMPLES, t->export->options.samples);
    for (; row < end && !t->error; row++) {
        uint64_t seed = t->export->options.seed, random = plb_next_random(&seed) ^ row;
        random = plb_next_random(&random); /* makes the states of neighbouring rows unrelated */
        plb_position position;
        plb_export_row answered;
        best_moves best;
        int draws = 0;
        do {
            if (!draw_position(t, &random, &position)) return;
            if (!probe_position(t, position, &answered, &best)) return;
            if (draws == SOME_DRAWS && knows_of_none(t->export)) draws = MAX_DRAWS - 1;
        } while (!plb_export_wants(t->export, position, answered.value) && ++draws < MAX_DRAWS);
        if (draws == MAX_DRAWS) {
            t->error = plb_fail(
                t->message, PLB_ENOTFOUND,
                "none of %d random positions is wanted; export all positions instead of a sample",
                MAX_DRAWS);
            return;
        }
        give_row(t, &answered, position, &best);
        t->done++;
    }
}

/* ---- tasks ---- */

int plb_export_run(const plb_export_source *export, uint64_t task_number,
                   const plb_export_taker *taker, uint64_t *done, plb_message *message) {
    task t = {.export = export, .taker = taker, .message = message};
    if (export->options.samples) {
        run_sample(&t, task_number);
    } else {
        const plb_enumeration *positions = export->file->positions;
        int ply = export->first_ply;
        while (task_number >= export->first_task[ply + 1]) ply++;
        uint64_t chunks = chunks_per_task(positions, ply);
        uint64_t chunk = (task_number - export->first_task[ply]) * chunks;
        uint64_t end = plb_min(chunk + chunks, plb_enumeration_chunks(positions, ply));
        for (; chunk < end && !is_stopped(&t); chunk++)
            plb_enumeration_chunk(positions, ply, chunk, visit_images, &t);
    }
    *done = t.done;
    return t.error;
}

int plb_export_choose(const plb_table *table, const plb_export_options *options,
                      plb_export_source *e, plb_message *message) {
    int cells = plb_info(table)->cells;
    *e = (plb_export_source){
        .table = table, .file = plb_table_find_file(table), .options = *options};
    if (!e->file) return plb_fail(message, PLB_ENOTTABLE, "a strategy has no list of positions");
    e->game = &e->file->space.game;
    int error = plb_row_format_choose(e, message);
    if (error) return error;
    e->first_ply = e->options.first_ply;
    e->end_ply = e->options.end_ply ? e->options.end_ply : cells + 1;
    if (e->first_ply < 0 || e->first_ply >= e->end_ply || e->end_ply > cells + 1)
        return plb_fail(message, PLB_EARGUMENT, "there are no plies %d to %lld: %s has 0 to %d",
                        e->first_ply, e->end_ply - 1LL, plb_info(table)->spec, cells);
    const unsigned values =
        PLB_VALUE_BIT(PLB_WIN) | PLB_VALUE_BIT(PLB_DRAW) | PLB_VALUE_BIT(PLB_LOSS);
    if (e->options.stage > PLB_STAGE_QUIET || (e->options.values & ~values))
        return plb_fail(message, PLB_EARGUMENT, "this library knows no such stage or value");
    if (e->options.stage == PLB_STAGE_QUIET && e->game->tiles[0])
        return plb_fail(message, PLB_EARGUMENT,
                        "only games of stones have quiet positions, and %s is not one",
                        plb_info(table)->spec);
    for (int ply = e->first_ply; ply < e->end_ply; ply++) {
        plb_ply_stats n;
        plb_stats(table, ply, &n);
        bool x_moves = plb_ply_x_moves(ply);
        const uint64_t of_value[] = {x_moves ? n.lost : n.won, n.drawn, x_moves ? n.won : n.lost};
        e->totals[ply] = n.total;
        e->positions += n.total;
        for (int v = PLB_LOSS; v <= PLB_WIN; v++)
            if (e->options.values & PLB_VALUE_BIT(v)) e->of_values += of_value[v - PLB_LOSS];
    }
    if (e->options.samples && !e->positions)
        return plb_fail(message, PLB_EARGUMENT, "no position of ply %d can arise", e->first_ply);
    if (e->options.samples && e->options.values && !e->of_values)
        return plb_fail(message, PLB_EARGUMENT, "no position of these plies is a %s",
                        plb_value_text((plb_value)(plb_lowest(e->options.values) + PLB_LOSS)));
    return PLB_OK;
}

static void count_tasks(plb_export_source *e) {
    for (int ply = e->first_ply; ply < e->end_ply; ply++)
        e->first_task[ply + 1] =
            e->first_task[ply] + plb_divide_up(plb_enumeration_chunks(e->file->positions, ply),
                                               chunks_per_task(e->file->positions, ply));
    e->tasks = e->options.samples ? plb_divide_up(e->options.samples, TASK_SAMPLES)
                                  : e->first_task[e->end_ply];
}

int plb_export_init(const plb_table *table, const plb_export_options *options,
                    plb_export_source *export, plb_message *message) {
    int error = plb_export_choose(table, options, export, message);
    for (int ply = export->first_ply; ply < export->end_ply && !error; ply++) {
        error = plb_enumeration_begin(export->file->positions, ply, options->stop, message);
        /* With wrong statistics a sample could draw from a ply without positions for ever. */
        if (!error &&
            export->totals[ply] > plb_enumeration_max_positions(export->file->positions, ply))
            error = plb_fail(message, PLB_ECORRUPT,
                             "the table is damaged: its statistics have more positions of ply %d "
                             "than there can be",
                             ply);
    }
    if (!error) count_tasks(export);
    return error;
}

int plb_export_vary(const plb_export_source *of, const plb_export_options *options,
                    plb_export_source *export, plb_message *message) {
    int error = plb_export_choose(of->table, options, export, message);
    if (!error) count_tasks(export);
    return error;
}

int plb_export_check_done(const plb_export_source *export, uint64_t done, plb_message *message) {
    if (export->options.samples || done == export->positions) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT,
                    "the table is damaged: %llu positions can arise where its statistics have %llu",
                    (unsigned long long)done, (unsigned long long)export->positions);
}

/* ---- a cursor ---- */

struct plb_export {
    plb_export_source source;
    uint64_t task, done; /* the next task; positions covered by the tasks before it */
    plb_row *rows;       /* of a task, [count] */
    size_t count, capacity;
    plb_text_rows text; /* of a task */
};

static bool keep_row(void *context, const plb_export_row *row) {
    plb_export *e = context;
    if (!PLB_ARRAY_EXTEND(e->rows, e->count, e->capacity)) return false;
    e->rows[e->count++] = (plb_row){.x = row->x,
                                    .o = row->o,
                                    .best = row->best,
                                    .dtm = (int16_t)row->dtm,
                                    .value = (int8_t)row->value,
                                    .ply = (uint8_t)row->ply};
    return true;
}

int plb_export_open(const plb_table *table, const plb_export_options *options, plb_export **cursor,
                    plb_message *message) {
    if (PLB_REJECT_NULL(message, table, cursor)) return PLB_EARGUMENT;
    plb_export *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for an export");
    static const plb_export_options all;
    int error = plb_export_init(table, options ? options : &all, &made->source, message);
    made->text.export = &made->source;
    return PLB_HAND_OVER(error, made, cursor, plb_export_close);
}

/* Give the rows of the next task to a taker. */
static int run_next(plb_export *e, const plb_export_taker *taker, bool *is_end,
                    plb_message *message) {
    uint64_t done = 0;
    *is_end = e->task == e->source.tasks;
    e->count = e->text.size = e->text.count = 0;
    int error = *is_end ? PLB_OK : plb_export_run(&e->source, e->task, taker, &done, message);
    done += e->done;
    /* A caller may rely on the statistics for the number of rows: never give more. */
    if (!error && (*is_end || done > e->source.positions))
        error = plb_export_check_done(&e->source, done, message);
    if (error) return error;
    e->task += !*is_end;
    e->done = done;
    return PLB_OK;
}

int plb_export_next(plb_export *cursor, const plb_row **rows, size_t *count, plb_message *message) {
    static const plb_row none;
    bool is_end;
    if (PLB_REJECT_NULL(message, cursor, rows, count)) return PLB_EARGUMENT;
    int error = run_next(cursor, &(plb_export_taker){keep_row, cursor}, &is_end, message);
    if (error) return error;
    *rows = is_end ? NULL : cursor->count ? cursor->rows : &none;
    *count = cursor->count;
    return PLB_OK;
}

int plb_export_next_text(plb_export *cursor, const char **text, size_t *size, size_t *count,
                         plb_message *message) {
    bool is_end;
    if (PLB_REJECT_NULL(message, cursor, text, size, count)) return PLB_EARGUMENT;
    plb_text_rows *t = &cursor->text;
    int error = run_next(cursor, &(plb_export_taker){plb_text_rows_take, t}, &is_end, message);
    if (error) return error;
    *text = is_end ? NULL : t->size ? t->text : "";
    *size = t->size;
    *count = t->count;
    return PLB_OK;
}

int plb_export_header(const plb_export *cursor, uint64_t count, char header[PLB_EXPORT_HEADER],
                      size_t *size) {
    if (PLB_REJECT_NULL(NULL, cursor, header, size)) return PLB_EARGUMENT;
    *size = cursor->source.format->write_header(count, header);
    return PLB_OK;
}

void plb_export_close(plb_export *cursor) {
    if (!cursor) return;
    free(cursor->rows);
    free(cursor->text.text);
    free(cursor);
}

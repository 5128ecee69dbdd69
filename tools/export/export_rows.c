/* SPDX-License-Identifier: MIT
 *
 * Rows from a table. The table is asked once for each class of symmetric positions; the rows of
 * the images follow by mapping the best moves.
 *
 * A sample must give each position the same chance, but the index does not: a class has as many
 * entries as it has images on its canonical set of cells, and none for its other images. With G
 * symmetries, of which S keep the set of cells and s the position, a class has S/s entries and G/s
 * positions. So a drawn entry counts only with probability 1/S, which makes 1/s, and becomes one
 * of its images: uniform over the positions of the ply. Plies are drawn by their numbers of
 * positions. For a sample of classes a position counts only with probability s/G: when one of the
 * G symmetries, drawn at random, keeps it.
 */
#include "tools/export/export_rows.h"

#include <stdio.h>
#include <string.h>

#include "tools/sample.h"

enum {
    TASK_ENTRIES = 1 << 12, /* entries of a task, at least, unless the ply has fewer */
    TASK_SAMPLES = 1 << 11,
};

typedef struct task {
    const export_source *export;
    const export_taker *taker;
    uint64_t done;
    plb_message *message;
    int error;
} task;

static bool is_stopped(task *t) {
    if (!t->error && t->export->options.stop && *t->export->options.stop)
        t->error = plb_fail(t->message, PLB_EINTERRUPTED, "interrupted");
    return t->error;
}

/* ---- what the table says ---- */

static uint64_t best_cells(const plb_game *game, const plb_analysis *found) {
    uint64_t cells = 0;
    for (int m = 0; m < found->best; m++)
        cells |= 1ULL << plb_game_cell(game, found->moves[m].column, found->moves[m].row);
    return cells;
}

static void refuse_answer(task *t, plb_position position, int error, const plb_message *why) {
    char board[PLB_BOARD_TEXT] = "";
    plb_rules_format_board(&t->export->space.game, position, board);
    t->error = plb_fail(t->message, error == PLB_ENOMEM ? error : PLB_ECORRUPT,
                        "position %s: %.120s", board, why->text);
}

/* Value and distance of a position, and the cells of its best moves (not bits). */
static bool ask_table(task *t, plb_position position, export_row *row, uint64_t *cells) {
    const export_source *e = t->export;
    uint64_t x, o;
    plb_rules_to_words(&e->space.game, position, &x, &o);
    plb_analysis found;
    plb_message why;
    int error = plb_analyse(e->table, x, o, &found, &why);
    if (error) {
        refuse_answer(t, position, error, &why);
        return false;
    }
    *row = (export_row){.ply = plb_rules_ply(&e->space.game, position),
                        .value = found.answer.value,
                        .dtm = found.answer.dtm};
    *cells = best_cells(&e->space.game, &found);
    return true;
}

static void give_row(task *t, export_row *row, plb_position position, uint64_t best) {
    const plb_game *game = &t->export->space.game;
    plb_rules_to_words(game, position, &row->x, &row->o);
    row->best = plb_game_bits_of_cells(game, best);
    if (!t->taker->take(t->taker->context, row))
        t->error =
            plb_fail(t->message, PLB_ENOMEM, "out of memory for the rows of ply %d", row->ply);
}

/* ---- symmetric positions ---- */

static plb_position map_position(const plb_space *space, int element, plb_position position) {
    return space->game.rules->map(&space->symmetry, element, position);
}

static bool is_same(plb_position p, plb_position q) {
    return p.x == q.x && p.o == q.o;
}

/* The least position on the same cells. For one on a canonical set it is its class's canonical
 * one. */
static plb_position least_on_same_cells(const plb_space *space, plb_position position) {
    plb_position least = position;
    for (int e = 1; e < space->symmetry.order; e++) {
        plb_position image = map_position(space, e, position);
        if (plb_stones_occupied(image) == plb_stones_occupied(position) && image.x < least.x)
            least = image;
    }
    return least;
}

typedef struct image {
    plb_position position;
    int element; /* that gives it */
} image;

/* The distinct images of a position, itself first. Those of one without symmetry of its own, which
 * nearly all are, need not be compared. */
static int list_images(const plb_space *space, plb_position position,
                       image images[PLB_MAX_SYMMETRIES]) {
    int keeping = 1, count = 1; /* by the identity, which comes first */
    images[0] = (image){position, 0};
    for (int e = 1; e < space->symmetry.order; e++) {
        images[e] = (image){map_position(space, e, position), e};
        keeping += is_same(images[e].position, position);
    }
    if (keeping == 1) return space->symmetry.order;
    for (int e = 1; e < space->symmetry.order; e++) {
        int i = 0;
        while (i < count && !is_same(images[i].position, images[e].position)) i++;
        if (i == count) images[count++] = images[e];
    }
    return count;
}

/* ---- all ---- */

static bool visit_place(void *context, plb_position position) {
    task *t = context;
    const plb_space *space = &t->export->space;
    image images[PLB_MAX_SYMMETRIES];
    export_row row;
    uint64_t best;
    if (is_stopped(t)) return false;
    if (!is_same(least_on_same_cells(space, position), position)) return true;
    if (!ask_table(t, position, &row, &best)) return false;
    int count = list_images(space, position, images);
    t->done += count;
    for (int i = 0; i < (t->export->options.canonical ? 1 : count) && !t->error; i++)
        give_row(t, &row, images[i].position,
                 plb_symmetry_map(&space->symmetry, images[i].element, best));
    return !t->error;
}

/* Parts of a task: small slabs go together. */
static uint64_t parts_per_task(const plb_index *index, int ply) {
    uint64_t size = index->plies[ply].slab_size;
    return size < TASK_ENTRIES ? TASK_ENTRIES / size : 1;
}

static void run_all(task *t, uint64_t number) {
    const export_source *e = t->export;
    int ply = e->first_ply;
    while (number >= e->first_task[ply + 1]) ply++;
    uint64_t parts = parts_per_task(&e->space.index, ply);
    uint64_t part = (number - e->first_task[ply]) * parts;
    uint64_t end = plb_min(part + parts, sample_parts(&e->space.index, ply));
    for (; part < end && !is_stopped(t); part++)
        sample_visit(&e->space.index, ply, part, visit_place, t);
}

/* ---- some ---- */

static int draw_ply(const export_source *e, uint64_t *random) {
    uint64_t number = sample_below(random, e->positions);
    int ply = e->first_ply;
    for (; number >= e->totals[ply]; ply++) number -= e->totals[ply];
    return ply;
}

/* A position on a canonical set of cells; mapped by any symmetry it is uniform over those of the
 * ply. */
static bool draw_on_canonical_cells(task *t, int ply, uint64_t *random, plb_position *position) {
    const export_source *e = t->export;
    uint64_t order = e->space.symmetry.order;
    while (!is_stopped(t))
        if (sample_try(&e->space.index, ply, random, position) &&
            sample_below(random, order) < (uint64_t)plb_symmetry_orbit_size(
                                              &e->space.symmetry, plb_stones_occupied(*position)))
            return true;
    return false;
}

static bool draw_position(task *t, uint64_t number, plb_position *position) {
    const export_source *e = t->export;
    uint64_t seed = e->options.seed, random = plb_next_random(&seed) ^ number;
    random = plb_next_random(&random); /* neighbouring numbers, distant states */
    for (;;) {
        plb_position drawn;
        if (!draw_on_canonical_cells(t, draw_ply(e, &random), &random, &drawn)) return false;
        int element = (int)sample_below(&random, e->space.symmetry.order);
        *position = map_position(&e->space, element, drawn);
        if (!e->options.canonical) return true;
        if (!is_same(*position, drawn)) continue;
        *position = least_on_same_cells(&e->space, drawn);
        return true;
    }
}

static void run_sample(task *t, uint64_t number) {
    uint64_t row = number * TASK_SAMPLES;
    uint64_t end = plb_min(row + TASK_SAMPLES, t->export->options.samples);
    for (; row < end && !t->error; row++) {
        plb_position position;
        export_row answered;
        uint64_t best;
        if (!draw_position(t, row, &position) || !ask_table(t, position, &answered, &best)) return;
        give_row(t, &answered, position, best);
        t->done++;
    }
}

/* ---- the whole ---- */

int export_run(const export_source *export, uint64_t task_number, const export_taker *taker,
               uint64_t *done, plb_message *message) {
    task t = {.export = export, .taker = taker, .message = message};
    if (export->options.samples)
        run_sample(&t, task_number);
    else
        run_all(&t, task_number);
    *done = t.done;
    return t.error;
}

static int choose_plies(export_source *e, plb_message *message) {
    int cells = plb_info(e->table)->cells, ply = e->options.ply;
    if (ply > cells)
        return plb_fail(message, PLB_EARGUMENT, "there is no ply %d: %s has plies 0 to %d", ply,
                        plb_info(e->table)->spec, cells);
    e->first_ply = ply < 0 ? 0 : ply;
    e->end_ply = ply < 0 ? cells + 1 : ply + 1;
    for (ply = e->first_ply; ply < e->end_ply; ply++) {
        plb_ply_stats stats;
        plb_stats(e->table, ply, &stats);
        e->totals[ply] = stats.total;
        e->positions += stats.total;
    }
    if (e->options.samples && !e->positions)
        return plb_fail(message, PLB_EARGUMENT, "no position of ply %d can arise", e->first_ply);
    return PLB_OK;
}

static void count_tasks(export_source *e) {
    for (int ply = e->first_ply; ply < e->end_ply; ply++)
        e->first_task[ply + 1] =
            e->first_task[ply] +
            plb_divide_up(sample_parts(&e->space.index, ply), parts_per_task(&e->space.index, ply));
    e->tasks = e->options.samples ? plb_divide_up(e->options.samples, TASK_SAMPLES)
                                  : e->first_task[e->end_ply];
}

int export_init(const plb_table *table, const export_options *options, export_source *export,
                plb_message *message) {
    *export = (export_source){.table = table, .options = *options};
    int error = plb_space_open(plb_info(table)->spec, &export->space, message);
    if (!error) error = choose_plies(export, message);
    if (!error) count_tasks(export);
    return error;
}

void export_free(export_source *export) {
    plb_space_close(&export->space);
}

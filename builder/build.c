/* SPDX-License-Identifier: MIT
 *
 * The steps of a build: the forward pass over all plies if the engine has one, the backward pass,
 * assembly of the file. After an error the work is saved.
 */
#include "builder/build.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder/assemble.h"
#include "builder/forecast/forecast.h"
#include "tables/store/checksum.h"

typedef struct build {
    const plb_space *space;
    const plb_build_options *options;
    bool is_trial;
    plb_message *message;
    plb_ranks *ranks; /* ranks that solve together; NULL: this process alone */
    char *output;     /* path beside which this rank works; for rank 0 that of the table */
    plb_meta meta;
    plb_budget budget;
    char label[4 * PLB_META_TEXT];    /* what is built, with which parameters */
    char first_label[PLB_LABEL_TEXT]; /* label of rank 0's folder */
    plb_journal journal;
    const plb_engine *engine;
    void *engine_state;
    plb_engine_traits traits;
    plb_build_point solved;
    plb_progress progress;
    plb_rank_work rank_work;                    /* sum over the plies that are solved */
    plb_ply_results results[PLB_MAX_CELLS + 1]; /* solved plies, as rank 0 has them */
    int shards;                                 /* number of shards; 0: the table is one file */
    plb_journal *others; /* [other_count] shards of ranks that only earlier runs had (assemble.h) */
    int other_count;
    int replaced_shards;
    bool had_shard[PLB_MAX_SHARDS]; /* files that this rank's shards may replace */
} build;

/* Rank 0 writes the table. */
static bool is_first(const build *b) {
    return plb_ranks_number(b->options->ranks) == 0;
}

/* ---- parts ---- */

/* The number of parts of each ply that this run begins. It is 1 in tables of keys, because the keys
 * of a ply are not known before it is solved, and in builds by ranks or with shards. */
static plb_part_counts choose_parts(const build *b) {
    plb_part_counts plies = {.cells = b->space->game.cells};
    double entries = b->options->part_entries > 0 ? b->options->part_entries : PLB_PART_ENTRIES;
    if (b->ranks || b->options->shards || b->space->index.kind == PLB_KEYS) entries = INFINITY;
    for (int ply = 0; ply <= plies.cells; ply++) {
        plb_block_layout layout =
            plb_block_layout_ply(&b->space->index, ply, b->meta.block_entries);
        plies.parts[ply] = plb_parts_make(&layout, entries).count;
    }
    return plies;
}

/* ---- progress ---- */

static void report(build *b) {
    b->progress.resume_ply = b->journal.resume.ply;
    if (b->options->report) b->options->report(b->options->context, &b->progress);
}

static void advance(void *context, uint64_t entries) {
    build *b = context;
    b->progress.work_done += (double)entries;
    b->progress.ply_share +=
        (double)entries / (double)plb_index_size(&b->space->index, b->progress.ply);
    report(b);
}

static void count(void *context, double share) {
    build *b = context;
    b->progress.phase = PLB_COUNT_AHEAD;
    b->progress.count_share = share;
    report(b);
}

static void begin_ply(build *b, plb_phase phase, int ply) {
    b->progress.phase = phase;
    b->progress.ply = ply;
    b->progress.ply_done = false;
    b->progress.ply_share = b->progress.ply_skipped = 0;
}

static void end_ply(build *b, const plb_ply_made *made) {
    b->progress.ply_done = true;
    b->progress.positions = made->positions;
    b->progress.values_bytes = made->values_bytes;
    b->progress.table_bytes = made->table_bytes;
    report(b);
}

static void skip_entries(build *b, uint64_t entries) {
    b->progress.work_done += (double)entries;
    b->progress.work_skipped += (double)entries;
}

static bool is_save_due(const build *b) {
    return plb_journal_age_seconds(&b->journal) >= b->options->save_seconds;
}

/* ---- forward ---- */

static int forward(build *b) {
    plb_ply_made made;
    int error = PLB_OK;
    if (!b->traits.goes_forward) return PLB_OK;
    for (int ply = 0; ply <= b->space->game.cells && !error; ply++) {
        plb_scratch_file reach = {PLB_SCRATCH_REACH, ply, 0};
        bool skips = ply >= b->journal.resume.ply || plb_journal_has(&b->journal, reach);
        error = plb_ranks_broadcast(b->ranks, &skips, sizeof skips, b->message);
        if (skips) skip_entries(b, plb_index_size(&b->space->index, ply));
        if (error || skips) continue;
        begin_ply(b, PLB_FORWARD, ply);
        error = b->engine->forward(b->engine_state, ply, &made, b->message);
        if (!error && is_first(b) && is_save_due(b))
            error = plb_journal_save(&b->journal, b->journal.resume, b->message);
        error = plb_ranks_agree(b->ranks, error, b->message);
        if (!error) end_ply(b, &made);
    }
    return error;
}

/* ---- backward ---- */

/* Save the build. With shards each other rank first saves its table files; then rank 0 saves, with
 * values that it gets from all ranks. The build is saved if rank 0 succeeds. */
static int save_solved(build *b) {
    int error = b->engine->save(b->engine_state, &b->solved, b->message);
    if (!error && b->options->shards && !is_first(b))
        error = plb_journal_save_tables(&b->journal, b->message);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (!error && is_first(b)) error = plb_journal_save(&b->journal, b->solved, b->message);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (error || is_first(b)) return error;
    b->journal.resume = b->solved;
    return plb_journal_discard(&b->journal, b->solved, b->message);
}

/* Save if rank 0 wants to; otherwise only delete files that are no longer needed. */
static int save_if(build *b, bool wanted) {
    int error = plb_ranks_broadcast(b->ranks, &wanted, sizeof wanted, b->message);
    if (error) return error;
    return wanted ? save_solved(b) : plb_journal_discard(&b->journal, b->solved, b->message);
}

/* After an error, save what is solved. If that fails, save again at the last saved point, which
 * keeps the reach files, and add to the error's message. */
static void rescue(build *b) {
    plb_message why = *b->message;
    plb_ranks_recover(b->ranks);
    int resume_ply = b->journal.resume.ply, error = save_solved(b);
    if (error && is_first(b) && b->solved.ply < resume_ply)
        plb_journal_save(&b->journal, b->journal.resume, b->message);
    *b->message = why;
    if (error && b->solved.ply < b->journal.resume.ply)
        plb_fail(b->message, error, "%s; plies %d to %d could not be saved", why.text,
                 resume_ply - 1, b->solved.ply);
}

/* Say in the message of a full disk if the next ply takes more space than this run would need,
 * because ranks have solved it as one part. */
static void explain_full_disk(const build *b, int ply) {
    if (ply == b->space->game.cells) return;
    if (choose_parts(b).parts[ply + 1] <= b->journal.plies.parts[ply + 1]) return;
    plb_message why = *b->message;
    plb_fail(b->message, PLB_ENOSPACE,
             "%s; an earlier run, by ranks, has solved ply %d as one part, all of which stays on "
             "the disk until ply %d is solved",
             why.text, ply + 1, ply);
}

/* Solve the parts of a ply that no earlier run has solved. */
static int backward_ply(build *b, int ply) {
    plb_parts parts = {plb_block_layout_ply(&b->space->index, ply, b->meta.block_entries),
                       b->journal.plies.parts[ply]};
    plb_ply_made made, sum = {0};
    int error = PLB_OK;
    uint64_t skipped = plb_parts_first_slab(&parts, b->solved.parts) * parts.layout.slab_size;
    begin_ply(b, PLB_BACKWARD, ply);
    skip_entries(b, skipped);
    b->progress.ply_skipped = (double)skipped / (double)plb_index_size(&b->space->index, ply);
    b->progress.ply_share = b->progress.ply_skipped;
    while (b->solved.ply > ply && !error) {
        int part = b->solved.parts;
        error = b->engine->backward(b->engine_state, ply, part, &made, b->message);
        error = plb_ranks_agree(b->ranks, error, b->message);
        if (error) break;
        if (part + 1 < parts.count)
            b->solved = (plb_build_point){ply + 1, part + 1, made.needed};
        else
            b->solved = (plb_build_point){ply, 0, plb_journal_all_parts(parts.count)};
        error = save_if(b, is_save_due(b));
        error = plb_ranks_agree(b->ranks, error, b->message);
        sum.positions = made.positions;
        sum.values_bytes += made.values_bytes;
        sum.table_bytes += made.table_bytes;
    }
    if (error == PLB_ENOSPACE) explain_full_disk(b, ply);
    if (!error) error = plb_ranks_measure(b->ranks, &b->progress.ranks, b->message);
    plb_rank_work_add(&b->progress.ranks, &b->rank_work);
    if (!error) end_ply(b, &sum);
    return error;
}

static int backward(build *b, int until) {
    int error = PLB_OK;
    for (int ply = b->space->game.cells; ply >= b->solved.ply; ply--)
        skip_entries(b, plb_index_size(&b->space->index, ply));
    /* Begin to measure the backward pass. Of the forward pass keep only the received bytes. */
    error = plb_ranks_measure(b->ranks, &b->progress.ranks, b->message);
    b->rank_work.received_bytes = b->progress.ranks.received_bytes;
    while (b->solved.ply > until && !error) error = backward_ply(b, b->solved.ply - 1);
    return error;
}

static plb_assembly make_assembly(const build *b) {
    return (plb_assembly){.game = &b->space->game,
                          .meta = &b->meta,
                          .output = b->options->output,
                          .force = b->options->force,
                          .stop = b->options->stop,
                          .shards = b->shards,
                          .ranks = b->ranks,
                          .shard = plb_ranks_number(b->ranks),
                          .others = b->others,
                          .results = b->results,
                          .replaced_shards = b->replaced_shards,
                          .had_shard = b->had_shard};
}

/* ---- folders of ranks ---- */

/* Enter the folder of a rank other than 0. With shards its label begins with the label of rank 0's
 * folder; segments of another build are not used, and deleted only by force. */
static int enter_folder(build *b, plb_journal *journal, const char *output) {
    const plb_build_options *o = b->options;
    plb_part_counts plies = b->journal.plies;
    int error = plb_journal_open(journal, output, o->shards ? b->first_label : b->label,
                                 o->force || !o->shards, &plies, b->message);
    journal->plies = plies;
    if (error != PLB_EOTHERGAME) return error;
    return plb_fail(b->message, error,
                    "%s" PLB_UNFINISHED_SUFFIX
                    " has segments of a build that rank 0 does not know: start the ranks where "
                    "they were before, or discard it with --force",
                    output);
}

typedef struct leftovers {
    int first;
    const char *label;
} leftovers;

static void remove_leftover(void *context, int rank, const char *output) {
    const leftovers *l = context;
    if (rank >= l->first) plb_build_folder_remove_leftover(output, l->label);
}

/* Remove the folders that killed ranks from `first` on have left. With shards folders of other
 * builds are removed only by force. */
static void remove_leftovers(const build *b, int first) {
    const plb_build_options *o = b->options;
    leftovers l = {first, o->shards && !o->force ? b->first_label : b->label};
    plb_build_folder_visit_ranks(o->output, remove_leftover, &l);
}

/* Read the results of the plies from `first` on. With shards send them to all ranks, and find the
 * number of shards from them: an earlier run may have had more ranks. */
static int read_results(build *b, int first) {
    plb_assembly assembly = make_assembly(b);
    int error = PLB_OK;
    if (is_first(b))
        error = plb_assemble_read(&b->journal, &assembly, first, b->results, b->message);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (error || !b->shards) return error;
    if (first == 0) b->shards = 1;
    error = plb_ranks_broadcast(b->ranks, b->results, sizeof b->results, b->message);
    for (int ply = first; ply <= b->space->game.cells; ply++)
        b->shards = (int)plb_max(b->shards, b->results[ply].ranks);
    return error;
}

/* Check that a folder has the segments of its shard that were saved. */
static int check_shard(const build *b, plb_journal *journal, int shard) {
    plb_assembly assembly = make_assembly(b);
    assembly.shard = shard;
    int error = plb_assemble_read(journal, &assembly, b->solved.ply, NULL, b->message);
    if (error != PLB_ECORRUPT || plb_journal_has_saved(journal)) return error;
    return plb_fail(b->message, PLB_ENOTFOUND,
                    "%s with segments of an earlier run is missing: copy it there, or start the "
                    "build anew with --force",
                    journal->folder.path);
}

/* Open the folders of ranks that only an earlier run had; the ranks of this run divide them. */
static int open_shards(build *b) {
    int count = plb_ranks_count(b->ranks), number = plb_ranks_number(b->ranks);
    plb_assembly assembly = make_assembly(b);
    int error = plb_assemble_find_shards(&assembly, b->had_shard, b->message);
    if (!error) error = check_shard(b, &b->journal, number);
    b->others = calloc(b->shards / count + 1, sizeof *b->others);
    if (!b->others) return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    for (int shard = number + count; shard < b->shards && !error; shard += count) {
        char *output;
        plb_journal *journal = &b->others[b->other_count++];
        if (asprintf(&output, "%s.rank%d", b->options->output, shard) < 0)
            return plb_fail(b->message, PLB_ENOMEM, "out of memory");
        *journal = (plb_journal){.resume_is_given = true, .resume = b->journal.resume};
        error = enter_folder(b, journal, output);
        if (!error) error = check_shard(b, journal, shard);
        free(output);
    }
    return error;
}

/* ---- comparison with exact counts ---- */

/* Compare the number of positions of each ply with an exact count, if counting is quick. A defect
 * of the program or the machine is unlikely to leave these numbers right. */
static int compare_counts(build *b) {
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
    plb_count_board board;
    plb_message why;
    if (b->traits.compares_counts) {
        b->progress.compared = PLB_COMPARED_OPEN;
        return PLB_OK;
    }
    if (!plb_count_check_find_quick(&b->space->game, b->options->count_seconds, &board))
        return PLB_OK;
    begin_ply(b, PLB_COUNT, 0);
    report(b);
    for (int ply = 0; ply <= b->space->game.cells; ply++) stats[ply] = b->results[ply].stats;
    int error =
        plb_count_check_compare(&board, stats, b->options->threads, b->options->stop, NULL, &why);
    if (!error) b->progress.compared = PLB_COMPARED_ALL;
    if (!error || error == PLB_ENOMEM || error == PLB_ETOOBIG) return PLB_OK;
    return plb_fail(b->message, error, "%s", why.text);
}

/* ---- the whole build ---- */

/* Make the memory budget from a forecast, unless the caller has made it. */
static int share_memory(build *b) {
    const plb_build_options *options = b->options;
    plb_forecast forecast;
    b->budget = options->budget;
    if (options->memory_bytes == 0) return PLB_OK;
    plb_forecast_make(&b->space->index, options->values, options->threads, &forecast);
    b->budget = plb_budget_make(&forecast.memory, options->threads, options->memory_bytes);
    if (b->budget.needed_bytes <= options->memory_bytes) return PLB_OK;
    return plb_fail(b->message, PLB_ETOOBIG,
                    "%s needs about %.0f MiB of memory and may use %.0f MiB", b->meta.spec,
                    ceil(b->budget.needed_bytes / (1 << 20)),
                    floor(options->memory_bytes / (1 << 20)));
}

/* Check that all ranks build the same table, with shards also under the same file name. Comes
 * before all else, because ranks with tables of keys do not exchange what others do. */
static int check_same(const build *b) {
    const char *output = b->options->output, *folder_end = strrchr(output, '/');
    const char *name = folder_end ? folder_end + 1 : output;
    plb_ranks *ranks = b->options->ranks;
    char what[sizeof b->label + NAME_MAX + 1];
    if (!ranks) return PLB_OK;
    snprintf(what, sizeof what, "%s%s", b->label, b->options->shards ? name : "");
    uint64_t own = plb_checksum_identity(what), first = own;
    int error = plb_ranks_broadcast(ranks, &first, sizeof first, b->message);
    if (!error && first != own)
        error = plb_fail(b->message, PLB_EARGUMENT,
                         "it builds something else than rank 0: start all ranks with the same "
                         "options");
    return plb_ranks_agree(ranks, error, b->message);
}

/* Get the saved point, the number of parts and the label of rank 0's folder. */
static int share_point(build *b) {
    plb_journal *j = &b->journal;
    if (is_first(b)) memcpy(b->first_label, j->folder.label, PLB_LABEL_TEXT);
    if (!b->ranks) return PLB_OK;
    j->resume_is_given = !is_first(b);
    int error = plb_ranks_broadcast(b->ranks, &j->resume, sizeof j->resume, b->message);
    if (!error) error = plb_ranks_broadcast(b->ranks, &j->plies, sizeof j->plies, b->message);
    return error ? error
                 : plb_ranks_broadcast(b->ranks, b->first_label, PLB_LABEL_TEXT, b->message);
}

static int prepare(build *b) {
    const plb_build_options *options = b->options;
    int cells = b->space->game.cells;
    plb_part_counts plies = choose_parts(b);
    int error = share_memory(b);
    if (!error && asprintf(&b->output, is_first(b) ? "%s" : "%s.rank%d", options->output,
                           plb_ranks_number(options->ranks)) < 0) {
        b->output = NULL;
        error = plb_fail(b->message, PLB_ENOMEM, "out of memory");
    }
    if (b->is_trial) plb_budget_drop_spare(&b->budget);
    if (!error && is_first(b))
        error =
            plb_journal_open(&b->journal, b->output, b->label, options->force, &plies, b->message);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (!error) error = share_point(b);
    if (!error && !is_first(b)) error = enter_folder(b, &b->journal, b->output);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (error) return error;
    b->solved = b->journal.resume;
    plb_engine_options engine = {
        .space = b->space,
        .journal = &b->journal,
        .ranks = b->ranks,
        .keeps_segments = options->shards,
        .values = options->values,
        .threads = options->threads,
        .budget = &b->budget,
        .is_trial = b->is_trial,
        .block_entries = b->meta.block_entries,
        .identity = plb_meta_identity(&b->meta),
        .level = PLB_LEVEL,
        .slabs = options->slabs,
        .stop = options->stop,
        .advance = advance,
        .count = count,
        .context = b,
    };
    b->engine = b->space->index.kind == PLB_KEYS ? &plb_engine_of_keys : &plb_engine_of_slabs;
    error = b->engine->open(&engine, &b->engine_state, &b->traits, b->message);
    if (error) return error;
    int passes = b->traits.goes_forward ? 2 : 1;
    for (int ply = 0; ply <= cells; ply++)
        b->progress.work_total += passes * (double)plb_index_size(&b->space->index, ply);
    return PLB_OK;
}

static build begin_build(const plb_space *space, const plb_build_options *options, bool is_trial,
                         plb_message *message) {
    build b = {.space = space,
               .options = options,
               .is_trial = is_trial,
               .message = message,
               .ranks = is_trial || space->index.kind == PLB_KEYS ? NULL : options->ranks,
               .meta = {.format = PLB_FORMAT_VERSION,
                        .builder = PLB_BUILDER_NAME,
                        .values = options->values,
                        .level = PLB_LEVEL,
                        .symmetries = space->symmetry.order,
                        .index = space->index.kind,
                        .block_entries = plb_block_entries(options->values)}};
    plb_game_format(&space->game, b.meta.spec);
    char compression[PLB_COMPRESSION_TEXT];
    plb_meta_format_compression(b.meta.level, compression);
    if (options->shards) b.shards = plb_ranks_count(b.ranks);
    snprintf(b.label, sizeof b.label, "%s %s%s %s block %d %s%s" PLB_LABEL_VERSIONS "%d scratch %d",
             b.meta.spec, plb_value_kind_text(b.meta.values), b.shards ? PLB_LABEL_SHARDS : "",
             plb_index_kind_text(b.meta.index), b.meta.block_entries, compression,
             is_trial ? " trial" : "", PLB_FORMAT_VERSION, PLB_SCRATCH_FORMAT);
    return b;
}

/* Close everything. Delete the folders if the build is done, or if they have nothing that another
 * run can use. The folder of rank 0 goes last, because its label identifies the others. */
static void end_build(build *b, bool is_done) {
    bool is_saved = (is_first(b) || b->shards) && plb_journal_has_saved(&b->journal);
    if (b->engine) b->engine->close(b->engine_state);
    for (int i = 0; i < b->other_count; i++)
        plb_journal_close(&b->others[i], is_done || !plb_journal_has_saved(&b->others[i]));
    bool is_left = !is_done && (!b->ranks || is_saved);
    if (!is_first(b)) plb_journal_close(&b->journal, !is_left);
    if (is_done && plb_ranks_agree(b->ranks, PLB_OK, b->message) != PLB_OK) is_left = true;
    if (is_first(b)) plb_journal_close(&b->journal, !is_left);
    free(b->others);
    free(b->output);
}

static int write_table(build *b, plb_built *built) {
    const plb_game *game = &b->space->game;
    plb_assembly assembly = make_assembly(b);
    plb_column_automaton columns;
    int error = PLB_OK;
    begin_ply(b, PLB_ASSEMBLE, 0);
    report(b);
    if (is_first(b) && game->gravity &&
        plb_column_automaton_seconds(game->width, game->height, game->k) <=
            b->options->count_seconds) {
        error = plb_column_automaton_make(game->width, game->height, game->k, b->options->stop,
                                          &columns);
        if (!error) assembly.columns = &columns;
        /* The record `columns` is optional: only interruption is an error. */
        if (error == PLB_EINTERRUPTED) return plb_fail(b->message, error, "interrupted");
    }
    for (int i = 0; i < b->other_count; i++) b->others[i].resume = b->journal.resume;
    error = plb_assemble(&b->journal, &assembly, built, b->message);
    if (assembly.columns) plb_column_automaton_free(&columns);
    return error;
}

/* Solve the plies that no earlier run has saved, and write the table; after an error save. The
 * solved build is saved before it is assembled if a save is due or an earlier save exists, so that
 * assembly can strip table files. */
static int run(build *b, plb_built *built) {
    int error = read_results(b, b->solved.ply);
    if (!error && b->shards) error = plb_ranks_agree(b->ranks, open_shards(b), b->message);
    if (!error && is_first(b))
        remove_leftovers(b, (int)plb_max(b->shards, plb_ranks_count(b->ranks)));
    bool is_solved = b->solved.ply == 0;
    if (is_solved) b->progress.work_done = b->progress.work_skipped = b->progress.work_total;
    if (!error && !is_solved) error = forward(b);
    if (!error && !is_solved) error = backward(b, 0);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (!error) error = save_if(b, is_save_due(b) || plb_journal_has_saved(&b->journal));
    if (!error) error = read_results(b, 0);
    if (!error && is_first(b)) error = compare_counts(b);
    error = plb_ranks_agree(b->ranks, error, b->message);
    if (!error && (is_first(b) || b->options->shards)) error = write_table(b, built);
    error = plb_ranks_agree(b->ranks, error, b->message);
    built->ranks = b->rank_work;
    if (error) rescue(b);
    if (error != PLB_ECORRUPT) return error;
    plb_message why = *b->message;
    return plb_fail(b->message, error, "%s: start the build anew with --force", why.text);
}

/* Rank 0 checks whether the table exists already. If so, remove the folders of a build that was
 * killed after it had renamed its table. The folder of rank 0 is entered here and removed by
 * end_build. */
static int find_output(build *b, plb_built *built) {
    plb_assembly assembly = make_assembly(b);
    plb_ranks *ranks = b->options->ranks;
    int error = PLB_OK;
    *built = (plb_built){.existed = false};
    if (is_first(b))
        error = plb_assemble_find_output(&assembly, b->options->force, built, b->message);
    if (!error && built->existed &&
        plb_build_folder_enter_leftover(b->options->output, b->label, &b->journal.folder))
        memcpy(b->first_label, b->journal.folder.label, PLB_LABEL_TEXT);
    error = plb_ranks_agree(ranks, error, b->message);
    if (!error)
        error = plb_ranks_broadcast(ranks, &built->existed, sizeof built->existed, b->message);
    if (!error) error = plb_ranks_broadcast(ranks, b->first_label, PLB_LABEL_TEXT, b->message);
    if (!error && built->existed) remove_leftovers(b, 1);
    return error;
}

/* Rank 0 alone builds tables of keys, and writes the file of any table; the other ranks wait. */
int plb_build(const plb_space *space, const plb_build_options *options, plb_built *built,
              plb_message *message) {
    plb_message ignored = {""};
    build b = begin_build(space, options, false, message ? message : &ignored);
    plb_built made = {.existed = false};
    int error = PLB_OK;
    if (options->shards && plb_ranks_count(options->ranks) > PLB_MAX_SHARDS)
        error = plb_fail(b.message, PLB_EARGUMENT,
                         "a table has at most %d shards, and so many ranks", PLB_MAX_SHARDS);
    if (!error) error = check_same(&b);
    if (!error) error = find_output(&b, &made);
    b.replaced_shards = made.shards;
    if (!error && !made.existed && (is_first(&b) || b.ranks)) {
        error = prepare(&b);
        if (!error) error = run(&b, &made);
    }
    error = plb_ranks_agree(options->ranks, error, b.message);
    end_build(&b, !error);
    if (!error) *built = made;
    return error;
}

int plb_build_trial(const plb_space *space, const plb_build_options *options, int until,
                    plb_message *message) {
    plb_message ignored = {""};
    plb_build_options trial = *options;
    trial.save_seconds = 0;
    build b = begin_build(space, &trial, true, message ? message : &ignored);
    plb_build_folder_remove_leftover(trial.output, b.label); /* of a trial that was killed */
    int error = prepare(&b);
    if (!error) error = backward(&b, until);
    end_build(&b, true);
    return error;
}

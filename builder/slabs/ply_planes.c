/* SPDX-License-Identifier: MIT */
#include "builder/slabs/ply_planes.h"

#include "builder/slabs/rank_exchange.h"
#include "tables/message.h"

/* ---- files ---- */

int plb_ply_planes_run_bits(const plb_index *index, int ply, bool finest) {
    enum { MIN_STONES = 23, MAX_RECORDS = 1 << 19 }; /* of slabs with runs; of a ply */
    int bits = plb_runs_max_bits(ply);
    if (finest) return bits;
    if (ply < MIN_STONES) return 0;
    if (bits > ply - MIN_STONES) bits = ply - MIN_STONES;
    while (bits > 0 && index->plies[ply].slabs << bits > MAX_RECORDS) bits--;
    return bits;
}

static int run_bits(const plb_slab_engine *engine, int ply) {
    return plb_ply_planes_run_bits(engine->index, ply, engine->options.slabs.piece_bytes > 0);
}

plb_parts plb_ply_planes_parts(const plb_slab_engine *engine, plb_scratch_file file) {
    plb_block_layout layout =
        plb_block_layout_ply(engine->index, file.ply, engine->options.block_entries);
    int count = engine->options.journal->plies.parts[file.ply];
    return (plb_parts){layout, file.kind == PLB_SCRATCH_REACH ? 1 : count};
}

plb_plane_words plb_ply_planes_run_words(const plb_planes *planes, int bits, uint64_t run) {
    const plb_slab *shape = planes->shape;
    if (!shape->blocks) return (plb_plane_words){planes->words, planes->count, 0, 0};
    plb_block_range blocks = plb_runs_blocks(shape, bits, run);
    return (plb_plane_words){planes->words + plb_slab_range_start(shape, blocks), planes->count,
                             plb_slab_range_words(shape, blocks), shape->words};
}

int plb_ply_planes_take(plb_word_stack *stack, const plb_slab *shape, int count,
                        plb_planes *planes) {
    uint64_t *words = plb_word_stack_take(stack, count * shape->words);
    *planes = (plb_planes){shape, count, words};
    return words ? PLB_OK : PLB_ENOMEM;
}

/* Records of a file: runs of slabs; or segments of the table, then a model. */
static uint64_t count_records(const plb_slab_engine *engine, plb_scratch_file file) {
    plb_parts parts = plb_ply_planes_parts(engine, file);
    if (file.kind != PLB_SCRATCH_TABLE)
        return plb_parts_slabs(&parts, file.part) << run_bits(engine, file.ply);
    return plb_parts_segments(&parts, file.part) + PLB_TABLE_MODELS;
}

int plb_ply_planes_create_file(const plb_slab_engine *engine, plb_scratch_file file,
                               plb_scratch **scratch, plb_message *message) {
    return plb_journal_create(engine->options.journal, file, count_records(engine, file), scratch,
                              message);
}

int plb_ply_planes_read_file(const plb_slab_engine *engine, plb_scratch_file file,
                             plb_scratch **scratch, plb_message *message) {
    return plb_journal_read(engine->options.journal, file, count_records(engine, file), scratch,
                            message);
}

/* ---- layers ---- */

plb_ply_memory *plb_ply_planes_find_memory(plb_slab_engine *engine, plb_scratch_file file) {
    plb_ply_memory *memory = plb_memory_pool_ply(engine->pool, file.ply);
    plb_scratch_file *kept = &engine->in_memory[file.ply % 2];
    if (kept->kind != file.kind || kept->ply != file.ply) plb_ply_memory_clear(memory);
    *kept = file;
    return memory;
}

plb_ply_planes plb_ply_planes_name(plb_slab_engine *engine, plb_scratch_file file) {
    plb_ply_memory *memory = plb_ply_planes_find_memory(engine, file);
    plb_ply_planes layer = {.parts = plb_ply_planes_parts(engine, file),
                            .set = engine->set,
                            .planes = engine->coding.planes,
                            .run_bits = run_bits(engine, file.ply),
                            .memory = engine->options.budget->holds[file.ply] ? memory : NULL};
    for (int part = 0; part < layer.parts.count; part++)
        layer.own[part] = plb_exchange_own(engine, (plb_scratch_file){file.kind, file.ply, part});
    if (file.kind == PLB_SCRATCH_REACH) {
        layer.set = PLB_LIVE;
        layer.planes = 1;
    } else {
        /* Blocks that the planes lack are won or dead. If some are won, the code of dead ones does
         * not matter (solve_ply.c). */
        bool won = engine->set == PLB_UNDECIDED && file.ply < engine->index->game->cells;
        layer.missing = plb_outcome_code_encode(&engine->coding, won ? file.ply + 1 : file.ply);
        layer.kernels = engine->set == PLB_UNDECIDED ? engine->kernels : NULL;
    }
    return layer;
}

void plb_ply_planes_close(plb_ply_planes *layer) {
    for (int part = 0; part < PLB_PLY_PARTS; part++) plb_scratch_close(layer->scratch[part]);
    plb_exchange_free_received(layer->received);
}

int plb_ply_planes_create_part(plb_slab_engine *engine, plb_scratch_file file,
                               plb_ply_planes *layer, plb_message *message) {
    *layer = plb_ply_planes_name(engine, file);
    if (layer->memory && !plb_ply_memory_has_begun(layer->memory) &&
        plb_ply_memory_begin(layer->memory, engine->index->plies[file.ply].slabs))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    return plb_ply_planes_create_file(engine, file, &layer->scratch[file.part], message);
}

void plb_ply_planes_keep(const plb_ply_planes *layer, uint32_t needed) {
    for (int part = 0; part < layer->parts.count && layer->memory; part++)
        if (!(needed >> part & 1))
            plb_ply_memory_forget(layer->memory, plb_parts_first_slab(&layer->parts, part),
                                  plb_parts_first_slab(&layer->parts, part + 1));
}

bool plb_ply_planes_is_held(const plb_ply_planes *layer, int part) {
    const plb_block_layout *layout = &layer->parts.layout;
    plb_segment_run own = layer->own[part];
    return own.first == own.last ||
           plb_ply_memory_has(layer->memory, own.first * layout->slabs_per_segment,
                              plb_min(own.last * layout->slabs_per_segment, layout->slabs));
}

int plb_ply_planes_open(plb_slab_engine *engine, plb_scratch_file file, uint32_t needed,
                        plb_ply_planes *layer, plb_message *message) {
    int error = PLB_OK;
    *layer = plb_ply_planes_name(engine, file);
    for (file.part = 0; file.part < layer->parts.count && !error; file.part++)
        if (needed >> file.part & 1 && !plb_ply_planes_is_held(layer, file.part))
            error = plb_ply_planes_read_file(engine, file, &layer->scratch[file.part], message);
    return error;
}

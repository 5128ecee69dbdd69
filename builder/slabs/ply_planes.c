/* SPDX-License-Identifier: MIT */
#include "builder/slabs/ply_planes.h"

/* ---- files ---- */

plb_parts plb_layer_parts(const plb_slab_engine *engine, plb_scratch_file file) {
    plb_parts parts = plb_pass_parts(engine, file.ply);
    if (file.kind == PLB_SCRATCH_REACH) parts.count = 1;
    return parts;
}

/* Records of a file: slabs, or segments of the table and a model. */
static uint64_t count_records(const plb_slab_engine *engine, plb_scratch_file file) {
    plb_parts parts = plb_layer_parts(engine, file);
    if (file.kind != PLB_SCRATCH_TABLE) return plb_parts_slabs(&parts, file.part);
    return plb_parts_segments(&parts, file.part) + PLB_TABLE_MODELS;
}

int plb_layer_create_file(const plb_slab_engine *engine, plb_scratch_file file,
                          plb_scratch **scratch, plb_message *message) {
    return plb_journal_create(engine->options.journal, file, count_records(engine, file), scratch,
                              message);
}

int plb_layer_read_file(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch **scratch,
                        plb_message *message) {
    return plb_journal_read(engine->options.journal, file, count_records(engine, file), scratch,
                            message);
}

int plb_layer_open_file(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch **scratch,
                        plb_message *message) {
    uint64_t most_bytes =
        engine->options.budget->records_bytes / plb_layer_parts(engine, file).count;
    int error = plb_layer_read_file(engine, file, scratch, message);
    return error ? error : plb_scratch_load(*scratch, most_bytes, message);
}

/* ---- layers ---- */

plb_ply_memory *plb_layer_find_memory(plb_slab_engine *engine, plb_scratch_file file) {
    plb_ply_memory *memory = plb_memory_pool_ply(engine->pool, file.ply);
    plb_scratch_file *there = &engine->in_memory[file.ply % 2];
    if (there->kind != file.kind || there->ply != file.ply) plb_ply_memory_clear(memory);
    *there = file;
    return memory;
}

/* The code of positions of a ply in the other blocks: of won blocks, or else of dead ones. (Where a
 * block is dead and others are won its code does not matter, see solve_ply.c.) */
static unsigned code_of_missing(const plb_slab_engine *engine, int ply) {
    bool won = engine->part == PLB_UNSETTLED && ply < engine->index->game->cells;
    return plb_outcome_code_encode(&engine->coding, won ? ply + 1 : ply);
}

plb_layer plb_layer_name(plb_slab_engine *engine, plb_scratch_file file) {
    plb_ply_memory *memory = plb_layer_find_memory(engine, file);
    plb_layer layer = {.parts = plb_layer_parts(engine, file),
                       .part = engine->part,
                       .planes = engine->coding.planes,
                       .memory = engine->options.budget->holds[file.ply] ? memory : NULL};
    if (file.kind == PLB_SCRATCH_REACH) {
        layer.part = PLB_LIVE;
        layer.planes = 1;
    } else {
        layer.missing = code_of_missing(engine, file.ply);
        layer.kernels = engine->part == PLB_UNSETTLED ? engine->kernels : NULL;
    }
    return layer;
}

void plb_layer_close(plb_layer *layer) {
    for (int part = 0; part < PLB_PLY_PARTS; part++) plb_scratch_close(layer->scratch[part]);
}

int plb_layer_create_part(plb_slab_engine *engine, plb_scratch_file file, plb_layer *layer,
                          plb_message *message) {
    *layer = plb_layer_name(engine, file);
    if (layer->memory && !plb_ply_memory_has_begun(layer->memory) &&
        plb_ply_memory_begin(layer->memory, engine->index->plies[file.ply].slabs))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    return plb_layer_create_file(engine, file, &layer->scratch[file.part], message);
}

void plb_layer_keep(const plb_layer *layer, uint32_t needed) {
    for (int part = 0; part < layer->parts.count && layer->memory; part++)
        if (!(needed >> part & 1))
            plb_ply_memory_forget(layer->memory, plb_parts_first_slab(&layer->parts, part),
                                  plb_parts_first_slab(&layer->parts, part + 1));
}

bool plb_layer_is_held(const plb_layer *layer, int part) {
    return plb_ply_memory_has(layer->memory, plb_parts_first_slab(&layer->parts, part),
                              plb_parts_first_slab(&layer->parts, part + 1));
}

int plb_layer_open(plb_slab_engine *engine, plb_scratch_file file, uint32_t needed,
                   plb_layer *layer, plb_message *message) {
    int error = PLB_OK;
    *layer = plb_layer_name(engine, file);
    for (file.part = 0; file.part < layer->parts.count && !error; file.part++)
        if (needed >> file.part & 1 && !plb_layer_is_held(layer, file.part))
            error = plb_layer_open_file(engine, file, &layer->scratch[file.part], message);
    return error;
}

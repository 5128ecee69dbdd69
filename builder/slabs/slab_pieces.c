/* SPDX-License-Identifier: MIT */
#include "builder/slabs/slab_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builder/planes/permute.h"
#include "tables/array.h"
#include "tables/bits.h"
#include "tables/games/rules.h"

enum { BLOCK_BYTES = 48 };    /* of a shape for each block: three arrays, at least half full */
enum { OWN_BYTES = 8 << 20 }; /* of a worker besides planes, about */

double plb_slab_pieces_min_bytes(const plb_piece_needs *needs, int run_bits) {
    /* Of the slab in a piece, else there are too many pieces; the biggest run, in mean runs. */
    static const double min_share = 1.0 / 40, biggest_run = 20;
    static const double own_share = 0.42, child_share = 0.38, image_share = 0.2;
    double share = fmin(1, fmax(min_share, biggest_run / (double)(1ULL << run_bits)));
    double whole =
        fmax(fmax(needs->own / own_share, needs->child / child_share), needs->image / image_share);
    return OWN_BYTES + needs->fixed + share * whole;
}

/* ---- sizes of runs ---- */

/* A set of cells whose runs are measured. */
typedef struct measured_slab {
    uint64_t occupied;
    plb_block_set set;
    int bits;
    double planes;
    double *bytes;       /* [1 << bits] the size of each run is added */
    plb_run_size *sizes; /* [1 << bits] or NULL */
} measured_slab;

enum { MEASURED = PLB_MAX_CELLS + PLB_MAX_SYMMETRIES + 2 };

typedef struct measuring {
    const plb_game *game;
    measured_slab slabs[MEASURED];
    int count;
} measuring;

static int measure(void *context, size_t number) {
    const measuring *m = context;
    const measured_slab *s = &m->slabs[number];
    plb_run_size sizes[PLB_RUNS];
    if (plb_slab_size_runs(m->game, s->occupied, s->set, s->bits, sizes)) return PLB_ENOMEM;
    for (uint64_t run = 0; run < 1ULL << s->bits; run++) {
        s->bytes[run] +=
            8 * s->planes * (double)sizes[run].words + (double)(BLOCK_BYTES * sizes[run].blocks);
        if (s->sizes) s->sizes[run] = sizes[run];
    }
    return PLB_OK;
}

/* ---- a slab ---- */

static void add_moves(const plb_pieces_form *form, uint64_t occupied, plb_slab_pieces *s) {
    const plb_symmetry *symmetry = form->index->symmetry;
    uint64_t cells = form->neighbour ? plb_game_playable(form->index->game, occupied) : 0;
    unsigned colour = plb_ply_x_moves(plb_popcount(occupied));
    for (; cells; cells &= cells - 1) {
        plb_piece_move *move = &s->moves[s->move_count++];
        move->element =
            plb_symmetry_canonical(symmetry, occupied | (cells & -cells), &move->canonical);
        int cell = symmetry->image[move->element][plb_lowest(cells)];
        move->step = (plb_step){plb_slab_stone(move->canonical, cell), colour};
        move->map = s->images[0];
        plb_run_map_insert(&move->map, move->step.stone, colour);
        s->has_image[move->element] = true;
    }
}

int plb_slab_pieces_begin(const plb_pieces_form *form, uint64_t occupied, plb_slab_pieces *s) {
    const plb_symmetry *symmetry = form->index->symmetry;
    const plb_ply_planes *made = form->made;
    *s = (plb_slab_pieces){
        .memory = s->memory, .capacity = s->capacity, .runs = {.bits = made->run_bits}};
    if (form->neighbour) s->next_bits = form->neighbour->run_bits;
    s->images[0] = plb_run_map_image(symmetry, 0, occupied);
    add_moves(form, occupied, s);
    int images = 0;
    for (int e = 1; e < symmetry->order; e++) images += s->has_image[e];
    size_t runs = 1ULL << made->run_bits, next_runs = 1ULL << s->next_bits;
    s->has_images = images > 0;
    s->permuted_share = made->planes / (made->planes + 1.0);
    size_t all = runs * (3 + images) + next_runs * s->move_count;
    if (all > s->capacity) {
        if (!PLB_ARRAY_RESIZE(s->memory, all)) return PLB_ENOMEM;
        s->capacity = all;
    }
    memset(s->memory, 0, all * sizeof *s->memory);
    double *bytes = s->memory;
    measuring m = {.game = form->index->game};
    s->sizes = (plb_run_size *)bytes;
    s->own_bytes = bytes += 2 * runs;
    m.slabs[m.count++] =
        (measured_slab){occupied, made->set, made->run_bits, made->planes + 1, bytes, s->sizes};
    bytes += runs;
    for (int e = 1; e < symmetry->order; e++) {
        if (!s->has_image[e]) continue;
        uint64_t image = plb_symmetry_map(symmetry, e, occupied);
        s->images[e] = plb_run_map_image(symmetry, e, occupied);
        s->image_bytes[e] = bytes;
        m.slabs[m.count++] =
            (measured_slab){image, made->set, made->run_bits, made->planes, bytes, NULL};
        bytes += runs;
    }
    const plb_ply_planes *next = form->neighbour;
    for (int i = 0; next && i < s->move_count; i++, bytes += next_runs) {
        uint64_t child = s->moves[i].canonical;
        s->moves[i].bytes = bytes;
        if (!plb_ply_memory_find(next->memory, plb_index_slab(form->index, child)))
            m.slabs[m.count++] =
                (measured_slab){child, next->set, s->next_bits, next->planes, bytes, NULL};
    }
    /* What is left beside the memory for permuting. */
    for (int e = 1; e < symmetry->order; e++)
        if (s->has_image[e] && plb_permute_goes_by_bits(symmetry, e, occupied, UINT32_MAX))
            s->max_bytes = -(double)plb_permute_directory_bytes(true, plb_popcount(occupied));
    s->max_bytes = fmax(1, s->max_bytes + form->max_bytes - OWN_BYTES);
    s->span_bytes =
        (double)plb_permute_directory_bytes(false, plb_popcount(occupied)) / (double)runs;
    int error = plb_threads_share(form->threads, m.count, measure, &m);
    /* The open planes come last: they are added to own_bytes, too. */
    m.slabs[0] =
        (measured_slab){occupied, PLB_LIVE, made->run_bits, form->open_planes, s->own_bytes, NULL};
    return error ? error : measure(&m, 0);
}

void plb_slab_pieces_free(plb_slab_pieces *pieces) {
    free(pieces->memory);
}

/* ---- choosing runs ---- */

/* If there are images, a piece takes at most this share of the memory, and their runs get the rest.
 * Each piece needs most runs of all images, so a few big pieces take less time than many. */
static const double imaged_share = 0.5;

/* Do runs of the slab or an image fit in memory, with the biggest child and permuted planes? */
static bool fits(const plb_slab_pieces *s, int element, double bytes, double max_child,
                 double directory) {
    if (!element)
        return bytes + max_child <= s->max_bytes &&
               (!s->has_images || bytes <= imaged_share * s->max_bytes);
    double left = s->max_bytes - s->bytes - bytes;
    return max_child <= left && s->permuted_share * s->bytes + directory <= left;
}

plb_runs plb_slab_pieces_take(const plb_slab_pieces *s, int element, const plb_runs *some,
                              uint64_t *next) {
    const double *bytes = element ? s->image_bytes[element] : s->own_bytes;
    plb_runs children[PLB_MAX_CELLS];
    double own = 0, child[PLB_MAX_CELLS] = {0}, max_child = 0;
    double span_bytes = element ? s->span_bytes : 0;
    uint64_t begin = *next;
    bool has_any = false;
    for (int i = 0; i < s->move_count; i++) children[i] = plb_runs_none(s->next_bits);
    plb_runs taken = plb_runs_none(some->bits);
    uint64_t run = *next;
    for (; run < 1ULL << some->bits; run++) {
        if (!plb_runs_have(some, run)) continue;
        if (bytes[run] == 0) {
            plb_runs_add(&taken, run);
            continue;
        }
        own += bytes[run];
        if (!has_any) begin = run;
        for (int i = 0; i < s->move_count; i++) {
            const plb_piece_move *move = &s->moves[i];
            if (move->element != element) continue;
            child[i] += plb_runs_map(&move->map, some->bits, run, move->bytes, &children[i]);
            max_child = fmax(max_child, child[i]);
        }
        double directory = span_bytes * (double)(run + 1 - begin);
        if (has_any && !fits(s, element, own, max_child, directory)) break;
        plb_runs_add(&taken, run);
        has_any = true;
    }
    *next = run;
    return taken;
}

bool plb_slab_pieces_next(plb_slab_pieces *s) {
    int bits = s->runs.bits, stones = s->images[0].stones;
    plb_runs all = plb_runs_all(bits);
    if (s->next >> bits) return false;
    for (uint64_t run = 0; run < 1ULL << bits; run++)
        if (plb_runs_have(&s->runs, run)) s->blocks_before += s->sizes[run].blocks;
    s->ranks.first = plb_runs_first_rank(stones, bits, s->next);
    s->runs = plb_slab_pieces_take(s, 0, &all, &s->next);
    s->ranks.end = plb_runs_first_rank(stones, bits, s->next);
    s->bytes = 0;
    for (uint64_t run = 0; run < 1ULL << bits; run++)
        if (plb_runs_have(&s->runs, run)) s->bytes += s->own_bytes[run];
    return true;
}

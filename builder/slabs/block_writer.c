/* SPDX-License-Identifier: MIT
 *
 * Blocks from planes. A block is predicted if its ply has a model; only values that must be
 * stored are then read. Otherwise its planes are filled and packed.
 */
#include "builder/slabs/block_writer.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/outcome_code.h"
#include "tables/store/segment_writer.h"

enum {
    CHUNKS = 16,       /* of a slab that are made at the same time */
    CHUNK_BLOCKS = 64, /* blocks of a chunk */
};

/* A block that is being filled, or that is full and waits to be coded together with others. */
typedef struct made_block {
    uint64_t skipped; /* empty blocks right before it: nothing of them is stored */
    uint64_t number;  /* in the ply */
    uint64_t *values; /* [planes * words] */
    uint64_t *stored; /* [words] positions whose values must be stored */
    bool used;        /* false: values and stored are zero */
} made_block;

/* Makes consecutive blocks. */
typedef struct block_buffer {
    plb_segment_writer *segment_writer;
    plb_block_coder *coder;
    made_block blocks[PLB_LISTED_BLOCKS]; /* [waiting] full ones, then the current one */
    int waiting;
    uint64_t *won; /* [words] positions that must be stored and are not drawn */
} block_buffer;

struct plb_block_writer {
    const plb_threads *threads;
    plb_block_form form;
    uint64_t words; /* of one plane of the largest block */
    const plb_block_layout *layout;
    plb_ply_prediction *prediction; /* NULL: the ply has none */
    bool marks_quiet;               /* of plb_block_writer_begin */
    int ply;
    uint64_t segment, block, slab;    /* the next block and slab in the segment */
    block_buffer own, chunks[CHUNKS]; /* those of chunks are opened when needed */
};

static void close_buffer(block_buffer *buffer) {
    plb_segment_writer_close(buffer->segment_writer);
    plb_block_coder_close(buffer->coder);
    for (int b = 0; b < PLB_LISTED_BLOCKS; b++) {
        free(buffer->blocks[b].values);
        free(buffer->blocks[b].stored);
    }
    free(buffer->won);
    memset(buffer, 0, sizeof *buffer);
}

static int open_buffer(const plb_block_writer *writer, block_buffer *buffer) {
    const plb_block_form *form = &writer->form;
    if (buffer->segment_writer) return PLB_OK;
    int error = plb_segment_writer_open(form->identity, form->level, &buffer->segment_writer);
    if (!error)
        error =
            plb_block_coder_open(form->index, form->block_entries, form->planes, &buffer->coder);
    for (made_block *b = buffer->blocks; b < buffer->blocks + PLB_LISTED_BLOCKS; b++) {
        b->values = calloc(form->planes * writer->words, sizeof *b->values);
        b->stored = calloc(writer->words, sizeof *b->stored);
        if (!b->values || !b->stored) error = PLB_ENOMEM;
    }
    buffer->won = calloc(writer->words, sizeof *buffer->won);
    if (!error && buffer->won) return PLB_OK;
    close_buffer(buffer);
    return PLB_ENOMEM;
}

int plb_block_writer_open(const plb_threads *threads, const plb_block_form *form,
                          plb_block_writer **writer) {
    plb_block_writer *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->threads = threads;
    made->form = *form;
    made->words = form->block_entries / 64 + 1;
    int error = open_buffer(made, &made->own);
    return PLB_HAND_OVER(error, made, writer, plb_block_writer_close);
}

void plb_block_writer_release_chunks(plb_block_writer *writer) {
    for (int p = 0; p < CHUNKS; p++) close_buffer(&writer->chunks[p]);
}

void plb_block_writer_close(plb_block_writer *writer) {
    if (!writer) return;
    plb_block_writer_release_chunks(writer);
    close_buffer(&writer->own);
    free(writer);
}

int plb_block_writer_begin(plb_block_writer *writer, const plb_block_layout *layout, int ply,
                           uint64_t segment, plb_ply_prediction *prediction, bool marks_quiet) {
    writer->layout = layout;
    writer->prediction = prediction;
    writer->marks_quiet = marks_quiet;
    writer->ply = ply;
    writer->segment = segment;
    writer->block = writer->slab = 0;
    return plb_segment_writer_begin(writer->own.segment_writer, ply,
                                    segment * layout->blocks_per_segment,
                                    plb_block_layout_blocks(layout, segment));
}

int plb_block_writer_end(plb_block_writer *writer, const uint8_t **bytes, size_t *size) {
    return plb_segment_writer_end(writer->own.segment_writer, bytes, size);
}

/* ---- one block ---- */

/* The bits of a word of `stored` that are positions to be stored. */
static uint64_t stored_bits(const plb_block_writer *writer, const made_block *made, uint64_t word) {
    const uint64_t *x_wins = made->values + PLB_X_WINS * writer->words;
    const uint64_t *o_wins = made->values + PLB_O_WINS * writer->words;
    return made->stored[word] & (writer->marks_quiet ? ~(x_wins[word] & o_wins[word]) : ~0ULL);
}

static bool any_word(const uint64_t *words, uint64_t count) {
    for (uint64_t w = 0; w < count; w++)
        if (words[w]) return true;
    return false;
}

static uint64_t words_of(const plb_block_writer *writer, const made_block *made) {
    return plb_segment_plane_words(plb_block_layout_block_entries(writer->layout, made->number));
}

static int list_block(const plb_block_writer *writer, block_buffer *buffer, const made_block *made,
                      bool *is_listed) {
    plb_block_codes codes = {made->values, made->stored, writer->words, writer->marks_quiet};
    plb_ply_block block = {writer->layout, writer->ply, made->number};
    return plb_block_coder_list(buffer->coder, &block, &codes, is_listed);
}

/* Encode the waiting blocks with the model. Size 0: the model cannot encode the block. */
static int predict_blocks(const plb_block_writer *writer, block_buffer *buffer,
                          plb_block_bytes predicted[PLB_LISTED_BLOCKS]) {
    plb_block_bytes encoded[PLB_LISTED_BLOCKS], *next = encoded;
    bool are_listed[PLB_LISTED_BLOCKS] = {false};
    int error = PLB_OK;
    for (int b = 0; b < buffer->waiting && !error; b++)
        error = list_block(writer, buffer, &buffer->blocks[b], &are_listed[b]);
    if (error) return error;
    plb_block_coder_encode(buffer->coder, &writer->prediction->encoding, encoded);
    for (int b = 0; b < buffer->waiting; b++)
        if (are_listed[b]) predicted[b] = *next++;
    return PLB_OK;
}

/* Fill the planes of a block, close the gaps between them and pack them. */
static int pack_block(const plb_block_writer *writer, block_buffer *buffer, const made_block *made,
                      plb_block_bytes *packed) {
    int planes = writer->form.planes;
    uint64_t words = words_of(writer, made);
    for (uint64_t w = 0; w < words && writer->marks_quiet; w++)
        made->stored[w] &= stored_bits(writer, made, w);
    plb_block_fill(&(plb_block_planes){made->values, planes, words, writer->words}, made->stored,
                   buffer->won);
    for (int p = 0; p < planes; p++)
        memmove(made->values + p * words, made->values + p * writer->words,
                words * sizeof *made->values);
    return plb_segment_writer_pack(buffer->segment_writer, made->values, planes * words,
                                   &packed->bytes, &packed->size);
}

/* Add the smaller of the predicted and the packed block. Packing takes as long as predicting; so a
 * block is packed only if it could not be predicted well. */
static int add_block(const plb_block_writer *writer, block_buffer *buffer, const made_block *made,
                     const plb_block_bytes *predicted) {
    plb_block_bytes packed = {NULL, 0};
    size_t bytes = writer->form.planes * words_of(writer, made) * sizeof(uint64_t);
    int error = PLB_OK;
    if (!predicted->size || predicted->size > bytes * 3 / 8)
        error = pack_block(writer, buffer, made, &packed);
    if (error) return error;
    bool predicts = predicted->size && (!packed.size || predicted->size < packed.size);
    const plb_block_bytes *smaller = predicts ? predicted : &packed;
    return plb_segment_writer_add_payload(buffer->segment_writer, smaller->bytes, smaller->size);
}

/* Count a block of the sample for the model, and store nothing. */
static int count_block(const plb_block_writer *writer, block_buffer *buffer,
                       const made_block *made) {
    plb_block_bytes packed = {NULL, 0};
    bool is_listed = false;
    int error = list_block(writer, buffer, made, &is_listed);
    if (!error) error = pack_block(writer, buffer, made, &packed);
    if (!error && is_listed)
        plb_ply_prediction_count(writer->prediction, buffer->coder, packed.size);
    return error ? error : plb_segment_writer_add_payload(buffer->segment_writer, NULL, 0);
}

static void clear_block(const plb_block_writer *writer, made_block *made) {
    made->used = false;
    memset(made->values, 0, writer->form.planes * writer->words * sizeof *made->values);
    memset(made->stored, 0, writer->words * sizeof *made->stored);
}

/* Add the waiting blocks to the segment, then the empty blocks after them. */
static int flush(const plb_block_writer *writer, block_buffer *buffer) {
    plb_block_bytes predicted[PLB_LISTED_BLOCKS] = {{NULL, 0}};
    const plb_ply_prediction *prediction = writer->prediction;
    int error = PLB_OK, waiting = buffer->waiting;
    if (prediction && prediction->has_model) error = predict_blocks(writer, buffer, predicted);
    for (int b = 0; b < waiting; b++) {
        made_block *made = &buffer->blocks[b];
        plb_segment_writer_skip(buffer->segment_writer, made->skipped);
        if (!error)
            error = prediction && prediction->is_sampling
                        ? count_block(writer, buffer, made)
                        : add_block(writer, buffer, made, &predicted[b]);
        made->skipped = 0;
        clear_block(writer, made);
    }
    buffer->waiting = 0;
    if (waiting == PLB_LISTED_BLOCKS) return error;
    plb_segment_writer_skip(buffer->segment_writer, buffer->blocks[waiting].skipped);
    buffer->blocks[waiting].skipped = 0;
    return error;
}

static made_block *current_block(block_buffer *buffer) {
    return &buffer->blocks[buffer->waiting];
}

/* End the current block, which has this number in the segment. If it is empty it is skipped. */
static int finish_block(const plb_block_writer *writer, block_buffer *buffer, uint64_t number) {
    made_block *made = current_block(buffer);
    made->number = writer->segment * writer->layout->blocks_per_segment + number;
    uint64_t any = 0;
    for (uint64_t w = 0; w < words_of(writer, made) && made->used && !any; w++)
        any = stored_bits(writer, made, w);
    if (any) {
        buffer->waiting++;
        return buffer->waiting == PLB_LISTED_BLOCKS ? flush(writer, buffer) : PLB_OK;
    }
    made->skipped++;
    if (made->used) clear_block(writer, made);
    return PLB_OK;
}

/* ---- copying ranks without gaps ---- */

/* Reads the values of a slab in the order of ranks. */
typedef struct slab_reader {
    const plb_planes *values;
    const uint64_t *stored;
    size_t cursor; /* the first block that may have some of the next ranks */
} slab_reader;

static uint64_t end_of_block(const plb_slab *slab, size_t block) {
    return slab->rank[block] + plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
}

/* A reader that begins at a rank: its cursor is the first block that ends after it. */
static slab_reader read_from(const slab_reader *reader, uint64_t rank) {
    const plb_slab *slab = reader->values->shape;
    size_t first = PLB_FIRST(block, slab->blocks, end_of_block(slab, block) > rank);
    return (slab_reader){reader->values, reader->stored, first};
}

/* Copy the ranks [first, last) of a slab to offset `to` of the current block: those in blocks of
 * planes of which anything must be stored. */
static void copy_ranks(const plb_block_writer *writer, block_buffer *buffer, slab_reader *reader,
                       uint64_t first, uint64_t last, uint64_t to) {
    const plb_slab *slab = reader->values->shape;
    made_block *made = current_block(buffer);
    for (; reader->cursor < slab->blocks && slab->rank[reader->cursor] < last; reader->cursor++) {
        uint64_t rank = slab->rank[reader->cursor], end = end_of_block(slab, reader->cursor);
        uint64_t begin = plb_max(rank, first), stop = plb_min(end, last);
        const uint64_t *start = slab->start + reader->cursor;
        if (begin < stop && any_word(reader->stored + start[0], start[1] - start[0])) {
            uint64_t from = start[0] * 64 + begin - rank, at = to + begin - first;
            made->used = true;
            for (int p = 0; p < writer->form.planes; p++)
                plb_copy_bits(made->values + p * writer->words, at,
                              plb_planes_get(reader->values, p), from, stop - begin);
            plb_copy_bits(made->stored, at, reader->stored, from, stop - begin);
        }
        if (end > last) break;
    }
}

/* ---- big slabs: several blocks, made in chunks ---- */

/* A loop over chunks of a slab that begins with the next block of the segment. */
typedef struct chunk_loop {
    plb_block_writer *writer;
    const slab_reader *slab;
    uint64_t from, last; /* blocks [from, last) of the slab */
} chunk_loop;

/* Make the blocks [first, last) of a slab, and skip those that no block of the planes overlaps. */
static int make_blocks(const plb_block_writer *writer, block_buffer *buffer, slab_reader *reader,
                       uint64_t first, uint64_t last) {
    const plb_block_layout *layout = writer->layout;
    const plb_slab *slab = reader->values->shape;
    int error = PLB_OK;
    for (uint64_t b = first; !error; b++) {
        uint64_t used = last;
        if (reader->cursor < slab->blocks)
            used = plb_max(slab->rank[reader->cursor] / layout->block_entries, b);
        used = plb_min(used, last);
        current_block(buffer)->skipped += used - b;
        if (used == last) break;
        b = used;
        uint64_t begin = b * layout->block_entries;
        uint64_t end = plb_min(begin + layout->block_entries, layout->slab_size);
        copy_ranks(writer, buffer, reader, begin, end, 0);
        error = finish_block(writer, buffer, writer->block + b);
    }
    return error;
}

static int make_chunk(void *context, size_t chunk) {
    const chunk_loop *p = context;
    plb_block_writer *writer = p->writer;
    const plb_block_layout *layout = writer->layout;
    block_buffer *buffer = &writer->chunks[chunk];
    uint64_t first = p->from + chunk * CHUNK_BLOCKS;
    uint64_t last = plb_min(first + CHUNK_BLOCKS, p->last);
    uint64_t number = writer->segment * layout->blocks_per_segment + writer->block + first;
    slab_reader slab = read_from(p->slab, first * layout->block_entries);
    int error = open_buffer(writer, buffer);
    if (!error)
        error = plb_segment_writer_begin(buffer->segment_writer, writer->ply, number, last - first);
    if (!error) error = make_blocks(writer, buffer, &slab, first, last);
    return error ? error : flush(writer, buffer);
}

/* Make the blocks [first, last) of a slab: up to CHUNKS chunks at the same time, then joined. */
static int add_blocks(plb_block_writer *writer, const slab_reader *slab, uint64_t first,
                      uint64_t last) {
    int error = PLB_OK;
    for (uint64_t b = first; b < last && !error; b += CHUNKS * CHUNK_BLOCKS) {
        uint64_t chunks = plb_min(CHUNKS, plb_divide_up(last - b, CHUNK_BLOCKS));
        chunk_loop all = {writer, slab, b, last};
        error = plb_threads_share(writer->threads, chunks, make_chunk, &all);
        for (uint64_t p = 0; p < chunks && !error; p++)
            error = plb_segment_writer_join(writer->own.segment_writer,
                                            writer->chunks[p].segment_writer);
    }
    return error;
}

/* Add a piece of a big slab: the rest of the block that the previous piece has begun, whole blocks,
 * and the beginning of a block that the next piece will end.
 *
 *     piece           [ .. | block | block | block | .. ]
 *     own buffer  [ .. head]                       [tail ..  */
static int add_piece(plb_block_writer *writer, plb_rank_range ranks, slab_reader *slab) {
    const plb_block_layout *layout = writer->layout;
    uint64_t size = layout->block_entries, first = ranks.first / size, last = ranks.end / size;
    bool ends = ranks.end == layout->slab_size;
    int error = PLB_OK;
    if (ends) last = layout->blocks_per_slab;
    if (ranks.first % size) {
        uint64_t end = plb_min((first + 1) * size, ranks.end);
        if (slab->stored)
            copy_ranks(writer, &writer->own, slab, ranks.first, end, ranks.first % size);
        if (first == last) return PLB_OK;
        error = finish_block(writer, &writer->own, writer->block + first++);
        if (!error) error = flush(writer, &writer->own);
    }
    if (!error && slab->stored)
        error = add_blocks(writer, slab, first, last);
    else
        plb_segment_writer_skip(writer->own.segment_writer, last - first);
    if (ends)
        writer->block += layout->blocks_per_slab;
    else if (slab->stored && !error) {
        slab_reader tail = read_from(slab, last * size);
        copy_ranks(writer, &writer->own, &tail, last * size, ranks.end, 0);
    }
    return error;
}

/* A block has several small slabs, or a big slab has several blocks. */
int plb_block_writer_add(plb_block_writer *writer, plb_rank_range ranks, const plb_planes *values,
                         const uint64_t *stored) {
    const plb_block_layout *layout = writer->layout;
    slab_reader slab = {values, stored, 0};
    if (!layout->slabs_per_block) return add_piece(writer, ranks, &slab);
    uint64_t at = writer->slab % layout->slabs_per_block * layout->slab_size;
    uint64_t number = writer->segment * layout->blocks_per_segment + writer->block;
    uint64_t entries = plb_block_layout_block_entries(layout, number);
    if (stored) copy_ranks(writer, &writer->own, &slab, ranks.first, ranks.end, at + ranks.first);
    if (ranks.end < layout->slab_size) return PLB_OK;
    writer->slab++;
    if (at + layout->slab_size < entries) return PLB_OK;
    int error = finish_block(writer, &writer->own, writer->block++);
    bool ends = writer->block == plb_block_layout_blocks(layout, writer->segment);
    return error || !ends ? error : flush(writer, &writer->own);
}

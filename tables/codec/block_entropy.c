/* SPDX-License-Identifier: MIT
 *
 * Encoding and decoding of predicted blocks. The encoder first lists all digits of a block, because
 * asymmetric numeral systems encode digits in the reverse order of decoding.
 */
#include "tables/codec/block_entropy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/codec/colour_features.h"
#include "tables/cpu_dispatch.h"
#include "tables/format/outcome_code.h"
#include "tables/store/segment.h"

enum {
    NONE = 3,        /* in place of a code that does not exist */
    GUESS = 1 << 15, /* bit of a listed digit: its position is not stored */
    CODE_BITS = 8,   /* a code and PLB_NOT_STORED fit a byte */
    STATE_BYTES = 4,
    PREDICTED = 8,       /* bit of the first byte of a payload */
    MIN_STATE = 1 << 15, /* states are in [2^15, 2^31) */
    LIKE_8 = 1 << 8,
    LIKE_5 = 1 << 5,
    DIGIT_LANES = 8, /* of a vector with the digits of a code */
};

_Static_assert(PLB_CONTEXTS *PLB_DIGITS <= GUESS, "a context and a digit fit 15 bits");

struct plb_block_coder {
    const plb_index *index;
    int planes;
    uint64_t words; /* of a plane of the largest block */
    plb_colour_cursor *colours;
    uint64_t *quiet, *won; /* [words] */

    /* for encoding */
    plb_quiet_list list;
    uint8_t *like8, *like5; /* [entries] codes: see look_back */
    size_t entries, max_digits;
    bool can_encode;
    int listed;                          /* blocks [0, listed) are listed: */
    size_t count[PLB_LISTED_BLOCKS];     /* number of digits */
    uint16_t *digits[PLB_LISTED_BLOCKS]; /* [max_digits + DIGIT_LANES] from make_digit */
    uint8_t *bytes[PLB_LISTED_BLOCKS];   /* [STATE_BYTES + 2 * max_digits] */
};

uint64_t plb_block_coder_bytes(uint64_t block_entries) {
    enum { CURSOR_BYTES = 18 << 10 };
    return 2 * (block_entries / 64 + 1) * sizeof(uint64_t) + CURSOR_BYTES;
}

static void free_encoder(plb_block_coder *coder) {
    plb_quiet_list_free(&coder->list);
    free(coder->like8);
    free(coder->like5);
    for (int b = 0; b < PLB_LISTED_BLOCKS; b++) {
        free(coder->digits[b]);
        free(coder->bytes[b]);
    }
}

static int open_encoder(plb_block_coder *coder) {
    if (coder->can_encode) return PLB_OK;
    free_encoder(coder);
    int error = plb_quiet_list_open(coder->entries, &coder->list);
    coder->like8 = malloc(coder->entries);
    coder->like5 = malloc(coder->entries);
    coder->can_encode = !error && coder->like8 && coder->like5;
    for (int b = 0; b < PLB_LISTED_BLOCKS; b++) {
        coder->digits[b] = malloc((coder->max_digits + DIGIT_LANES) * sizeof *coder->digits[b]);
        coder->bytes[b] = malloc(STATE_BYTES + 2 * coder->max_digits);
        if (!coder->digits[b] || !coder->bytes[b]) coder->can_encode = false;
    }
    return coder->can_encode ? PLB_OK : PLB_ENOMEM;
}

int plb_block_coder_open(const plb_index *index, uint64_t block_entries, int planes,
                         plb_block_coder **coder) {
    plb_block_coder *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->planes = planes;
    made->words = block_entries / 64 + 1;
    made->entries = plb_size(block_entries);
    made->max_digits = plb_size(block_entries * (planes - PLB_ROUND + 1));
    made->quiet = calloc(plb_size(made->words), sizeof *made->quiet);
    made->won = calloc(plb_size(made->words), sizeof *made->won);
    int error = plb_colour_cursor_open(index->game, &made->colours);
    if (!error && made->quiet && made->won) {
        *coder = made;
        return PLB_OK;
    }
    plb_block_coder_close(made);
    return PLB_ENOMEM;
}

void plb_block_coder_close(plb_block_coder *coder) {
    if (!coder) return;
    plb_colour_cursor_close(coder->colours);
    free(coder->quiet);
    free(coder->won);
    free_encoder(coder);
    free(coder);
}

static unsigned outcome_of(unsigned code) {
    return code & 3;
}

/* ---- digits ---- */

/* For each listed position find the last code with the same 8 (like8), and the same 5 (like5),
 * lowest stones. Positions that are not stored get the code before them. Returns how many are
 * stored; 0 if one of these has no code. */
static uint64_t look_back(plb_block_coder *coder) {
    /* Local copies, because for the compiler a byte that is written might be in *coder. */
    const uint8_t *low_stones = coder->list.low_stones;
    uint8_t *codes = coder->list.codes, *like8 = coder->like8, *like5 = coder->like5;
    size_t count = coder->list.count;
    uint8_t last8[LIKE_8], last5[LIKE_5], code = 0;
    uint64_t stored = 0;
    memset(last8, NONE, sizeof last8);
    memset(last5, NONE, sizeof last5);
    for (size_t i = 0; i < count; i++) {
        uint8_t low = low_stones[i], guess = codes[i] & PLB_NOT_STORED;
        if (!guess && outcome_of(codes[i]) == NONE) return 0;
        code = guess ? code : codes[i];
        stored += !guess;
        codes[i] = code | guess;
        like8[i] = last8[low];
        like5[i] = last5[low % LIKE_5];
        last8[low] = last5[low % LIKE_5] = code;
    }
    return stored;
}

PLB_ALWAYS_INLINE uint16_t make_digit(unsigned context, unsigned value, unsigned code) {
    return (uint16_t)(context * PLB_DIGITS + value + (code & PLB_NOT_STORED ? GUESS : 0));
}

PLB_ALWAYS_INLINE uint16_t digit_of_outcome(const plb_block_coder *coder, size_t i) {
    const uint8_t *code = coder->list.codes + i;
    unsigned context =
        plb_outcome_context(coder->list.features[i], outcome_of(code[-1]), outcome_of(code[-2]),
                            outcome_of(coder->like8[i]), outcome_of(coder->like5[i]));
    return make_digit(context, outcome_of(*code), *code);
}

typedef uint32_t lanes __attribute__((vector_size(DIGIT_LANES * sizeof(uint32_t))));
typedef uint16_t digit_lanes
    __attribute__((vector_size(DIGIT_LANES * sizeof(uint16_t)), aligned(sizeof(uint16_t))));
_Static_assert(PLB_PLANES - PLB_ROUND < DIGIT_LANES, "an outcome and its round fit the lanes");

/* What an earlier code (hint) predicts for each bit of the round of a code: its own bit while all
 * higher bits of both are equal, then 2. */
PLB_ALWAYS_INLINE void put_hints(unsigned hint, unsigned code, const lanes *bits, lanes *hints) {
    unsigned differ = outcome_of(hint ^ code) ? ~0U : hint ^ code;
    lanes agree = (lanes)(differ >> *bits >> 1 == 0);
    *hints = (agree & (hint >> *bits & 1)) | (~agree & 2);
}

/* List the digits of outcomes and rounds. All digits of a code are made at once, one in each lane.
 * Lanes that are not digits, as of a draw, are overwritten by the next code. */
PLB_ALWAYS_INLINE void list_rounds(plb_block_coder *coder) {
    uint8_t won[] = {NONE, NONE, NONE, NONE}; /* the last code of each outcome, and of NONE */
    uint16_t *digits = coder->digits[coder->listed], *next = digits;
    lanes bits = {0}, ones = {0}; /* number of the bit in a code; the leading one of its prefix */
    int count = coder->planes - PLB_ROUND;
    for (int lane = 1; lane <= count; lane++) {
        bits[lane] = (uint32_t)(coder->planes - lane);
        ones[lane] = 1U << (lane - 1);
    }
    for (size_t i = 0; i < coder->list.count; i++) {
        unsigned listed = coder->list.codes[i], code = listed & ~(unsigned)PLB_NOT_STORED;
        unsigned outcome = outcome_of(code);
        lanes last, like8;
        put_hints(won[outcome], code, &bits, &last);
        put_hints(coder->like8[i], code, &bits, &like8);
        lanes prefix = (code >> bits >> 1 & (ones - 1)) | ones;
        /* plb_round_context, which is linear in its arguments */
        lanes context = plb_round_context(outcome - 1, 0, 0, 0) + prefix * 9 + last * 3 + like8;
        lanes made = context * PLB_DIGITS + (code >> bits & 1) + make_digit(0, 0, listed);
        digit_lanes all = __builtin_convertvector(made, digit_lanes);
        all[0] = digit_of_outcome(coder, i);
        *(digit_lanes *)next = all;
        next += outcome ? 1 + count : 1;
        won[outcome] = (uint8_t)code;
    }
    coder->count[coder->listed] = (size_t)(next - digits);
}

PLB_ALWAYS_INLINE void list_by_planes(plb_block_coder *coder) {
    if (coder->planes > PLB_ROUND) {
        list_rounds(coder);
        return;
    }
    size_t count = coder->count[coder->listed] = coder->list.count;
    uint16_t *digits = coder->digits[coder->listed];
    for (size_t i = 0; i < count; i++) digits[i] = digit_of_outcome(coder, i);
}

PLB_AVX2 static void list_digits_avx2(plb_block_coder *coder) {
    list_by_planes(coder);
}

int plb_block_coder_list(plb_block_coder *coder, const plb_ply_block *block,
                         const plb_block_codes *codes, bool *are_listed) {
    int error = open_encoder(coder);
    if (error) return error;
    assert(coder->listed < PLB_LISTED_BLOCKS);
    bool knows_quiet = codes->marks_quiet;
    const uint64_t *quiet = knows_quiet ? codes->stored : NULL;
    plb_quiet_cursor c =
        plb_quiet_cursor_begin(coder->index, coder->colours, block, UINT64_MAX, quiet);
    uint64_t wanted = 0;
    for (uint64_t w = 0; !knows_quiet && w < plb_segment_plane_words(c.all); w++)
        wanted += plb_popcount(codes->stored[w]);
    plb_quiet_list_make(&c, codes, coder->planes, plb_best_vectors(), &coder->list);
    *are_listed = look_back(coder) == wanted || knows_quiet;
    if (!*are_listed) return PLB_OK;
    (plb_has_avx2() ? list_digits_avx2 : list_by_planes)(coder);
    coder->listed++;
    return PLB_OK;
}

void plb_block_coder_count(plb_block_coder *coder, plb_block_counts *counts) {
    while (coder->listed > 0) {
        const uint16_t *digits = coder->digits[--coder->listed];
        for (size_t d = 0; d < coder->count[coder->listed]; d++)
            if (!(digits[d] & GUESS))
                counts->seen[digits[d] / PLB_DIGITS][digits[d] % PLB_DIGITS]++;
    }
}

/* ---- asymmetric numeral systems ---- */

/* Write 16 bits, little-endian, before `end`. */
static void put_half(uint8_t *end, uint32_t number) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a listed block has bytes */
    end[-1] = (uint8_t)(number >> 8);
    end[-2] = (uint8_t)number;
}

/* A block that is being encoded, from its end to its beginning. */
typedef struct digit_writer {
    const uint16_t *digits;
    size_t count;
    uint8_t *end, *next;
    uint32_t state;
} digit_writer;

static digit_writer begin_writer(const plb_block_coder *coder, int block) {
    uint8_t *bytes = coder->bytes[block], *end = NULL;
    if (bytes) end = bytes + STATE_BYTES + 2 * coder->max_digits;
    size_t count = block < coder->listed ? coder->count[block] : 0;
    return (digit_writer){coder->digits[block], count, end, end, MIN_STATE};
}

/* Encode digit d, if the block has so many. */
PLB_ALWAYS_INLINE void put_digit(digit_writer *w, uint64_t d, const plb_block_encoding *encoding) {
    if (d >= w->count) return;
    const plb_digit_numbers *n = &encoding->digits[w->digits[d] % GUESS];
    if (w->state >= n->end) { /* rare: once in dozens of digits */
        put_half(w->next, w->state);
        w->next -= 2;
        w->state >>= 16;
    }
    w->state += n->start + plb_digit_divide(n, w->state) * n->other;
}

static plb_block_bytes end_writer(const digit_writer *w) {
    uint32_t first = w->state >> 3 << 4 | PREDICTED | (w->state & 7);
    put_half(w->next, first >> 16);
    put_half(w->next - 2, first);
    const uint8_t *bytes = w->next - STATE_BYTES;
    return (plb_block_bytes){bytes, (size_t)(w->end - bytes)};
}

/* Four blocks in parallel: a digit depends on the one before it, but not on other blocks. */
PLB_ALWAYS_INLINE void encode(const plb_block_coder *coder, const plb_block_encoding *encoding,
                              plb_block_bytes blocks[PLB_LISTED_BLOCKS]) {
    digit_writer a = begin_writer(coder, 0), b = begin_writer(coder, 1);
    digit_writer c = begin_writer(coder, 2), d = begin_writer(coder, 3);
    uint64_t most = plb_max(plb_max(a.count, b.count), plb_max(c.count, d.count));
    while (most-- > 0) {
        put_digit(&a, most, encoding);
        put_digit(&b, most, encoding);
        put_digit(&c, most, encoding);
        put_digit(&d, most, encoding);
    }
    const digit_writer *writers[PLB_LISTED_BLOCKS] = {&a, &b, &c, &d};
    for (int block = 0; block < coder->listed; block++) blocks[block] = end_writer(writers[block]);
}

PLB_AVX2 static void encode_avx2(const plb_block_coder *coder, const plb_block_encoding *encoding,
                                 plb_block_bytes blocks[PLB_LISTED_BLOCKS]) {
    encode(coder, encoding, blocks);
}

void plb_block_coder_encode(plb_block_coder *coder, const plb_block_encoding *encoding,
                            plb_block_bytes blocks[PLB_LISTED_BLOCKS]) {
    (plb_has_avx2() ? encode_avx2 : encode)(coder, encoding, blocks);
    coder->listed = 0;
}

bool plb_block_is_predicted(const uint8_t *payload) {
    return payload[0] & PREDICTED;
}

/* A payload that is being decoded. After its end zeros are read, and is_cut is set. */
typedef struct digit_reader {
    const uint8_t *next, *end;
    uint32_t state;
    bool is_cut;
} digit_reader;

PLB_ALWAYS_INLINE uint32_t get_half(digit_reader *r) {
    if (r->end - r->next < 2) {
        r->is_cut = true;
        return 0;
    }
    uint32_t half = r->next[0] | (uint32_t)r->next[1] << 8;
    r->next += 2;
    return half;
}

static int begin_digits(digit_reader *r, const uint8_t *bytes, size_t size) {
    *r = (digit_reader){.next = bytes, .end = bytes + size};
    uint32_t first = get_half(r);
    first |= get_half(r) << 16;
    r->state = first >> 4 << 3 | (first & 7);
    return first & PREDICTED && r->state >= MIN_STATE ? PLB_OK : PLB_ECORRUPT;
}

PLB_ALWAYS_INLINE unsigned get_digit(digit_reader *r, const plb_expectation *e) {
    uint32_t slot = r->state % PLB_SCALE;
    unsigned d = (slot >= e->start[1]) + (slot >= e->start[2]);
    r->state = plb_expectation_freq(e, d) * (r->state >> PLB_SCALE_BITS) + slot - e->start[d];
    if (r->state < MIN_STATE) r->state = r->state << 16 | get_half(r);
    return d;
}

/* ---- decoding ---- */

typedef struct history {
    uint8_t won[3]; /* the last code of each outcome */
    uint8_t like8[LIKE_8], like5[LIKE_5];
} history;

/* Decode the bits of a round. Each is predicted by the same bit of two earlier codes, as long as
 * their higher bits are equal: the last code with this outcome, and the last one with the same 8
 * lowest stones. */
PLB_ALWAYS_INLINE unsigned get_round(digit_reader *r, const plb_block_model *model, int planes,
                                     const history *h, unsigned low, unsigned outcome) {
    if (planes == PLB_ROUND || !outcome) return outcome;
    unsigned last = h->won[outcome], like8 = h->like8[low % LIKE_8];
    bool last_agrees = outcome_of(last) == outcome, like8_agrees = outcome_of(like8) == outcome;
    unsigned prefix = 1; /* a one, then the bits so far */
    for (int p = planes - 1; p >= PLB_ROUND; p--) {
        unsigned last_bit = last >> p & 1, like8_bit = like8 >> p & 1;
        unsigned context = plb_round_context(outcome - 1, prefix, last_agrees ? last_bit : 2,
                                             like8_agrees ? like8_bit : 2);
        unsigned bit = get_digit(r, &model->contexts[context]) & 1;
        prefix = prefix * 2 + bit;
        last_agrees &= last_bit == bit;
        like8_agrees &= like8_bit == bit;
    }
    return outcome | (prefix << PLB_ROUND & (unsigned)plb_low_bits(planes));
}

PLB_ALWAYS_INLINE void read_codes(const plb_block_coder *coder, digit_reader *reader,
                                  plb_quiet_cursor *c, int count, const plb_block_model *model,
                                  uint64_t *planes) {
    history h;
    unsigned last = 0, before = 0; /* outcomes; not in the history, so that they are in registers */
    plb_quiet_word found;
    digit_reader from = *reader;
    uint64_t words = plb_segment_plane_words(c->all);
    memset(&h, NONE, sizeof h);
    while (!from.is_cut && plb_quiet_cursor_next(c, &found)) {
        uint64_t bits[CODE_BITS] = {0};
        for (uint64_t quiet = found.quiet; quiet; quiet &= quiet - 1) {
            int bit = plb_lowest(quiet);
            unsigned low = found.low_stones[bit], features = 0;
            for (int f = 0; f < PLB_FEATURES; f++)
                features |= (unsigned)(found.features[f] >> bit & 1) << f;
            uint8_t *like8 = &h.like8[low % LIKE_8], *like5 = &h.like5[low % LIKE_5];
            unsigned context =
                plb_outcome_context(features, last, before, outcome_of(*like8), outcome_of(*like5));
            unsigned outcome = get_digit(&from, &model->contexts[context]);
            unsigned code = get_round(&from, model, count, &h, low, outcome);
            before = last;
            last = outcome;
            h.won[outcome] = *like8 = *like5 = (uint8_t)code;
            for (int p = 0; p < count; p++) bits[p] |= (code >> p & 1ULL) << bit;
        }
        int length = plb_bit_length(found.quiet);
        plb_write_bits(coder->quiet, found.offset, length, found.quiet);
        for (int p = 0; p < count; p++)
            plb_write_bits(planes + p * words, found.offset, length, bits[p]);
    }
    *reader = from;
}

PLB_ALWAYS_INLINE void read_until(const plb_block_coder *coder, digit_reader *r,
                                  plb_quiet_cursor *c, const plb_block_model *model,
                                  uint64_t *planes) {
    if (coder->planes == PLB_ROUND)
        read_codes(coder, r, c, PLB_ROUND, model, planes);
    else
        read_codes(coder, r, c, coder->planes, model, planes);
}

PLB_AVX2 static void read_until_avx2(const plb_block_coder *coder, digit_reader *r,
                                     plb_quiet_cursor *c, const plb_block_model *model,
                                     uint64_t *planes) {
    read_until(coder, r, c, model, planes);
}

int plb_block_coder_decode(plb_block_coder *coder, const plb_ply_block *block,
                           const plb_block_model *model, const plb_block_payload *payload,
                           uint64_t *planes) {
    digit_reader r;
    if (begin_digits(&r, payload->bytes, payload->size)) return PLB_ECORRUPT;
    plb_quiet_cursor c =
        plb_quiet_cursor_begin(coder->index, coder->colours, block, payload->until, NULL);
    uint64_t words = plb_segment_plane_words(c.all);
    memset(coder->quiet, 0, plb_size(words * sizeof *coder->quiet));
    memset(planes, 0, plb_size(coder->planes * words * sizeof *planes));
    (plb_has_avx2() ? read_until_avx2 : read_until)(coder, &r, &c, model, planes);
    if (payload->until != UINT64_MAX) return PLB_OK;
    plb_block_fill(&(plb_block_planes){planes, coder->planes, words, words}, coder->quiet,
                   coder->won);
    return !r.is_cut && r.next == r.end && r.state == MIN_STATE ? PLB_OK : PLB_ECORRUPT;
}

/* SPDX-License-Identifier: MIT
 *
 * Source: RFC 8878, whose names are used; section numbers stand above the functions.
 *
 *     frame    [magic][header][block]..[block]
 *     block    [last, type, size: 3 bytes][literals section][sequences section]
 *
 * A sequence is: copy so many literals, then so many bytes from so far behind. Literals are coded
 * by Huffman, the three numbers of sequences by finite states (FSE); both read bits backwards.
 */
#include "tools/module/zstd_frame.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAGIC_BYTES = 4,
    BLOCK_HEADER = 3,
    MOST_BLOCK = 128 << 10,
    MOST_FSE_LOG = 9,
    MOST_HUFFMAN_BITS = 11,
    MOST_WEIGHTS = 256,
    MOST_SYMBOLS = 256,
};

typedef struct fse_state {
    uint8_t symbol, bits; /* bits to be read for the next state */
    uint16_t base;        /* and added to this */
} fse_state;

typedef struct fse_table {
    int log; /* of the number of states; -1: there is none yet */
    fse_state states[1 << MOST_FSE_LOG];
} fse_table;

typedef struct huffman_table {
    int log; /* bits of the longest code; 0: there is none yet */
    uint8_t symbols[1 << MOST_HUFFMAN_BITS], bits[1 << MOST_HUFFMAN_BITS];
} huffman_table;

enum { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS, KINDS };

struct zstd_frame_decoder {
    huffman_table huffman;
    fse_table tables[KINDS], weights;
    uint32_t repeated[3]; /* offsets, the latest first */
    uint8_t literals[MOST_BLOCK];
    size_t literal_count;
    uint8_t *to;
    size_t made, room;
};

zstd_frame_decoder *zstd_frame_decoder_make(void) {
    return malloc(sizeof(zstd_frame_decoder));
}

/* ---- bytes and bits ---- */

/* What is left to be read; each reader takes from its front. */
typedef struct input {
    const uint8_t *bytes;
    size_t size;
} input;

/* Take bytes, if so many are left. */
static bool take(input *from, size_t size, input *taken) {
    if (size > from->size) return false;
    *taken = (input){from->bytes, size};
    *from = (input){from->bytes + size, from->size - size};
    return true;
}

/* Take a little-endian number of up to 8 bytes. */
static bool take_number(input *from, size_t size, uint64_t *number) {
    input taken;
    if (!take(from, size, &taken)) return false;
    *number = 0;
    for (size_t b = 0; b < size; b++) *number |= (uint64_t)taken.bytes[b] << 8 * b;
    return true;
}

/* Bits [first, first + count) of bytes, count up to 32; those outside of the bytes are 0. */
static uint32_t read_bits(const input *from, int64_t first, int count) {
    uint64_t word = 0;
    int below = first < 0 ? (int)-first : 0;
    if (below >= count) return 0;
    size_t byte = (size_t)((first + below) / 8);
    for (size_t b = 0; b < 6 && byte + b < from->size; b++)
        word |= (uint64_t)from->bytes[byte + b] << 8 * b;
    word >>= (first + below) % 8;
    return (uint32_t)((word & ((1ULL << (count - below)) - 1)) << below);
}

static int highest_bit(uint32_t number) {
    return 31 - __builtin_clz(number);
}

/* Bits that are read from the last to the first. The last byte has a 1 above the first of them. */
typedef struct backward_bits {
    input bytes;
    int64_t left; /* less than 0: more were read than there are */
} backward_bits;

static bool begin_backward(input bytes, backward_bits *bits) {
    if (bytes.size == 0 || bytes.bytes[bytes.size - 1] == 0) return false;
    int64_t whole = 8 * (int64_t)(bytes.size - 1);
    *bits = (backward_bits){bytes, whole + highest_bit(bytes.bytes[bytes.size - 1])};
    return true;
}

static uint32_t read_backward(backward_bits *from, int count) {
    from->left -= count;
    return read_bits(&from->bytes, from->left, count);
}

/* ---- finite states: 4.1 ---- */

/* Set up the states from the probabilities of symbols; -1: less than 1. */
static bool build_fse(fse_table *table, int log, const int16_t *probabilities, int symbols) {
    uint32_t size = 1U << log, high = size, at = 0, step = (size >> 1) + (size >> 3) + 3;
    uint16_t next[MOST_SYMBOLS];
    for (int s = 0; s < symbols; s++) {
        next[s] = (uint16_t)(probabilities[s] < 0 ? 1 : probabilities[s]);
        if (probabilities[s] < 0) table->states[--high].symbol = (uint8_t)s;
    }
    for (int s = 0; s < symbols; s++)
        for (int i = 0; i < probabilities[s]; i++) {
            table->states[at].symbol = (uint8_t)s;
            do at = (at + step) & (size - 1);
            while (at >= high);
        }
    if (at != 0) return false;
    for (uint32_t i = 0; i < size; i++) {
        fse_state *state = &table->states[i];
        uint32_t number = next[state->symbol]++;
        state->bits = (uint8_t)(log - highest_bit(number));
        state->base = (uint16_t)((number << state->bits) - size);
    }
    table->log = log;
    return true;
}

/* Read probabilities, and take the whole bytes that they fill: 4.1.1. */
static bool take_fse(input *from, fse_table *table, int most_log, int most_symbols) {
    int16_t probabilities[MOST_SYMBOLS];
    int symbols = 0, log = (int)read_bits(from, 0, 4) + 5;
    int64_t at = 4;
    input used;
    if (log > most_log) return false;
    for (int left = 1 << log; left > 0;) {
        if (symbols >= most_symbols) return false;
        int bits = highest_bit((uint32_t)left + 1) + 1, less = (1 << bits) - 2 - left;
        int value = (int)read_bits(from, at, bits), low = value & ((1 << (bits - 1)) - 1);
        at += low < less ? bits - 1 : bits;
        value = low < less ? low : value == low ? value : value - less;
        probabilities[symbols++] = (int16_t)(value - 1);
        left -= value > 0 ? value - 1 : 1;
        if (left < 0) return false;
        for (int zeros = value == 1 ? 3 : 0; zeros == 3;) {
            zeros = (int)read_bits(from, at, 2);
            at += 2;
            if (symbols + zeros > most_symbols) return false;
            for (int z = 0; z < zeros; z++) probabilities[symbols++] = 0;
        }
    }
    return take(from, (size_t)(at + 7) / 8, &used) && build_fse(table, log, probabilities, symbols);
}

static void next_state(const fse_table *table, uint32_t *state, backward_bits *from) {
    const fse_state *now = &table->states[*state];
    *state = now->base + read_backward(from, now->bits);
}

/* ---- Huffman: 4.2 ---- */

/* Weights that two states take turns to tell: 4.2.1.2. */
static bool read_weights(zstd_frame_decoder *d, input from, uint8_t *weights, int *count) {
    backward_bits bits;
    if (!take_fse(&from, &d->weights, 6, MOST_HUFFMAN_BITS + 2) || !begin_backward(from, &bits))
        return false;
    uint32_t states[2];
    for (int s = 0; s < 2; s++) states[s] = read_backward(&bits, d->weights.log);
    if (bits.left < 0) return false;
    for (int turn = 0; bits.left >= 0; turn = !turn) {
        if (*count + 2 > MOST_WEIGHTS - 1) return false;
        weights[(*count)++] = d->weights.states[states[turn]].symbol;
        next_state(&d->weights, &states[turn], &bits);
        if (bits.left < 0) weights[(*count)++] = d->weights.states[states[!turn]].symbol;
    }
    return true;
}

/* The weight of the last symbol follows from the others; then codes in the order of weights. */
static bool build_huffman(huffman_table *table, uint8_t *weights, int count) {
    uint32_t sum = 0, at = 0;
    for (int s = 0; s < count; s++) {
        if (weights[s] > MOST_HUFFMAN_BITS) return false;
        sum += weights[s] ? 1U << (weights[s] - 1) : 0;
    }
    if (sum == 0) return false;
    int log = highest_bit(sum) + 1;
    uint32_t left = (1U << log) - sum;
    if (log > MOST_HUFFMAN_BITS || left & (left - 1)) return false;
    weights[count++] = (uint8_t)(highest_bit(left) + 1);
    for (int weight = 1; weight <= log; weight++)
        for (int s = 0; s < count; s++)
            for (uint32_t i = 0; weights[s] == weight && i < 1U << (weight - 1); i++, at++) {
                table->symbols[at] = (uint8_t)s;
                table->bits[at] = (uint8_t)(log + 1 - weight);
            }
    table->log = log;
    return true;
}

static bool take_huffman(zstd_frame_decoder *d, input *from) {
    uint8_t weights[MOST_WEIGHTS];
    uint64_t head;
    input described;
    int count = 0;
    if (!take_number(from, 1, &head)) return false;
    if (head >= 128) {
        int given = (int)head - 127;
        if (!take(from, ((size_t)given + 1) / 2, &described)) return false;
        for (; count < given; count++)
            weights[count] = described.bytes[count / 2] >> (count % 2 ? 0 : 4) & 15;
    } else if (!take(from, (size_t)head, &described) ||
               !read_weights(d, described, weights, &count)) {
        return false;
    }
    return build_huffman(&d->huffman, weights, count);
}

static bool read_stream(const huffman_table *table, input from, uint8_t *to, size_t count) {
    backward_bits bits;
    if (!begin_backward(from, &bits)) return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t code = read_bits(&bits.bytes, bits.left - table->log, table->log);
        to[i] = table->symbols[code];
        bits.left -= table->bits[code];
    }
    return bits.left == 0;
}

/* ---- literals: 3.1.1.3.1 ---- */

static bool read_streams(zstd_frame_decoder *d, input from, bool are_four) {
    size_t count = d->literal_count, quarter = (count + 3) / 4;
    uint64_t sizes[3];
    input stream;
    if (!are_four) return read_stream(&d->huffman, from, d->literals, count);
    for (int s = 0; s < 3; s++)
        if (!take_number(&from, 2, &sizes[s])) return false;
    if (3 * quarter > count) return false;
    for (int s = 0; s < 3; s++)
        if (!take(&from, (size_t)sizes[s], &stream) ||
            !read_stream(&d->huffman, stream, d->literals + s * quarter, quarter))
            return false;
    return read_stream(&d->huffman, from, d->literals + 3 * quarter, count - 3 * quarter);
}

static bool take_literals(zstd_frame_decoder *d, input *from) {
    enum { RAW, REPEATED_BYTE, COMPRESSED, TREELESS };
    static const uint8_t head_sizes[2][4] = {{1, 2, 1, 3}, {3, 3, 4, 5}};
    uint64_t head;
    input coded;
    if (from->size == 0) return false;
    int type = from->bytes[0] & 3, format = from->bytes[0] >> 2 & 3, head_size;
    head_size = head_sizes[type >= COMPRESSED][format];
    if (!take_number(from, (size_t)head_size, &head)) return false;
    if (type < COMPRESSED) {
        d->literal_count = (size_t)(head >> (format % 2 ? 4 : 3));
        if (d->literal_count > MOST_BLOCK ||
            !take(from, type == RAW ? d->literal_count : 1, &coded))
            return false;
        if (type == RAW)
            memcpy(d->literals, coded.bytes, d->literal_count);
        else
            memset(d->literals, coded.bytes[0], d->literal_count);
        return true;
    }
    int bits = format < 2 ? 10 : format == 2 ? 14 : 18;
    d->literal_count = (size_t)(head >> 4 & ((1U << bits) - 1));
    if (d->literal_count > MOST_BLOCK || !take(from, (size_t)(head >> (4 + bits)), &coded) ||
        (type == COMPRESSED && !take_huffman(d, &coded)) || !d->huffman.log)
        return false;
    return read_streams(d, coded, format > 0);
}

/* ---- sequences: 3.1.1.3.2 ---- */

/* A length is a base and bits to be added; small codes are the lengths, less the least one. */
static uint32_t read_length(int kind, int code, backward_bits *from) {
    static const uint8_t literal_bits[] = {1, 1, 1, 1,  2,  2,  3,  3,  4,  6,
                                           7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const uint8_t match_bits[] = {1, 1, 1, 1,  2,  2,  3,  3,  4,  4, 5,
                                         7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    int plain = kind == MATCH_LENGTHS ? 32 : 16;
    const uint8_t *bits = kind == MATCH_LENGTHS ? match_bits : literal_bits;
    uint32_t base = kind == MATCH_LENGTHS ? 3 : 0;
    if (code < plain) return base + (uint32_t)code;
    base += (uint32_t)plain;
    for (int c = 0; c < code - plain; c++) base += 1U << bits[c];
    return base + read_backward(from, bits[code - plain]);
}

static bool take_table(zstd_frame_decoder *d, input *from, int kind, int mode) {
    static const int16_t literal_lengths[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2,  2,  2,  2,
                                                2, 1, 1, 1, 2, 2, 2, 2, 2,  2,  2,  2,
                                                2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
    static const int16_t offsets[29] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
    static const int16_t match_lengths[53] = {
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
    static const struct {
        const int16_t *probabilities;
        int symbols, log, most_log, most_symbols;
    } kinds[KINDS] = {
        {literal_lengths, 36, 6, 9, 36}, {offsets, 29, 5, 8, 32}, {match_lengths, 53, 6, 9, 53}};
    enum { PREDEFINED, REPEATED_SYMBOL, COMPRESSED, AS_BEFORE };
    fse_table *table = &d->tables[kind];
    uint64_t symbol;
    switch (mode) {
        case PREDEFINED:
            return build_fse(table, kinds[kind].log, kinds[kind].probabilities,
                             kinds[kind].symbols);
        case REPEATED_SYMBOL:
            if (!take_number(from, 1, &symbol) || symbol >= (uint64_t)kinds[kind].most_symbols)
                return false;
            table->log = 0;
            table->states[0] = (fse_state){.symbol = (uint8_t)symbol};
            return true;
        case COMPRESSED:
            return take_fse(from, table, kinds[kind].most_log, kinds[kind].most_symbols);
        default:
            return table->log >= 0;
    }
}

/* The distance that an offset's value means; those of before have values up to 3: 3.1.1.5. */
static uint32_t find_distance(zstd_frame_decoder *d, uint32_t value, bool has_literals) {
    uint32_t *r = d->repeated, which = value + !has_literals - 1;
    uint32_t distance = value > 3 ? value - 3 : which < 3 ? r[which] : r[0] - 1;
    if (value > 3 || which > 1) r[2] = r[1];
    if (value > 3 || which > 0) r[1] = r[0];
    r[0] = distance;
    return distance;
}

static bool put_literals(zstd_frame_decoder *d, input *literals, size_t count) {
    input taken;
    if (count > d->room - d->made || !take(literals, count, &taken)) return false;
    memcpy(d->to + d->made, taken.bytes, count);
    d->made += count;
    return true;
}

static bool run_sequences(zstd_frame_decoder *d, input from, uint32_t count, input *literals) {
    backward_bits bits;
    uint32_t states[KINDS];
    if (!begin_backward(from, &bits)) return false;
    for (int k = 0; k < KINDS; k++) states[k] = read_backward(&bits, d->tables[k].log);
    for (uint32_t s = 0; s < count; s++) {
        int codes[KINDS];
        for (int k = 0; k < KINDS; k++) codes[k] = d->tables[k].states[states[k]].symbol;
        uint32_t value = (1U << codes[OFFSETS]) + read_backward(&bits, codes[OFFSETS]);
        uint32_t match = read_length(MATCH_LENGTHS, codes[MATCH_LENGTHS], &bits);
        uint32_t before = read_length(LITERAL_LENGTHS, codes[LITERAL_LENGTHS], &bits);
        if (!put_literals(d, literals, before)) return false;
        uint32_t distance = find_distance(d, value, before > 0);
        if (distance == 0 || distance > d->made || match > d->room - d->made) return false;
        /* Bytes may follow each other as they are made, so they are copied one by one. */
        for (uint8_t *to = d->to + d->made, *end = to + match; to < end; to++)
            *to = to[-(ptrdiff_t)distance];
        d->made += match;
        if (s + 1 == count) break;
        next_state(&d->tables[LITERAL_LENGTHS], &states[LITERAL_LENGTHS], &bits);
        next_state(&d->tables[MATCH_LENGTHS], &states[MATCH_LENGTHS], &bits);
        next_state(&d->tables[OFFSETS], &states[OFFSETS], &bits);
    }
    return bits.left == 0;
}

static bool decode_compressed(zstd_frame_decoder *d, input block) {
    uint64_t count = 0, more = 0;
    if (!take_literals(d, &block) || !take_number(&block, 1, &count)) return false;
    if (count >= 128) {
        if (!take_number(&block, count == 255 ? 2 : 1, &more)) return false;
        count = count == 255 ? more + 0x7F00 : ((count - 128) << 8) + more;
    }
    input literals = {d->literals, d->literal_count};
    if (count) {
        uint64_t modes;
        if (!take_number(&block, 1, &modes) || modes & 3) return false;
        for (int k = 0; k < KINDS; k++)
            if (!take_table(d, &block, k, modes >> (6 - 2 * k) & 3)) return false;
        if (!run_sequences(d, block, (uint32_t)count, &literals)) return false;
    } else if (block.size) {
        return false;
    }
    return put_literals(d, &literals, literals.size);
}

/* ---- frames: 3.1.1 ---- */

/* Take magic and header. content: its size, or UINT64_MAX if it is not told. most_block: bytes of
 * a block and of its content, at most (3.1.1.2.4). A window beyond 2^31 bytes is refused, as
 * libzstd does. */
static bool take_header(input *from, uint64_t *content, uint64_t *most_block) {
    enum { SINGLE_SEGMENT = 1 << 5, RESERVED = 1 << 3, CHECKSUM = 1 << 2, DICTIONARY = 3 };
    enum { LEAST_WINDOW_LOG = 10, MOST_WINDOW_LOG = 31 };
    uint64_t magic, head, window = 0;
    if (!take_number(from, MAGIC_BYTES, &magic) || magic != 0xFD2FB528) return false;
    if (!take_number(from, 1, &head) || head & (RESERVED | CHECKSUM | DICTIONARY)) return false;
    bool is_single = head & SINGLE_SEGMENT;
    size_t content_bytes = head >> 6 ? 1U << (head >> 6) : is_single;
    if (!is_single && !take_number(from, 1, &window)) return false;
    if (!take_number(from, content_bytes, content)) return false;
    if (content_bytes == 0) *content = UINT64_MAX;
    if (content_bytes == 2) *content += 256;
    uint64_t log = LEAST_WINDOW_LOG + (window >> 3), eighth = (1ULL << log) / 8;
    uint64_t size = is_single ? *content : 8 * eighth + (window & 7) * eighth;
    *most_block = size < MOST_BLOCK ? size : MOST_BLOCK;
    return log <= MOST_WINDOW_LOG;
}

enum { RAW_BLOCK, BYTE_BLOCK, COMPRESSED_BLOCK };

typedef struct block {
    bool is_last;
    int type;
    size_t size; /* of the content, where it is not compressed */
    input bytes;
} block;

static bool take_block(input *from, uint64_t most_block, block *taken) {
    uint64_t head;
    if (!take_number(from, BLOCK_HEADER, &head)) return false;
    *taken =
        (block){.is_last = head & 1, .type = (int)(head >> 1 & 3), .size = (size_t)(head >> 3)};
    return taken->type <= COMPRESSED_BLOCK && taken->size <= most_block &&
           take(from, taken->type == BYTE_BLOCK ? 1 : taken->size, &taken->bytes);
}

size_t zstd_frame_size(const uint8_t *bytes, size_t size) {
    input from = {bytes, size};
    uint64_t content, most_block;
    block one = {.is_last = false};
    if (!take_header(&from, &content, &most_block)) return 0;
    while (!one.is_last)
        if (!take_block(&from, most_block, &one)) return 0;
    return size - from.size;
}

bool zstd_frame_decode(zstd_frame_decoder *decoder, const uint8_t *bytes, size_t size, uint8_t *to,
                       size_t room, size_t *made) {
    input from = {bytes, size};
    uint64_t content, most_block;
    block one = {.is_last = false};
    if (!take_header(&from, &content, &most_block)) return false;
    decoder->huffman.log = 0;
    for (int k = 0; k < KINDS; k++) decoder->tables[k].log = -1;
    for (uint32_t r = 0; r < 3; r++) decoder->repeated[r] = r ? 4 * r : 1;
    decoder->to = to;
    decoder->made = 0;
    decoder->room = room;
    while (!one.is_last) {
        size_t before = decoder->made;
        if (!take_block(&from, most_block, &one)) return false;
        if (one.type == COMPRESSED_BLOCK) {
            if (!decode_compressed(decoder, one.bytes) || decoder->made - before > most_block)
                return false;
            continue;
        }
        if (one.size > room - before) return false;
        if (one.type == RAW_BLOCK)
            memcpy(to + before, one.bytes.bytes, one.size);
        else
            memset(to + before, one.bytes.bytes[0], one.size);
        decoder->made += one.size;
    }
    *made = decoder->made;
    return from.size == 0 && (content == UINT64_MAX || content == *made);
}

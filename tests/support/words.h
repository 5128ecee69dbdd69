/* SPDX-License-Identifier: MIT
 *
 * Planes, one colouring at a time: a slow, naive implementation of slab_shape.h for comparison with
 * the kernels. A "word" is a colouring of a slab as a number: bit i is the colour of stone i.
 */
#pragma once

#include "builder/planes/kernels.h"
#include "tests/support/support.h"

/* Iterate over the words of a slab in numeric order: the first, and the next or 0 after the last. A
 * slab without stones has only the word 0. */
uint64_t words_first(const plb_slab *slab);
uint64_t words_next(const plb_slab *slab, uint64_t word);

/* The number of the bit of a word in a plane; -1 if the plane does not have its block. */
int64_t words_bit(const plb_slab *slab, uint64_t word);

bool words_get(const uint64_t *plane, int64_t bit);
void words_set(uint64_t *plane, int64_t bit);

/* Does a word have a complete group of a colour among the stones from number `from` on? */
bool words_has_group(const plb_slab *slab, uint64_t word, unsigned colour, int from);

/* A plane of zeros, and one with random bits at the words of the slab. Both have 64 bits more,
 * which kernels may read. The caller frees them. */
uint64_t *words_new_plane(const plb_slab *slab);
uint64_t *words_random_plane(const plb_slab *slab, uint64_t *random);

/* `count` planes of zeros, with 64 bits more. The caller frees .words. */
plb_planes words_new_planes(const plb_slab *slab, int count);

/* The code at a bit: bit p of the code is the bit in plane p. */
unsigned words_get_code(const plb_planes *planes, int64_t bit);
void words_set_code(const plb_planes *planes, int64_t bit, unsigned code);

/* The shape of a set of cells; free it with plb_slab_free. */
plb_slab words_shape(const plb_game *game, uint64_t occupied, plb_block_set part);

/* A random set of `stones` occupied cells; with gravity no stone floats. */
uint64_t words_random_set(const plb_game *game, int stones, uint64_t *random);

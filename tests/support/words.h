/* SPDX-License-Identifier: MIT
 *
 * Planes word by word: the slow, naive reading of slab_shape.h that kernels are compared with. A
 * word is a colouring of a slab, bit i the colour of stone i.
 */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include "builder/planes/kernels.h"
#include "tests/support/support.h"

/* Words of a slab in numeric order: the first one, and the next or 0 after the last. A slab
 * without stones has the word 0 alone. */
uint64_t words_first(const plb_slab *slab);
uint64_t words_next(const plb_slab *slab, uint64_t word);

/* Number of the bit of a word in a plane, -1 where its block is not there. */
int64_t words_bit(const plb_slab *slab, uint64_t word);

bool words_get(const uint64_t *plane, int64_t bit);
void words_set(uint64_t *plane, int64_t bit);

/* Does a word have a complete group in a colour, looking at the stones `from` and above? */
bool words_has_group(const plb_slab *slab, uint64_t word, unsigned colour, int from);

/* A plane of zeros, with the word more that kernels may read; and one of random bits where the
 * slab has words. Freed by the caller. */
uint64_t *words_new_plane(const plb_slab *slab);
uint64_t *words_random_plane(const plb_slab *slab, uint64_t *random);

/* As many planes of zeros, with the word more; the words are freed by the caller. */
plb_planes words_new_planes(const plb_slab *slab, int count);

/* The code of a bit: its bit in plane p is bit p. */
unsigned words_get_code(const plb_planes *planes, int64_t bit);
void words_set_code(const plb_planes *planes, int64_t bit, unsigned code);

/* The shape of a set of cells, freed with plb_slab_free. */
plb_slab words_shape(const plb_game *game, uint64_t occupied, plb_block_set part);

/* A random set of `stones` cells; with gravity nothing floats. */
uint64_t words_random_set(const plb_game *game, int stones, uint64_t *random);

#endif

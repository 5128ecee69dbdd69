/* SPDX-License-Identifier: MIT
 *
 * Slices. When they are cut, words that end before the letter go with those that have an x there.
 */
#include "tables/count/column_slice.h"

#include "tables/bits.h"

/* Are the lowest letters, so many, the same? */
static bool is_alike(uint32_t x, uint32_t other, int letters) {
    return ((x ^ other) & plb_low_bits(letters)) == 0;
}

bool plb_column_slice_has_word(const plb_column_slice *slice, const plb_column_word *w) {
    if (w->stones < slice->least || w->stones > slice->most) return false;
    return is_alike(w->x, slice->x, w->stones < slice->given ? w->stones : slice->given);
}

double plb_column_slice_share(const plb_column_slice *slice, const plb_column_words *words) {
    int count = 0;
    for (int w = 0; w < words->count; w++)
        count += plb_column_slice_has_word(slice, &words->items[w]);
    return (double)count / words->count;
}

bool plb_column_slice_contains(const plb_column_slice *slice, const plb_column_slice *other) {
    if (other->column != slice->column) return false;
    if (other->least < slice->least || other->most > slice->most) return false;
    return other->given >= slice->given && is_alike(other->x, slice->x, slice->given);
}

bool plb_column_slice_cut(const plb_column_slice *slice, plb_column_slice halves[2]) {
    halves[0] = halves[1] = *slice;
    if (slice->given >= slice->most) {
        halves[0].most = (slice->least + slice->most) / 2;
        halves[1].least = halves[0].most + 1;
        return slice->least < slice->most;
    }
    for (int letter = 0; letter < 2; letter++)
        halves[letter].x |= (uint32_t)letter << halves[letter].given++;
    if (slice->least < halves[0].given) halves[0].least = halves[0].given;
    return true;
}

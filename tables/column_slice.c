/* SPDX-License-Identifier: MIT
 *
 * Slices: nearly half of all words are of the greatest height, so that is cut off first, then one
 * letter after another is given, from the top.
 */
#include "tables/column_slice.h"

bool plb_column_slice_has_word(const plb_column_slice *slice, const plb_column_word *w) {
    if (w->stones < slice->least || w->stones > slice->most) return false;
    return slice->row >= slice->most || (w->x ^ slice->x) >> slice->row == 0;
}

double plb_column_slice_share(const plb_column_slice *slice, const plb_column_words *words) {
    int count = 0;
    for (int w = 0; w < words->count; w++)
        count += plb_column_slice_has_word(slice, &words->items[w]);
    return (double)count / words->count;
}

bool plb_column_slice_contains(const plb_column_slice *slice, const plb_column_slice *other) {
    if (other->least < slice->least || other->most > slice->most) return false;
    if (slice->row >= slice->most) return true;
    return other->row <= slice->row && (other->x ^ slice->x) >> slice->row == 0;
}

bool plb_column_slice_cut(const plb_column_slice *slice, plb_column_slice halves[2]) {
    halves[0] = halves[1] = *slice;
    if (slice->least < slice->most) {
        halves[0] = plb_column_slice_of(slice->most, slice->most);
        halves[1] = plb_column_slice_of(slice->least, slice->most - 1);
        return true;
    }
    if (slice->row <= 0) return false;
    for (int letter = 0; letter < 2; letter++) {
        halves[letter].row--;
        halves[letter].x |= (uint32_t)letter << halves[letter].row;
    }
    return true;
}

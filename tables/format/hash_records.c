/* SPDX-License-Identifier: MIT
 *
 * Sets of keys in a file.
 */
#include "tables/format/hash_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tables/games/static_value.h"

void plb_hash_record_name(int ply, uint64_t slab, char name[PLB_RECORD_NAME]) {
    snprintf(name, PLB_RECORD_NAME, "keys-%02d-%04llu", ply, (unsigned long long)slab);
}

bool plb_hash_record_is_name(const char *name) {
    char again[PLB_RECORD_NAME];
    unsigned ply, slab;
    if (sscanf(name, "keys-%2u-%9u", &ply, &slab) != 2) return false;
    plb_hash_record_name((int)ply, slab, again);
    return strcmp(name, again) == 0;
}

/* Slabs of a ply: its records are numbered from 0 on. */
static uint64_t count_slabs(const plb_store *store, int ply) {
    char name[PLB_RECORD_NAME];
    uint64_t slabs = 0;
    while (plb_hash_record_name(ply, slabs, name), plb_store_has_record(store, name)) slabs++;
    return slabs;
}

static int read_set(const plb_store *store, int ply, uint64_t slab, plb_perfect_hash *set,
                    plb_message *message) {
    char name[PLB_RECORD_NAME];
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_hash_record_name(ply, slab, name);
    int error = plb_store_get_record(store, name, &bytes, &size, message);
    if (error) return error;
    error = plb_perfect_hash_read(bytes, size, set);
    if (error == PLB_ENOMEM) return plb_fail(message, error, "out of memory for keys");
    if (!error && set->fingerprints) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its record %s is no set of keys",
                    plb_store_path(store), name);
}

static int fail_shape(const plb_store *store, int ply, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT,
                    "%s is damaged: ply %d has keys that its game cannot have",
                    plb_store_path(store), ply);
}

/* May a ply have so many keys in so many slabs? */
static bool is_shape(const plb_index *index, int ply, uint64_t keys, uint64_t slabs) {
    double sets = plb_index_count_slabs(index->game, index->symmetry, ply);
    double most = sets * index->game->rules->fillings(index->game, ply);
    if (slabs == 0) return true;
    return plb_static_value_is_stored_ply(ply) && (double)keys <= most && !(slabs & (slabs - 1)) &&
           keys > slabs / 2 * PLB_SEGMENT_ENTRIES;
}

int plb_hash_records_read(const plb_store *store, plb_index *index, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= index->game->cells && !error; ply++) {
        uint64_t slabs = count_slabs(store, ply), keys = 0;
        if (slabs > PLB_MOST_KEY_SLABS) return fail_shape(store, ply, message);
        plb_perfect_hash *sets = slabs ? calloc(plb_size(slabs), sizeof *sets) : NULL;
        if (slabs && !sets) return plb_fail(message, PLB_ENOMEM, "out of memory for keys");
        for (uint64_t slab = 0; slab < slabs && !error; slab++) {
            error = read_set(store, ply, slab, &sets[slab], message);
            keys += sets[slab].keys;
        }
        if (!error && !is_shape(index, ply, keys, slabs)) error = fail_shape(store, ply, message);
        plb_index_set_keys(index, ply, sets, slabs);
    }
    return error;
}

/* SPDX-License-Identifier: MIT */
#include "tools/verify/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/format/meta.h"
#include "tables/store/input_file.h"
#include "tools/verify/verify_checks.h"

void digest_format(XXH128_hash_t digest, char text[DIGEST_TEXT]) {
    snprintf(text, DIGEST_TEXT, "%016llx%016llx", (unsigned long long)digest.high64,
             (unsigned long long)digest.low64);
}

enum { BUFFER_BYTES = 1 << 20 };

int digest_file(const char *path, XXH128_hash_t *digest, plb_message *message) {
    plb_input_file input;
    int error = plb_input_file_open(path, &input, message);
    if (error) return error;
    XXH3_state_t *state = XXH3_createState();
    uint8_t *buffer = malloc(BUFFER_BYTES);
    if (state && buffer) {
        XXH3_128bits_reset(state);
        plb_extent next = {0, 0};
        error = PLB_OK;
        for (; next.offset < input.size_bytes && !error; next.offset += next.size) {
            next.size = plb_min(input.size_bytes - next.offset, BUFFER_BYTES);
            error = plb_input_file_read(&input, next, buffer, message);
            if (!error) XXH3_128bits_update(state, buffer, next.size);
        }
    } else {
        error = plb_fail(message, PLB_ENOMEM, "out of memory to read %s", path);
    }
    if (!error) *digest = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(buffer);
    plb_input_file_close(&input);
    return error;
}

/* ---- contents ---- */

static void hash_number(XXH3_state_t *hash, uint64_t number) {
    XXH64_canonical_t bytes;
    XXH64_canonicalFromHash(&bytes, number);
    XXH3_128bits_update(hash, &bytes, sizeof bytes);
}

/* Hash a record. False: there is none, or an error. */
static bool hash_record(verifier *v, int ply, const char *name, XXH3_state_t *hash) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_message why;
    if (!plb_store_has_record(v->file->store, name)) return false;
    int error = plb_store_get_record(v->file->store, name, &bytes, &size, &why);
    if (error)
        verify_fail(v, ply, error, &why);
    else
        XXH3_128bits_update(hash, bytes, size);
    free(bytes);
    return !error;
}

void verify_contents(verifier *v) {
    XXH3_state_t *hash = XXH3_createState();
    if (!hash) {
        verify_fail_memory(v);
        return;
    }
    XXH3_128bits_reset(hash);
    XXH3_128bits_update(hash, v->file->meta.spec, strlen(v->file->meta.spec) + 1);
    const char *values = plb_value_kind_text(v->file->meta.values);
    XXH3_128bits_update(hash, values, strlen(values) + 1);
    hash_number(hash, v->file->meta.block_entries);
    for (int ply = 0; ply <= v->game->cells; ply++) {
        XXH128_canonical_t digest;
        plb_ply_stats s;
        plb_stats(v->table, ply, &s);
        const uint64_t counts[] = {s.total, s.terminal, s.won, s.drawn, s.lost};
        for (int c = 0; c < 5; c++) hash_number(hash, counts[c]);
        XXH128_canonicalFromHash(&digest, v->contents[ply]);
        XXH3_128bits_update(hash, &digest, sizeof digest);
    }
    char name[PLB_RECORD_NAME];
    for (int ply = 0; ply <= v->game->cells; ply++) /* the records of keys */
        for (uint64_t slab = 0; !v->error; slab++) {
            plb_meta_name_keys(ply, slab, name);
            if (!hash_record(v, ply, name, hash)) break;
        }
    if (!v->error) hash_record(v, -1, PLB_RECORD_DISTANCES, hash);
    if (!v->error) digest_format(XXH3_128bits_digest(hash), v->report->contents);
    XXH3_freeState(hash);
}

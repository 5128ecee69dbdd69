/* SPDX-License-Identifier: MIT
 *
 * Meta records as text.
 */
#include "tables/meta.h"

#include <stdio.h>
#include <stdlib.h>

static int write_number(plb_store *store, const char *key, int number, plb_message *message) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return plb_store_put_meta(store, key, text, message);
}

int plb_meta_write(const plb_meta *meta, plb_store *store, plb_message *message) {
    int error = write_number(store, "format", PLB_FORMAT_VERSION, message);
    if (!error) error = plb_store_put_meta(store, "spec", meta->spec, message);
    if (!error) error = plb_store_put_meta(store, "values", meta->values, message);
    if (!error) error = plb_store_put_meta(store, "compression", meta->compression, message);
    if (!error) error = plb_store_put_meta(store, "builder", meta->builder, message);
    if (!error) error = write_number(store, "symmetries", meta->symmetries, message);
    if (!error) error = write_number(store, "block", meta->block_positions, message);
    return error;
}

static int read_number(const plb_store *store, const char *key, int *number, plb_message *message) {
    char text[16];
    int error = plb_store_get_meta(store, key, text, sizeof text, message);
    if (!error) *number = atoi(text);
    return error;
}

int plb_meta_read(const plb_store *store, plb_meta *meta, plb_message *message) {
    plb_meta read = {0};
    int format = 0, error = read_number(store, "format", &format, message);
    if (!error && format != PLB_FORMAT_VERSION)
        return plb_fail(message, PLB_EVERSION,
                        "the table has format %d; this program reads format %d: build it anew",
                        format, PLB_FORMAT_VERSION);
    const struct {
        const char *key;
        char *text;
    } texts[] = {{"spec", read.spec},
                 {"values", read.values},
                 {"compression", read.compression},
                 {"builder", read.builder}};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0] && !error; t++)
        error = plb_store_get_meta(store, texts[t].key, texts[t].text, PLB_META_TEXT, message);
    if (!error) error = read_number(store, "symmetries", &read.symmetries, message);
    if (!error) error = read_number(store, "block", &read.block_positions, message);
    if (!error) *meta = read;
    return error;
}

/* SPDX-License-Identifier: MIT
 *
 * The second body of tables/store/input_file.h: what runs the module hands the bytes over. There is
 * one file, the table that is opened; its name is for messages. And the time, which is the host's.
 */
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/store/input_file.h"
#include "tools/terminal/interrupts.h"

#define FROM_HOST(name) __attribute__((import_module("host"), import_name(name)))

/* Numbers of bytes are exact in doubles, which JavaScript has, up to 2^53. */
FROM_HOST("size") double host_size(void);
FROM_HOST("read")
int host_read(double offset, size_t size, void *bytes); /* 0: they cannot be had */
FROM_HOST("seconds") double host_seconds(void);

double seconds_now(void) {
    return host_seconds();
}

int plb_input_file_open(const char *path, plb_input_file *input, plb_message *message) {
    plb_input_file made = {.file = 0, .path = strdup(path), .size_bytes = (uint64_t)host_size()};
    if (!made.path) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    *input = made;
    return PLB_OK;
}

bool plb_input_file_exists(const char *path) {
    (void)path;
    return false;
}

void plb_input_file_close(plb_input_file *input) {
    free(input->path);
    *input = (plb_input_file){.file = -1};
}

int plb_input_file_read(const plb_input_file *input, plb_extent extent, void *bytes,
                        plb_message *message) {
    if (extent.offset > input->size_bytes || extent.size > input->size_bytes - extent.offset)
        return plb_fail(message, PLB_ECORRUPT, "%s is cut short: it should have %llu bytes or more",
                        input->path, (unsigned long long)(extent.offset + extent.size));
    if (extent.size && !host_read((double)extent.offset, plb_size(extent.size), bytes))
        return plb_fail(message, PLB_EIO, "cannot read %s", input->path);
    return PLB_OK;
}

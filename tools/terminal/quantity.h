/* SPDX-License-Identifier: MIT
 *
 * Counts, sizes and times, as text for people and back.
 */
#ifndef PLB_TOOLS_TERMINAL_QUANTITY_H
#define PLB_TOOLS_TERMINAL_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* The largest size: more than any machine has, and less than any integer of 64 bits. */
#define MAX_BYTES 0x1p60

/* Read a number from `least` to `most`; false where the text is none. */
bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *count);

/* Read a count as people write it: digits, perhaps with underscores between them, and a power of
 * ten, as in 1e6, or k, M, G or T for powers of 1000, in either case. False where the text is none
 * or has more than 64 bits. */
bool parse_written_count(const char *text, uint64_t *count);

/* Read a size in bytes, from 1 on: a decimal number and perhaps a unit, K, M, G or T for powers of
 * 1024, in either case, alone or with B or iB, as in 512M, 1.5g or 64MiB. What exceeds
 * MAX_BYTES counts as this. False where the text is none. */
bool parse_size(const char *text, double *bytes);

/* Read a time in seconds, more than 0 and less than 1e9, such as 10 or 0.5. */
bool parse_seconds(const char *text, double *seconds);

/* Write a count with separators, as in 69,763,700, and return text. */
char *format_count(uint64_t count, char text[32]);

/* Write an amount of memory, as in 1.5 GiB, and return text. */
char *format_bytes(double bytes, char text[32]);

/* Write a need, rounded up: as much as is written suffices; and what there is for it, rounded down.
 */
char *format_need(double bytes, char text[32]);
char *format_room(double bytes, char text[32]);

/* Write a time, as in 1 h 05 min, and return text. */
char *format_seconds(double seconds, char text[32]);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Parse and format counts, sizes and times. Parsers return false if the text is not valid; those of
 * options (arguments.h) have a void pointer, to a double. Formatters return `text`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The largest size: more than any machine has, and it fits in 64 bits. */
#define MAX_BYTES 0x1p60

/* Parse decimal digits: a number from min to max. */
bool parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *count);

/* Parse a count in the notations of people: digits, with underscores between them if wanted, then
 * nothing, a power of ten as in 1e6, or k, M, G or T (powers of 1000, in either case). */
bool parse_written_count(const char *text, uint64_t *count);

/* Parse a size of 1 byte or more: a decimal number, then nothing or a unit: K, M, G or T (powers of
 * 1024, in either case), alone or with B or iB, as in 512M, 1.5g or 64MiB. A larger size than
 * MAX_BYTES becomes MAX_BYTES. */
bool parse_size(const char *text, void *bytes);

/* Parse a time in seconds, more than 0 and less than 1e9, such as 10 or 0.5. */
bool parse_seconds(const char *text, void *seconds);

/* With separators, as in 69,763,700. */
char *format_count(uint64_t count, char text[32]);

/* As in 1.5 GiB. */
char *format_bytes(double bytes, char text[32]);

/* The same, rounded up for an amount that is needed, and down for one that is available. */
char *format_need(double bytes, char text[32]);
char *format_room(double bytes, char text[32]);

/* As in 1 h 05 min. */
char *format_seconds(double seconds, char text[32]);

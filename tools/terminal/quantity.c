/* SPDX-License-Identifier: MIT */
#include "tools/terminal/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *count) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < min || number > max) return false;
    *count = number;
    return true;
}

bool parse_written_count(const char *text, uint64_t *count) {
    static const char units[] = "kmgt";
    uint64_t number = 0, zeros = 0;
    if (*text < '0' || *text > '9') return false;
    for (; (*text >= '0' && *text <= '9') || (*text == '_' && text[-1] != '_'); text++)
        if (*text != '_' && (__builtin_mul_overflow(number, 10, &number) ||
                             __builtin_add_overflow(number, *text - '0', &number)))
            return false;
    if (text[-1] == '_') return false;
    const char *unit = *text ? strchr(units, *text | 0x20) : NULL;
    if (unit && !text[1])
        zeros = 3 * (unit - units + 1);
    else if ((*text | 0x20) == 'e' ? !parse_count(text + 1, 0, 19, &zeros) : *text)
        return false;
    for (; zeros > 0; zeros--)
        if (__builtin_mul_overflow(number, 10, &number)) return false;
    *count = number;
    return true;
}

/* Digits with or without a point; strtod also accepts inf and 0x10, which are refused here. */
static bool read_decimal(const char **text, double *number) {
    size_t length = strspn(*text, "0123456789.");
    char *end;
    *number = strtod(*text, &end);
    if (length == 0 || end != *text + length) return false;
    *text = end;
    return true;
}

bool parse_size(const char *text, void *bytes) {
    static const char units[] = "kmgt";
    double size;
    if (!read_decimal(&text, &size)) return false;
    const char *unit = *text ? strchr(units, *text | 0x20) : NULL;
    if (unit) {
        size = ldexp(size, 10 * (int)(unit - units + 1));
        text++;
    }
    bool has_end =
        *text == 0 || strcasecmp(text, "b") == 0 || (unit && strcasecmp(text, "ib") == 0);
    if (!has_end || !(size >= 1)) return false;
    *(double *)bytes = fmin(size, MAX_BYTES);
    return true;
}

bool parse_seconds(const char *text, void *seconds) {
    double number;
    if (!read_decimal(&text, &number) || *text || !(number > 0 && number < 1e9)) return false;
    *(double *)seconds = number;
    return true;
}

char *format_count(uint64_t count, char text[32]) {
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *to = text;
    for (int d = 0; d < length; d++) {
        if (d && (length - d) % 3 == 0) *to++ = ',';
        *to++ = digits[d];
    }
    *to = 0;
    return text;
}

char *format_bytes(double bytes, char text[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 6; unit++) bytes /= 1024;
    const char *name = unit == 0 && round(bytes) == 1 ? "byte" : units[unit];
    snprintf(text, 32, unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, name);
    return text;
}

/* The value of the last digit that format_bytes writes. */
static double find_step(double bytes) {
    double unit = 1;
    while (bytes >= 1024 * unit) unit *= 1024;
    return unit > 1 && bytes < 100 * unit ? unit / 10 : unit;
}

char *format_need(double bytes, char text[32]) {
    double step = find_step(bytes);
    return format_bytes(ceil(bytes / step) * step, text);
}

char *format_room(double bytes, char text[32]) {
    double step = find_step(bytes);
    return format_bytes(floor(bytes / step) * step, text);
}

char *format_seconds(double seconds, char text[32]) {
    if (seconds < 10)
        snprintf(text, 32, "%.2g s", seconds);
    else if (seconds < 120)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 7200)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else if (seconds < 1e7)
        snprintf(text, 32, "%.0f h %02.0f min", (double)(long)(seconds / 3600),
                 (double)((long)(seconds / 60) % 60));
    else
        snprintf(text, 32, "%.0f days", seconds / 86400);
    return text;
}

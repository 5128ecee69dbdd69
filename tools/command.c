/* SPDX-License-Identifier: MIT
 *
 * What the subcommands share.
 */
#include "tools/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("plybase: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_FAILED;
}

int complain_of(int error, const plb_message *message) {
    complain("%s", message->text);
    return error == PLB_ESPEC ? EXIT_USAGE : EXIT_FAILED;
}

int end_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return complain("cannot write the output: %s", strerror(errno));
}

plb_table *open_table(const char *path) {
    plb_table *table = NULL;
    plb_message message;
    if (plb_open(path, &table, &message) != PLB_OK) complain("%s", message.text);
    return table;
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
    snprintf(text, 32, unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
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

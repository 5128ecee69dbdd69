/* SPDX-License-Identifier: MIT
 *
 * What the subcommands share.
 */
#include "tools/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *count) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < least || number > most)
        return false;
    *count = number;
    return true;
}

double parse_size(const char *text) {
    static const char units[] = "KMGT";
    char *end;
    double size = strtod(text, &end);
    if (end == text || !(size > 0)) return -1;
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (*end && !unit) return -1;
    for (const char *u = units; unit && u <= unit; u++) size *= 1024;
    if (unit) end++;
    if (strcmp(end, "iB") == 0 || strcmp(end, "B") == 0) end += strlen(end);
    return *end ? -1 : size;
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile sig_atomic_t stop_wanted;

static void want_stop(int signal) {
    (void)signal;
    stop_wanted = 1;
}

const volatile sig_atomic_t *catch_interrupts(void) {
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (signal(SIGHUP, SIG_IGN) != SIG_IGN) sigaction(SIGHUP, &action, NULL); /* nohup is obeyed */
    signal(SIGXFSZ, SIG_IGN);
    return &stop_wanted;
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

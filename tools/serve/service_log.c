/* SPDX-License-Identifier: MIT */
#include "tools/serve/service_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does stderr go to the journal? JOURNAL_STREAM names its device and inode. */
static int is_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat file;
    char text[64];
    if (!stream || fstat(STDERR_FILENO, &file) != 0) return 0;
    snprintf(text, sizeof text, "%llu:%llu", (unsigned long long)file.st_dev,
             (unsigned long long)file.st_ino);
    for (const char *a = text, *b = stream;; a++, b++) {
        if (*a != *b) return 0;
        if (!*a) return 1;
    }
}

void service_log(log_priority priority, const char *format, ...) {
    char line[1024];
    va_list arguments;
    int used = is_journal() ? snprintf(line, sizeof line, "<%d>", (int)priority)
                            : snprintf(line, sizeof line, "plybase: ");
    va_start(arguments, format);
    int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    int end = used + length < (int)sizeof line - 2 ? used + length : (int)sizeof line - 2;
    for (int c = 0; c < end; c++)
        if ((unsigned char)line[c] < ' ' || line[c] == 0x7f) line[c] = '?';
    line[end] = '\n';
    if (write(STDERR_FILENO, line, end + 1) < 0) return; /* nobody is left to be told */
}

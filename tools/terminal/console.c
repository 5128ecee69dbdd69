/* SPDX-License-Identifier: MIT
 *
 * Speech and statuses.
 */
#include "tools/terminal/console.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/message.h"
#include "tables/threads.h"
#include "tools/terminal/interrupts.h"

int vprint_error(const char *format, va_list arguments) {
    char *sentence = NULL;
    va_list again;
    va_copy(again, arguments);
    fputs("plybase: ", stderr);
    if (vasprintf(&sentence, format, arguments) >= 0) {
        plb_text_make_plain(sentence);
        fprintf(stderr, "%s\n", sentence);
        free(sentence);
    } else { /* no memory is no reason to keep the reason back */
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
    return EXIT_FAILED;
}

int print_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

int report_error(int error, const plb_message *message) {
    print_error("%s", message->text);
    return error_status(error);
}

int error_status(int error) {
    if (error == PLB_EINTERRUPTED) return interrupted_status();
    return error == PLB_ESPEC ? EXIT_USAGE : EXIT_FAILED;
}

int end_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return print_error("cannot write the output: %s", strerror(errno));
}

/* A team is opened and closed, with memory reserved that its work will take. */
int usable_threads(int wanted) {
    enum { WORK_BYTES = 96 << 20 };
    void *work = mmap(NULL, WORK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    plb_threads team;
    plb_threads_open(work == MAP_FAILED ? 1 : wanted, &team);
    int count = team.count;
    plb_threads_close(&team);
    if (work != MAP_FAILED) munmap(work, WORK_BYTES);
    if (count < wanted) {
        print_error("the system gives %d of %d threads (--threads)", count, wanted);
        mallopt(M_ARENA_MAX, 1); /* arenas of threads would take what was reserved */
    }
    return count;
}

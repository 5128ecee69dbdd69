/* SPDX-License-Identifier: MIT */
#include "tools/terminal/console.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "tables/stop.h"
#include "tables/threads.h"

int vprint_error(const char *format, va_list arguments) {
    char *sentence = NULL;
    va_list again;
    va_copy(again, arguments);
    if (vasprintf(&sentence, format, arguments) >= 0) {
        plb_text_make_plain(sentence);
        /* In one call: another rank may end this process at any time. */
        fprintf(stderr, "plybase: %s\n", sentence);
        free(sentence);
    } else { /* out of memory: print without the cleaning */
        fputs("plybase: ", stderr);
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

/* Opens a team of threads on trial, while address space for its later work is reserved. */
int usable_threads(int wanted) {
    enum { WORK_BYTES = 144 << 20 };
    void *work = mmap(NULL, WORK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    plb_threads team;
    plb_threads_open(work == MAP_FAILED ? 1 : wanted, &team);
    int count = team.count;
    plb_threads_close(&team);
    if (work != MAP_FAILED) munmap(work, WORK_BYTES);
    if (count < wanted) {
        print_error("the system allows only %d of %d threads (--threads)", count, wanted);
        mallopt(M_ARENA_MAX, 1); /* arenas of threads would take the address space of the work */
    }
    return count;
}

/* ---- the clock, and signals ---- */

double seconds_now(void) {
    return plb_clock_seconds(CLOCK_MONOTONIC);
}

static volatile sig_atomic_t stop_signal; /* 0: none yet */

/* A second signal ends the process, but not within two seconds: programs such as timeout signal
 * both a process and its group, so that two signals come at once. After SIGUSR1, which batch
 * systems send before the end of the time, SIGTERM is the first signal: a save may still be
 * running. */
static void handle_interrupt(int number) {
    static volatile sig_atomic_t first; /* time of the first signal, in seconds; 0: none yet */
    sig_atomic_t now = (sig_atomic_t)seconds_now() + 1;
    if (first == 0 || (stop_signal == SIGUSR1 && number == SIGTERM)) {
        first = now;
        stop_signal = number;
    } else if (now - first > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* Compare and swap: a deadline must not overwrite another signal, when it is set or cleared. */
static void replace_stop_signal(sig_atomic_t expected, sig_atomic_t signal) {
    __atomic_compare_exchange_n(&stop_signal, &expected, signal, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
}

static void handle_deadline(int signal) {
    replace_stop_signal(0, signal);
}

void set_deadline(double seconds) {
    struct sigaction action = {.sa_handler = handle_deadline};
    double whole = floor(seconds), rest = 1e6 * (seconds - whole);
    struct itimerval timer = {.it_value = {(time_t)whole, (suseconds_t)rest}};
    if (seconds > 0 && seconds < 1e-6) timer.it_value.tv_usec = 1; /* 0 would disarm the timer */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    if (seconds == 0) replace_stop_signal(SIGALRM, 0);
}

const volatile sig_atomic_t *catch_interrupts(void) {
    struct sigaction action = {.sa_handler = handle_interrupt}, before;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int s = 0; s < 3; s++) {
        sigaction(signals[s], NULL, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signals[s], &action, NULL);
    }
    return &stop_signal;
}

void catch_as_interrupt(int number) {
    sigaction(number, &(struct sigaction){.sa_handler = handle_interrupt}, NULL);
}

void interrupt_now(void *context) {
    (void)context;
    replace_stop_signal(0, SIGTERM);
}

int interrupted_status(void) {
    return 128 + (stop_signal ? stop_signal : SIGTERM); /* 0: another process got the signal */
}

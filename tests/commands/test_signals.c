/* SPDX-License-Identifier: MIT
 *
 * Signals of a batch system: SIGTERM after SIGUSR1 leaves time for a save, a second SIGTERM does
 * not. (console.h and cmocka.h both have a print_error.)
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/terminal/console.h"

static void signal_later(int number) {
    nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 100000000}, NULL);
    raise(number);
}

/* Writes a byte after the first SIGTERM; the second one ends the process. */
static int be_signalled(int pipe) {
    const volatile sig_atomic_t *stop = catch_interrupts();
    catch_as_interrupt(SIGUSR1);
    raise(SIGUSR1);
    if (*stop != SIGUSR1) return 1;
    signal_later(SIGTERM);
    if (*stop != SIGTERM || write(pipe, "x", 1) != 1) return 2;
    signal_later(SIGTERM);
    return 3;
}

int main(void) {
    int status = 0, ends[2];
    char byte;
    if (pipe(ends)) return 1;
    pid_t child = fork();
    if (child == 0) _exit(be_signalled(ends[1]));
    close(ends[1]);
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    bool survived = read(ends[0], &byte, 1) == 1;
    bool ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    if (!survived || !ended) printf("FAILED: wait status %#x, survived %d\n", status, survived);
    return !survived || !ended;
}

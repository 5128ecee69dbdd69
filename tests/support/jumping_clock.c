/* SPDX-License-Identifier: MIT
 *
 * A wall clock that jumps back and forth by years each time it is read, to be loaded before the C
 * library. The monotonic clocks are as they are.
 */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t jump(void) {
    static const long years[] = {0, 10, -20, 5, -1};
    static atomic_uint calls;
    return years[calls++ % 5] * 365 * 86400;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += jump();
    return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int status = (int)syscall(SYS_gettimeofday, time, zone);
    time->tv_sec += jump();
    return status;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

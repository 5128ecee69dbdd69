/* SPDX-License-Identifier: MIT
 *
 * What the server reports while it runs. Threads: safe.
 *
 * Log lines go to stderr. Under the journal of systemd they begin with their priority
 * (sd-daemon(3)). If a line cannot be written without blocking, because a pipe is full, it is lost;
 * the next line reports how many were lost.
 *
 * The state of the service goes to systemd by the protocol of sd_notify(3): a datagram to the
 * socket that NOTIFY_SOCKET names, if it is set.
 */
#pragma once

#include <stdint.h>

typedef enum log_priority { LOG_IS_ERROR = 3, LOG_IS_NOTICE = 5, LOG_IS_INFO = 6 } log_priority;

/* Write a line; control characters are replaced by `?`. */
void service_log(log_priority priority, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number of lines that were lost so far. */
uint64_t service_log_lost(void);

/* Send a state to systemd, such as "READY=1" or "STOPPING=1". */
void notify_systemd(const char *state);

/* Report that a scan begins; "READY=1" must follow. */
void notify_reloading(void);

/* Report that the service is alive, if WATCHDOG_USEC is set; call it a few times a second. */
void notify_alive(void);

/* SPDX-License-Identifier: MIT
 *
 * What a server reports while it runs: lines on stderr, each written by one call, which under the
 * journal of systemd begin with their priority (sd-daemon(3)). A line that cannot be written at
 * once, because a pipe is full, is lost; the next one says how many were. And its state to the
 * manager of services by the protocol of sd_notify(3): a datagram to the socket that NOTIFY_SOCKET
 * names, if it is set. Threads: safe.
 */
#ifndef PLB_TOOLS_SERVE_SERVICE_LOG_H
#define PLB_TOOLS_SERVE_SERVICE_LOG_H

#include <stdint.h>

typedef enum log_priority { LOG_IS_ERROR = 3, LOG_IS_NOTICE = 5, LOG_IS_INFO = 6 } log_priority;

/* Write a line; control characters in it become `?`. */
void service_log(log_priority priority, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many lines were lost so far. */
uint64_t service_log_lost(void);

void notify_ready(void);     /* requests are accepted */
void notify_reloading(void); /* tables are being looked for; notify_ready follows */
void notify_stopping(void);

/* Report that the service is alive, if WATCHDOG_USEC is set; to be called a few times a second. */
void notify_alive(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What a server says while it runs: lines on stderr, each in one piece. Under the journal of
 * systemd they begin with their priority, as sd-daemon(3) has it. Threads: safe.
 */
#ifndef PLB_TOOLS_SERVE_SERVICE_LOG_H
#define PLB_TOOLS_SERVE_SERVICE_LOG_H

typedef enum log_priority { LOG_IS_ERROR = 3, LOG_IS_NOTICE = 5, LOG_IS_INFO = 6 } log_priority;

/* Write a line; control characters in it become `?`. */
void service_log(log_priority priority, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

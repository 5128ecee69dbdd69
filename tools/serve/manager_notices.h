/* SPDX-License-Identifier: MIT
 *
 * What the manager of services is told, by the protocol of sd_notify(3): a datagram of lines to the
 * socket that NOTIFY_SOCKET names. Without one nothing is told.
 */
#ifndef PLB_TOOLS_SERVE_MANAGER_NOTICES_H
#define PLB_TOOLS_SERVE_MANAGER_NOTICES_H

void notify_ready(void);     /* requests are taken */
void notify_reloading(void); /* tables are looked for; notify_ready follows */
void notify_stopping(void);

/* Tell that the service is alive, where WATCHDOG_USEC asks for it; to be called a few times a
 * second. */
void notify_alive(void);

#endif

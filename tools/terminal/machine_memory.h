/* SPDX-License-Identifier: MIT
 *
 * The memory that commands take without --memory.
 */
#ifndef PLB_TOOLS_TERMINAL_MACHINE_MEMORY_H
#define PLB_TOOLS_TERMINAL_MACHINE_MEMORY_H

typedef enum machine_memory { MEMORY_OF_ALL, MEMORY_FREE_NOW } machine_memory;

/* Bytes of the machine, or those that are free. A control group (containers and services have one),
 * those above it, or `ulimit -v` or `-d` may allow the process less: then that. 0: unknown.
 *
 * root  [in]  "", or in tests a folder that has proc and sys  */
double machine_memory_bytes(machine_memory kind, const char *root);

/* What `ulimit -v` leaves of address space beside the stacks of so many threads. Infinity: all. */
double address_space_bytes(int threads);

#endif

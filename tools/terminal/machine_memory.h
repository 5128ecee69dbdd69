/* SPDX-License-Identifier: MIT
 *
 * The memory that a process may use: the default of --memory is derived from it.
 */
#pragma once

typedef enum machine_memory { MEMORY_TOTAL, MEMORY_FREE } machine_memory;

/* Total or free memory of the machine in bytes, or the limit of the process if that is lower:
 * `ulimit -v` or `-d`, or the limit of its control group (containers and services have one) or of
 * a parent of that. 0: unknown.
 *
 * root  [in]  "", or in tests a folder that has proc and sys  */
double machine_memory_bytes(machine_memory kind, const char *root);

/* Bytes of address space that `ulimit -v` leaves after the stacks of the threads. Infinity: there
 * is no limit. */
double address_space_bytes(int threads);

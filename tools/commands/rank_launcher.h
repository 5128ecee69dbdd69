/* SPDX-License-Identifier: MIT
 *
 * Detects whether a launcher of MPI has started this process as one of several that build together.
 * If so, loads the plugin for that implementation (builder/ranks/transport.h). The variables of the
 * environment that decide, and the plugin:
 *
 *     OMPI_COMM_WORLD_SIZE   mpirun of Open MPI     openmpi
 *     PMI_SIZE               hydra, srun of pmi2    mpich
 *     PMIX_RANK              srun of pmix           openmpi
 *     PLYBASE_MPI            openmpi, mpich or none; overrides the others
 */
#pragma once

#include "builder/ranks/ranks.h"

/* Join the other ranks. *ranks is NULL if there are none.
 *
 * patience_seconds  [in]  a rank that is silent for longer counts as lost
 *
 * Errors: PLB_EARGUMENT if PLYBASE_MPI is not valid, the plugin is of another version, or launcher
 * and plugin do not agree; PLB_ENOTFOUND if the plugin is missing; PLB_EIO, PLB_ENOMEM. */
int launch_ranks(double patience_seconds, plb_ranks **ranks, plb_message *message);

/* Should this process print messages for all? Reads only the environment: true of rank 0, and of a
 * process without a launcher. */
bool speaks_for_ranks(void);

/* The number of ranks on this machine, from the environment; 1 if unknown. */
int ranks_on_machine(void);

/* The plugins that are installed, such as "openmpi, mpich"; empty if there are none. */
enum { RANK_PLUGINS_TEXT = 32 };
void list_rank_plugins(char text[RANK_PLUGINS_TEXT]);

/* Bytes of data and stack of the process, plus those that its transport may still allocate. */
double launched_bytes(void);

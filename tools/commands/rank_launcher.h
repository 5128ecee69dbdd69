/* SPDX-License-Identifier: MIT
 *
 * Was this process started by a launcher of MPI, as one of several that build together? Then the
 * plugin for that implementation is loaded (builder/ranks/transport.h); else nothing of MPI is.
 *
 *     OMPI_COMM_WORLD_SIZE   mpirun of Open MPI     openmpi
 *     PMI_SIZE               hydra, srun of pmi2    mpich
 *     PMIX_RANK              srun of pmix           openmpi
 *     PLYBASE_MPI            openmpi, mpich or none, whatever the others say
 */
#ifndef PLB_TOOLS_COMMANDS_RANK_LAUNCHER_H
#define PLB_TOOLS_COMMANDS_RANK_LAUNCHER_H

#include "builder/ranks/ranks.h"

/* Join the other ranks; NULL: this process is alone, by itself or by its launcher. One that does
 * not answer for so long is lost. Errors: PLB_EARGUMENT for a start that cannot be right,
 * PLB_ENOTFOUND if the plugin is not there, PLB_EIO, PLB_ENOMEM. */
int launch_ranks(double patience_seconds, plb_ranks **ranks, plb_message *message);

/* By the environment alone: is this the process that speaks for all? */
bool speaks_for_ranks(void);

/* By the environment alone: how many of the ranks are on this machine; 1 if that is not known. */
int ranks_on_machine(void);

/* The plugins that are installed, such as "openmpi, mpich"; empty if there are none. */
enum { RANK_PLUGINS_TEXT = 32 };
void list_rank_plugins(char text[RANK_PLUGINS_TEXT]);

/* Memory that the process has by now, with that which its transport may still take. */
double launched_bytes(void);

#endif

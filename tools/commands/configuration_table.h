/* SPDX-License-Identifier: MIT
 *
 * `plybase pairing --configurations`: what the paper's table says of configurations of set
 * matching, beside what is computed here.
 */
#ifndef PLB_TOOLS_COMMANDS_CONFIGURATION_TABLE_H
#define PLB_TOOLS_COMMANDS_CONFIGURATION_TABLE_H

#include <stdbool.h>

/* Print it to stdout, as one JSON object if wanted. */
void print_configurations(bool json);

#endif

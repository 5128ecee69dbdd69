/* SPDX-License-Identifier: MIT
 *
 * Pascal's triangle, filled before main and constant from then on.
 */
#include "tables/binomial.h"

uint64_t plb_binomial[65][65];

__attribute__((constructor(PLB_BINOMIAL_PRIORITY))) static void fill_binomials(void) {
    for (int n = 0; n <= 64; n++) {
        plb_binomial[n][0] = 1;
        for (int k = 1; k <= n; k++)
            plb_binomial[n][k] = plb_binomial[n - 1][k - 1] + plb_binomial[n - 1][k];
    }
}

/* SPDX-License-Identifier: MIT */
#include "tables/binomial.h"

#include <pthread.h>

uint64_t plb_binomial[65][65];

static void fill(void) {
    for (int n = 0; n <= 64; n++) {
        plb_binomial[n][0] = 1;
        for (int k = 1; k <= n; k++)
            plb_binomial[n][k] = plb_binomial[n - 1][k - 1] + plb_binomial[n - 1][k];
    }
}

void plb_binomial_fill(void) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill);
}

/* SPDX-License-Identifier: MIT
 *
 * Loops that are compiled two or three times: for any machine, for one with AVX2 (and with BMI2 and
 * POPCNT, which all processors with AVX2 have), or with those instructions of AVX-512 that count
 * bits and move bytes together:
 *
 *     PLB_ALWAYS_INLINE uint64_t sum(const item *i) { ... the loop ... }
 *     PLB_AVX2 static uint64_t sum_avx2(const item *i) { return sum(i); }
 *     ... plb_has_avx2() ? sum_avx2(i) : sum(i) ...
 *
 * The compiler makes the vectors; both give the same result.
 */
#ifndef PLB_TABLES_CPU_DISPATCH_H
#define PLB_TABLES_CPU_DISPATCH_H

#include <stdbool.h>

enum { PLB_WIDE_LANES = 8 }; /* of 64 bits, in the widest vectors */

#define PLB_ALWAYS_INLINE static inline __attribute__((always_inline))

#ifdef __x86_64__
#define PLB_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define PLB_AVX512  \
    __attribute__(( \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi,bmi2,popcnt")))
static inline bool plb_has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}
static inline bool plb_has_avx512(void) {
    return plb_has_avx2() && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq");
}
#else
#define PLB_AVX2
#define PLB_AVX512
static inline bool plb_has_avx2(void) {
    return false;
}
static inline bool plb_has_avx512(void) {
    return false;
}
#endif

/* What loops are to be compiled for; each has what those before it have. */
typedef enum plb_vectors { PLB_ANY_VECTORS, PLB_AVX2_VECTORS, PLB_AVX512_VECTORS } plb_vectors;

/* The most that the processor has. */
static inline plb_vectors plb_best_vectors(void) {
    if (plb_has_avx512()) return PLB_AVX512_VECTORS;
    return plb_has_avx2() ? PLB_AVX2_VECTORS : PLB_ANY_VECTORS;
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Loops that are compiled two or three times: for any processor, for processors with AVX2 (which
 * also have BMI2 and POPCNT), and for those with AVX-512 including the instructions that count bits
 * and compress bytes:
 *
 *     PLB_ALWAYS_INLINE uint64_t sum(const item *i) { ... the loop ... }
 *     PLB_AVX2 static uint64_t sum_avx2(const item *i) { return sum(i); }
 *     ... plb_has_avx2() ? sum_avx2(i) : sum(i) ...
 *
 * The compiler vectorizes each copy; all give the same result.
 */
#pragma once

#include <stdbool.h>

enum { PLB_WIDE_LANES = 8 }; /* numbers of 64 bits in the widest vectors */

#define PLB_ALWAYS_INLINE static inline __attribute__((always_inline))

#ifdef __x86_64__
#define PLB_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define PLB_AVX512                                                                              \
    __attribute__((target(                                                                      \
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512bitalg,avx512vpopcntdq,bmi,bmi2," \
        "popcnt")))
static inline bool plb_has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}
static inline bool plb_has_avx512(void) {
    return plb_has_avx2() && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq");
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

/* What a loop is compiled for; each kind of processor has the instructions of those before it. */
typedef enum plb_vectors { PLB_ANY_VECTORS, PLB_AVX2_VECTORS, PLB_AVX512_VECTORS } plb_vectors;

/* The best kind that this processor supports. */
static inline plb_vectors plb_best_vectors(void) {
    if (plb_has_avx512()) return PLB_AVX512_VECTORS;
    return plb_has_avx2() ? PLB_AVX2_VECTORS : PLB_ANY_VECTORS;
}

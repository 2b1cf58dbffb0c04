#include "CFrostKernels.h"

#include <stddef.h>

extern const frost_kernels frost_kernels_baseline;
#if defined(__x86_64__)
extern const frost_kernels frost_kernels_avx2;
extern const frost_kernels frost_kernels_avx512;
#endif

const frost_kernels *frost_kernels_for(int level) {
    switch (level) {
    case FROST_BASELINE: return &frost_kernels_baseline;
#if defined(__x86_64__)
    case FROST_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") ? &frost_kernels_avx2 : NULL;
    case FROST_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
                   ? &frost_kernels_avx512
                   : NULL;
#endif
    default: return NULL;
    }
}

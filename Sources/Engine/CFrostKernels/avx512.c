#include "CFrostKernels.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))), apply_to = function)
#define VECTOR_BYTES 64
#define NAME frost_kernels_avx512
#define INSTRUCTION_SET "avx512"
#include "kernels.inc"
#pragma clang attribute pop
#endif

#include "CFrostKernels.h"

#if defined(__x86_64__)
// The attribute applies only to the functions that are defined in this file. Functions that are shared with other files
// are therefore not compiled with wider instructions.
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#define VECTOR_BYTES 32
#define NAME frost_kernels_avx2
#define INSTRUCTION_SET "avx2"
#include "kernels.inc"
#pragma clang attribute pop
#endif

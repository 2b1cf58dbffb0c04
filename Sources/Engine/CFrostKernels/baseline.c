// The kernels for the instruction set that every processor of the architecture has: SSE2 on x86-64, NEON on 64-bit Arm.
#include "CFrostKernels.h"

#define VECTOR_BYTES 16
#define NAME frost_kernels_baseline
#define INSTRUCTION_SET "baseline"
#include "kernels.inc"

// A replacement of the C library's hypotf, which the linker prefers within Frost's binaries.
//
// Swift's module Glibc and the Box2D shim call hypotf. Since glibc 2.35 the function has a new symbol version. A binary that
// is linked on such a system does not start with an older glibc, although Frost needs nothing else that is newer than glibc
// 2.34 (Red Hat Enterprise Linux 9, Amazon Linux 2023).
#include <math.h>

// The squares of floats neither overflow nor underflow in double precision. The result differs from the exact one by at
// most 0.500001 units in the last place, because it is rounded twice.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
    // An infinite side makes the result infinite, even if the other side is NaN.
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * x + (double)y * y);
}

/* loops.c for processors with AVX2 and FMA, which hardly one has without the other: four doubles
   side by side. No MINUS, which would take a copy of the unit each time, and gain nothing. */

#include "targets.h"
#if ON_X86
#include <immintrin.h>
BEGIN_TARGET("avx2,fma,popcnt")
#define TABLE refsvm_loops_avx2
#define NAME "avx2"
#define VECTOR 32
#define LARGER _mm256_max_pd
#define SMALLER _mm256_min_pd
#define LOST(a, b, product) _mm256_fmsub_pd(a, b, product)
#define BITS(mask) _mm256_movemask_pd((__m256d)(mask))
#define EVENS _mm256_unpacklo_pd
#define ODDS _mm256_unpackhi_pd
#define FIRST(a, b) _mm256_permute2f128_pd(a, b, 0x20)
#define LAST(a, b) _mm256_permute2f128_pd(a, b, 0x31)
#include "loops.c"
END_TARGET
#endif

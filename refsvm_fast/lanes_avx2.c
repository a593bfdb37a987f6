/* lanes.c for processors with AVX2 and FMA: four doubles side by side. */

#include "processor.h"
#if ON_X86
#include <immintrin.h>
BEGIN_TARGET("avx2,fma,popcnt")
#define TABLE refsvm_lanes_avx2
#define NAME "avx2"
#define VECTOR 32
#define LARGER _mm256_max_pd
#define SMALLER _mm256_min_pd
#define MINUS(a, b) _mm256_fmsub_pd(all(1.0), a, b)
#define BITS(mask) _mm256_movemask_pd((__m256d)(mask))
#include "lanes.c"
END_TARGET
#endif

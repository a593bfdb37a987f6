/* lanes.c for processors with AVX-512: eight doubles side by side. */

#include "processor.h"
#if ON_X86
#include <immintrin.h>
BEGIN_TARGET("avx512f,avx512dq,avx512vl,popcnt")
#define TABLE refsvm_lanes_avx512
#define NAME "avx512"
#define VECTOR 64
#define LARGER _mm512_max_pd
#define SMALLER _mm512_min_pd
#define MINUS(a, b) _mm512_fmsub_pd(all(1.0), a, b)
#define LOST(a, b, product) _mm512_fmsub_pd(a, b, product)
#define FUSED _mm512_fmadd_ps
#define BITS(mask) _mm512_movepi64_mask((__m512i)(mask))
#define EVENS _mm256_unpacklo_pd
#define ODDS _mm256_unpackhi_pd
#define FIRST(a, b) _mm256_permute2f128_pd(a, b, 0x20)
#define LAST(a, b) _mm256_permute2f128_pd(a, b, 0x31)
#include "lanes.c"
END_TARGET
#endif

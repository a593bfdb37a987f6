/* loops.c for processors with AVX-512: eight doubles side by side. */

#include "targets.h"
#if ON_X86
#include <immintrin.h>

#include "loops.h"

BEGIN_TARGET("avx512f,avx512dq,avx512vl,avx512vpopcntdq")
/* Not all with AVX-512 count the ones of eight words at once. The values are put together before
   they are stored, since to store each alone would take longer than all else. */
static int count_bits_at_once(const uint64_t *x, const uint64_t *z, i64 words, int apart,
                              const double *value, double *out, i64 n)
{
    uint16_t counts[BLOCK], *c = counts;
    if (!__builtin_cpu_supports("avx512vpopcntdq"))
        return 0;
    for (i64 l = 0; l < n; l += 8) {
        __m512i count = _mm512_setzero_si512();
        for (i64 w = 0; w < words; w++) {
            __m512i one = _mm512_set1_epi64((long long)x[w]);
            __m512i other = _mm512_loadu_si512(z + w * n + l);
            __m512i marks = apart ? _mm512_xor_si512(one, other) : _mm512_and_si512(one, other);
            count = _mm512_add_epi64(count, _mm512_popcnt_epi64(marks));
        }
        _mm_storeu_si128((__m128i *)(counts + l), _mm512_cvtepi64_epi16(count));
    }
    for (i64 l = 0; l < n; l += 8, c += 8)
        _mm512_storeu_pd(out + l, _mm512_setr_pd(value[c[0]], value[c[1]], value[c[2]],
                                                 value[c[3]], value[c[4]], value[c[5]],
                                                 value[c[6]], value[c[7]]));
    return 1;
}
END_TARGET

BEGIN_TARGET("avx512f,avx512dq,avx512vl,popcnt")
#define TABLE refsvm_loops_avx512
#define NAME "avx512"
#define VECTOR 64
#define LARGER _mm512_max_pd
#define SMALLER _mm512_min_pd
#define MINUS(a, b) _mm512_fmsub_pd(all(1.0), a, b)
#define LOST(a, b, product) _mm512_fmsub_pd(a, b, product)
#define BITS(mask) _mm512_movepi64_mask((__m512i)(mask))
#define COUNTED count_bits_at_once
#define EVENS _mm256_unpacklo_pd
#define ODDS _mm256_unpackhi_pd
#define FIRST(a, b) _mm256_permute2f128_pd(a, b, 0x20)
#define LAST(a, b) _mm256_permute2f128_pd(a, b, 0x31)
#include "loops.c"
END_TARGET
#endif

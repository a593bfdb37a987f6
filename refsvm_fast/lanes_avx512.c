/* lanes.c for processors with AVX-512: eight doubles side by side. */

#include "processor.h"
#if ON_X86
BEGIN_TARGET("avx512f,avx512dq,avx512vl")
#define TABLE refsvm_lanes_avx512
#define NAME "avx512"
#define VECTOR 64
#include "lanes.c"
END_TARGET
#endif

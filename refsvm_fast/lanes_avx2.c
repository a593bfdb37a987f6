/* lanes.c for processors with AVX2: four doubles side by side. */

#include "processor.h"
#if ON_X86
BEGIN_TARGET("avx2")
#define TABLE refsvm_lanes_avx2
#define NAME "avx2"
#define VECTOR 32
#include "lanes.c"
END_TARGET
#endif

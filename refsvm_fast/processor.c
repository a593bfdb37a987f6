/* Which of the tables of lanes.h suits this processor, or is asked for by name. */

#include <string.h>

#include "lanes.h"
#include "processor.h"

const Lanes *refsvm_lanes(const char *name)
{
#if ON_X86
    __builtin_cpu_init();
    int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
                 && __builtin_cpu_supports("avx512vl");
    if (avx512 && (!name || !strcmp(name, "avx512")))
        return &refsvm_lanes_avx512;
    if (__builtin_cpu_supports("avx2") && (!name || !strcmp(name, "avx2")))
        return &refsvm_lanes_avx2;
#endif
    return !name || !strcmp(name, "baseline") ? &refsvm_lanes_baseline : 0;
}

/* Which of the tables of loops.h suits the processor. */

#include <string.h>

#include "loops.h"
#include "targets.h"

const Loops *refsvm_loops_in_use = &refsvm_loops_baseline;

const Loops *refsvm_loops(const char *name)
{
#if ON_X86
    __builtin_cpu_init();
    int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
                 && __builtin_cpu_supports("avx512vl");
    if (avx512 && (!name || !strcmp(name, "avx512")))
        return &refsvm_loops_avx512;
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2 && (!name || !strcmp(name, "avx2")))
        return &refsvm_loops_avx2;
#endif
    return !name || !strcmp(name, "baseline") ? &refsvm_loops_baseline : 0;
}

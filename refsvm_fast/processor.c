/* What depends on the machine: which of the tables of lanes.h suits it, and how memory is had. */

#define _DEFAULT_SOURCE /* madvise */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

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

void *refsvm_room(size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)1 << 21;
    void *room;
    if (bytes < 1024) /* to align so little takes longer than it saves */
        return malloc(bytes);
    /* Small ones the C library keeps, and gives again: but only where nothing is to be aligned. */
    if (posix_memalign(&room, bytes < 16 * page ? 64 : page, bytes))
        return 0;
    uintptr_t begin = ((uintptr_t)room + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)room + bytes) / page * page;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* it may say no: small ones, then */
    return room;
#else
    return malloc(bytes);
#endif
}

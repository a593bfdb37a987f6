/* Memory in large pages; see loops.h. */

#define _DEFAULT_SOURCE /* madvise */
#include <stdint.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "loops.h"

/* Not posix_memalign: what that cuts off before and behind may go to others, and then the next
   block of the same size finds no place where this one was. */
void *refsvm_room(size_t bytes)
{
    const size_t page = (size_t)1 << 21; /* a large one */
    const size_t edge = bytes < 16 * page ? 64 : page; /* smaller ones the C library keeps */
    char *block = malloc(bytes + edge);
    if (!block)
        return 0;
    /* The block begins at a multiple of 8 at least: there is room to say where. */
    char *room = block + edge - (uintptr_t)block % edge;
    ((void **)room)[-1] = block;
#if defined(MADV_HUGEPAGE)
    uintptr_t begin = ((uintptr_t)room + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)room + bytes) / page * page;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* it may say no: small ones, then */
#endif
    return room;
}

void *refsvm_smaller(void *room, size_t bytes)
{
    char *block = ((void **)room)[-1];
    size_t before = (char *)room - block;
    char *now = realloc(block, before + bytes);
    if (!now)
        return room;
    ((void **)(now + before))[-1] = now;
    return now + before;
}

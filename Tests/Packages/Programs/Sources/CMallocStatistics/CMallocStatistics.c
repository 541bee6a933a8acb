#include "CMallocStatistics.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

long live_bytes(void) {
    struct mallinfo2 statistics = mallinfo2();
    // Large blocks are mapped and counted separately.
    return (long)(statistics.uordblks + statistics.hblkhd);
}

void release_free_memory(void) { malloc_trim(0); }
#else
long live_bytes(void) { return 0; }
void release_free_memory(void) {}
#endif

#include "CMallocStatistics.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

long live_bytes(void) {
    struct mallinfo2 statistics = mallinfo2();
    // Large blocks are mapped and counted apart.
    return (long)(statistics.uordblks + statistics.hblkhd);
}
#else
long live_bytes(void) { return 0; }
#endif

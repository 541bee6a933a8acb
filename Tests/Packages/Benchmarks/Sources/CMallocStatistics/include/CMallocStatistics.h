#ifndef CMALLOCSTATISTICS_H
#define CMALLOCSTATISTICS_H

/// The bytes that were allocated and not freed yet; 0 where the allocator does not tell.
long live_bytes(void);

#endif

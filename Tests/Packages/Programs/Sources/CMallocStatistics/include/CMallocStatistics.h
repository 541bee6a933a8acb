#ifndef CMALLOCSTATISTICS_H
#define CMALLOCSTATISTICS_H

/// The bytes that were allocated and not freed yet; 0 where the allocator does not report it.
long live_bytes(void);

/// Has the allocator put together what is free, and give it back to the system; nothing where it cannot.
void release_free_memory(void);

#endif

#ifndef CHORDATA_FAULTY_DISK_H
#define CHORDATA_FAULTY_DISK_H

/// A layer above SQLite's own access to files, in which a call can be made to fail.
///
/// Only files with `faulty-disk` in their path pass through it; all others of the process are as before.

/// Makes it what SQLite uses from now on; 0, or an error code of SQLite's.
int faulty_disk_install(void);

/// What happens at a call.
typedef enum {
    /// It fails.
    FAULTY_DISK_ONCE,
    /// It fails, and all calls after it.
    FAULTY_DISK_DEAD,
    /// There is no room; only calls that write count.
    FAULTY_DISK_FULL,
    /// Another one has the lock; only calls that take a lock count, of the file or of the index of its log.
    FAULTY_DISK_BUSY,
} faulty_disk_fault;

/// The call of that number, counted from now and from 1, has that fault; none has with 0.
void faulty_disk_arm(long long call, faulty_disk_fault fault);

/// Ends that; how many calls there were.
long long faulty_disk_disarm(void);

#endif

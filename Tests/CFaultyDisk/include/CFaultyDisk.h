#ifndef CHORDATA_FAULTY_DISK_H
#define CHORDATA_FAULTY_DISK_H

/// A layer above SQLite's own access to files, in which a call can be made to fail.
///
/// Only files with `faulty-disk` in their path pass through it; all others of the process are as before.

/// Makes it what SQLite uses from now on; 0, or an error code of SQLite's.
int faulty_disk_install(void);

/// The call of that number, counted from now and from 1, fails.
///
/// - Parameter is_dead: whether all calls after it fail as well.
/// - Parameter is_full: whether it is for want of room; then only calls that write count.
void faulty_disk_arm(long long call, int is_dead, int is_full);

/// Ends that; how many calls there were.
long long faulty_disk_disarm(void);

#endif

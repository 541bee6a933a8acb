// https://sqlite.org/vfs.html

#include "CFaultyDisk.h"
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// A file of this VFS, with the file of the underlying VFS.
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} faulty_file;

static sqlite3_vfs *below;
static sqlite3_vfs layer;

static atomic_llong failing_call;  // 0 while nothing fails.
static atomic_llong call_count;
static atomic_int armed_fault;

typedef enum { CALL_WRITES, CALL_LOCKS, CALL_DOES_OTHER } call_kind;

/// Returns whether a call fails. `FAULTY_DISK_FULL` counts only writes, and `FAULTY_DISK_BUSY` counts only locks.
static int fails(call_kind kind) {
    int fault = atomic_load(&armed_fault);
    if (fault == FAULTY_DISK_FULL && kind != CALL_WRITES) return 0;
    if (fault == FAULTY_DISK_BUSY && kind != CALL_LOCKS) return 0;
    long long failing = atomic_load(&failing_call);
    long long call = atomic_fetch_add(&call_count, 1) + 1;
    return failing > 0 && (call == failing || (fault == FAULTY_DISK_DEAD && call > failing));
}

static sqlite3_file *real(sqlite3_file *file) { return ((faulty_file *)file)->real; }

// MARK: Files

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return fails(CALL_DOES_OTHER) ? SQLITE_IOERR_READ : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (!fails(CALL_WRITES)) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    // Half of the data is written, as on a disk that fails during the write.
    int result = real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    if (result != SQLITE_OK) return result;
    return atomic_load(&armed_fault) == FAULTY_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return fails(CALL_DOES_OTHER) ? SQLITE_IOERR_TRUNCATE : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    return fails(CALL_DOES_OTHER) ? SQLITE_IOERR_FSYNC : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return fails(CALL_DOES_OTHER) ? SQLITE_IOERR_FSTAT : real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    if (!fails(CALL_LOCKS)) return real(file)->pMethods->xLock(real(file), level);
    return atomic_load(&armed_fault) == FAULTY_DISK_BUSY ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
}

// Releasing a lock does not fail here: a caller could not react to it.
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int file_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **result) {
    return fails(CALL_DOES_OTHER) ? SQLITE_IOERR_SHMMAP : real(file)->pMethods->xShmMap(real(file), page, size, extends, result);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    // As for files, only taking a lock fails.
    if ((flags & SQLITE_SHM_LOCK) && fails(CALL_LOCKS))
        return atomic_load(&armed_fault) == FAULTY_DISK_BUSY ? SQLITE_BUSY : SQLITE_IOERR_SHMLOCK;
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_shm_unmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// MARK: The layer

static int is_watched(const char *path) { return path != NULL && strstr(path, "faulty-disk") != NULL; }

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    if (!is_watched(path)) return below->xOpen(below, path, file, flags, out_flags);
    file->pMethods = NULL;
    if (fails(CALL_DOES_OTHER)) return SQLITE_CANTOPEN;
    faulty_file *own = (faulty_file *)file;
    own->real = (sqlite3_file *)(own + 1);
    int result = below->xOpen(below, path, own->real, flags, out_flags);
    if (own->real->pMethods != NULL) file->pMethods = &methods;
    return result;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    return is_watched(path) && fails(CALL_DOES_OTHER) ? SQLITE_IOERR_DELETE : below->xDelete(below, path, syncs);
}

static int layer_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    return is_watched(path) && fails(CALL_DOES_OTHER) ? SQLITE_IOERR_ACCESS : below->xAccess(below, path, flags, result);
}

int faulty_disk_install(void) {
    if (below != NULL) return SQLITE_OK;
    below = sqlite3_vfs_find(NULL);
    if (below == NULL) return SQLITE_ERROR;
    layer = *below;
    layer.pNext = NULL;
    layer.zName = "faulty-disk";
    layer.szOsFile = (int)sizeof(faulty_file) + below->szOsFile;
    layer.xOpen = layer_open;
    layer.xDelete = layer_delete;
    layer.xAccess = layer_access;
    return sqlite3_vfs_register(&layer, 1);
}

void faulty_disk_arm(long long call, faulty_disk_fault fault) {
    atomic_store(&armed_fault, (int)fault);
    atomic_store(&call_count, 0);
    atomic_store(&failing_call, call);
}

long long faulty_disk_disarm(void) {
    atomic_store(&failing_call, 0);
    return atomic_exchange(&call_count, 0);
}

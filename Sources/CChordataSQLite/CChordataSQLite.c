#include "CChordataSQLite.h"

#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#include <sys/statvfs.h>
#endif

int chordata_db_config(sqlite3 *db, int option, int value, int *actual) {
    return sqlite3_db_config(db, option, value, actual);
}

sqlite3_destructor_type chordata_transient(void) {
    return SQLITE_TRANSIENT;
}

int64_t chordata_free_space(const char *path) {
#if defined(__unix__) || defined(__APPLE__)
    struct statvfs space;
    if (statvfs(path, &space) != 0) return -1;
    return (int64_t)space.f_bavail * (int64_t)space.f_frsize;
#else
    (void)path;
    return -1;
#endif
}

int64_t chordata_file_size(const char *path) {
#if defined(__unix__) || defined(__APPLE__)
    struct stat file;
    return stat(path, &file) == 0 ? (int64_t)file.st_size : -1;
#else
    (void)path;
    return -1;
#endif
}

int chordata_file_contains(sqlite3 *db, const char *bytes, int count) {
    enum { size = 1 << 16 };
    sqlite3_file *file = NULL;
    sqlite3_int64 length = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    if (count <= 0 || count >= size || file->pMethods->xFileSize(file, &length) != SQLITE_OK) return 0;
    char *part = malloc(size);
    int found = 0;
    // Parts overlap, so that no occurrence is cut.
    for (sqlite3_int64 start = 0; part && !found && start + count <= length; start += size - count + 1) {
        int read = length - start < size ? (int)(length - start) : size;
        if (file->pMethods->xRead(file, part, read, start) != SQLITE_OK) break;
        for (int place = 0; place + count <= read && !found; place++) found = memcmp(part + place, bytes, (size_t)count) == 0;
    }
    free(part);
    return found;
}

enum chordata_file_kind chordata_kind_of_file(const char *path) {
#if defined(__unix__) || defined(__APPLE__)
    struct stat file;
    if (stat(path, &file) != 0) return CHORDATA_FILE_UNKNOWN;
    if (S_ISREG(file.st_mode)) return CHORDATA_FILE_REGULAR;
    return S_ISDIR(file.st_mode) ? CHORDATA_FILE_DIRECTORY : CHORDATA_FILE_SPECIAL;
#else
    (void)path;
    return CHORDATA_FILE_UNKNOWN;
#endif
}

const void *chordata_thread(void) {
    static _Thread_local char place;
    return &place;
}

#include "CChordataSQLite.h"

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

const void *chordata_thread(void) {
    static _Thread_local char place;
    return &place;
}

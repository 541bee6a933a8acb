#include "CChordataSQLite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <process.h>
#else
#include <pthread.h>
#endif
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

char *chordata_real_path(const char *path) {
#if defined(__unix__) || defined(__APPLE__)
    return realpath(path, NULL);
#else
    (void)path;
    return NULL;
#endif
}

void chordata_free_real_path(char *path) {
    free(path);
}

void chordata_identify_file(const char *path, uint64_t identity[2]) {
    identity[0] = identity[1] = 0;
#if defined(__unix__) || defined(__APPLE__)
    struct stat file;
    if (stat(path, &file) != 0) return;
    identity[0] = (uint64_t)file.st_dev;
    identity[1] = (uint64_t)file.st_ino;
#else
    (void)path;
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
    // The parts overlap, so that no occurrence is split.
    for (sqlite3_int64 start = 0; part && !found && start + count <= length; start += size - count + 1) {
        int read = length - start < size ? (int)(length - start) : size;
        if (file->pMethods->xRead(file, part, read, start) != SQLITE_OK) break;
        for (int place = 0; place + count <= read && !found; place++) found = memcmp(part + place, bytes, (size_t)count) == 0;
    }
    free(part);
    return found;
}

int chordata_mentions(const char *text, size_t size, const char *word) {
    size_t count = strlen(word);
    const char *end = text + size;
    while ((size_t)(end - text) >= count && (text = memchr(text, word[0], (size_t)(end - text) - count + 1))) {
        if (memcmp(text, word, count) == 0) return 1;
        text++;
    }
    return 0;
}

enum { database_header_size = 100 };

/// Reads the header of a database's file; returns 0 if it is not a database.
static int read_header(sqlite3_file *file, unsigned char header[database_header_size]) {
    static const char beginning[16] = "SQLite format 3";
    return file->pMethods->xRead(file, header, database_header_size, 0) == SQLITE_OK
        && memcmp(header, beginning, sizeof beginning) == 0;
}

static int first_page_contains(sqlite3_file *file, const char *text, const char *excluded) {
    unsigned char header[database_header_size];
    if (!read_header(file, header)) return 0;
    int size = header[16] << 8 | header[17];
    if (size == 1) size = 1 << 16;
    char *page = size < 512 ? NULL : malloc((size_t)size);
    int found = page && file->pMethods->xRead(file, page, size, 0) == SQLITE_OK
        && chordata_mentions(page, (size_t)size, text) && !chordata_mentions(page, (size_t)size, excluded);
    free(page);
    return found;
}

int chordata_first_page_contains(const char *path, const char *text, const char *excluded) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (!vfs) return 0;
    char *full = malloc((size_t)vfs->mxPathname + 1);
    sqlite3_file *file = calloc(1, (size_t)vfs->szOsFile);
    int found = 0;
    // The result code of a path with a link is an extended SQLITE_OK.
    if (full && file && (vfs->xFullPathname(vfs, path, vfs->mxPathname + 1, full) & 0xFF) == SQLITE_OK) {
        // SQLite reads parameters after the name of a database.
        char *name = (char *)sqlite3_create_filename(full, "", "", 0, NULL);
        int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
        if (name && vfs->xOpen(vfs, name, file, flags, &flags) == SQLITE_OK) {
            found = first_page_contains(file, text, excluded);
        }
        // A file that could not be opened can have methods, too.
        if (file->pMethods) file->pMethods->xClose(file);
        sqlite3_free_filename(name);
    }
    free(file);
    free(full);
    return found;
}

int chordata_begins_with_zeros(sqlite3 *db) {
    static const char zeros[16];
    char beginning[sizeof zeros];
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    return file->pMethods->xRead(file, beginning, sizeof beginning, 0) == SQLITE_OK
        && memcmp(beginning, zeros, sizeof zeros) == 0;
}

int chordata_is_journal(const char *path) {
    static const unsigned char magic[8] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    unsigned char beginning[sizeof magic];
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t length = fread(beginning, 1, sizeof beginning, file);
    fclose(file);
    return length == sizeof magic && memcmp(beginning, magic, sizeof magic) == 0;
}

int chordata_is_write_ahead(sqlite3 *db) {
    unsigned char header[database_header_size];
    sqlite3_file *file = NULL;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods) return 0;
    // The versions of the file format for writing and reading:
    // https://sqlite.org/fileformat.html#file_format_version_numbers
    return read_header(file, header) && header[18] == 2 && header[19] == 2;
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

typedef struct {
    void (*body)(void *);
    void *owner;
} thread_start;

static _Thread_local void *thread_owner;

const void *chordata_thread_owner(void) {
    return thread_owner;
}

static void run_thread(void *argument) {
    thread_start start = *(thread_start *)argument;
    free(argument);
    thread_owner = start.owner;
    start.body(start.owner);
}

#if defined(_WIN32)
int chordata_start_thread(void (*body)(void *), void *owner) {
    thread_start *start = malloc(sizeof(thread_start));
    if (!start) return ENOMEM;
    *start = (thread_start){body, owner};
    if (_beginthread(run_thread, 0, start) != (uintptr_t)-1) return 0;
    free(start);
    return errno;
}
#else
static void *run_posix_thread(void *argument) {
    run_thread(argument);
    return NULL;
}

int chordata_start_thread(void (*body)(void *), void *owner) {
    // Some systems give threads a stack on which a save with hooks would not fit.
    const size_t minimum_stack_size = 2 << 20;
    thread_start *start = malloc(sizeof(thread_start));
    if (!start) return ENOMEM;
    *start = (thread_start){body, owner};
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result == 0) {
        size_t size = 0;
        pthread_attr_getstacksize(&attributes, &size);
        if (size < minimum_stack_size) pthread_attr_setstacksize(&attributes, minimum_stack_size);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        result = pthread_create(&thread, &attributes, run_posix_thread, start);
        pthread_attr_destroy(&attributes);
    }
    if (result != 0) free(start);
    return result;
}
#endif

// Records the operations of a program on the files in the folder DURABILITY_FOLDER, in their order, in the file
// DURABILITY_LOG. Standard output is recorded too, so each acknowledgement is between the operations before and after
// it. The shared memory next to a store in write-ahead mode is not recorded, because it is lost when the power is cut.
#define _GNU_SOURCE
#include "CRecorder.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 1024, MAX_FILES = 4096, FOLDER = 0xFFFFFFFF };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096];
static size_t folder_length;
static int log_descriptor = -1;
// By descriptor: the number of the file, FOLDER, or 0 if the descriptor is not recorded.
static uint32_t file_of[MAX_DESCRIPTORS];
// By number of the file: its name, or NULL if it no longer has a name.
static char *name_of[MAX_FILES];
static uint32_t file_count = 1;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

static void fail(const char *cause) {
    perror(cause);
    // A recording with a gap would prove nothing.
    _exit(70);
}

__attribute__((constructor)) static void prepare(void) {
    real_open = dlsym(RTLD_NEXT, "open64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    const char *path = getenv("DURABILITY_FOLDER");
    const char *log = getenv("DURABILITY_LOG");
    if (!path || !log || strlen(path) >= sizeof folder) return;
    int descriptor = real_open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) fail(log);
    strcpy(folder, path);
    folder_length = strlen(folder);
    log_descriptor = descriptor;
}

static void log_bytes(const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = real_write(log_descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("DURABILITY_LOG");
        bytes = (const char *)bytes + written;
        count -= (size_t)written;
    }
}

static void record(uint32_t kind, uint32_t file, int64_t offset, const void *bytes, size_t count) {
    struct recorder_entry entry = {kind, file, offset, count};
    log_bytes(&entry, sizeof entry);
    log_bytes(bytes, count);
}

static void begin(void) { pthread_mutex_lock(&lock); }

static void end(void) {
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
}

// Returns the part of a path below the folder, "" for the folder itself, or NULL if the path is not recorded.
static const char *name_below_folder(const char *path) {
    if (log_descriptor < 0 || strncmp(path, folder, folder_length) != 0) return NULL;
    const char *rest = path + folder_length;
    if (*rest == 0) return rest;
    if (*rest != '/') return NULL;
    size_t length = strlen(++rest);
    if (length >= 4 && strcmp(rest + length - 4, "-shm") == 0) return NULL;
    return rest;
}

static uint32_t file_named(const char *name) {
    for (uint32_t file = 1; file < file_count; file++)
        if (name_of[file] && strcmp(name_of[file], name) == 0) return file;
    return 0;
}

static uint32_t file_at(int descriptor) {
    return descriptor >= 0 && descriptor < MAX_DESCRIPTORS ? file_of[descriptor] : 0;
}

static void forget_name(const char *name) {
    uint32_t file = file_named(name);
    if (!file) return;
    free(name_of[file]);
    name_of[file] = NULL;
}

static int open_recorded(const char *path, int flags, mode_t mode) {
    const char *name = name_below_folder(path);
    if (!name) return real_open(path, flags, mode);
    begin();
    int descriptor = real_open(path, flags, mode);
    if (descriptor >= MAX_DESCRIPTORS) fail("too many descriptors");
    if (descriptor >= 0 && *name == 0) {
        file_of[descriptor] = FOLDER;
    } else if (descriptor >= 0) {
        uint32_t file = file_named(name);
        if (!file) {
            // The folder is empty when the program starts, so a file that is not known yet is new.
            if (file_count == MAX_FILES) fail("too many files");
            file = file_count++;
            name_of[file] = strdup(name);
            record(RECORDER_CREATE, file, 0, name, strlen(name));
        } else if (flags & O_TRUNC) {
            record(RECORDER_TRUNCATE, file, 0, NULL, 0);
        }
        file_of[descriptor] = file;
    }
    end();
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_recorded(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_recorded(path, flags, mode);
}

int close(int descriptor) {
    begin();
    if (file_at(descriptor)) file_of[descriptor] = 0;
    int result = real_close(descriptor);
    end();
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    uint32_t file = file_at(descriptor);
    if (!file && (descriptor != STDOUT_FILENO || log_descriptor < 0)) return real_write(descriptor, bytes, count);
    begin();
    off64_t offset = file ? lseek64(descriptor, 0, SEEK_CUR) : 0;
    ssize_t written = real_write(descriptor, bytes, count);
    if (written > 0) record(file ? RECORDER_WRITE : RECORDER_OUTPUT, file, offset, bytes, (size_t)written);
    end();
    return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    uint32_t file = file_at(descriptor);
    if (!file) return real_pwrite(descriptor, bytes, count, offset);
    begin();
    ssize_t written = real_pwrite(descriptor, bytes, count, offset);
    if (written > 0) record(RECORDER_WRITE, file, offset, bytes, (size_t)written);
    end();
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

int ftruncate64(int descriptor, off64_t size) {
    uint32_t file = file_at(descriptor);
    if (!file) return real_ftruncate(descriptor, size);
    begin();
    int result = real_ftruncate(descriptor, size);
    if (result == 0) record(RECORDER_TRUNCATE, file, size, NULL, 0);
    end();
    return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

static int sync_recorded(int descriptor, int (*sync)(int)) {
    uint32_t file = file_at(descriptor);
    if (!file) return sync(descriptor);
    begin();
    int result = sync(descriptor);
    if (result == 0 && file == FOLDER) record(RECORDER_SYNC_FOLDER, 0, 0, NULL, 0);
    if (result == 0 && file != FOLDER) record(RECORDER_SYNC, file, 0, NULL, 0);
    end();
    return result;
}

int fsync(int descriptor) { return sync_recorded(descriptor, real_fsync); }
int fdatasync(int descriptor) { return sync_recorded(descriptor, real_fdatasync); }

int unlink(const char *path) {
    const char *name = name_below_folder(path);
    if (!name || *name == 0) return real_unlink(path);
    begin();
    int result = real_unlink(path);
    if (result == 0) {
        record(RECORDER_UNLINK, 0, 0, name, strlen(name));
        forget_name(name);
    }
    end();
    return result;
}

int rename(const char *old, const char *new) {
    const char *old_name = name_below_folder(old), *new_name = name_below_folder(new);
    if (!old_name && !new_name) return real_rename(old, new);
    if (!old_name || !new_name) fail("a rename into the folder or out of it is not recorded");
    begin();
    int result = real_rename(old, new);
    if (result == 0) {
        char names[2 * sizeof folder];
        int length = snprintf(names, sizeof names, "%s%c%s", old_name, 0, new_name);
        record(RECORDER_RENAME, 0, 0, names, (size_t)length);
        uint32_t file = file_named(old_name);
        forget_name(new_name);
        forget_name(old_name);
        if (file) name_of[file] = strdup(new_name);
    }
    end();
    return result;
}

#include "CChordataPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

// Pointers to the functions of libpq.
#define CHORDATA_PG_POINTER(type, name, parameters, arguments) type(*name) parameters;
static struct {
    CHORDATA_PG_FUNCTIONS(CHORDATA_PG_POINTER)
} libpq;
#undef CHORDATA_PG_POINTER

static const char *load_error;
static char message[256];

#if defined(__APPLE__)
#define REMEDY "install it: brew install libpq"
// Homebrew does not link its library into the folders that the loader searches.
static const char *const paths[] = {
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib"};
#else
#define REMEDY "install it: apt-get install libpq5 (Debian, Ubuntu), or the package of your system that has libpq.so.5"
static const char *const paths[] = {"libpq.so.5"};
#endif

static void load(void) {
    void *library = NULL;
    for (size_t index = 0; index < sizeof paths / sizeof *paths && !library; index++) {
        library = dlopen(paths[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        load_error = "libpq, the client library of PostgreSQL, is not installed; " REMEDY;
        return;
    }
    // The message names the first missing function and the required version: pipelines were added in libpq 14.
#define CHORDATA_PG_LOAD(type, name, parameters, arguments)                                                            \
    *(void **)&libpq.name = dlsym(library, "PQ" #name);                                                                \
    if (!libpq.name && !load_error) {                                                                                  \
        snprintf(message, sizeof message,                                                                              \
                 "libpq has no function 'PQ" #name "'; install libpq 14 or newer (Debian's package libpq5)");          \
        load_error = message;                                                                                          \
    }
    CHORDATA_PG_FUNCTIONS(CHORDATA_PG_LOAD)
#undef CHORDATA_PG_LOAD
}

const char *chordata_pq_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error;
}

#define CHORDATA_PG_DEFINE(type, name, parameters, arguments)                                                          \
    type chordata_pg_##name parameters { return libpq.name arguments; }
CHORDATA_PG_FUNCTIONS(CHORDATA_PG_DEFINE)
#undef CHORDATA_PG_DEFINE

static void discard(void *argument, const char *text) {
    (void)argument;
    (void)text;
}

void chordata_pg_discard_notices(chordata_pg_conn *connection) {
    libpq.setNoticeProcessor(connection, discard, NULL);
}

void chordata_pg_cells(const chordata_pg_result *result, int row, int columns, chordata_pg_cell *cells) {
    for (int column = 0; column < columns; column++) {
        int isNull = libpq.getisnull(result, row, column);
        cells[column].start = isNull ? NULL : (const uint8_t *)libpq.getvalue(result, row, column);
        cells[column].count = isNull ? 0 : libpq.getlength(result, row, column);
    }
}

int chordata_pg_wait(int socket, bool writes, int milliseconds) {
    struct pollfd descriptor = {.fd = socket, .events = (short)(POLLIN | (writes ? POLLOUT : 0))};
    int count = poll(&descriptor, 1, milliseconds);
    if (count < 0) return errno == EINTR ? 1 : -1;
    if (count == 0) return 0;
    // A closed or broken connection counts as readable; the error is noticed when it is read.
    int result = descriptor.revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL) ? 1 : 0;
    return result | (descriptor.revents & POLLOUT ? 2 : 0);
}

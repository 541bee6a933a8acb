#include "CBarePostgres.h"

#include <dlfcn.h>
#include <stddef.h>

#define BARE_POINTER(type, name, parameters, arguments) type(*name) parameters;
static struct {
    BARE_FUNCTIONS(BARE_POINTER)
} libpq;
#undef BARE_POINTER

const char *bare_load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
    if (!library) return "libpq is not installed";
#define BARE_LOAD(type, name, parameters, arguments)                                                                   \
    *(void **)&libpq.name = dlsym(library, "PQ" #name);                                                                \
    if (!libpq.name) return "libpq has no function 'PQ" #name "'";
    BARE_FUNCTIONS(BARE_LOAD)
#undef BARE_LOAD
    return NULL;
}

#define BARE_DEFINE(type, name, parameters, arguments)                                                                 \
    type bare_##name parameters { return libpq.name arguments; }
BARE_FUNCTIONS(BARE_DEFINE)
#undef BARE_DEFINE

void bare_cells(const bare_result *result, bare_cell *cells) {
    int columns = libpq.nfields(result);
    for (int column = 0; column < columns; column++) {
        int isNull = libpq.getisnull(result, 0, column);
        cells[column].start = isNull ? NULL : (const uint8_t *)libpq.getvalue(result, 0, column);
        cells[column].count = isNull ? 0 : libpq.getlength(result, 0, column);
    }
}

// Replaces every setting of 'synchronous' with OFF, and reports FULL, to show how a store would behave that does not
// wait for the disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

struct sqlite3;
struct sqlite3_stmt;
static const char setting[] = "PRAGMA synchronous";

int sqlite3_exec(struct sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message) {
    int (*real)(struct sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **) =
        dlsym(RTLD_NEXT, "sqlite3_exec");
    if (strncmp(sql, setting, strlen(setting)) == 0) sql = "PRAGMA synchronous=OFF";
    return real(db, sql, row, context, message);
}

int sqlite3_prepare_v3(
    struct sqlite3 *db, const char *sql, int length, unsigned flags, struct sqlite3_stmt **statement, const char **tail
) {
    int (*real)(struct sqlite3 *, const char *, int, unsigned, struct sqlite3_stmt **, const char **) =
        dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
    if (length == (int)strlen(setting) && strncmp(sql, setting, strlen(setting)) == 0)
        return real(db, "SELECT 2", -1, flags, statement, tail);
    return real(db, sql, length, flags, statement, tail);
}

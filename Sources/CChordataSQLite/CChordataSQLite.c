#include "CChordataSQLite.h"

int chordata_db_config(sqlite3 *db, int option, int value, int *actual) {
    return sqlite3_db_config(db, option, value, actual);
}

sqlite3_destructor_type chordata_transient(void) {
    return SQLITE_TRANSIENT;
}

const void *chordata_thread(void) {
    static _Thread_local char place;
    return &place;
}

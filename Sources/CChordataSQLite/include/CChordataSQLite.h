#ifndef CCHORDATASQLITE_H
#define CCHORDATASQLITE_H

#include <sqlite3.h>

/// Switches one boolean setting of a connection and reads it back; `sqlite3_db_config` is variadic, which Swift cannot call.
///
/// Returns SQLite's result code; `*actual` receives the value in force afterwards.
int chordata_db_config(sqlite3 *db, int option, int value, int *actual);

/// `SQLITE_TRANSIENT` as a value: the macro is a cast that Swift does not import.
sqlite3_destructor_type chordata_transient(void);

#endif

#ifndef CCHORDATASQLITE_H
#define CCHORDATASQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Switches one boolean setting of a connection and reads it back; `sqlite3_db_config` is variadic, which Swift cannot
/// call.
///
/// Returns SQLite's result code; `*actual` receives the resulting value.
int chordata_db_config(sqlite3 *db, int option, int value, int *actual);

/// `SQLITE_TRANSIENT` as a value: the macro is a cast that Swift does not import.
sqlite3_destructor_type chordata_transient(void);

/// Rows that a program passes to SQL as a table: SQLite visits them in order and requests one value at a time.
typedef struct {
    /// Passed to the functions; must live as long as the connection.
    void *owner;
    /// Moves to a row, counted from 0; returns false if there are no more rows.
    bool (*move)(void *owner, int64_t row);
    /// Sets the result to the value of a column of the current row.
    void (*value)(void *owner, int column, sqlite3_context *result);
} chordata_written_rows;

/// Registers rows with a connection as a table of `columns` columns named `c0`, `c1`, ….
///
/// The table is not in any schema. A statement must read it without other tables, and from its beginning to its end.
/// Returns SQLite's result code.
int chordata_create_written_rows(sqlite3 *db, const char *name, int columns, chordata_written_rows rows);

/// The number of bytes that are free for a file beside another one; -1 if it is unknown.
int64_t chordata_free_space(const char *path);

/// The absolute path of a file, with links resolved; NULL if there is no file. Free it with `chordata_free_real_path`.
char *chordata_real_path(const char *path);
void chordata_free_real_path(char *path);

/// The identifiers of a file and of its volume, with links followed; zeros if they are unknown.
void chordata_identify_file(const char *path, uint64_t identity[2]);

/// The number of bytes of a file; -1 if it is unknown.
int64_t chordata_file_size(const char *path);

/// A Boolean value that indicates whether the file of a database contains given bytes; the file is read with SQLite's
/// own functions, even if it is not a valid database.
int chordata_file_contains(sqlite3 *db, const char *bytes, int count);

/// A Boolean value that indicates whether a text of `size` bytes contains a word.
int chordata_mentions(const char *text, size_t size, const char *word);

/// A Boolean value that indicates whether the first page of a database, where its schema begins, contains a text, and
/// does not contain `excluded`.
///
/// SQLite's own functions read the file, without its log and without a connection, so the locks that the process has on
/// the file remain.
int chordata_first_page_contains(const char *path, const char *text, const char *excluded);

/// A Boolean value that indicates whether the file of a database begins with 16 bytes that are zero; SQLite's own
/// functions read it, even if it is not a valid database.
int chordata_begins_with_zeros(sqlite3 *db);

/// A Boolean value that indicates whether a file begins like a rollback journal.
///
/// SQLite does not lock journals, so the file is read without SQLite. The format is described at
/// https://sqlite.org/fileformat.html#the_rollback_journal.
int chordata_is_journal(const char *path);

/// A Boolean value that indicates whether the file of a database is in write-ahead mode, by its header.
int chordata_is_write_ahead(sqlite3 *db);

/// The kind of file at a path, with links followed; the file is not opened.
enum chordata_file_kind {
    /// There is nothing, or the kind cannot be determined.
    CHORDATA_FILE_UNKNOWN,
    CHORDATA_FILE_REGULAR,
    CHORDATA_FILE_DIRECTORY,
    /// A pipe, a socket or a device.
    CHORDATA_FILE_SPECIAL
};
enum chordata_file_kind chordata_kind_of_file(const char *path);

/// A value that identifies the calling thread among all running threads.
const void *chordata_thread(void);

/// Starts a thread that calls a function with its owner as the argument, and ends when the function returns.
///
/// Returns 0, or the system's error code.
int chordata_start_thread(void (*body)(void *), void *owner);

/// The owner of the calling thread, if ``chordata_start_thread`` started it; otherwise NULL.
const void *chordata_thread_owner(void);

/// A Boolean value that indicates whether two regions of memory contain the same bytes.
static inline int chordata_equal_bytes(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count) == 0;
}

/// `realloc`, which for large blocks moves pages instead of bytes where the system can.
static inline void *chordata_reallocate(void *memory, size_t count) { return realloc(memory, count); }

/// Frees memory that ``chordata_reallocate`` returned.
static inline void chordata_free(void *memory) { free(memory); }

/// `SQLITE_CONSTRAINT_FOREIGNKEY` as a value: the macro is an expression that Swift does not import.
static const int chordata_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
/// The same for `SQLITE_CONSTRAINT_UNIQUE`.
static const int chordata_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
/// The same for `SQLITE_CONSTRAINT_PRIMARYKEY`.
static const int chordata_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
/// The same for `SQLITE_CONSTRAINT_DATATYPE`.
static const int chordata_constraint_datatype = SQLITE_CONSTRAINT_DATATYPE;

#endif

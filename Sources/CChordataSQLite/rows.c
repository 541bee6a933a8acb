#include "CChordataSQLite.h"

// An eponymous virtual table, https://sqlite.org/vtab.html#eponymous_virtual_tables. A statement that writes from such
// a table costs SQLite less than one statement for each row: it is started and ended only once, and allocates no memory
// for each text.

typedef struct {
    chordata_written_rows rows;
    int columns;
} source;

typedef struct {
    sqlite3_vtab base;
    chordata_written_rows rows;
} table;

typedef struct {
    sqlite3_vtab_cursor base;
    int64_t row;
    bool at_end;
} cursor;

static int connect_table(
    sqlite3 *db, void *auxiliary, int count, const char *const *arguments, sqlite3_vtab **result, char **error
) {
    (void)count;
    (void)arguments;
    (void)error;
    const source *from = auxiliary;
    sqlite3_str *declaration = sqlite3_str_new(db);
    sqlite3_str_appendall(declaration, "CREATE TABLE x(c0");
    for (int column = 1; column < from->columns; column++) sqlite3_str_appendf(declaration, ", c%d", column);
    sqlite3_str_appendall(declaration, ")");
    char *text = sqlite3_str_finish(declaration);
    if (!text) return SQLITE_NOMEM;
    int code = sqlite3_declare_vtab(db, text);
    sqlite3_free(text);
    if (code != SQLITE_OK) return code;
    // Schemas and triggers must not use the table.
    code = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK) return code;
    table *made = sqlite3_malloc64(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    *made = (table){.rows = from->rows};
    *result = &made->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base) {
    sqlite3_free(base);
    return SQLITE_OK;
}

static int plan(sqlite3_vtab *base, sqlite3_index_info *info) {
    (void)base;
    info->estimatedCost = 1;
    info->estimatedRows = 1;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **result) {
    (void)base;
    cursor *made = sqlite3_malloc64(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    *made = (cursor){.at_end = true};
    *result = &made->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    sqlite3_free(base);
    return SQLITE_OK;
}

static int move_to(cursor *at, int64_t row) {
    const chordata_written_rows *rows = &((table *)at->base.pVtab)->rows;
    at->row = row;
    at->at_end = !rows->move(rows->owner, row);
    return SQLITE_OK;
}

static int begin(sqlite3_vtab_cursor *base, int index, const char *name, int count, sqlite3_value **values) {
    (void)index;
    (void)name;
    (void)count;
    (void)values;
    return move_to((cursor *)base, 0);
}

static int next(sqlite3_vtab_cursor *base) {
    return move_to((cursor *)base, ((cursor *)base)->row + 1);
}

static int is_at_end(sqlite3_vtab_cursor *base) {
    return ((cursor *)base)->at_end;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *result, int number) {
    const chordata_written_rows *rows = &((table *)base->pVtab)->rows;
    rows->value(rows->owner, number, result);
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *result) {
    *result = ((cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect_table,
    .xBestIndex = plan,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_number,
};

int chordata_create_written_rows(sqlite3 *db, const char *name, int columns, chordata_written_rows rows) {
    source *made = sqlite3_malloc64(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    *made = (source){.rows = rows, .columns = columns};
    // SQLite frees it, even if the call fails.
    return sqlite3_create_module_v2(db, name, &module, made, sqlite3_free);
}

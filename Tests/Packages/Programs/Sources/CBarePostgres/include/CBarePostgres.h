#ifndef CBAREPOSTGRES_H
#define CBAREPOSTGRES_H

#include <stdint.h>

// The functions of libpq that a hand-written program calls. The library is loaded at run time, so its header is not
// needed. The module CChordataPostgres is not used: it belongs to the other contestant, and has no COPY.

typedef struct bare_conn bare_conn;
typedef struct bare_result bare_result;

/// Loads libpq; returns NULL or the reason of a failure.
const char *bare_load(void);

/// Values of libpq's `ExecStatusType`.
static const int32_t BARE_COMMAND_OK = 1;
static const int32_t BARE_TUPLES_OK = 2;
static const int32_t BARE_COPY_IN = 4;
static const int32_t BARE_SINGLE_TUPLE = 9;
static const int32_t BARE_PIPELINE_SYNC = 10;

/// Every function: its return type, its name without `PQ`, its parameters and its arguments.
#define BARE_FUNCTIONS(F)                                                                                              \
    F(int, libVersion, (void), ())                                                                                     \
    F(bare_conn *, connectdb, (const char *text), (text))                                                              \
    F(void, finish, (bare_conn * connection), (connection))                                                            \
    F(int, status, (const bare_conn *connection), (connection))                                                        \
    F(char *, errorMessage, (const bare_conn *connection), (connection))                                               \
    F(bare_result *, exec, (bare_conn * connection, const char *sql), (connection, sql))                               \
    F(bare_result *, prepare,                                                                                          \
      (bare_conn * connection, const char *name, const char *sql, int count, const uint32_t *types),                   \
      (connection, name, sql, count, types))                                                                           \
    F(int, enterPipelineMode, (bare_conn * connection), (connection))                                                  \
    F(int, exitPipelineMode, (bare_conn * connection), (connection))                                                   \
    F(int, pipelineSync, (bare_conn * connection), (connection))                                                       \
    F(int, setSingleRowMode, (bare_conn * connection), (connection))                                                   \
    F(int, sendQueryPrepared,                                                                                          \
      (bare_conn * connection, const char *name, int count, const char *const *values, const int *lengths,             \
       const int *formats, int result_format),                                                                         \
      (connection, name, count, values, lengths, formats, result_format))                                              \
    F(int, putCopyData, (bare_conn * connection, const char *bytes, int count), (connection, bytes, count))            \
    F(int, putCopyEnd, (bare_conn * connection, const char *error), (connection, error))                               \
    F(bare_result *, getResult, (bare_conn * connection), (connection))                                                \
    F(void, clear, (bare_result * result), (result))                                                                   \
    F(int, resultStatus, (const bare_result *result), (result))                                                        \
    F(char *, cmdTuples, (bare_result * result), (result))                                                             \
    F(int, nfields, (const bare_result *result), (result))                                                             \
    F(char *, getvalue, (const bare_result *result, int row, int column), (result, row, column))                       \
    F(int, getlength, (const bare_result *result, int row, int column), (result, row, column))                         \
    F(int, getisnull, (const bare_result *result, int row, int column), (result, row, column))

#define BARE_DECLARE(type, name, parameters, arguments) type bare_##name parameters;
BARE_FUNCTIONS(BARE_DECLARE)
#undef BARE_DECLARE

/// A value of a row in the binary format; `start` is NULL for NULL.
typedef struct {
    const uint8_t *start;
    int32_t count;
} bare_cell;

/// Writes the values of the only row of a result.
void bare_cells(const bare_result *result, bare_cell *cells);

#endif

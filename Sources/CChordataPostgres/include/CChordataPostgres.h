#ifndef CCHORDATAPOSTGRES_H
#define CCHORDATAPOSTGRES_H

#include <stdbool.h>
#include <stdint.h>

// The functions of libpq that Chordata calls. The header of libpq is not needed, and programs are not linked with
// libpq: the library is loaded when the first connection is opened.

/// Loads libpq on the first call; later calls return the same result.
///
/// Returns NULL when the library is loaded, and otherwise the reason in one sentence, with the remedy.
const char *chordata_pq_load(void);

/// The functions below may be called only after `chordata_pq_load` has returned NULL.
typedef struct chordata_pg_conn chordata_pg_conn;
typedef struct chordata_pg_result chordata_pg_result;
typedef struct chordata_pg_cancel_key chordata_pg_cancel_key;
typedef uint32_t chordata_pg_oid;

/// The layout of libpq's `PQconninfoOption`.
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} chordata_pg_option;

/// The layout of libpq's `PGnotify`.
typedef struct chordata_pg_notification {
    char *channel;
    int processID;
    char *payload;
    struct chordata_pg_notification *next;
} chordata_pg_notification;

/// Values of libpq's `ConnStatusType`.
static const int32_t CHORDATA_PG_CONNECTION_OK = 0;
static const int32_t CHORDATA_PG_CONNECTION_BAD = 1;

/// Values of libpq's `ExecStatusType`.
static const int32_t CHORDATA_PG_EMPTY_QUERY = 0;
static const int32_t CHORDATA_PG_COMMAND_OK = 1;
static const int32_t CHORDATA_PG_TUPLES_OK = 2;
static const int32_t CHORDATA_PG_COPY_IN = 4;
static const int32_t CHORDATA_PG_BAD_RESPONSE = 5;
static const int32_t CHORDATA_PG_NONFATAL_ERROR = 6;
static const int32_t CHORDATA_PG_FATAL_ERROR = 7;
static const int32_t CHORDATA_PG_SINGLE_TUPLE = 9;
static const int32_t CHORDATA_PG_PIPELINE_SYNC = 10;
static const int32_t CHORDATA_PG_PIPELINE_ABORTED = 11;

/// Values of libpq's `PGTransactionStatusType`.
static const int32_t CHORDATA_PG_IDLE = 0;
static const int32_t CHORDATA_PG_ACTIVE = 1;
static const int32_t CHORDATA_PG_IN_TRANSACTION = 2;
static const int32_t CHORDATA_PG_IN_FAILED_TRANSACTION = 3;
static const int32_t CHORDATA_PG_UNKNOWN = 4;

/// Every function: its return type, its name without `PQ`, its parameters and its arguments.
#define CHORDATA_PG_FUNCTIONS(F)                                                                                       \
    F(int, libVersion, (void), ())                                                                                     \
    F(chordata_pg_option *, conninfoParse, (const char *text, char **message), (text, message))                        \
    F(void, conninfoFree, (chordata_pg_option * options), (options))                                                   \
    F(void, freemem, (void *memory), (memory))                                                                         \
    F(chordata_pg_conn *, connectdbParams,                                                                             \
      (const char *const *keywords, const char *const *values, int expands), (keywords, values, expands))              \
    F(void, finish, (chordata_pg_conn * connection), (connection))                                                     \
    F(int, status, (const chordata_pg_conn *connection), (connection))                                                 \
    F(int, transactionStatus, (const chordata_pg_conn *connection), (connection))                                      \
    F(char *, errorMessage, (const chordata_pg_conn *connection), (connection))                                        \
    F(char *, host, (const chordata_pg_conn *connection), (connection))                                                \
    F(char *, port, (const chordata_pg_conn *connection), (connection))                                                \
    F(char *, db, (const chordata_pg_conn *connection), (connection))                                                  \
    F(char *, pass, (const chordata_pg_conn *connection), (connection))                                                \
    F(int, serverVersion, (const chordata_pg_conn *connection), (connection))                                          \
    F(int, backendPID, (const chordata_pg_conn *connection), (connection))                                             \
    F(int, socket, (const chordata_pg_conn *connection), (connection))                                                 \
    F(const char *, parameterStatus, (const chordata_pg_conn *connection, const char *name), (connection, name))       \
    F(int, setnonblocking, (chordata_pg_conn * connection, int value), (connection, value))                            \
    F(int, flush, (chordata_pg_conn * connection), (connection))                                                       \
    F(int, consumeInput, (chordata_pg_conn * connection), (connection))                                                \
    F(int, isBusy, (chordata_pg_conn * connection), (connection))                                                      \
    F(chordata_pg_notification *, notifies, (chordata_pg_conn * connection), (connection))                             \
    F(int, enterPipelineMode, (chordata_pg_conn * connection), (connection))                                           \
    F(int, exitPipelineMode, (chordata_pg_conn * connection), (connection))                                            \
    F(int, sendQuery, (chordata_pg_conn * connection, const char *sql), (connection, sql))                             \
    F(int, putCopyData, (chordata_pg_conn * connection, const char *bytes, int count), (connection, bytes, count))     \
    F(int, putCopyEnd, (chordata_pg_conn * connection, const char *message), (connection, message))                    \
    F(int, pipelineSync, (chordata_pg_conn * connection), (connection))                                                \
    F(int, setSingleRowMode, (chordata_pg_conn * connection), (connection))                                            \
    F(int, sendQueryParams,                                                                                            \
      (chordata_pg_conn * connection, const char *sql, int count, const chordata_pg_oid *types,                        \
       const char *const *values, const int *lengths, const int *formats, int result_format),                          \
      (connection, sql, count, types, values, lengths, formats, result_format))                                        \
    F(int, sendPrepare,                                                                                                \
      (chordata_pg_conn * connection, const char *name, const char *sql, int count, const chordata_pg_oid *types),     \
      (connection, name, sql, count, types))                                                                           \
    F(int, sendQueryPrepared,                                                                                          \
      (chordata_pg_conn * connection, const char *name, int count, const char *const *values, const int *lengths,      \
       const int *formats, int result_format),                                                                         \
      (connection, name, count, values, lengths, formats, result_format))                                              \
    F(chordata_pg_result *, getResult, (chordata_pg_conn * connection), (connection))                                  \
    F(void, clear, (chordata_pg_result * result), (result))                                                            \
    F(int, resultStatus, (const chordata_pg_result *result), (result))                                                 \
    F(char *, resultErrorField, (const chordata_pg_result *result, int field), (result, field))                        \
    F(char *, cmdTuples, (chordata_pg_result * result), (result))                                                      \
    F(int, ntuples, (const chordata_pg_result *result), (result))                                                      \
    F(int, nfields, (const chordata_pg_result *result), (result))                                                      \
    F(char *, fname, (const chordata_pg_result *result, int column), (result, column))                                 \
    F(chordata_pg_oid, ftype, (const chordata_pg_result *result, int column), (result, column))                        \
    F(char *, getvalue, (const chordata_pg_result *result, int row, int column), (result, row, column))                \
    F(int, getlength, (const chordata_pg_result *result, int row, int column), (result, row, column))                  \
    F(int, getisnull, (const chordata_pg_result *result, int row, int column), (result, row, column))                  \
    F(chordata_pg_cancel_key *, getCancel, (chordata_pg_conn * connection), (connection))                              \
    F(void, freeCancel, (chordata_pg_cancel_key * cancel), (cancel))                                                   \
    F(int, cancel, (chordata_pg_cancel_key * cancel, char *message, int size), (cancel, message, size))                \
    F(void *, setNoticeProcessor,                                                                                      \
      (chordata_pg_conn * connection, void (*processor)(void *, const char *), void *argument),                        \
      (connection, processor, argument))

#define CHORDATA_PG_DECLARE(type, name, parameters, arguments) type chordata_pg_##name parameters;
CHORDATA_PG_FUNCTIONS(CHORDATA_PG_DECLARE)
#undef CHORDATA_PG_DECLARE

/// Discards the notices of a connection, which libpq would otherwise print.
void chordata_pg_discard_notices(chordata_pg_conn *connection);

/// A value of a row in the binary format; `start` is NULL for NULL.
typedef struct {
    const uint8_t *start;
    int32_t count;
} chordata_pg_cell;

/// Copies the addresses of the values of a row, in one call.
void chordata_pg_cells(const chordata_pg_result *result, int row, int columns, chordata_pg_cell *cells);

/// Waits until a socket is readable, or, if `writes` is true, until it is readable or writable.
///
/// Returns 0 after the timeout, a negative number for an error, and otherwise a sum: 1 for readable, 2 for writable. If
/// the number of milliseconds is negative, the function waits without a timeout.
int chordata_pg_wait(int socket, bool writes, int milliseconds);

#endif

#ifndef CCHORDATAXML_H
#define CCHORDATAXML_H

#include <stddef.h>
#include <stdint.h>

// Two readers of one XML document in memory. Neither fetches anything, expands entities or reads document types.
//
// `chordata_xml_scan` goes over the bytes once, refuses what libxml2 should not see (it is slow on tags with many attributes,
// and misleading about NUL bytes and size), and notes where every start tag and its attributes stand, which libxml2 does not
// tell. `chordata_xml_parse` then is libxml2's event-driven reader; its headers must not be shown here, because they do not
// compile beside Foundation's.

// MARK: Scanning

typedef enum {
    CHORDATA_XML_FINE = 0,
    CHORDATA_XML_EMPTY,
    CHORDATA_XML_TOO_LARGE,
    CHORDATA_XML_UTF16,
    CHORDATA_XML_NUL_BYTE,
    CHORDATA_XML_INVALID_UTF8,
    // The declaration names another encoding than UTF-8 or ASCII.
    CHORDATA_XML_ENCODING,
    CHORDATA_XML_NO_MARKUP,
    CHORDATA_XML_DOCUMENT_TYPE,
    CHORDATA_XML_TOO_DEEP,
    CHORDATA_XML_TOO_MANY_ATTRIBUTES,
    CHORDATA_XML_OUT_OF_MEMORY,
} chordata_xml_problem;

typedef struct {
    size_t bytes;
    size_t depth;
    size_t attributes;
    // Whether a document type without an internal subset may stand, as in every property list.
    int allows_document_type;
} chordata_xml_limits;

// All offsets are in bytes from the start of the document.
typedef struct {
    // The `<`.
    uint32_t offset;
    // The first attribute's place in `attributes`.
    uint32_t first_attribute;
    uint32_t attribute_count;
} chordata_xml_tag;

typedef struct {
    uint32_t name;
    // The first byte behind the quote, and the closing quote.
    uint32_t value;
    uint32_t value_end;
} chordata_xml_attribute;

typedef struct {
    chordata_xml_problem problem;
    // Where the problem stands.
    uint32_t problem_offset;
    chordata_xml_tag *tags;
    size_t tag_count;
    chordata_xml_attribute *attributes;
    size_t attribute_count;
    // Where each line begins; there is always a first one, unless memory has run out.
    uint32_t *lines;
    size_t line_count;
} chordata_xml_scan_result;

// The first problem ends the scan. The result is to be freed, whatever it says.
chordata_xml_scan_result chordata_xml_scan(const uint8_t *bytes, size_t count, chordata_xml_limits limits);
void chordata_xml_scan_free(chordata_xml_scan_result *result);

// MARK: Parsing

// Names of elements and attributes are numbered as they first occur, from 0 on.
typedef struct {
    void *context;
    // Comes before the first use of a number; the text is zero-terminated UTF-8.
    void (*new_name)(void *context, const char *name);
    // The names and values of the attributes; values are zero-terminated UTF-8, valid during the call.
    void (*start_element)(void *context, int name, int attribute_count, const int *names, const char *const *values);
    void (*end_element)(void *context);
    void (*characters)(void *context, const char *text, int length);
    void (*comment)(void *context, const char *text);
    // The data may be NULL.
    void (*instruction)(void *context, const char *target, const char *data);
} chordata_xml_handler;

typedef struct {
    // 0 when the document is well-formed.
    int code;
    int line;
    int column;
    char message[256];
} chordata_xml_error;

// How many different names a document may have.
#define CHORDATA_XML_NAME_LIMIT 512
#define CHORDATA_XML_TOO_MANY_NAMES (-1)

void chordata_xml_parse(const uint8_t *bytes, size_t count, int allows_document_type, const chordata_xml_handler *handler,
                        chordata_xml_error *error);

#endif

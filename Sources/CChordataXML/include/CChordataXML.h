#ifndef CCHORDATAXML_H
#define CCHORDATAXML_H

#include <stddef.h>
#include <stdint.h>

// Reads one XML document in memory, in two passes. Neither pass fetches anything, expands entities or reads document
// types.
//
// `chordata_xml_scan` records every start tag with its attributes and their offsets, and rejects input that libxml2
// should not get: libxml2 is slow for tags with many attributes, and its messages about NUL bytes and size are
// misleading. `chordata_xml_verify` then lets libxml2 decide whether the document is well-formed; the result of the
// scan is meaningful only if it is. libxml2's headers must not be included here, because they do not compile together
// with Foundation's.

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
    CHORDATA_XML_TOO_MANY_NAMES,
    CHORDATA_XML_LONG_NAME,
    CHORDATA_XML_DUPLICATE_ATTRIBUTE,
    CHORDATA_XML_OUT_OF_MEMORY,
} chordata_xml_problem;

typedef struct {
    size_t bytes;
    size_t depth;
    // The number of attributes of one element.
    size_t attributes;
    // The number of different names of elements and attributes.
    size_t names;
    // The number of bytes of a name.
    size_t name_bytes;
    // Nonzero if a document type without an internal subset is allowed, as in every property list.
    int allows_document_type;
} chordata_xml_limits;

// Names whose numbers are predefined: their indexes in the list.
typedef struct {
    const char *const *texts;
    size_t count;
} chordata_xml_known_names;

// All offsets are in bytes from the start of the document.
typedef struct {
    // The number of its name.
    uint32_t name;
    // The offset of the `<`, and of the byte after the `>` that ends the element.
    uint32_t offset;
    uint32_t end_offset;
    // The index of the first attribute in `attributes`.
    uint32_t first_attribute;
    uint32_t attribute_count;
    // The number of the parent element, UINT32_MAX for the root.
    uint32_t parent;
    // The number of the element that follows the last descendant.
    uint32_t end;
    // A bit for each attribute whose name has a number below 128.
    uint64_t present[2];
} chordata_xml_element;

typedef struct {
    // The number of its name.
    uint16_t name;
    // Whether the value has escapes, tabs or line breaks.
    uint16_t is_escaped;
    uint32_t offset;
    // The first byte after the opening quote, and the closing quote.
    uint32_t value;
    uint32_t value_end;
} chordata_xml_attribute;

typedef struct {
    uint32_t offset;
    uint32_t length;
} chordata_xml_name;

typedef struct {
    chordata_xml_problem problem;
    // The offset of the problem.
    uint32_t problem_offset;
    // A bit for each attribute that occurs in any element, as in the elements.
    uint64_t present[2];
    // In the order of the document.
    chordata_xml_element *elements;
    size_t element_count;
    chordata_xml_attribute *attributes;
    size_t attribute_count;
    // The first occurrence of each name that was not known; its number is its index here plus the number of known
    // names.
    chordata_xml_name *names;
    size_t name_count;
    // The offset at which each line begins.
    uint32_t *lines;
    size_t line_count;
} chordata_xml_document;

// The first problem stops the scan. The document must be freed in any case.
chordata_xml_document chordata_xml_scan(const uint8_t *bytes, size_t count, chordata_xml_limits limits,
                                        chordata_xml_known_names known);
void chordata_xml_free(chordata_xml_document *document);

// MARK: Verifying

// The position of contents between tags.
typedef struct {
    // The number of the innermost element that is open, UINT32_MAX for the document.
    uint32_t parent;
    // The number of the element that starts next.
    uint32_t next;
} chordata_xml_place;

typedef struct {
    void *context;
    // The contents between the tags: text in pieces, comments without their marks, processing instructions, whose data
    // may be NULL; texts are UTF-8 and valid during the call.
    void (*characters)(void *context, chordata_xml_place place, const char *text, int length);
    void (*comment)(void *context, chordata_xml_place place, const char *text);
    void (*instruction)(void *context, chordata_xml_place place, const char *target, const char *data);
    // Called at a tag after text.
    void (*end_of_text)(void *context, chordata_xml_place place);
} chordata_xml_handler;

typedef struct {
    // 0 if the document is well-formed.
    int code;
    // The offset at which the first error was found.
    uint32_t offset;
    // The error and its remedy; for rare errors, the message of libxml2.
    char message[256];
} chordata_xml_error;

void chordata_xml_verify(const uint8_t *bytes, size_t count, int allows_document_type,
                         const chordata_xml_document *document, const chordata_xml_handler *handler,
                         chordata_xml_error *error);

#endif

#ifndef CCHORDATAXML_H
#define CCHORDATAXML_H

#include <stddef.h>
#include <stdint.h>

// An event-driven reader of one XML document in memory, over libxml2, whose headers this file must not show: they do not
// compile beside Foundation's. Nothing is fetched, no entity is expanded, no document type is read.

typedef struct {
    void *context;
    // The name and, in turn, names and values of the attributes; all zero-terminated UTF-8, valid during the call.
    void (*start_element)(void *context, const char *name, int attribute_count, const char *const *attributes);
    void (*end_element)(void *context, const char *name);
    void (*characters)(void *context, const char *text, int length);
} chordata_xml_handler;

typedef struct {
    // 0 when the document is well-formed.
    int code;
    int line;
    int column;
    char message[256];
} chordata_xml_error;

void chordata_xml_parse(const uint8_t *bytes, size_t count, const chordata_xml_handler *handler,
                        chordata_xml_error *error);

#endif

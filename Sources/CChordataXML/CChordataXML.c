#include "CChordataXML.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const chordata_xml_handler *handler;
    chordata_xml_error *error;
    xmlParserCtxtPtr parser;
} state;

static void start_element(void *data, const xmlChar *name, const xmlChar **attributes) {
    state *s = ((xmlParserCtxtPtr)data)->_private;
    int count = 0;
    if (attributes != NULL) {
        while (attributes[count * 2] != NULL) count++;
    }
    s->handler->start_element(s->handler->context, (const char *)name, count, (const char *const *)attributes);
}

static void end_element(void *data, const xmlChar *name) {
    state *s = ((xmlParserCtxtPtr)data)->_private;
    s->handler->end_element(s->handler->context, (const char *)name);
}

static void characters(void *data, const xmlChar *text, int length) {
    state *s = ((xmlParserCtxtPtr)data)->_private;
    s->handler->characters(s->handler->context, (const char *)text, length);
}

// The predefined entities (&lt; and so on) only: there is no document type that could declare others.
static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
    (void)data;
    return xmlGetPredefinedEntity(name);
}

// Copies what libxml2 found wrong, without the line break that ends its messages.
static void copy_error(const xmlError *found, chordata_xml_error *error) {
    error->code = found->code == 0 ? 1 : found->code;
    error->line = found->line;
    error->column = found->int2;
    if (found->message == NULL) return;
    strncpy(error->message, found->message, sizeof(error->message) - 1);
    size_t length = strlen(error->message);
    while (length > 0 && (error->message[length - 1] == '\n' || error->message[length - 1] == ' ')) {
        error->message[--length] = 0;
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void chordata_xml_parse(const uint8_t *bytes, size_t count, const chordata_xml_handler *handler,
                        chordata_xml_error *error) {
    pthread_once(&once, xmlInitParser);
    memset(error, 0, sizeof(*error));
    if (count == 0 || count > INT_MAX) {
        error->code = 1;
        error->line = 1;
        error->column = 1;
        strcpy(error->message, "the document is empty or too large");
        return;
    }
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt((const char *)bytes, (int)count);
    if (parser == NULL) {
        error->code = 1;
        error->line = 1;
        error->column = 1;
        strcpy(error->message, "the document cannot be read");
        return;
    }
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
    state s = {handler, error, parser};
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof(sax));
    // SAX1 callbacks: models have no namespaces, and attributes come as plain names and values.
    sax.startElement = start_element;
    sax.endElement = end_element;
    sax.characters = characters;
    sax.cdataBlock = characters;
    sax.getEntity = get_entity;
    sax.initialized = 1;
    // The context owns its handler; it is swapped for ours and back, so that both are freed right.
    xmlSAXHandlerPtr own = parser->sax;
    parser->sax = &sax;
    parser->_private = &s;
    parser->userData = parser;
    xmlParseDocument(parser);
    // libxml2 stops at the first fatal error, which is then the last one it knows.
    const xmlError *found = xmlCtxtGetLastError(parser);
    if (found != NULL && found->level >= XML_ERR_ERROR) copy_error(found, error);
    if (error->code == 0 && !parser->wellFormed) {
        error->code = 1;
        error->line = 1;
        error->column = 1;
        strcpy(error->message, "the document is not well-formed");
    }
    parser->sax = own;
    if (parser->myDoc != NULL) {
        xmlFreeDoc(parser->myDoc);
        parser->myDoc = NULL;
    }
    xmlFreeParserCtxt(parser);
}

#include "CChordataXML.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

typedef struct {
    const chordata_xml_document *document;
    const chordata_xml_handler *handler;
    chordata_xml_error *error;
    int allows_document_type;
    // How many elements have started, and the innermost one that has not ended.
    uint32_t next;
    uint32_t parent;
    // Whether there has been text since the last tag.
    int has_text;
} state;

static state *state_of(void *data) { return ((xmlParserCtxtPtr)data)->_private; }

static chordata_xml_place place_of(const state *s) { return (chordata_xml_place){s->parent, s->next}; }

static void end_text(state *s) {
    if (!s->has_text) return;
    s->has_text = 0;
    s->handler->end_of_text(s->handler->context, place_of(s));
}

// Ends the parse.
static void stop(void *data, const char *message) {
    xmlParserCtxtPtr parser = data;
    chordata_xml_error *error = state_of(data)->error;
    if (error->code == 0) {
        error->code = XML_ERR_INTERNAL_ERROR;
        error->line = parser->input == NULL ? 1 : parser->input->line;
        error->column = parser->input == NULL ? 1 : parser->input->col;
        strncpy(error->message, message, sizeof(error->message) - 1);
    }
    xmlStopParser(parser);
}

static void start_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                          const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes) {
    (void)name, (void)prefix, (void)uri, (void)namespaces, (void)defaulted, (void)attributes;
    state *s = state_of(data);
    // Both have read the same bytes; should they ever disagree, neither is to be believed.
    if (s->next >= s->document->element_count
        || s->document->elements[s->next].attribute_count != (uint32_t)(namespace_count + attribute_count)) {
        stop(data, "a tag that cannot be read");
        return;
    }
    end_text(s);
    s->parent = s->next++;
}

static void end_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    state *s = state_of(data);
    end_text(s);
    if (s->parent != UINT32_MAX) s->parent = s->document->elements[s->parent].parent;
}

static void characters(void *data, const xmlChar *text, int length) {
    // Nearly all text is the space between tags.
    int index = 0;
    while (index < length && (text[index] == ' ' || text[index] == '\n' || text[index] == '\t' || text[index] == '\r')) index++;
    state *s = state_of(data);
    if (index == length && !s->has_text) return;
    s->has_text = 1;
    s->handler->characters(s->handler->context, place_of(s), (const char *)text, length);
}

static void comment(void *data, const xmlChar *text) {
    state *s = state_of(data);
    end_text(s);
    s->handler->comment(s->handler->context, place_of(s), (const char *)text);
}

static void instruction(void *data, const xmlChar *target, const xmlChar *text) {
    state *s = state_of(data);
    end_text(s);
    s->handler->instruction(s->handler->context, place_of(s), (const char *)target, (const char *)text);
}

// The scan has refused these already; what must never pass is checked by both.
static void document_type(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    if (!state_of(data)->allows_document_type) stop(data, "a document type declaration");
}

// The predefined entities (&lt; and so on) only: there is no document type that could declare others.
static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
    (void)data;
    return xmlGetPredefinedEntity(name);
}

// Nothing is ever loaded.
static xmlParserInputPtr load_nothing(const char *url, const char *identifier, xmlParserCtxtPtr parser) {
    (void)url, (void)identifier, (void)parser;
    return NULL;
}

static void initialize(void) {
    xmlInitParser();
    xmlSetExternalEntityLoader(load_nothing);
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

static void fail(chordata_xml_error *error, const char *message) {
    error->code = XML_ERR_INTERNAL_ERROR;
    error->line = 1;
    error->column = 1;
    strncpy(error->message, message, sizeof(error->message) - 1);
}

static void run(xmlParserCtxtPtr parser, state *s) {
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof(sax));
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = start_element;
    sax.endElementNs = end_element;
    sax.characters = characters;
    sax.cdataBlock = characters;
    sax.comment = comment;
    sax.processingInstruction = instruction;
    sax.internalSubset = document_type;
    sax.getEntity = get_entity;
    // The context owns its handler; it is swapped for ours and back, so that both are freed right.
    xmlSAXHandlerPtr own = parser->sax;
    parser->sax = &sax;
    parser->_private = s;
    parser->userData = parser;
    xmlParseDocument(parser);
    // libxml2 stops at the first fatal error, which is then the last one it knows.
    const xmlError *found = xmlCtxtGetLastError(parser);
    if (s->error->code == 0 && found != NULL && found->level >= XML_ERR_ERROR) copy_error(found, s->error);
    if (s->error->code == 0 && !parser->wellFormed) fail(s->error, "the document is not well-formed");
    if (s->error->code == 0 && s->next != s->document->element_count) fail(s->error, "a tag that cannot be read");
    parser->sax = own;
    if (parser->myDoc != NULL) {
        xmlFreeDoc(parser->myDoc);
        parser->myDoc = NULL;
    }
}

void chordata_xml_verify(const uint8_t *bytes, size_t count, int allows_document_type,
                         const chordata_xml_document *document, const chordata_xml_handler *handler,
                         chordata_xml_error *error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
    memset(error, 0, sizeof(*error));
    xmlParserCtxtPtr parser = count == 0 || count > INT_MAX ? NULL : xmlCreateMemoryParserCtxt((const char *)bytes, (int)count);
    if (parser == NULL) {
        fail(error, "the document cannot be read");
        return;
    }
    state s = {.document = document, .handler = handler, .error = error, .allows_document_type = allows_document_type,
               .parent = UINT32_MAX};
    // The encoding has been checked to be UTF-8, whatever the declaration says.
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES
                                  | XML_PARSE_IGNORE_ENC);
    run(parser, &s);
    xmlFreeParserCtxt(parser);
}

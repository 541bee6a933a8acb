#include "CChordataXML.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Twice as many as names, so that looking up stays short.
#define SLOT_COUNT (CHORDATA_XML_NAME_LIMIT * 2)
// More than the scanner lets through.
#define ATTRIBUTE_CAPACITY 256

typedef struct {
    const chordata_xml_handler *handler;
    chordata_xml_error *error;
    int allows_document_type;
    // The names so far, as a hash table with linear probing; an empty slot has no text.
    struct {
        char *text;
        int number;
    } slots[SLOT_COUNT];
    int name_count;
} state;

static state *state_of(void *data) { return ((xmlParserCtxtPtr)data)->_private; }

// Ends the parse.
static void stop(void *data, int code, const char *message) {
    xmlParserCtxtPtr parser = data;
    chordata_xml_error *error = state_of(data)->error;
    if (error->code == 0) {
        error->code = code;
        error->line = parser->input == NULL ? 1 : parser->input->line;
        error->column = parser->input == NULL ? 1 : parser->input->col;
        strncpy(error->message, message, sizeof(error->message) - 1);
    }
    xmlStopParser(parser);
}

// The number of a name, -1 when there are too many.
static int number_of(void *data, const xmlChar *name) {
    state *s = state_of(data);
    // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
    uint32_t hash = 2166136261u;
    for (const xmlChar *byte = name; *byte != 0; byte++) hash = (hash ^ *byte) * 16777619u;
    unsigned slot = hash % SLOT_COUNT;
    while (s->slots[slot].text != NULL) {
        if (strcmp(s->slots[slot].text, (const char *)name) == 0) return s->slots[slot].number;
        slot = (slot + 1) % SLOT_COUNT;
    }
    if (s->name_count == CHORDATA_XML_NAME_LIMIT) {
        stop(data, CHORDATA_XML_TOO_MANY_NAMES, "too many different names");
        return -1;
    }
    char *copy = strdup((const char *)name);
    if (copy == NULL) {
        stop(data, XML_ERR_NO_MEMORY, "out of memory");
        return -1;
    }
    s->slots[slot].text = copy;
    s->slots[slot].number = s->name_count++;
    s->handler->new_name(s->handler->context, copy);
    return s->slots[slot].number;
}

// libxml2 hands each ampersand of a value over as `&#38;`, unless it is told to replace entities, which it must never be.
static void unescape_ampersands(xmlChar *value) {
    static const char escape[] = "&#38;";
    char *from = strstr((char *)value, escape);
    if (from == NULL) return;
    char *to = from;
    while (*from != 0) {
        if (strncmp(from, escape, sizeof(escape) - 1) == 0) {
            *to++ = '&';
            from += sizeof(escape) - 1;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

static void start_element(void *data, const xmlChar *name, const xmlChar **attributes) {
    state *s = state_of(data);
    int names[ATTRIBUTE_CAPACITY];
    const char *values[ATTRIBUTE_CAPACITY];
    int number = number_of(data, name);
    if (number < 0) return;
    int count = 0;
    for (; attributes != NULL && attributes[count * 2] != NULL; count++) {
        if (count == ATTRIBUTE_CAPACITY) {
            stop(data, XML_ERR_INTERNAL_ERROR, "too many attributes");
            return;
        }
        names[count] = number_of(data, attributes[count * 2]);
        if (names[count] < 0) return;
        // The parser's own copy, which it frees when this function returns.
        xmlChar *value = (xmlChar *)attributes[count * 2 + 1];
        if (value != NULL) unescape_ampersands(value);
        values[count] = value == NULL ? "" : (const char *)value;
    }
    s->handler->start_element(s->handler->context, number, count, names, values);
}

static void end_element(void *data, const xmlChar *name) {
    (void)name;
    state *s = state_of(data);
    s->handler->end_element(s->handler->context);
}

static void characters(void *data, const xmlChar *text, int length) {
    state *s = state_of(data);
    s->handler->characters(s->handler->context, (const char *)text, length);
}

static void comment(void *data, const xmlChar *text) {
    state *s = state_of(data);
    s->handler->comment(s->handler->context, (const char *)text);
}

static void instruction(void *data, const xmlChar *target, const xmlChar *text) {
    state *s = state_of(data);
    s->handler->instruction(s->handler->context, (const char *)target, (const char *)text);
}

// The scanner has refused these already; what two readers must agree on is checked by both.
static void document_type(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name;
    (void)external;
    (void)system;
    if (!state_of(data)->allows_document_type) stop(data, XML_ERR_INTERNAL_ERROR, "a document type declaration");
}

// The predefined entities (&lt; and so on) only: there is no document type that could declare others.
static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
    (void)data;
    return xmlGetPredefinedEntity(name);
}

// Nothing is ever loaded.
static xmlParserInputPtr load_nothing(const char *url, const char *identifier, xmlParserCtxtPtr parser) {
    (void)url;
    (void)identifier;
    (void)parser;
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
    // SAX1 callbacks: models have no namespaces, and attributes come as plain names and values.
    sax.startElement = start_element;
    sax.endElement = end_element;
    sax.characters = characters;
    sax.cdataBlock = characters;
    sax.comment = comment;
    sax.processingInstruction = instruction;
    sax.internalSubset = document_type;
    sax.getEntity = get_entity;
    sax.initialized = 1;
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
    parser->sax = own;
    if (parser->myDoc != NULL) {
        xmlFreeDoc(parser->myDoc);
        parser->myDoc = NULL;
    }
}

void chordata_xml_parse(const uint8_t *bytes, size_t count, int allows_document_type, const chordata_xml_handler *handler,
                        chordata_xml_error *error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
    memset(error, 0, sizeof(*error));
    if (count == 0 || count > INT_MAX) {
        fail(error, "the document is empty or too large");
        return;
    }
    // On the heap: the table of names is larger than some stacks like.
    state *s = calloc(1, sizeof(state));
    xmlParserCtxtPtr parser = s == NULL ? NULL : xmlCreateMemoryParserCtxt((const char *)bytes, (int)count);
    if (parser == NULL) {
        fail(error, "the document cannot be read");
    } else {
        s->handler = handler;
        s->error = error;
        s->allows_document_type = allows_document_type;
        xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
        run(parser, s);
        for (size_t slot = 0; slot < SLOT_COUNT; slot++) free(s->slots[slot].text);
        xmlFreeParserCtxt(parser);
    }
    free(s);
}

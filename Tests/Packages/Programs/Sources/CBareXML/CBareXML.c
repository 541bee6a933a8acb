#include "CBareXML.h"

#include <libxml/parser.h>
#include <string.h>

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                          const xmlChar **declared, int attributes, int defaulted, const xmlChar **values) {
    (void)name, (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)attributes, (void)defaulted, (void)values;
    *(long *)context += 1;
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)context, (void)name, (void)prefix, (void)uri;
}

static void characters(void *context, const xmlChar *text, int length) { (void)context, (void)text, (void)length; }

long bare_xml_parse(const char *bytes, size_t count) {
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof(handler));
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start_element;
    handler.endElementNs = end_element;
    handler.characters = characters;
    long elements = 0;
    int result = xmlSAXUserParseMemory(&handler, &elements, bytes, (int)count);
    return result == 0 ? elements : -1;
}

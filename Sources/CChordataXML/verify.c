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
    // The number of elements that have started, and the innermost element that has not ended.
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

// Records the first error.
static void fail(void *data, int code, const char *message) {
    xmlParserCtxtPtr parser = data;
    chordata_xml_error *error = state_of(data)->error;
    if (error->code != 0) return;
    error->code = code == 0 ? XML_ERR_INTERNAL_ERROR : code;
    xmlParserInputPtr input = parser->input;
    if (input != NULL) error->offset = (uint32_t)(input->consumed + (size_t)(input->cur - input->base));
    strncpy(error->message, message, sizeof(error->message) - 1);
    size_t length = strlen(error->message);
    while (length > 0 && (error->message[length - 1] == '\n' || error->message[length - 1] == ' ')) {
        error->message[--length] = 0;
    }
}

// Stops the parser.
static void stop(void *data, const char *message) {
    fail(data, XML_ERR_INTERNAL_ERROR, message);
    xmlStopParser(data);
}

// Messages for common errors that say what to do.
static const char *words(int code) {
    switch (code) {
    case XML_ERR_DOCUMENT_EMPTY: return "there is no element; restore the file";
    case XML_ERR_DOCUMENT_END: return "there is more behind the end of the root element; remove it";
    case XML_ERR_INVALID_CHARREF: return "a character reference names no character; correct or remove it";
    case XML_ERR_INVALID_CHAR: return "a control character, which XML does not allow; remove it";
    case XML_ERR_UNDECLARED_ENTITY: return "an entity that XML does not have; write '&amp;' for an ampersand";
    case XML_ERR_ENTITYREF_SEMICOL_MISSING: return "an entity without its semicolon; write '&amp;' for an ampersand";
    case XML_ERR_NAME_REQUIRED: return "a name is missing; write '&amp;' for an ampersand and '&lt;' for a '<'";
    case XML_ERR_LT_IN_ATTRIBUTE: return "a '<' in a value; write '&lt;', or close the quote before it";
    case XML_ERR_ATTRIBUTE_NOT_STARTED: return "a value without quotes; put it in double quotes";
    case XML_ERR_ATTRIBUTE_NOT_FINISHED: return "a value is not closed; add the quote";
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: return "an attribute has no value; give it one, or remove it";
    case XML_ERR_HYPHEN_IN_COMMENT: return "two hyphens in a comment; write one";
    case XML_ERR_COMMENT_NOT_FINISHED: return "a comment is not closed; add '-->'";
    case XML_ERR_PI_NOT_FINISHED: return "a processing instruction is not closed; add '?>'";
    case XML_ERR_CDATA_NOT_FINISHED: return "a CDATA section is not closed; add ']]>'";
    case XML_ERR_MISPLACED_CDATA_END: return "a ']]>' that ends nothing; remove it";
    case XML_ERR_SPACE_REQUIRED: return "a blank is missing between two attributes; add it";
    case XML_ERR_GT_REQUIRED: return "a tag is not closed; add '>'";
    case XML_ERR_LTSLASH_REQUIRED:
    case XML_ERR_TAG_NOT_FINISHED: return "an element is not closed; add its end tag";
    case XML_ERR_TAG_NAME_MISMATCH: return "an end tag closes another element than the one that is open; correct it";
    case XML_ERR_XMLDECL_NOT_STARTED:
    case XML_ERR_XMLDECL_NOT_FINISHED: return "the XML declaration is malformed; write <?xml version=\"1.0\"?>";
    case XML_ERR_RESERVED_XML_NAME: return "an XML declaration that is not at the start of the file; remove it";
    default: return NULL;
    }
}

// libxml2 continues for a while after the first error; the errors that it then finds are consequences.
static void note_error(void *data, const xmlError *found) {
    if (found->level < XML_ERR_ERROR) return;
    const char *message = words(found->code);
    fail(data, found->code, message != NULL ? message : found->message != NULL ? found->message : "a mistake");
}

static void start_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                          const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes) {
    (void)name, (void)prefix, (void)uri, (void)namespaces, (void)defaulted, (void)attributes;
    state *s = state_of(data);
    // The scan and libxml2 have read the same bytes; if they disagree, neither can be trusted.
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
    // Nearly all text is whitespace between tags.
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

// The scan has already rejected document types; both passes check for input that must never be accepted.
static void document_type(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    if (!state_of(data)->allows_document_type) stop(data, "a document type declaration");
}

// Returns only the predefined entities (&lt; and so on): there is no document type that could declare others.
static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
    (void)data;
    return xmlGetPredefinedEntity(name);
}

// External resources are never loaded.
static xmlParserInputPtr load_nothing(const char *url, const char *identifier, xmlParserCtxtPtr parser) {
    (void)url, (void)identifier, (void)parser;
    return NULL;
}

static void initialize(void) {
    xmlInitParser();
    xmlSetExternalEntityLoader(load_nothing);
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
    // Newer versions of libxml2 declare the argument const, as here.
    sax.serror = (xmlStructuredErrorFunc)note_error;
    // The context owns its handler; it is replaced with ours and later restored, so that both are freed correctly.
    xmlSAXHandlerPtr own = parser->sax;
    parser->sax = &sax;
    parser->_private = s;
    parser->userData = parser;
    xmlParseDocument(parser);
    if (!parser->wellFormed) fail(parser, XML_ERR_INTERNAL_ERROR, "a mistake that libxml2 does not name");
    if (s->next != s->document->element_count) fail(parser, XML_ERR_INTERNAL_ERROR, "a tag that cannot be read");
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
        error->code = XML_ERR_INTERNAL_ERROR;
        strcpy(error->message, "it cannot be read; there may not be enough memory");
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

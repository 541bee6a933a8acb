#include "CChordataXML.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A name in the table. For names of up to 16 bytes, head and tail contain the whole name.
typedef struct {
    const uint8_t *text;
    uint32_t length;
    uint32_t number;
    // The first and the last eight bytes, or as many as there are.
    uint64_t head;
    uint64_t tail;
} name_slot;

typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t position;
    chordata_xml_limits limits;
    chordata_xml_document *document;
    size_t element_capacity;
    size_t attribute_capacity;
    size_t name_capacity;
    size_t line_capacity;
    // The numbers of the elements that have not ended.
    uint32_t *open;
    size_t depth;
    // The offset at which the document declares that it is in ASCII; 0 if it does not.
    size_t ascii_declaration;
    chordata_xml_known_names known;
    // Hash table of the names with linear probing. Its size is a power of two.
    name_slot *slots;
    size_t slot_mask;
} scanner;

// Stops the scan with a problem.
static bool fail(scanner *s, chordata_xml_problem problem, size_t offset) {
    s->document->problem = problem;
    s->document->problem_offset = (uint32_t)offset;
    return false;
}

// Makes room for one more item.
static bool grow(scanner *s, void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity == 0 ? 256 : *capacity * 2;
    void *moved = realloc(*items, larger * size);
    if (moved == NULL) return fail(s, CHORDATA_XML_OUT_OF_MEMORY, 0);
    *items = moved;
    *capacity = larger;
    return true;
}

static bool find_lines(scanner *s) {
    chordata_xml_document *document = s->document;
    size_t start = 0;
    for (;;) {
        if (!grow(s, (void **)&document->lines, document->line_count, &s->line_capacity, sizeof(uint32_t))) return false;
        document->lines[document->line_count++] = (uint32_t)start;
        const uint8_t *end = start < s->count ? memchr(s->bytes + start, '\n', s->count - start) : NULL;
        if (end == NULL) return true;
        start = (size_t)(end - s->bytes) + 1;
    }
}

// MARK: Bytes

// Returns the length of the UTF-8 sequence at an offset, 0 if it is invalid: Unicode 16.0, table 3-7.
static size_t sequence_length(const uint8_t *bytes, size_t available) {
    uint8_t first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length > available) return 0;
    for (size_t index = 1; index < length; index++) {
        if ((bytes[index] & 0xC0) != 0x80) return 0;
    }
    if (first == 0xE0 && bytes[1] < 0xA0) return 0;
    if (first == 0xED && bytes[1] > 0x9F) return 0;
    if (first == 0xF0 && bytes[1] < 0x90) return 0;
    if (first == 0xF4 && bytes[1] > 0x8F) return 0;
    return length;
}

// Returns whether eight bytes are ASCII without NUL: no high bit, and no borrow from a zero byte.
static bool is_plain(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    const uint64_t high = 0x8080808080808080u;
    return (word & high) == 0 && ((word - 0x0101010101010101u) & ~word & high) == 0;
}

static bool check_text(scanner *s) {
    for (size_t index = 0; index < s->count;) {
        if (s->count - index >= 8 && is_plain(s->bytes + index)) {
            index += 8;
            continue;
        }
        if (s->bytes[index] == 0) return fail(s, CHORDATA_XML_NUL_BYTE, index);
        size_t length = sequence_length(s->bytes + index, s->count - index);
        if (length == 0) return fail(s, CHORDATA_XML_INVALID_UTF8, index);
        if (length > 1 && s->ascii_declaration != 0) return fail(s, CHORDATA_XML_ENCODING, s->ascii_declaration);
        index += length;
    }
    return true;
}

enum {
    SPACE = 1,
    END_OF_NAME = 2,
    // Characters that end a value or change its meaning.
    END_OF_VALUE = 4,
};

static const uint8_t classes[256] = {
    [' '] = SPACE | END_OF_NAME,
    ['\n'] = SPACE | END_OF_NAME | END_OF_VALUE,
    ['\t'] = SPACE | END_OF_NAME | END_OF_VALUE,
    ['\r'] = SPACE | END_OF_NAME | END_OF_VALUE,
    ['/'] = END_OF_NAME,
    ['>'] = END_OF_NAME,
    ['='] = END_OF_NAME,
    ['<'] = END_OF_NAME,
    ['"'] = END_OF_VALUE,
    ['\''] = END_OF_VALUE,
    ['&'] = END_OF_VALUE,
};

static bool is_space(uint8_t byte) { return (classes[byte] & SPACE) != 0; }

static void skip_space(scanner *s) {
    size_t position = s->position;
    while (position < s->count && (classes[s->bytes[position]] & SPACE) != 0) position++;
    s->position = position;
}

static void skip_name(scanner *s) {
    size_t position = s->position;
    while (position < s->count && (classes[s->bytes[position]] & END_OF_NAME) == 0) position++;
    s->position = position;
}

static bool has_prefix(const scanner *s, const char *text) {
    size_t length = strlen(text);
    return s->count - s->position >= length && memcmp(s->bytes + s->position, text, length) == 0;
}

// Returns the first occurrence of a text, or NULL; `memmem` is not available everywhere.
static const uint8_t *find(const uint8_t *bytes, size_t count, const char *text) {
    size_t length = strlen(text);
    const uint8_t *end = bytes + count;
    while ((size_t)(end - bytes) >= length) {
        const uint8_t *found = memchr(bytes, text[0], (size_t)(end - bytes) - length + 1);
        if (found == NULL) return NULL;
        if (memcmp(found, text, length) == 0) return found;
        bytes = found + 1;
    }
    return NULL;
}

// Advances past the next occurrence of a text, or to the end.
static void skip_to(scanner *s, const char *text) {
    const uint8_t *found = find(s->bytes + s->position, s->count - s->position, text);
    s->position = found == NULL ? s->count : (size_t)(found - s->bytes) + strlen(text);
}

// MARK: Names

// Returns the slot of a name, or the empty slot in which it belongs after filling all of it except the number.
static name_slot *find_slot(const scanner *s, const uint8_t *text, size_t length, bool *is_new) {
    uint64_t head = 0, tail = 0;
    if (length >= 8) {
        memcpy(&head, text, 8);
        memcpy(&tail, text + length - 8, 8);
    } else {
        for (size_t index = 0; index < length; index++) head |= (uint64_t)text[index] << (index * 8);
    }
    uint64_t hash = (head ^ (tail * 0x9E3779B97F4A7C15u) ^ length) * 0xBF58476D1CE4E5B9u;
    for (size_t index = (hash >> 32) & s->slot_mask;; index = (index + 1) & s->slot_mask) {
        name_slot *slot = &s->slots[index];
        if (slot->text == NULL) {
            *is_new = true;
            *slot = (name_slot){.text = text, .length = (uint32_t)length, .head = head, .tail = tail};
            return slot;
        }
        if (slot->head == head && slot->tail == tail && slot->length == length
            && (length <= 16 || memcmp(slot->text, text, length) == 0)) {
            return slot;
        }
    }
}

// Returns the number of a name; a new name gets the next number.
static bool number_of(scanner *s, size_t offset, size_t length, uint32_t *number) {
    chordata_xml_document *document = s->document;
    if (length > s->limits.name_bytes) return fail(s, CHORDATA_XML_LONG_NAME, offset);
    bool is_new = false;
    name_slot *slot = find_slot(s, s->bytes + offset, length, &is_new);
    if (is_new) {
        if (document->name_count == s->limits.names) return fail(s, CHORDATA_XML_TOO_MANY_NAMES, offset);
        if (!grow(s, (void **)&document->names, document->name_count, &s->name_capacity, sizeof(chordata_xml_name))) {
            return false;
        }
        slot->number = (uint32_t)(s->known.count + document->name_count);
        document->names[document->name_count++] = (chordata_xml_name){(uint32_t)offset, (uint32_t)length};
    }
    *number = slot->number;
    return true;
}

// MARK: Markup

// `<?xml version="1.0" encoding="…"?>` may only name an encoding for which the bytes are checked.
static bool check_declaration(scanner *s) {
    const uint8_t *start = s->bytes + s->position;
    const uint8_t *end = find(start, s->count - s->position, "?>");
    if (end == NULL) return true;
    const uint8_t *found = find(start, (size_t)(end - start), "encoding");
    if (found == NULL) return true;
    const uint8_t *value = found + 8;
    while (value < end && (is_space(*value) || *value == '=')) value++;
    if (value == end || (*value != '"' && *value != '\'')) return true;
    const uint8_t *close = memchr(value + 1, *value, (size_t)(end - value - 1));
    if (close == NULL) return true;
    static const char *const fine[] = {"utf-8", "utf8", "us-ascii", "ascii"};
    size_t length = (size_t)(close - value - 1);
    for (size_t index = 0; index < sizeof(fine) / sizeof(fine[0]); index++) {
        if (strlen(fine[index]) != length) continue;
        size_t same = 0;
        while (same < length && (value[1 + same] | 0x20) == fine[index][same]) same++;
        if (same < length) continue;
        // ASCII is also valid UTF-8.
        if (index >= 2) s->ascii_declaration = (size_t)(value + 1 - s->bytes);
        return true;
    }
    return fail(s, CHORDATA_XML_ENCODING, (size_t)(value + 1 - s->bytes));
}

static bool is_present(const chordata_xml_document *document, const chordata_xml_element *element, uint32_t name) {
    if (name < 128) return (element->present[name / 64] >> (name % 64) & 1) != 0;
    for (size_t index = element->first_attribute; index < document->attribute_count; index++) {
        if (document->attributes[index].name == name) return true;
    }
    return false;
}

// Scans an attribute; the position is at its name, or at an invalid name.
static bool scan_attribute(scanner *s, chordata_xml_element *element) {
    chordata_xml_attribute attribute = {.offset = (uint32_t)s->position};
    skip_name(s);
    size_t name_end = s->position;
    skip_space(s);
    if (s->position >= s->count || s->bytes[s->position] != '=') {
        // This is not well-formed, which libxml2 will report; the scan continues after it.
        if (s->position < s->count && s->position == attribute.offset) s->position++;
        return true;
    }
    s->position++;
    skip_space(s);
    if (s->position >= s->count) return true;
    uint8_t quote = s->bytes[s->position];
    if (quote != '"' && quote != '\'') return true;
    attribute.value = (uint32_t)++s->position;
    const uint8_t *byte = s->bytes + s->position;
    const uint8_t *end = s->bytes + s->count;
    bool is_escaped = false;
    for (;; byte++) {
        while (byte < end && (classes[*byte] & END_OF_VALUE) == 0) byte++;
        if (byte == end || *byte == quote) break;
        is_escaped |= *byte != '"' && *byte != '\'';
    }
    attribute.is_escaped = is_escaped;
    attribute.value_end = (uint32_t)(byte - s->bytes);
    s->position = attribute.value_end + (byte < end);
    if (element->attribute_count == s->limits.attributes) {
        return fail(s, CHORDATA_XML_TOO_MANY_ATTRIBUTES, element->offset);
    }
    uint32_t name;
    if (!number_of(s, attribute.offset, name_end - attribute.offset, &name)) return false;
    attribute.name = (uint16_t)name;
    chordata_xml_document *document = s->document;
    if (is_present(document, element, name)) return fail(s, CHORDATA_XML_DUPLICATE_ATTRIBUTE, attribute.offset);
    if (name < 128) element->present[name / 64] |= (uint64_t)1 << (name % 64);
    if (!grow(s, (void **)&document->attributes, document->attribute_count, &s->attribute_capacity, sizeof(attribute))) {
        return false;
    }
    document->attributes[document->attribute_count++] = attribute;
    element->attribute_count++;
    return true;
}

static void end_element(scanner *s) {
    if (s->depth == 0) return;
    chordata_xml_element *element = &s->document->elements[s->open[--s->depth]];
    element->end = (uint32_t)s->document->element_count;
    element->end_offset = (uint32_t)s->position;
}

static bool scan_start_tag(scanner *s) {
    chordata_xml_document *document = s->document;
    chordata_xml_element element = {.offset = (uint32_t)s->position, .first_attribute = (uint32_t)document->attribute_count};
    if (s->depth == s->limits.depth) return fail(s, CHORDATA_XML_TOO_DEEP, s->position);
    size_t name = ++s->position;
    skip_name(s);
    if (!number_of(s, name, s->position - name, &element.name)) return false;
    bool is_empty = false;
    while (!is_empty) {
        skip_space(s);
        if (s->position >= s->count) break;
        uint8_t byte = s->bytes[s->position];
        if (byte == '>') {
            s->position++;
            break;
        }
        if (byte == '/') {
            s->position++;
            is_empty = s->position < s->count && s->bytes[s->position] == '>';
            s->position += is_empty;
        } else if (!scan_attribute(s, &element)) {
            return false;
        }
    }
    if (!grow(s, (void **)&document->elements, document->element_count, &s->element_capacity, sizeof(element))) {
        return false;
    }
    element.parent = s->depth == 0 ? UINT32_MAX : s->open[s->depth - 1];
    document->present[0] |= element.present[0];
    document->present[1] |= element.present[1];
    s->open[s->depth++] = (uint32_t)document->element_count;
    document->elements[document->element_count++] = element;
    if (is_empty) end_element(s);
    return true;
}

static bool scan_declaration(scanner *s) {
    size_t end = s->position;
    uint8_t quote = 0;
    // Within quotes a '>' is not the end.
    for (; end < s->count && (quote != 0 || (s->bytes[end] != '>' && s->bytes[end] != '[')); end++) {
        uint8_t byte = s->bytes[end];
        if (quote == 0 && (byte == '"' || byte == '\'')) {
            quote = byte;
        } else if (byte == quote) {
            quote = 0;
        }
    }
    bool has_subset = end == s->count || s->bytes[end] == '[';
    if (!s->limits.allows_document_type || !has_prefix(s, "<!DOCTYPE") || has_subset) {
        return fail(s, CHORDATA_XML_DOCUMENT_TYPE, s->position);
    }
    s->position = end + 1;
    return true;
}

static bool scan_markup(scanner *s) {
    if (has_prefix(s, "<!--")) {
        s->position += 4;
        skip_to(s, "-->");
    } else if (has_prefix(s, "<![CDATA[")) {
        skip_to(s, "]]>");
    } else if (has_prefix(s, "<?")) {
        skip_to(s, "?>");
    } else if (has_prefix(s, "<!")) {
        return scan_declaration(s);
    } else if (has_prefix(s, "</")) {
        skip_to(s, ">");
        end_element(s);
    } else {
        return scan_start_tag(s);
    }
    return true;
}

// Returns whether the document begins with a byte order mark of UTF-16, or with a `<` of two bytes.
static bool is_utf16(const scanner *s) {
    static const char *const starts[] = {"\xFF\xFE", "\xFE\xFF", "<\0", "\0<"};
    for (size_t index = 0; s->count >= 2 && index < sizeof(starts) / sizeof(starts[0]); index++) {
        if (memcmp(s->bytes, starts[index], 2) == 0) return true;
    }
    return false;
}

static bool scan(scanner *s) {
    if (s->count == 0) return fail(s, CHORDATA_XML_EMPTY, 0);
    // Offsets have 32 bits.
    if (s->count > s->limits.bytes || s->count > UINT32_MAX - 1) return fail(s, CHORDATA_XML_TOO_LARGE, 0);
    if (!find_lines(s)) return false;
    if (is_utf16(s)) return fail(s, CHORDATA_XML_UTF16, 0);
    if (has_prefix(s, "\xEF\xBB\xBF")) s->position = 3;
    // The declaration comes first, because in another encoding the bytes have another meaning.
    if (has_prefix(s, "<?xml") && !check_declaration(s)) return false;
    if (!check_text(s)) return false;
    skip_space(s);
    if (s->position == s->count || s->bytes[s->position] != '<') return fail(s, CHORDATA_XML_NO_MARKUP, s->position);
    while (s->position < s->count) {
        const uint8_t *next = memchr(s->bytes + s->position, '<', s->count - s->position);
        if (next == NULL) break;
        s->position = (size_t)(next - s->bytes);
        if (!scan_markup(s)) return false;
    }
    // Elements that are not closed, which libxml2 will report, end here.
    while (s->depth > 0) end_element(s);
    return true;
}

chordata_xml_document chordata_xml_scan(const uint8_t *bytes, size_t count, chordata_xml_limits limits,
                                        chordata_xml_known_names known) {
    chordata_xml_document document = {0};
    scanner s = {.bytes = bytes, .count = count, .limits = limits, .document = &document, .known = known};
    // Names are numbered in 16 bits; half of the slots stay empty.
    if (s.limits.names > 16384) s.limits.names = 16384;
    size_t slots = 64;
    while (slots < (s.limits.names + known.count) * 2) slots *= 2;
    s.slot_mask = slots - 1;
    s.slots = calloc(slots, sizeof(name_slot));
    s.open = malloc((limits.depth + 1) * sizeof(uint32_t));
    if (s.slots == NULL || s.open == NULL) {
        fail(&s, CHORDATA_XML_OUT_OF_MEMORY, 0);
    } else {
        for (size_t number = 0; number < known.count; number++) {
            const char *text = known.texts[number];
            bool is_new = false;
            find_slot(&s, (const uint8_t *)text, strlen(text), &is_new)->number = (uint32_t)number;
        }
        scan(&s);
    }
    free(s.slots);
    free(s.open);
    return document;
}

void chordata_xml_free(chordata_xml_document *document) {
    free(document->elements);
    free(document->attributes);
    free(document->names);
    free(document->lines);
    memset(document, 0, sizeof(*document));
}

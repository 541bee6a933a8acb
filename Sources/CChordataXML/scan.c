#include "CChordataXML.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t position;
    size_t depth;
    size_t tag_capacity;
    size_t attribute_capacity;
    size_t line_capacity;
    chordata_xml_limits limits;
    chordata_xml_scan_result *result;
} scanner;

// Ends the scan.
static bool fail(scanner *s, chordata_xml_problem problem, size_t offset) {
    s->result->problem = problem;
    s->result->problem_offset = (uint32_t)offset;
    return false;
}

// Makes room for one more item.
static bool grow(scanner *s, void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity == 0 ? 64 : *capacity * 2;
    void *moved = realloc(*items, larger * size);
    if (moved == NULL) return fail(s, CHORDATA_XML_OUT_OF_MEMORY, 0);
    *items = moved;
    *capacity = larger;
    return true;
}

static bool find_lines(scanner *s) {
    chordata_xml_scan_result *result = s->result;
    size_t start = 0;
    for (;;) {
        if (!grow(s, (void **)&result->lines, result->line_count, &s->line_capacity, sizeof(uint32_t))) return false;
        result->lines[result->line_count++] = (uint32_t)start;
        const uint8_t *end = start < s->count ? memchr(s->bytes + start, '\n', s->count - start) : NULL;
        if (end == NULL) return true;
        start = (size_t)(end - s->bytes) + 1;
    }
}

// The length of the UTF-8 sequence at an offset, 0 when it is none: Unicode 16.0, table 3-7.
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

static bool check_text(scanner *s) {
    for (size_t index = 0; index < s->count;) {
        if (s->bytes[index] == 0) return fail(s, CHORDATA_XML_NUL_BYTE, index);
        size_t length = s->bytes[index] < 0x80 ? 1 : sequence_length(s->bytes + index, s->count - index);
        if (length == 0) return fail(s, CHORDATA_XML_INVALID_UTF8, index);
        index += length;
    }
    return true;
}

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static bool is_end_of_name(uint8_t byte) {
    return is_space(byte) || byte == '/' || byte == '>' || byte == '=' || byte == '<';
}

static void skip_space(scanner *s) {
    while (s->position < s->count && is_space(s->bytes[s->position])) s->position++;
}

static void skip_name(scanner *s) {
    while (s->position < s->count && !is_end_of_name(s->bytes[s->position])) s->position++;
}

static bool has_prefix(const scanner *s, const char *text) {
    size_t length = strlen(text);
    return s->count - s->position >= length && memcmp(s->bytes + s->position, text, length) == 0;
}

// The first place of a text, or NULL; `memmem` is not everywhere.
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

// Goes behind a text, or to the end.
static void skip_to(scanner *s, const char *text) {
    const uint8_t *found = find(s->bytes + s->position, s->count - s->position, text);
    s->position = found == NULL ? s->count : (size_t)(found - s->bytes) + strlen(text);
}

// `<?xml version="1.0" encoding="…"?>` may only name what the bytes have been checked to be.
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
        if (same == length) return true;
    }
    return fail(s, CHORDATA_XML_ENCODING, (size_t)(value + 1 - s->bytes));
}

// At the name of an attribute, or at something that is none.
static bool scan_attribute(scanner *s, chordata_xml_tag *tag) {
    size_t name = s->position;
    skip_name(s);
    size_t name_end = s->position;
    skip_space(s);
    if (s->position >= s->count || s->bytes[s->position] != '=') {
        // Not well-formed, as libxml2 will say; go on behind it.
        if (s->position < s->count && name_end == name && s->position == name) s->position++;
        return true;
    }
    s->position++;
    skip_space(s);
    if (s->position >= s->count) return true;
    uint8_t quote = s->bytes[s->position];
    if (quote != '"' && quote != '\'') return true;
    size_t value = ++s->position;
    const uint8_t *end = memchr(s->bytes + value, quote, s->count - value);
    size_t value_end = end == NULL ? s->count : (size_t)(end - s->bytes);
    s->position = end == NULL ? s->count : value_end + 1;
    if (tag->attribute_count == s->limits.attributes) {
        return fail(s, CHORDATA_XML_TOO_MANY_ATTRIBUTES, tag->offset);
    }
    chordata_xml_scan_result *result = s->result;
    if (!grow(s, (void **)&result->attributes, result->attribute_count, &s->attribute_capacity,
              sizeof(chordata_xml_attribute))) {
        return false;
    }
    result->attributes[result->attribute_count++] =
        (chordata_xml_attribute){(uint32_t)name, (uint32_t)value, (uint32_t)value_end};
    tag->attribute_count++;
    return true;
}

static bool scan_tag(scanner *s) {
    chordata_xml_scan_result *result = s->result;
    chordata_xml_tag tag = {(uint32_t)s->position, (uint32_t)result->attribute_count, 0};
    if (++s->depth > s->limits.depth) return fail(s, CHORDATA_XML_TOO_DEEP, s->position);
    s->position++;
    skip_name(s);
    for (;;) {
        skip_space(s);
        if (s->position >= s->count) break;
        uint8_t byte = s->bytes[s->position];
        if (byte == '>') {
            s->position++;
            break;
        }
        if (byte == '/') {
            s->position++;
            if (s->position < s->count && s->bytes[s->position] == '>' && s->depth > 0) s->depth--;
            continue;
        }
        if (!scan_attribute(s, &tag)) return false;
    }
    if (!grow(s, (void **)&result->tags, result->tag_count, &s->tag_capacity, sizeof(chordata_xml_tag))) return false;
    result->tags[result->tag_count++] = tag;
    return true;
}

static bool scan_declaration(scanner *s) {
    const uint8_t *start = s->bytes + s->position;
    const uint8_t *end = memchr(start, '>', s->count - s->position);
    bool has_subset = end == NULL || memchr(start, '[', (size_t)(end - start)) != NULL;
    if (!s->limits.allows_document_type || !has_prefix(s, "<!DOCTYPE") || has_subset) {
        return fail(s, CHORDATA_XML_DOCUMENT_TYPE, s->position);
    }
    skip_to(s, ">");
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
        if (s->depth > 0) s->depth--;
        skip_to(s, ">");
    } else {
        return scan_tag(s);
    }
    return true;
}

static bool scan(scanner *s) {
    if (s->count == 0) return fail(s, CHORDATA_XML_EMPTY, 0);
    // Offsets have 32 bits.
    if (s->count > s->limits.bytes || s->count > UINT32_MAX - 1) return fail(s, CHORDATA_XML_TOO_LARGE, 0);
    if (!find_lines(s)) return false;
    if (s->count >= 2 && (memcmp(s->bytes, "\xFF\xFE", 2) == 0 || memcmp(s->bytes, "\xFE\xFF", 2) == 0)) {
        return fail(s, CHORDATA_XML_UTF16, 0);
    }
    if (!check_text(s)) return false;
    if (has_prefix(s, "\xEF\xBB\xBF")) s->position = 3;
    if (has_prefix(s, "<?xml") && !check_declaration(s)) return false;
    skip_space(s);
    if (s->position == s->count || s->bytes[s->position] != '<') return fail(s, CHORDATA_XML_NO_MARKUP, s->position);
    while (s->position < s->count) {
        const uint8_t *next = memchr(s->bytes + s->position, '<', s->count - s->position);
        if (next == NULL) return true;
        s->position = (size_t)(next - s->bytes);
        if (!scan_markup(s)) return false;
    }
    return true;
}

chordata_xml_scan_result chordata_xml_scan(const uint8_t *bytes, size_t count, chordata_xml_limits limits) {
    chordata_xml_scan_result result = {0};
    scanner s = {.bytes = bytes, .count = count, .limits = limits, .result = &result};
    scan(&s);
    return result;
}

void chordata_xml_scan_free(chordata_xml_scan_result *result) {
    free(result->tags);
    free(result->attributes);
    free(result->lines);
    memset(result, 0, sizeof(*result));
}

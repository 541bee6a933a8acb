#ifndef CBAREXML_H
#define CBAREXML_H

#include <stddef.h>

// Parses a document by libxml2's SAX interface with callbacks that only count.
// Returns the number of elements, -1 when the document is not well-formed.
long bare_xml_parse(const char *bytes, size_t count);

#endif

#ifndef CCHORDATADIAGNOSTICPAGES_H
#define CCHORDATADIAGNOSTICPAGES_H

// The Markdown of the manual's pages about diagnostics, in the order of their ids, with a form feed after each page.
const unsigned char *chordata_diagnostic_pages(void);

#endif

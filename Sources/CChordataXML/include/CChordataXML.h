#ifndef CCHORDATAXML_H
#define CCHORDATAXML_H
#endif

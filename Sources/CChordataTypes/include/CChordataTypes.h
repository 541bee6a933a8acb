#ifndef CCHORDATA_TYPES_H
#define CCHORDATA_TYPES_H

#include <stddef.h>

/// Calls a function with the metadata of each type of the program that can be a model: a class without a superclass, or
/// an enumeration, whose name ends with "Model".
///
/// The function reads the records of types that the compiler writes into each module, in the layout of Swift's stable
/// ABI. Generic types and nested types are left out. If the Swift runtime has no such list, `body` is not called.
void chordata_for_each_model(void (*body)(const void *metadata, void *context), void *context);

#endif

#include "CChordataTypes.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__APPLE__)

void chordata_for_each_model(void (*body)(const void *metadata, void *context), void *context) {
    (void)body;
    (void)context;
}

#else

/// The part of an image's metadata that is used here, as the Swift runtime declares it.
struct range {
    uintptr_t start;
    size_t length;
};

struct sections {
    uintptr_t version;
    const void *base_address;
    void *unused[2];
    struct range protocols;
    struct range protocol_conformances;
    struct range type_metadata;
};

/// A function that the Swift runtime exports if the records of images are in sections of their own. It is weak, because
/// other runtimes do not have it.
__attribute__((weak)) extern void swift_enumerateAllMetadataSections(
    bool (*body)(const struct sections *sections, void *context), void *context);

/// Returns a pointer that is stored as the distance from its own address.
static const void *resolve(const int32_t *relative) {
    return *relative == 0 ? NULL : (const char *)relative + *relative;
}

/// The beginning of a descriptor of a nominal type.
struct descriptor {
    uint32_t flags;
    int32_t parent;
    int32_t name;
    int32_t access_function;
    int32_t fields;
    /// Only in the descriptor of a class.
    int32_t superclass;
};

struct metadata_response {
    const void *metadata;
    size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*accessor)(size_t request);

struct call {
    void (*body)(const void *metadata, void *context);
    void *context;
};

enum { kind_mask = 0x1F, kind_module = 0, kind_class = 16, kind_enum = 18, flag_generic = 0x80 };

/// Returns whether a type can be a model: generated models are classes without a superclass, and models that were
/// written by hand are enumerations.
static bool can_be_model(const struct descriptor *type) {
    if ((type->flags & flag_generic) != 0) return false;
    switch (type->flags & kind_mask) {
    case kind_class: return type->superclass == 0;
    case kind_enum: return true;
    default: return false;
    }
}

static bool ends_with_model(const char *name) {
    static const char suffix[] = "Model";
    const size_t length = strlen(name), suffix_length = sizeof suffix - 1;
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

static void visit(const int32_t *record, const struct call *call) {
    // The lower two bits specify how the descriptor is found; only direct references are to types of this program.
    if ((*record & 3) != 0) return;
    const struct descriptor *type = resolve(record);
    if (type == NULL || !can_be_model(type)) return;
    // Indirect references have an odd distance; the parents of the program's own types are direct.
    if ((type->parent & 1) != 0) return;
    const struct descriptor *parent = resolve(&type->parent);
    if (parent == NULL || (parent->flags & kind_mask) != kind_module) return;
    const char *name = resolve(&type->name);
    if (name == NULL || !ends_with_model(name)) return;
    const accessor access = (accessor)(uintptr_t)resolve(&type->access_function);
    if (access != NULL) call->body(access(0).metadata, call->context);
}

static bool visit_sections(const struct sections *sections, void *context) {
    const int32_t *record = (const int32_t *)sections->type_metadata.start;
    const size_t count = sections->type_metadata.length / sizeof *record;
    for (size_t index = 0; record != NULL && index < count; index++) visit(record + index, context);
    return true;
}

void chordata_for_each_model(void (*body)(const void *metadata, void *context), void *context) {
    struct call call = {body, context};
    if (swift_enumerateAllMetadataSections != NULL) swift_enumerateAllMetadataSections(visit_sections, &call);
}

#endif

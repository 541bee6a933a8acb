"""How names of a model look in Swift, written down a second time and not taken from Chordata."""

import os
import re

KEYWORDS = set(
    "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private "
    "precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default "
    "defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self "
    "Self super throws true try Type Protocol".split()
)
# What every object has already, so that a property of that name gets an underscore.
MEMBERS = set(
    "objectID managedObjectContext isFault isInserted isUpdated isDeleted hasChanges entityName describe willAccess "
    "willChange toOne toMany orderedToMany fetchRequest predicateArgumentValue init self Type hashValue Values "
    "PropertyKey lastPropertyKey Chordata Foundation Swift Self Protocol unsafeDowncast hasPersistentChangedValues "
    "changedValues awakeFromInsert awakeFromFetch willSave didSave prepareForDeletion willTurnIntoFault "
    "didTurnIntoFault validateForInsert validateForUpdate validateForDelete validateInsert validateUpdate "
    "validateDelete".split()
)


def escaped(name):
    return f"`{name}`" if name in KEYWORDS else name


def property_name(name):
    return name + "_" if name in MEMBERS else escaped(name)


def accessor_name(prefix, name):
    return prefix + name[0].upper() + name[1:]


def function_name(name):
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if name == "_" or name[:1].isdigit():
        name = "_" + name
    name = name[:1].lower() + name[1:]
    return name + "_" if name in MEMBERS else escaped(name)


def model_type(bundle):
    name = re.sub(r"\.xcdatamodeld?$", "", os.path.basename(bundle))
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if name[:1].isdigit():
        name = "_" + name
    return name if name.endswith("Model") else name + "Model"


def literal(text):
    """A text as a Swift literal."""
    return '"' + "".join(c if c.isalnum() or c in " _.-" else f"\\u{{{ord(c):x}}}" for c in text) + '"'

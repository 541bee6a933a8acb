"""The rules for names of a model in Swift, written a second time, independently of Chordata."""

import os
import re
import unicodedata

KEYWORDS = set(
    "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private "
    "precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default "
    "defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self "
    "Self super throws true try Type Protocol".split()
)
# The members of every object: a property with such a name gets an underscore.
MEMBERS = set(
    "objectID managedObjectContext isFault isInserted isUpdated isDeleted hasChanges entityName describe willAccess "
    "willAccessExternal willChange toOne toMany orderedToMany fetchRequest predicateArgumentValue init self Type hashValue "
    "Values PropertyKey lastPropertyKey Chordata Foundation Swift Self Protocol _level _Level unsafeDowncast "
    "hasPersistentChangedValues changedValues awakeFromInsert awakeFromFetch willSave didSave prepareForDeletion "
    "willTurnIntoFault didTurnIntoFault validateForInsert validateForUpdate validateForDelete validateInsert validateUpdate "
    "validateDelete".split()
)
# The same for the struct of a composite.
COMPOSITE_MEMBERS = {"self", "Self", "Type", "Protocol", "hashValue"}


def escaped(name):
    return f"`{name}`" if name in KEYWORDS else name


def property_name(name):
    return name + "_" if name in MEMBERS else escaped(name)


def element_name(name):
    return name + "_" if name in COMPOSITE_MEMBERS else escaped(name)


def label(name):
    """A name in front of a colon, where Swift takes nearly all keywords as they are."""
    plain = name.strip("`")
    return name if plain == "inout" else plain


def accessor_name(prefix, name):
    return prefix + name[0].upper() + name[1:]


def characters(text):
    """The characters of a text as Swift counts them: a letter is one with its accents, an emoji with its modifiers."""
    found = []
    for scalar in text:
        is_joined = found and (unicodedata.category(scalar).startswith("M") or scalar == "\u200d"
                               or "\U0001f3fb" <= scalar <= "\U0001f3ff" or found[-1].endswith("\u200d"))
        if is_joined:
            found[-1] += scalar
        else:
            found.append(scalar)
    return found


def identifier(name):
    """A name with an underscore in the place of each character that a name cannot have."""
    name = "".join(c if re.fullmatch(r"[A-Za-z0-9_]", c) else "_" for c in characters(name))
    return "_" + name if name in ("", "_") or name[:1].isdigit() else name


def function_name(name):
    name = identifier(name)
    name = name[:1].lower() + name[1:]
    return name + "_" if name in MEMBERS else escaped(name)


def model_type(bundle):
    name = re.sub(r"\.xcdatamodeld?$", "", os.path.basename(bundle))
    name = "".join(c if re.fullmatch(r"[A-Za-z0-9_]", c) else "_" for c in characters(name))
    name = "_" + name if name == "" or name[:1].isdigit() else name
    return name if name.endswith("Model") else name + "Model"


def literal(text):
    """A text as a Swift literal."""
    return '"' + "".join(c if c.isalnum() or c in " _.-" else f"\\u{{{ord(c):x}}}" for c in text) + '"'

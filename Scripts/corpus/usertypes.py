"""The types that a model leaves to its users: enumerations of raw values, and values of Transformable attributes. What Chordata
makes of them is described in `Generated-Code.md`; this is a second reading of it."""

import re

import swifttypes
from forms import UnknownForm
from swiftnames import literal

INTEGER_BITS = {"Integer 16": 16, "Integer 32": 32, "Integer 64": 64}
_INTEGER_TYPES = re.compile(r"U?Int(8|16|32|64)?")


def notes(element):
    """The user info of an entity, attribute or relationship."""
    return {entry.get("key"): entry.get("value") or "" for info in element.findall("userInfo") for entry in info.findall("entry")}


def note(element, key):
    """A note for the generator, also in the spelling of older mogenerators; None if there is none."""
    found = notes(element)
    return found.get(key, found.get(key.removeprefix("mogenerator.")))


def flag(element, key):
    """A note that means yes or no, as mogenerator and SwiftGen read it; None if there is none."""
    value = note(element, key)
    return None if value is None else value.lower() in ("yes", "true", "1", "")


class UserType:
    """The Swift type of a property that differs from what the store keeps.

    Its kind is `Int` or `String` for an enumeration, `Number` for an integer of another size, `Coded` for a value as JSON.
    """

    def __init__(self, kind, type_):
        self.kind = kind
        self.type = type_

    @property
    def name(self):
        return self.type.name

    @property
    def text(self):
        """The type with its arguments."""
        return swift_text(self.type)

    @property
    def is_enumeration(self):
        return self.kind in ("Int", "String")


def swift_text(type_):
    arguments = ", ".join(map(swift_text, type_.arguments))
    return type_.name + (f"<{arguments}>" if arguments else "")


def user_type(attribute, generated=""):
    """The user's type of an attribute; None where the property has the type of the store.

    `generated` is the generated code. It decides where a name does not show whether a class is Apple's.
    """
    kind = attribute.get("attributeType") or ""
    if kind == "Transformable":
        return _coded_type(attribute, generated)
    if kind not in INTEGER_BITS and kind != "String":
        return None
    for key in ("RawType", "attributeValueScalarType"):
        text = note(attribute, key)
        if text:
            return _raw_type(text, kind)
    return None


def user_type_of(attribute, type_):
    """Returns the user's type of a property with a given type; None if that is the type of the store."""
    kind = attribute.get("attributeType")
    if type_ is None or swifttypes.plain_text(type_) == STORED.get(kind):
        return None
    if kind == "Transformable":
        return UserType("Coded", type_)
    return UserType("Number" if type_.is_standard else "String" if kind == "String" else "Int", type_)


# The types of properties that have no user's type, for the kinds of attributes that can have one.
STORED = {"Integer 16": "Int16", "Integer 32": "Int32", "Integer 64": "Int64", "String": "String", "Transformable": "Data"}


def property_type(attribute, generated=""):
    """The type of a property without a question mark, as text; None if it cannot differ from that of the store."""
    kind = attribute.get("attributeType")
    if kind not in STORED:
        return None
    user = user_type(attribute, generated)
    return STORED[kind] if user is None else swifttypes.plain_text(user.type)


def _raw_type(text, kind):
    found = swifttypes.parse(text)
    # A type of C, such as `int`, is not a type of Swift, and collections have no raw values.
    if found is None or not found.path[-1][0].isupper() or {"Array", "Dictionary", "Optional"} & {t.base for t in found.all()}:
        return None
    if {t.path[-1] for t in found.all()} & swifttypes.UNTYPED:
        return None
    if found.is_standard:
        is_number = kind in INTEGER_BITS and _INTEGER_TYPES.fullmatch(found.base)
        return UserType("Number", found) if is_number and found.base != f"Int{INTEGER_BITS[kind]}" else None
    return UserType("String" if kind == "String" else "Int", found)


def _coded_type(attribute, generated):
    text = note(attribute, "attributeValueClassName")
    if text is None:
        text = attribute.get("customClassName") or ""
    text = text.strip()
    # A leading dot means the current module; if there is nothing after the last dot, there is no class.
    found = swifttypes.parse(text[1:] if text.startswith(".") else text)
    if found is None or found.base == "Optional" or {t.path[-1] for t in found.all()} & swifttypes.UNTYPED:
        return None
    for inner in found.all():
        if inner.is_standard:
            continue
        if inner.path[0] in ("Swift", "Foundation"):
            raise UnknownForm(attribute, "customClassName", f"what '{inner.name}' is coded as")
        is_apple = swifttypes.is_apple(inner.name)
        # The generated code decides about an array of Apple's objects, and about a name that is ambiguous.
        if is_apple is None or (is_apple and inner is not found):
            is_apple = not re.search(rf"\bvar \w+: [^={{]*\b{re.escape(inner.name)}\b", generated)
        if is_apple:
            return None
    return UserType("Coded", found)


def integer_range(attribute, user=None):
    """The minimum and the maximum integer that the store and the property can have."""
    bits = INTEGER_BITS[attribute.get("attributeType")]
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    if user and user.kind == "Number":
        own = int(re.sub(r"\D", "", user.type.base) or 64)
        if user.type.base.startswith("U"):
            return max(low, 0), min(high, 2 ** own - 1)
        return max(low, -(2 ** (own - 1))), min(high, 2 ** (own - 1) - 1)
    return low, high


class Declarations:
    """Swift declarations of the user's types, nested in enumerations that replace the modules they name."""

    def __init__(self, taken=()):
        # Names of classes: a type with the same name would be a second declaration.
        self.taken = set(taken)
        self.cases = {}
        self.kinds = {}
        self.arities = {}

    def add(self, attribute, user, values):
        """Adds the type of an attribute; `values` are the raw values that an enumeration needs."""
        for inner in user.type.all():
            if inner.is_standard or inner.name in self.taken:
                continue
            kind = user.kind if inner is user.type and user.is_enumeration else "Coded"
            earlier = self.kinds.setdefault(inner.name, kind)
            if earlier != kind or self.arities.setdefault(inner.name, len(inner.arguments)) != len(inner.arguments):
                raise UnknownForm(attribute, None, f"'{inner.name}' is used as two kinds of types")
            if kind != "Coded":
                cases = self.cases.setdefault(inner.name, [])
                cases += [value for value in dict.fromkeys(values) if value not in cases]

    def swift(self, access=""):
        """The declarations, each in its module."""
        lines, modules = [], set()
        for name in self.kinds:
            *path, last = name.split(".")
            for depth in range(1, len(path) + 1):
                module = ".".join(path[:depth])
                # A class with that name can already have nested types.
                if module not in modules and module not in self.taken and module not in self.kinds:
                    outer = ".".join(path[:depth - 1])
                    declaration = f"{access}enum {path[depth - 1]} {{}}"
                    lines.append(f"extension {outer} {{ {declaration} }}" if outer else declaration)
                modules.add(module)
            declaration = access + self._declaration(name, last, access)
            lines.append(f"extension {'.'.join(path)} {{ {declaration} }}" if path else declaration)
        return lines

    def _declaration(self, name, last, access):
        kind = self.kinds[name]
        if kind == "Coded":
            count = self.arities[name]
            generic = ", ".join(f"T{place}: Swift.Codable & Swift.Hashable & Swift.Sendable" for place in range(count))
            return (f"struct {last}{f'<{generic}>' if count else ''}: Swift.Codable, Swift.Hashable, Swift.Sendable "
                    f"{{ {access}var text: Swift.String }}")
        raw = [value if kind == "Int" else literal(value) for value in self.cases[name]]
        cases = "; ".join(f"case value{place} = {value}" for place, value in enumerate(raw))
        # The struct of a composite requires that its elements are Codable.
        return f"enum {last}: Swift.{kind}, Swift.Codable, Swift.Sendable {{ {cases} }}"

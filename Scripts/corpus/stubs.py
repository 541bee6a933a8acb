"""Swift for the parts that an app has in addition to its model: types, classes and modules."""

import usertypes
import values
import xmlmodel
from forms import UnknownForm


def user_types(model, access="", user_type=None):
    """Declarations of the types that a version leaves to its users; `user_type` gives the type of an attribute."""
    found = usertypes.Declarations(taken=model.classes.values())
    unique = {name for e in model.entities for constraint in e.constraints for name in constraint}
    for attribute in [a for e in model.entities for a in e.attributes] + [a for c in model.composites.values() for a in c]:
        try:
            user = user_type(attribute) if user_type else usertypes.user_type(attribute, model.generated)
            if user is None or user.kind == "Number":
                continue
            raw = []
            if user.is_enumeration:
                raw = values.cases(attribute, user, attribute.get("name") in unique)
                standard = values.default(attribute)
                raw += [standard] if standard is not None else []
            found.add(attribute, user, raw)
        except UnknownForm:
            # The plan reports it; the rest of the version can be compiled nevertheless.
            continue
    return found.swift(access)


def user_classes(model, access=""):
    """Declarations of the classes that codegen 'category' leaves to its users."""
    parents = {e.parent for e in model.entities}
    return [
        f"{access.replace('public', 'open') if e.name in parents else access + 'final '}class {model.classes[e.name]}: "
        f"_{model.classes[e.name].strip('`')} {{}}"
        for e in model.entities
        if e.codegen == "category"
    ]


def modules(model):
    """The modules that the generated code imports because the user info of an entity says so."""
    found = set()
    for entity in model.entities:
        for name in (usertypes.note(entity.element, "additionalImports") or "").split(","):
            name = name.strip()
            if name.isidentifier() and name.isascii() and name not in ("Swift", "Foundation", "Chordata"):
                found.add(name)
    return sorted(found)


def all_of(model, access="", user_type=None):
    return user_types(model, access, user_type) + user_classes(model, access)

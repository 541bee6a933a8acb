"""The functions and initializers that generated code must have for a model."""

import swiftnames
import usertypes
import values
import xmlmodel
from xmlmodel import yes


def of_model(plan, only_callable=True):
    """The functions and initializers that generated code must have, as the driver calls them."""
    model = plan.model
    found = ["container(at:)"]
    used = [a for e in model.entities for a in e.attributes if a.get("attributeType") == "Composite"]
    if only_callable:
        used = [a for a in used if id(a) not in plan.blocked and not has_no_accessor(a)]
    while used:
        attribute = used.pop()
        name = attribute.get("composite")
        if f"{name}.init" not in found:
            found.append(f"{name}.init")
            used += [a for a in model.parts(attribute) if a.get("attributeType") == "Composite"]
    for entity in model.entities:
        if only_callable and not model.concrete_below(entity.name):
            continue
        found.append(f"{entity.name}.Values.init")
        if not entity.abstract and required(model, entity):
            found.append(f"{entity.name}.init")
        found += [f"{entity.name}.{p.get('name')}" for p in entity.fetched_properties]
        for relationship in entity.relationships:
            if not only_callable or plan.is_linked(entity, relationship):
                found += [f"{entity.name}.{name}" for name in accessors(relationship)]
    return found + [
        f"{swiftnames.function_name(f.get('name'))}()" for f in model.fetch_requests
        if plan.calls[id(f)] or not only_callable
    ]


def required(model, entity):
    """The arguments of an entity's initializer: attributes and to-one relationships, in their order."""
    found = []
    for level in model.lineage(entity):
        found += [attribute for attribute in level.attributes if is_argument(model, attribute)]
        found += [
            r for r in level.relationships
            if not xmlmodel.is_to_many(r) and not yes(r, "optional") and not yes(r, "transient") and not has_no_accessor(r)
        ]
    return found


def is_argument(model, attribute):
    """Returns whether an initializer asks for an attribute."""
    if yes(attribute, "transient") or yes(attribute, "derived") or has_no_accessor(attribute):
        return False
    if usertypes.flag(attribute, "nonOptionalInit"):
        return True
    if yes(attribute, "optional") or attribute.get("attributeType") in xmlmodel.UNTYPED:
        return False
    leaves = [leaf for _, leaf in model.leaves(attribute)]
    return not leaves or any(values.default(leaf) is None for leaf in leaves)


def has_no_accessor(element):
    return usertypes.flag(element, "mogenerator.ignore") is True


def is_read_only(element):
    return usertypes.flag(element, "mogenerator.readonly") is True


UNORDERED = ["addTo(_:)", "removeFrom(_:)", "addTo(_: Set)", "removeFrom(_: Set)"]
ORDERED = UNORDERED + ["insertInto(_:at:)", "removeFrom(at:)", "insertInto(_:at: IndexSet)", "removeFrom(at: IndexSet)",
                       "replace(at:with:)", "replace(at: IndexSet, with:)"]


def accessors(relationship):
    """The functions beside a to-many relationship."""
    if not xmlmodel.is_to_many(relationship) or has_no_accessor(relationship) or is_read_only(relationship):
        return []
    names = ORDERED if xmlmodel.is_ordered(relationship) else UNORDERED
    return [f"{relationship.get('name')}.{name}" for name in names]

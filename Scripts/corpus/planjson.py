"""Writes a plan as JSON, which `Support/Plan.swift` reads."""

import functions
import xmlmodel
from xmlmodel import yes


def as_json(plan):
    numbers = {e.name: place for place, e in enumerate(plan.model.concrete)}
    return {
        "entities": [entity(plan, e) for e in plan.model.concrete],
        "objects": [
            {"entity": numbers[o.entity.name], "isSparse": o.is_sparse, "values": o.values, "given": o.given, "links": o.links}
            for o in plan.objects
        ],
        "properties": plan.properties(),
        "functions": functions.of_model(plan),
    }


def entity(plan, of):
    model = plan.model
    return {
        "name": of.name,
        "lineage": [level.name for level in model.lineage(of)],
        "attributes": [
            {"name": path, "kind": kind(plan, leaf),
             "isTransient": yes(attribute, "transient") or yes(leaf, "transient"), "isDerived": yes(attribute, "derived"),
             "isUnique": attribute.get("name") in plan.unique(of)}
            for attribute in model.attributes(of) if id(attribute) not in plan.blocked
            for path, leaf in model.leaves(attribute)
        ],
        "relationships": [
            {"name": r.get("name"), "isToMany": xmlmodel.is_to_many(r), "isOrdered": xmlmodel.is_ordered(r),
             "isTransient": yes(r, "transient"), "inverse": inverse_name(model, of, r), "passes": plan.passes.get(id(r), [])}
            for r in model.relationships(of)
        ],
        "propertyNames": [p.get("name") for p in model.properties(of)],
        "fetchedPropertyNames": [p.get("name") for p in model.fetched_properties(of)],
    }


def kind(plan, leaf):
    """The type of an attribute; `Coded` where its text in the plan is the JSON that the store keeps."""
    user = plan.user_type(leaf)
    if user and user.kind == "Coded":
        return "Coded"
    found = leaf.get("attributeType")
    return "Undefined" if found in xmlmodel.UNTYPED else found


def inverse_name(model, entity, relationship):
    inverse = model.inverse(model.owner(entity, relationship), relationship)
    return None if inverse is None else inverse.get("name")

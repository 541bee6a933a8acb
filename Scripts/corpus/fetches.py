"""The results of a model's fetch requests: predicates of the simplest kinds are evaluated here."""

import re

import generated
import xmlmodel
from swiftnames import escaped, function_name, literal

# Arguments of the functions whose predicates are not evaluated here: any value of the type.
ARGUMENTS = {
    "Swift.String": '"text"', "Swift.Bool": "true", "Foundation.Date": "Foundation.Date()", "Foundation.Decimal": "1",
    "Foundation.UUID": "Foundation.UUID()", "Foundation.Data": "Foundation.Data([1])", "Swift.Double": "1", "Swift.Float": "1",
    "Foundation.URL": "Foundation.URL(filePath: \"/text\")",
    **{f"Swift.{sign}Int{bits}": "1" for sign in ("", "U") for bits in ("", "8", "16", "32", "64")},
}


def conditions(request):
    """The alternatives of a predicate, each a path and the name of a variable; None if it is of another kind."""
    predicate = request.get("predicateString") or ""
    if re.fullmatch(r"\s*|\s*(true\s*==\s*true|TRUEPREDICATE)\s*", predicate):
        return []
    found = [re.fullmatch(r"\s*([\w.]+)\s*==?\s*\$(\w+)\s*", part) for part in re.split(r"\s+OR\s+", predicate)]
    return [match.groups() for match in found] if all(found) else None


def reads(model, entity, path):
    """Returns whether a path of to-ones ends at a stored attribute whose values can be compared here."""
    steps = path.split(".")
    for place, step in enumerate(steps):
        relationship = model.relationship(entity, step)
        if relationship is None:
            leaves = {p: (leaf, a) for a in model.attributes(entity) for p, leaf in model.leaves(a)}
            leaf, attribute = leaves.get(".".join(steps[place:]), (None, None))
            return leaf is not None and not xmlmodel.yes(attribute, "transient") and leaf.get("attributeType") not in (
                "Transformable", *xmlmodel.UNTYPED)
        if xmlmodel.is_to_many(relationship) or xmlmodel.yes(relationship, "transient"):
            return False
        entity = model.destination(relationship)
    return False


def source(plan, planned, path):
    """The planned object that has the attribute of a path, and the rest of the path; None if a to-one is empty."""
    steps = path.split(".")
    while len(steps) > 1 and plan.model.relationship(planned.entity, steps[0]) is not None:
        linked = planned.links.get(steps.pop(0)) or []
        if not linked:
            return None
        planned = plan.objects[linked[0]]
    return planned, ".".join(steps)


def read(plan, planned, path):
    """The planned value of a path of to-ones and an attribute."""
    found = source(plan, planned, path)
    return None if found is None else found[0].values.get(found[1])


def matching(plan, request, variables):
    """The numbers of the planned objects that a request finds, as a Swift array; `nil` if they are not known here."""
    alternatives = conditions(request)
    entity = plan.model.by_name[request.get("entity")]
    if alternatives is None or any(name not in variables for _, name in alternatives):
        return "nil"
    if not all(reads(plan.model, entity, path) for path, _ in alternatives):
        return "nil"
    objects = plan.of(entity.name) if xmlmodel.yes(request, "includeSubentities", True) else [
        o for o in plan.objects if o.entity is entity]
    found = [o for o in objects
             if not alternatives or any(read(plan, o, path) == variables[name] for path, name in alternatives)]
    limit = xmlmodel.count(request, "fetchLimit") or 0
    if 0 < limit < len(found):
        # Any of them may be among the objects within the limit.
        return "nil"
    if request.get("resultType") == "2" and xmlmodel.yes(request, "returnDistinctResults"):
        if len({(o.entity.name, *sorted(o.values.items())) for o in found}) < len(found):
            return "nil"
    return str([o.number for o in found])


def call(plan, request):
    """Statements that call the function of a fetch request, and compare its result; none if no arguments are known for
    it."""
    entity = request.get("entity")
    name = function_name(request.get("name"))
    alternatives = conditions(request)
    parameters = generated.parameters(plan.model.generated, name) or []
    arguments, variables = [], {}
    for number, (path, variable) in enumerate(alternatives or []):
        # Different objects are used, so that each alternative finds something on its own.
        candidates = [o for o in plan.of(entity) if read(plan, o, path) is not None]
        if variable in variables or not candidates or not reads(plan.model, plan.model.by_name[entity], path):
            alternatives = None
            break
        chosen, attribute = source(plan, candidates[number % len(candidates)], path)
        variables[variable] = chosen.values[attribute]
        arguments.append(f"{escaped(variable)}: check.row({chosen.number}).value({literal(attribute)})")
    if alternatives is None:
        # Only the call is tested: its result is not known here.
        variables, arguments = {}, [argument(plan, label, type_) for label, type_ in parameters]
        if None in arguments:
            return []
    cls = plan.model.classes[entity]
    fetch = f"try context.fetch({cls}.{name}({', '.join(arguments)}))"
    checked = f"check.check({literal(name + '()')}"
    expected = "nil" if alternatives is None else matching(plan, request, variables)
    kind = request.get("resultType") or "0"
    if kind in ("2", "4"):
        return [f"{checked}, count: {fetch}{'.count' if kind == '2' else ''}, of: {expected})"]
    keys = ".map(\\.key)" if kind == "1" else ".map(\\.objectID.key)"
    return [f"{checked}, {fetch}{keys}, are: {expected})"]


def argument(plan, label, type_):
    """An argument of a type that generated code names; None if no value of it is known here."""
    if type_.startswith("[") and type_.endswith("]"):
        inner = argument(plan, label, type_[1:-1])
        return None if inner is None else f"{label}: [{inner.split(': ', 1)[1]}]"
    if type_ in ARGUMENTS:
        return f"{label}: {ARGUMENTS[type_]}"
    names = [name for name, cls in plan.model.classes.items() if cls == type_]
    objects = plan.of(names[0]) if names else []
    return f"{label}: try check.object({objects[0].number}, in: context)" if objects else None

"""What the fetch requests of a model give: predicates of the simplest kinds are evaluated here."""

import re

from swiftnames import escaped, function_name, literal


def conditions(request):
    """The alternatives of a predicate, each a path and the name of a variable; None where it is of another kind."""
    predicate = request.get("predicateString")
    if predicate is None or re.fullmatch(r"\s*(true\s*==\s*true|TRUEPREDICATE)\s*", predicate):
        return []
    found = [re.fullmatch(r"\s*([\w.]+)\s*==\s*\$(\w+)\s*", part) for part in re.split(r"\s+OR\s+", predicate)]
    return [match.groups() for match in found] if all(found) else None


def is_callable(request):
    """Whether it is known here which arguments the function takes."""
    return conditions(request) is not None or "$" not in request.get("predicateString")


def read(plan, planned, path):
    """What a path of to-ones and an attribute leads to."""
    steps = path.split(".")
    for step in steps[:-1]:
        linked = planned.links.get(step) or []
        if not linked:
            return None
        planned = plan.objects[linked[0]]
    return planned.values.get(steps[-1])


def matching(plan, request, variables):
    """The numbers of the planned objects that a request finds, as a Swift array; `nil` where that is not known here."""
    alternatives = conditions(request)
    if alternatives is None:
        return "nil"
    return str([
        planned.number for planned in plan.of(request.get("entity"))
        if not alternatives or any(read(plan, planned, path) == variables[name] for path, name in alternatives)
    ])


def call(plan, request):
    """Statements that call the function of a fetch request, and compare what it gives."""
    if not is_callable(request):
        return []
    entity = request.get("entity")
    arguments, variables = [], {}
    for number, (path, name) in enumerate(conditions(request) or []):
        # Different objects, so that each alternative finds something by itself.
        candidates = [o for o in plan.of(entity) if read(plan, o, path) is not None]
        source = candidates[number % len(candidates)]
        variables[name] = read(plan, source, path)
        steps = path.split(".")
        for step in steps[:-1]:
            source = plan.objects[source.links[step][0]]
        arguments.append(f"{escaped(name)}: check.row({source.number}).value({literal(steps[-1])})")
    name = function_name(request.get("name"))
    fetch = f"try context.fetch({plan.model.classes[entity]}.{name}({', '.join(arguments)}))"
    checked = f"check.check({literal(name + '()')}"
    expected = matching(plan, request, variables)
    kind = request.get("resultType") or "0"
    if kind in ("2", "4"):
        return [f"{checked}, count: {fetch}{'.count' if kind == '2' else ''}, of: {expected})"]
    keys = ".map(\\.key)" if kind == "1" else ".map(\\.objectID.key)"
    return [f"{checked}, {fetch}{keys}, are: {expected})"]

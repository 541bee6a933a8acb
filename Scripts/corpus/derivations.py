"""The values of derived attributes, computed from the planned values."""

import re

import fetches
import values
import xmlmodel
from forms import UnknownForm

_TEXT = {"canonical": values.canonical, "lowercase": str.lower, "uppercase": str.upper}


def derived(plan, planned, attribute):
    """The value of a derived attribute as text; None where it has none. `now` is the time of the save."""
    expression = (attribute.get("derivationExpression") or "").strip()
    model, entity = plan.model, planned.entity
    if re.fullmatch(r"now\(\s*\)", expression):
        return "now"
    if match := re.fullmatch(r"(canonical|lowercase|uppercase):\(\s*([\w.]+)\s*\)", expression):
        function, path = match.groups()
        if fetches.reads(model, entity, path):
            text = fetches.read(plan, planned, path)
            return None if text is None else _TEXT[function](text)
    if match := re.fullmatch(r"(\w+)\.@count", expression):
        relationship = model.relationship(entity, match.group(1))
        if relationship is not None and xmlmodel.is_to_many(relationship):
            return str(len(planned.links.get(match.group(1), [])))
    if re.fullmatch(r"[\w.]+", expression) and fetches.reads(model, entity, expression):
        if not any(xmlmodel.yes(a, "derived") for a in model.attributes(entity) if a.get("name") == expression):
            return fetches.read(plan, planned, expression)
    raise UnknownForm(attribute, "derivationExpression", "what it derives is not known here", of=entity.name)

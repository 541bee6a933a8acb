"""Compares the types of properties in generated code with those that the model asks for, before anything is compiled."""

import generated
import swiftnames
import swifttypes
import usertypes


def compare(plan):
    """Adds the differences to the failures of a plan, which then uses the generated types, so that the round trip can
    continue."""
    types = generated.property_types(plan.model.generated)
    for entity in plan.model.entities:
        cls = ("_" if entity.codegen == "category" else "") + plan.model.classes[entity.name].strip("`")
        if cls not in types:
            plan.failures.append(f"the class of entity '{entity.name}' is not '{cls}'")
            continue
        for attribute in entity.attributes:
            name = attribute.get("name")
            actual = types[cls].get(swiftnames.property_name(name).strip("`"))
            expected = usertypes.property_type(attribute, plan.model.generated)
            if actual is None or expected is None:
                continue
            found = swifttypes.parse(actual.removesuffix("?"))
            if found is None or swifttypes.plain_text(found) != expected:
                plan.failures.append(f"property '{name}' of '{entity.name}' is '{actual}', and the model asks for '{expected}'")
                plan.generated_types[id(attribute)] = usertypes.user_type_of(attribute, found)

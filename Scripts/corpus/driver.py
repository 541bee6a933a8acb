"""Writes the Swift of a round trip: a driver for each class of a version, and the program that runs them. `Support` has what is
the same for all models."""

import stubs
from entitydriver import EntityDriver
from swiftnames import literal


def program(plan, model_type):
    """The file beside the generated ones. Its names end in an underscore, so that no class of a model has them."""
    model = plan.model
    abstract = [e for e in model.entities if e.abstract and model.concrete_below(e.name)]
    drivers = [EntityDriver(plan, e, number, model_type) for number, e in enumerate(model.concrete + abstract)]
    lines = ["import CorpusSupport", "import Chordata", "import Foundation", ""]
    lines += stubs.all_of(model, "public ", plan.user_type)
    conformances, transformers = user_types(plan)
    lines += conformances
    lines += [driver.swift() for driver in drivers]
    lines += ["@main enum RoundTripProgram_ {", "    static func main() {"]
    lines += transformers
    lines += [
        "        CorpusSupport.runAndExit(",
        "            CorpusSupport.GeneratedModel(",
        f"                definition: {model_type}.definition,",
        f"                open: {{ try {model_type}.container(at: $0) }},",
        f"                drivers: [{types(d for d in drivers if not d.entity.abstract)}],",
        f"                abstractDrivers: [{types(d for d in drivers if d.entity.abstract)}],",
        "                fetch: { context, check in",
    ]
    lines += [" " * 20 + line for request in model.fetch_requests for line in plan.calls[id(request)]]
    lines += ["                }))", "    }", "}"]
    return "\n".join(lines) + "\n"


def user_types(plan):
    """Swift that makes the enumerations of users known to the round trip, and values to the transformers that the model names."""
    conformances, transformers = {}, {}
    for entity in plan.model.entities:
        for attribute in entity.attributes:
            if id(attribute) in plan.blocked:
                continue
            for _, leaf in plan.model.leaves(attribute):
                user = plan.user_type(leaf)
                if user and user.is_enumeration:
                    conformances[user.name] = f"extension {user.text}: CorpusSupport.PlanValue {{}}"
                named = leaf.get("valueTransformerName")
                if named and user and user.kind == "Coded":
                    transformers[named] = f"        CorpusSupport.registerTransformer({user.text}.self, forName: {literal(named)})"
    return conformances.values(), transformers.values()


def types(drivers):
    return ", ".join(driver.name + ".self" for driver in drivers)

"""Writes the Swift of a round trip: what is done with each property of each class of a version, statement by statement.
`Support` has what is the same for all models."""

import fetches
import xmlmodel
from swiftnames import accessor_name, literal, property_name


def is_to_many(relationship):
    return relationship.get("toMany") == "YES"


class EntityDriver:
    """The driver of a concrete entity."""

    def __init__(self, plan, entity, number, model_type):
        self.plan = plan
        self.model = plan.model
        self.entity = entity
        self.cls = self.model.classes[entity.name]
        self.name = f"Driver{number}_"
        self.model_type = model_type
        self.attributes = self.model.attributes(entity)
        self.relationships = self.model.relationships(entity)

    # The value of an attribute

    def is_optional(self, attribute):
        unwrap = xmlmodel.flag(attribute, "unwrapOptional")
        if unwrap is not None and xmlmodel.user_type(attribute):
            return not unwrap
        return attribute.get("optional") == "YES"

    def value(self, attribute, path=None, is_there=False):
        """An expression for the planned value, which may be missing unless it is said to be there."""
        path = path or attribute.get("name")
        is_optional = self.is_optional(attribute) and not is_there
        kind = attribute.get("attributeType")
        if kind == "Composite":
            name = attribute.get("composite")
            parts = ", ".join(
                f"{property_name(part.get('name'))}: {self.value(part, path + '.' + part.get('name'))}"
                for part in self.model.composites[name]
            )
            value = f"{self.model_type}.{name}({parts})"
            return f"row.has({literal(path)}) ? {value} : nil" if is_optional else value
        if not kind:
            return f"row.any({literal(path)})"
        return f"row.{'optional' if is_optional else 'value'}({literal(path)})"

    def check(self, attribute, expression, path=None):
        """Statements that compare a property with what was planned."""
        path = path or attribute.get("name")
        if attribute.get("attributeType") == "Composite":
            step = "?." if self.is_optional(attribute) else "."
            return [
                line
                for part in self.model.composites[attribute.get("composite")]
                for line in self.check(part, expression + step + property_name(part.get("name")),
                                       path + "." + part.get("name"))
            ]
        function = "check"
        if attribute.get("derived") == "YES":
            function = "checkDerived"
        elif attribute.get("transient") == "YES":
            function = "checkTransient"
        return [f"row.{function}({literal(path)}, {expression})"]

    # Functions

    def insert(self):
        lines = []
        arguments = []
        for element in self.plan.required(self.entity):
            name = property_name(element.get("name"))
            label = "context_" if name == "context" else name.strip("`")
            if element.tag == "relationship":
                destination = self.model.classes[element.get("destinationEntity")]
                value = f"row.destination({literal(element.get('name'))}, of: {destination}.self)"
            else:
                value = self.value(element, is_there=True)
            arguments.append(f"{label}: {value}")
        if arguments:
            lines += [
                "if row.isSparse {",
                f"    row.report.called({literal(self.entity.name + '.init')})",
                f"    return {self.cls}(context: context, {', '.join(arguments)})",
                "}",
            ]
        return lines + [f"return {self.cls}(context: context)"]

    def set(self):
        lines = []
        for attribute in self.attributes:
            if attribute.get("derived") == "YES":
                continue
            name = attribute.get("name")
            leaves = self.model.leaves(attribute)
            if not leaves:
                continue
            lines.append(f"if row.sets({literal(leaves[0][0])}) {{ object.{property_name(name)} = {self.value(attribute)} }}")
            if attribute.get("attributeType") == "Composite":
                lines.append(f"row.report.called({literal(attribute.get('composite') + '.init')})")
        return lines

    def link(self):
        lines = []
        for relationship in self.relationships:
            name = property_name(relationship.get("name"))
            destination = self.model.classes[relationship.get("destinationEntity")]
            members = f"row.members({literal(relationship.get('name'))}, of: {destination}.self)"
            if not is_to_many(relationship):
                value = f"{members}.first"
            elif relationship.get("ordered") == "YES":
                value = f"Chordata.OrderedSet({members})"
            else:
                value = f"Swift.Set({members})"
            lines.append(f"if row.links({literal(relationship.get('name'))}) {{ object.{name} = {value} }}")
        return lines

    def compare(self):
        lines = []
        for attribute in self.attributes:
            lines += self.check(attribute, f"object.{property_name(attribute.get('name'))}")
        for relationship in self.relationships:
            name, label = property_name(relationship.get("name")), literal(relationship.get("name"))
            if is_to_many(relationship):
                is_ordered = "true" if relationship.get("ordered") == "YES" else "false"
                lines.append(f"row.check({label}, many: object.{name}, isOrdered: {is_ordered})")
            else:
                lines.append(f"row.check({label}, one: object.{name})")
        return lines

    def stored(self):
        """The properties that snapshots have."""
        attributes = [a for a in self.attributes if a.get("transient") != "YES"]
        return attributes, [r for r in self.relationships if not is_to_many(r) and r.get("transient") != "YES"]

    def compare_values(self):
        attributes, relationships = self.stored()
        lines = []
        for attribute in attributes:
            lines += self.check(attribute, f"values.{property_name(attribute.get('name'))}")
        for relationship in relationships:
            lines.append(f"row.check({literal(relationship.get('name'))}, key: "
                         f"values.{property_name(relationship.get('name'))}?.key)")
        return lines

    def make_values(self):
        attributes, relationships = self.stored()
        arguments = ["objectID: Chordata.ObjectID(key: row.key)"]
        for attribute in attributes:
            name = property_name(attribute.get("name"))
            value = f"values.{name}" if attribute.get("derived") == "YES" else self.value(attribute)
            arguments.append(f"{name.strip('`')}: {value}")
        for relationship in relationships:
            name = property_name(relationship.get("name"))
            arguments.append(f"{name.strip('`')}: row.linkedKey({literal(relationship.get('name'))})"
                             ".map { Chordata.ObjectID(key: $0) }")
        return [f"return {self.cls}.Values({', '.join(arguments)})"]

    def call_accessors(self):
        lines = []
        for relationship in filter(is_to_many, self.relationships):
            name = relationship.get("name")
            property_ = property_name(name)
            owner = self.model.owner(self.entity, relationship)
            add, remove = accessor_name("addTo", name), accessor_name("removeFrom", name)
            parts = [
                literal(name), "of: object", f"get: {{ object.{property_} }}", f"set: {{ object.{property_} = $0 }}",
                f"count: {{ object.count(of: \\{self.cls}.{property_}) }}", f"add: {{ object.{add}($0) }}",
                f"remove: {{ object.{remove}($0) }}", f"addAll: {{ object.{add}($0) }}",
                f"removeAll: {{ object.{remove}($0) }}",
            ]
            accessors = "SetAccessors"
            if relationship.get("ordered") == "YES":
                accessors = "OrderedSetAccessors"
                insert, replace = accessor_name("insertInto", name), accessor_name("replace", name)
                parts += [
                    f"insert: {{ object.{insert}($0, at: $1) }}", f"insertAll: {{ object.{insert}($0, at: $1) }}",
                    f"removeAt: {{ object.{remove}(at: $0) }}", f"removeAllAt: {{ object.{remove}(at: $0) }}",
                    f"replace: {{ object.{replace}(at: $0, with: $1) }}",
                    f"replaceAll: {{ object.{replace}(at: $0, with: $1) }}",
                ]
            destination = self.model.classes[relationship.get("destinationEntity")]
            lines.append(f"row.call(CorpusSupport.{accessors}<{destination}>({', '.join(parts)}), "
                         f"declaredBy: {literal(owner.name)})")
        return lines

    def read_fetched_properties(self):
        lines = []
        for element in self.model.fetched_properties(self.entity):
            name = f"{self.model.owner(self.entity, element).name}.{element.get('name')}"
            found = fetches.matching(self.plan, element.find("fetchRequest"), {})
            lines.append(f"row.checkFetched({literal(name)}, object.{property_name(element.get('name'))}, "
                         f"are: {found})")
        return lines

    def property_keys(self):
        properties = self.model.properties(self.entity) + self.model.fetched_properties(self.entity)
        if not properties:
            return "([], [])"
        key = f"{self.cls}.PropertyKey"
        single = ", ".join(f"{key}.{property_name(p.get('name'))}.name" for p in properties)
        return f"([{single}], {key}.allCases.map(\\.name))"

    def key_path_names(self):
        names = [property_name(p.get("name")) for p in self.model.properties(self.entity)]
        return "[" + ", ".join(f"CorpusSupport.name(of: \\{self.cls}.{name})" for name in names) + "]"

    # The whole

    def values_functions(self):
        """What an abstract entity has too."""
        values = f"{self.cls}.Values"
        return (
            function(f"compareValues(_ values: {values}, _ row: CorpusSupport.Row)", self.compare_values())
            + function(f"makeValues(_ row: CorpusSupport.Row, derivedFrom values: {values}) -> {values}",
                       self.make_values())
        )

    def swift(self):
        typed = f"_ object: {self.cls}, _ row: CorpusSupport.Row"
        protocol = "ValuesDriver" if self.entity.abstract else "EntityDriver"
        lines = [
            f"enum {self.name}: CorpusSupport.{protocol} {{",
            f"    typealias Values = {self.cls}.Values",
            f"    static var entityName: Swift.String {{ {literal(self.entity.name)} }}",
        ] + self.values_functions()
        if not self.entity.abstract:
            lines += (
                function(f"insert(into context: Chordata.ManagedObjectContext, _ row: CorpusSupport.Row) -> {self.cls}",
                         self.insert())
                + function(f"set({typed})", self.set())
                + function(f"link({typed})", self.link())
                + function(f"compare({typed})", self.compare())
                + function(f"callAccessors({typed})", self.call_accessors())
                + function(f"readFetchedProperties({typed})", self.read_fetched_properties())
                + [f"    static var propertyKeys: (single: [Swift.String], all: [Swift.String]) {{ {self.property_keys()} }}",
                   f"    static var keyPathNames: [Swift.String] {{ {self.key_path_names()} }}"]
            )
        return "\n".join(lines + ["}"])


def function(head, lines):
    return [f"    static func {head} {{"] + [f"        {line}" for line in lines] + ["    }"]


def program(contents, plan, model_type, symbol):
    """The file beside the generated ones: drivers, and a function with a C name that runs them."""
    model = plan.model
    abstract = [e for e in model.entities if e.abstract and model.concrete_below(e.name)]
    drivers = [EntityDriver(plan, e, number, model_type) for number, e in enumerate(model.concrete + abstract)]
    lines = ["import CorpusSupport", "import Chordata", "import Foundation", ""]
    lines += xmlmodel.user_types(contents, "public ") + xmlmodel.user_classes(model.entities, "public ")
    conformances, transformers = user_types(model)
    lines += conformances
    lines += [driver.swift() for driver in drivers]
    lines += [
        f'@_cdecl("{symbol}") public func {symbol}(',
        "    _ plan: UnsafePointer<Swift.CChar>, _ folder: UnsafePointer<Swift.CChar>",
        ") -> Swift.Int32 {",
    ]
    lines += transformers
    lines += [
        "    return CorpusSupport.run(",
        "        CorpusSupport.GeneratedModel(",
        f"            definition: {model_type}.definition,",
        f"            open: {{ try {model_type}.container(at: $0) }},",
        f"            drivers: [{types(d for d in drivers if not d.entity.abstract)}],",
        f"            abstractDrivers: [{types(d for d in drivers if d.entity.abstract)}],",
        "            fetch: { context, check in",
    ]
    lines += [" " * 16 + line for request in model.fetch_requests for line in fetches.call(plan, request)]
    lines += ["            }),", "        plan: Swift.String(cString: plan), folder: Swift.String(cString: folder))", "}"]
    return "\n".join(lines) + "\n"


def user_types(model):
    """Swift that makes the types of users known to the round trip, and to the transformers that the model names."""
    conformances, transformers = {}, {}
    for attribute in [a for e in model.entities for a in e.attributes]:
        user = xmlmodel.user_type(attribute)
        if not user or user[1] == "Strings":
            continue
        protocol = "CodedPlanValue" if user[1] == "Codable" else "PlanValue"
        conformances[user[0]] = f"extension {user[0]}: CorpusSupport.{protocol} {{}}"
        named = attribute.get("valueTransformerName")
        if named and user[1] == "Codable":
            transformers[named] = f"    CorpusSupport.registerTransformer({user[0]}.self, forName: {literal(named)})"
    return conformances.values(), transformers.values()


def types(drivers):
    return ", ".join(driver.name + ".self" for driver in drivers)

"""Writes the Swift that sets, compares and calls each property of an entity's class, statement by statement."""

import fetches
import functions
import usertypes
import xmlmodel
from swiftnames import accessor_name, element_name, label, literal, property_name
from xmlmodel import is_ordered, is_to_many, yes


class EntityDriver:
    """The driver of a concrete entity, or of the snapshots of an abstract one."""

    def __init__(self, plan, entity, number, model_type):
        self.plan = plan
        self.model = plan.model
        self.entity = entity
        self.cls = self.model.classes[entity.name]
        self.name = f"Driver{number}_"
        self.model_type = model_type
        self.attributes = self.model.attributes(entity)
        self.relationships = self.model.relationships(entity)

    def is_blocked(self, attribute):
        return id(attribute) in self.plan.blocked

    # The value of an attribute

    def is_optional(self, attribute):
        unwrap = usertypes.flag(attribute, "unwrapOptional")
        if unwrap is not None and self.plan.user_type(attribute):
            return not unwrap
        return yes(attribute, "optional")

    def is_coded(self, attribute):
        user = self.plan.user_type(attribute)
        return user is not None and user.kind == "Coded"

    def value(self, attribute, path=None, is_there=False):
        """An expression for the planned value, which may be missing unless `is_there` is true."""
        path = path or attribute.get("name")
        is_optional = self.is_optional(attribute) and not is_there
        kind = attribute.get("attributeType")
        if kind == "Composite":
            parts = ", ".join(
                f"{label(element_name(part.get('name')))}: {self.value(part, path + '.' + part.get('name'))}"
                for part in self.model.parts(attribute)
            )
            value = f"{self.model_type}.{attribute.get('composite')}({parts})"
            return f"row.has({literal(path)}) ? {value} : nil" if is_optional else value
        if kind in xmlmodel.UNTYPED:
            return f"row.any({literal(path)})"
        function = ("optional" if is_optional else "value") + ("Coded" if self.is_coded(attribute) else "")
        return f"row.{function}({literal(path)})"

    def check(self, attribute, expression, path=None, is_transient=False):
        """Statements that compare a property with its planned value."""
        path = path or attribute.get("name")
        is_transient = is_transient or yes(attribute, "transient")
        if attribute.get("attributeType") == "Composite":
            step = "?." if self.is_optional(attribute) else "."
            return [
                line
                for part in self.model.parts(attribute)
                for line in self.check(part, expression + step + element_name(part.get("name")),
                                       path + "." + part.get("name"), is_transient)
            ]
        function = "check" + ("Coded" if self.is_coded(attribute) else "")
        if yes(attribute, "derived"):
            function += "Derived"
        elif is_transient:
            function += "Transient"
        return [f"row.{function}({literal(path)}, {expression})"]

    # Functions

    def insert(self):
        lines = []
        arguments = []
        for element in functions.required(self.model, self.entity):
            name = property_name(element.get("name"))
            if element.tag == "relationship":
                destination = self.model.classes[element.get("destinationEntity")]
                value = f"row.destination({literal(element.get('name'))}, of: {destination}.self)"
            else:
                value = self.value(element, is_there=True)
            arguments.append(f"{'context_' if name == 'context' else label(name)}: {value}")
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
            if yes(attribute, "derived") or self.is_blocked(attribute):
                continue
            name = attribute.get("name")
            leaves = [path for path, _ in self.model.leaves(attribute)]
            if functions.has_no_accessor(attribute) or functions.is_read_only(attribute):
                # Only the class itself has a setter.
                lines += [f"if row.sets({literal(path)}) {{ row.setByKey(object, {literal(path)}) }}" for path in leaves]
                continue
            assignment = f"object.{property_name(name)} = {self.value(attribute)}"
            # A composite without elements has no value that could be planned.
            lines.append(f"if row.sets({literal(leaves[0])}) {{ {assignment} }}" if leaves else assignment)
            lines += [f"row.report.called({literal(name + '.init')})" for name in self.composites(attribute)]
        return lines

    def composites(self, attribute):
        """The names of the composites that a value of an attribute is made of."""
        if attribute.get("attributeType") != "Composite":
            return []
        return [attribute.get("composite")] + [n for part in self.model.parts(attribute) for n in self.composites(part)]

    def link(self):
        lines = []
        for relationship in self.relationships:
            name = property_name(relationship.get("name"))
            key = literal(relationship.get("name"))
            destination = self.model.classes[relationship.get("destinationEntity")]
            members = f"row.members({key}, of: {destination}.self)"
            if not is_to_many(relationship):
                value = f"{members}.first"
            elif is_ordered(relationship):
                value = f"Chordata.OrderedSet({members})"
            else:
                value = f"Swift.Set({members})"
            statement = f"object.{name} = {value}"
            if functions.has_no_accessor(relationship) or functions.is_read_only(relationship):
                statement = f"row.linkByKey(object, {key})"
            lines.append(f"if row.links({key}) {{ {statement} }}")
        return lines

    def compare(self):
        lines = []
        for attribute in self.attributes:
            if not self.is_blocked(attribute) and not functions.has_no_accessor(attribute):
                lines += self.check(attribute, f"object.{property_name(attribute.get('name'))}")
        for relationship in self.relationships:
            if functions.has_no_accessor(relationship):
                continue
            name, key = property_name(relationship.get("name")), literal(relationship.get("name"))
            if is_to_many(relationship):
                lines.append(f"row.check({key}, many: object.{name}, isOrdered: {str(is_ordered(relationship)).lower()})")
            else:
                lines.append(f"row.check({key}, one: object.{name})")
        return lines

    # Snapshots

    def stored(self):
        """The properties that snapshots have."""
        attributes = [a for a in self.attributes if not yes(a, "transient")]
        return attributes, [r for r in self.relationships if not is_to_many(r) and not yes(r, "transient")]

    def has_transient_part(self, attribute):
        """Returns whether a snapshot has the elements of a composite but not the composite."""
        return attribute.get("attributeType") == "Composite" and any(
            yes(part, "transient") or self.has_transient_part(part) for part in self.model.parts(attribute))

    def is_coded_bytes(self, attribute):
        """Returns whether a snapshot has the bytes of a value, because they are stored beside the row."""
        return attribute.get("attributeType") == "Transformable" and yes(
            attribute, "allowsExternalBinaryDataStorage") and self.is_coded(attribute)

    def compare_values(self):
        attributes, relationships = self.stored()
        lines = []
        for attribute in attributes:
            expression = f"values.{property_name(attribute.get('name'))}"
            if self.is_blocked(attribute) or self.has_transient_part(attribute):
                continue
            if self.is_coded_bytes(attribute):
                lines.append(f"row.checkCodedBytes({literal(attribute.get('name'))}, {expression})")
            else:
                lines += self.check(attribute, expression)
        for relationship in relationships:
            lines.append(f"row.check({literal(relationship.get('name'))}, key: "
                         f"values.{property_name(relationship.get('name'))}?.key)")
        return lines

    def make_values(self):
        attributes, relationships = self.stored()
        arguments = ["objectID: Chordata.ObjectID(key: row.key)"]
        for attribute in attributes:
            name, key = property_name(attribute.get("name")), literal(attribute.get("name"))
            if not [1 for _, leaf in self.model.leaves(attribute) if not yes(leaf, "transient")]:
                continue
            if yes(attribute, "derived") or self.is_blocked(attribute):
                value = f"values.{name}"
            elif self.is_coded_bytes(attribute):
                value = f"row.{'optional' if yes(attribute, 'optional') else 'value'}CodedBytes({key})"
            else:
                value = self.value(attribute)
            arguments.append(f"{label(name)}: {value}")
        for relationship in relationships:
            name = property_name(relationship.get("name"))
            arguments.append(f"{label(name)}: row.linkedKey({literal(relationship.get('name'))})"
                             ".map { Chordata.ObjectID(key: $0) }")
        return [f"return {self.cls}.Values({', '.join(arguments)})"]

    # Functions of relationships, fetched properties and names

    def call_accessors(self):
        lines = []
        first = self.plan.first_of(self.entity)
        for relationship in self.relationships:
            name = relationship.get("name")
            if not functions.accessors(relationship) or not self.plan.passes.get(id(relationship)) or not first.links.get(name):
                continue
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
            if is_ordered(relationship):
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
            request = element.find("fetchRequest")
            found = "nil" if request is None else fetches.matching(self.plan, request, {})
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
        names = [p.get("name") for p in self.model.properties(self.entity) if not functions.has_no_accessor(p)]
        pairs = [f"({literal(name)}, CorpusSupport.name(of: \\{self.cls}.{property_name(name)}))" for name in names]
        return "[" + ", ".join(pairs) + "]"

    # The complete driver

    def values_functions(self):
        """The functions that an abstract entity has, too."""
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
                   f"    static var keyPathNames: [(Swift.String, Swift.String)] {{ {self.key_path_names()} }}"]
            )
        return "\n".join(lines + ["}"])


def function(head, lines):
    return [f"    static func {head} {{"] + [f"        {line}" for line in lines] + ["    }"]

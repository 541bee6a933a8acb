"""What a round trip does with a version: objects with values and relationships, the functions that generated code must
have, and what cannot be tried. Made from the XML alone."""

import fetches
import relations
import swiftnames
import values
import xmlmodel


class PlannedObject:
    def __init__(self, number, entity, is_sparse):
        self.number = number
        self.entity = entity
        self.is_sparse = is_sparse
        self.values = {}
        self.given = []
        self.links = {}


class Plan:
    def __init__(self, contents):
        self.model = xmlmodel.Model(contents)
        self.relations = relations.relations(self.model)
        self.numbers = relations.numbers_of_objects(self.model, self.relations)
        self.skipped = []
        self.objects = []
        self.passes = {}
        self.find_skipped()
        self.make_objects()
        self.fill_values()
        self.link()
        self.derive()

    def find_skipped(self):
        for entity in self.model.entities:
            if not self.model.concrete_below(entity.name):
                self.skipped.append(f"{entity.name}: it is abstract and nothing inherits from it")
        for request in self.model.fetch_requests:
            if not fetches.is_callable(request):
                self.skipped.append(f"{request.get('name')}: its arguments are not known here")

    # Objects

    def make_objects(self):
        """Those that have everything come first: the others need them already when they are made."""
        for is_sparse in (False, True):
            for entity in self.model.concrete:
                for _ in range(1 if is_sparse else self.numbers[entity.name] - 1):
                    self.objects.append(PlannedObject(len(self.objects), entity, is_sparse))

    def of(self, name):
        below = {e.name for e in self.model.concrete_below(name)}
        return [o for o in self.objects if o.entity.name in below]

    # Attributes

    def attributes(self, entity):
        """The leaves of all attributes that are no derived ones: path, leaf, attribute."""
        return [
            (path, leaf, attribute)
            for attribute in self.model.attributes(entity)
            if attribute.get("derived") != "YES"
            for path, leaf in self.model.leaves(attribute)
        ]

    def unique(self, entity):
        return {name for level in self.model.lineage(entity) for constraint in level.constraints for name in constraint}

    def fill_values(self):
        places, roots = {}, {}
        for planned in self.objects:
            root = self.model.lineage(planned.entity)[0].name
            place = places[planned.entity.name] = places.get(planned.entity.name, -1) + 1
            overall = roots[root] = roots.get(root, -1) + 1
            unique = self.unique(planned.entity)
            for number, (path, leaf, attribute) in enumerate(self.attributes(planned.entity)):
                # Values of unique attributes differ in the whole hierarchy, other odd ones come to each entity.
                is_unique = attribute.get("name") in unique
                chosen = values.value(leaf, overall if is_unique else place if place < 4 else 10 + number + overall * 97)
                if planned.is_sparse and not is_unique and not self.must_be_set(leaf, attribute):
                    chosen = values.default(leaf)
                else:
                    planned.given.append(path)
                if chosen is not None:
                    planned.values[path] = chosen

    @staticmethod
    def must_be_set(leaf, attribute):
        """Whether an object that has as little as possible has the attribute nevertheless."""
        if xmlmodel.flag(attribute, "nonOptionalInit") or xmlmodel.flag(attribute, "unwrapOptional"):
            return True
        return attribute.get("optional") != "YES" and values.default(leaf) is None and leaf.get("optional") != "YES"

    # Relationships

    def link(self):
        for place, relation in enumerate(self.relations):
            name = f"{relation.owners[0].name}.{relation.first.get('name')}"
            found = relations.pairs(relation, self.objects)
            if not found:
                self.skip(name, "leads to no entity with objects, or comes from none", [relation.first, relation.second])
                continue
            # Once from this end and once from the other; what is ordered always tells its order.
            for side, element in enumerate([relation.first, relation.second]):
                if element is None or (side == 1 and relation.is_own_inverse):
                    continue
                both = relation.second is None or relation.is_own_inverse or element.get("ordered") == "YES"
                self.passes[id(element)] = [0, 1] if both else [(side + place) % 2]
            for source, target in found:
                source.links.setdefault(relation.first.get("name"), []).append(target.number)
                if relation.second is not None and not relation.is_own_inverse:
                    target.links.setdefault(relation.second.get("name"), []).append(source.number)
        for planned in self.objects:
            for element in self.model.relationships(planned.entity):
                self.finish(planned, element)

    def finish(self, planned, element):
        """Gives a relationship its order, and checks what the model asks for."""
        name = element.get("name")
        members = sorted(planned.links.get(name, []))
        if element.get("ordered") == "YES":
            members = members[1:][::-1] + members[:1]
        planned.links[name] = members
        limits = relations.Limits(element)
        if not limits.least <= len(members) <= limits.most and id(element) in self.passes:
            self.skip(f"{planned.entity.name}.{name}", f"no counts of objects were found for it: {len(members)}", [])
        if not planned.is_sparse and not members and planned is self.first_of(planned.entity):
            if id(element) in self.passes:
                self.skip(f"{planned.entity.name}.{name}", "nothing is left for it", [])

    def first_of(self, entity):
        return next(o for o in self.objects if o.entity is entity)

    def skip(self, name, reason, elements):
        self.skipped.append(f"{name}: {reason}")
        for element in elements:
            if element is not None:
                self.passes[id(element)] = []

    # Derived attributes

    def derive(self):
        for planned in self.objects:
            for attribute in self.model.attributes(planned.entity):
                if attribute.get("derived") == "YES":
                    found = self.derived(planned, attribute.get("derivationExpression"))
                    if found is not None:
                        planned.values[attribute.get("name")] = found

    def derived(self, planned, expression):
        if expression == "now()":
            return "now"
        if expression.startswith("canonical:(") and expression.endswith(")"):
            text = planned.values.get(expression[len("canonical:("):-1])
            return None if text is None else values.canonical(text)
        if expression.endswith(".@count"):
            return str(len(planned.links[expression[: -len(".@count")]]))
        self.skipped.append(f"{planned.entity.name}: what '{expression}' derives is not known here")
        return None

    # What is counted

    def properties(self):
        """The names of all properties of concrete entities."""
        return [
            f"{entity.name}.{path}"
            for entity in self.model.concrete
            for path in [
                path for a in self.model.attributes(entity) for path, _ in self.model.leaves(a)
            ] + [r.get("name") for r in self.model.relationships(entity) if self.passes.get(id(r))]
        ]

    def functions(self, only_callable=True):
        """The functions and initializers that generated code must have, as the driver calls them."""
        model = self.model
        found = ["container(at:)"]
        used = [a for e in model.entities for a in e.attributes if a.get("attributeType") == "Composite"]
        while used:
            name = used.pop().get("composite")
            if f"{name}.init" not in found:
                found.append(f"{name}.init")
                used += [a for a in model.composites[name] if a.get("attributeType") == "Composite"]
        for entity in model.entities:
            if only_callable and not model.concrete_below(entity.name):
                continue
            found.append(f"{entity.name}.Values.init")
            if not entity.abstract and self.required(entity):
                found.append(f"{entity.name}.init")
            found += [f"{entity.name}.{p.get('name')}" for p in entity.fetched_properties]
            for relationship in entity.relationships:
                found += [f"{entity.name}.{name}" for name in accessors(relationship)]
        return found + [
            f"{swiftnames.function_name(f.get('name'))}()" for f in model.fetch_requests
            if fetches.is_callable(f) or not only_callable
        ]

    def required(self, entity):
        """The arguments of an entity's initializer: attributes and to-one relationships, in their order."""
        found = []
        for level in self.model.lineage(entity):
            for attribute in level.attributes:
                if attribute.get("transient") == "YES" or attribute.get("derived") == "YES":
                    continue
                leaves = [leaf for _, leaf in self.model.leaves(attribute)]
                if xmlmodel.flag(attribute, "nonOptionalInit") or (
                    attribute.get("optional") != "YES" and attribute.get("attributeType")
                    and any(values.default(leaf) is None for leaf in leaves)
                ):
                    found.append(attribute)
            found += [
                r for r in level.relationships
                if r.get("toMany") != "YES" and r.get("optional") != "YES" and r.get("transient") != "YES"
            ]
        return found

    def as_json(self):
        numbers = {e.name: place for place, e in enumerate(self.model.concrete)}
        return {
            "entities": [self.entity_as_json(e) for e in self.model.concrete],
            "objects": [
                {"entity": numbers[o.entity.name], "isSparse": o.is_sparse, "values": o.values, "given": o.given,
                 "links": o.links}
                for o in self.objects
            ],
            "properties": self.properties(),
            "functions": self.functions(),
        }

    def entity_as_json(self, entity):
        return {
            "name": entity.name,
            "lineage": [level.name for level in self.model.lineage(entity)],
            "attributes": [
                {"name": path, "kind": leaf.get("attributeType") or "Undefined",
                 "isTransient": attribute.get("transient") == "YES", "isDerived": attribute.get("derived") == "YES",
                 "isUnique": attribute.get("name") in self.unique(entity)}
                for attribute in self.model.attributes(entity)
                for path, leaf in self.model.leaves(attribute)
            ],
            "relationships": [
                {"name": r.get("name"), "isToMany": r.get("toMany") == "YES", "isOrdered": r.get("ordered") == "YES",
                 "inverse": r.get("inverseName"), "passes": self.passes[id(r)]}
                for r in self.model.relationships(entity)
            ],
            "propertyNames": [p.get("name") for p in self.model.properties(entity)],
            "fetchedPropertyNames": [p.get("name") for p in self.model.fetched_properties(entity)],
        }


UNORDERED = ["addTo(_:)", "removeFrom(_:)", "addTo(_: Set)", "removeFrom(_: Set)"]
ORDERED = UNORDERED + ["insertInto(_:at:)", "removeFrom(at:)", "insertInto(_:at: IndexSet)", "removeFrom(at: IndexSet)",
                       "replace(at:with:)", "replace(at: IndexSet, with:)"]


def accessors(relationship):
    """The functions beside a to-many relationship."""
    if relationship.get("toMany") != "YES":
        return []
    names = ORDERED if relationship.get("ordered") == "YES" else UNORDERED
    return [f"{relationship.get('name')}.{name}" for name in names]

"""What a round trip does with a version: objects with values and relationships, the functions that generated code must
have, and what cannot be tried. Made from the XML alone."""

import derivations
import fetches
import functions
import generatedtypes
import relations
import usertypes
import values
import xmlmodel
from forms import Impossible, UnknownForm
from xmlmodel import yes


class PlannedObject:
    def __init__(self, number, entity, is_sparse):
        self.number = number
        self.entity = entity
        self.is_sparse = is_sparse
        self.values = {}
        self.given = []
        self.links = {}


class Plan:
    def __init__(self, contents, generated=""):
        self.model = xmlmodel.Model(contents, generated)
        self.relations = relations.relations(self.model)
        self.numbers = relations.numbers_of_objects(self.model, self.relations)
        # The parts that cannot be tried, and the reasons: unknown forms, and properties for which there is no valid
        # value.
        self.unknown = []
        self.skipped = []
        # The differences between the generated code and the file, which are found before anything is compiled.
        self.failures = []
        # The types of these properties in the generated code, which the round trip uses so that it can continue.
        self.generated_types = {}
        # The attributes, by their elements, that the round trip ignores for one of these reasons.
        self.blocked = set()
        self.objects = []
        self.passes = {}
        if generated:
            generatedtypes.compare(self)
        self.find_skipped()
        self.make_objects()
        self.find_shared_transformers()
        self.fill_values()
        self.link()
        self.derive()
        self.calls = {id(request): fetches.call(self, request) for request in self.model.fetch_requests}
        self.skipped += [f"{request.get('name')}: no arguments are known for it" for request in self.model.fetch_requests
                         if not self.calls[id(request)]]

    def find_skipped(self):
        for entity in self.model.entities:
            if not self.model.concrete_below(entity.name):
                self.skipped.append(f"{entity.name}: it is abstract and nothing inherits from it")

    # Objects

    def make_objects(self):
        """Makes the objects. Those that have everything come first, because the others need them when they are made."""
        for is_sparse in (False, True):
            for entity in self.model.concrete:
                for _ in range(1 if is_sparse else self.numbers[entity.name] - 1):
                    self.objects.append(PlannedObject(len(self.objects), entity, is_sparse))

    def of(self, name):
        below = {e.name for e in self.model.concrete_below(name)}
        return [o for o in self.objects if o.entity.name in below]

    # Attributes

    def find_shared_transformers(self):
        """Ignores attributes whose transformer has another attribute's type: a program registers one transformer per
        name."""
        types = {}
        for entity in self.model.entities:
            for attribute in entity.attributes:
                for _, leaf in self.model.leaves(attribute):
                    name = leaf.get("valueTransformerName")
                    try:
                        user = self.user_type(leaf)
                    except UnknownForm:
                        continue
                    if name and user and types.setdefault(name, user.text) != user.text and id(attribute) not in self.blocked:
                        self.block(entity, attribute, UnknownForm(leaf, "valueTransformerName", "two types have it"))

    def user_type(self, leaf):
        """The user's type of an attribute, or that of the generated code if it has another one."""
        if id(leaf) in self.generated_types:
            return self.generated_types[id(leaf)]
        return usertypes.user_type(leaf, self.model.generated)

    def attributes(self, entity):
        """The leaves of all attributes that are set: path, leaf, attribute."""
        return [
            (path, leaf, attribute)
            for attribute in self.model.attributes(entity)
            if not yes(attribute, "derived") and id(attribute) not in self.blocked
            for path, leaf in self.model.leaves(attribute)
        ]

    def unique(self, entity):
        return {name for level in self.model.lineage(entity) for constraint in level.constraints for name in constraint}

    def block(self, entity, attribute, reason):
        """Ignores an attribute, if objects can be saved without it."""
        try:
            is_needed = functions.is_argument(self.model, attribute) or self.must_be_set(attribute, attribute)
        except UnknownForm:
            # Its default is not known either. An optional attribute does not need a default.
            is_needed = not yes(attribute, "optional")
        if is_needed:
            raise reason
        self.blocked.add(id(attribute))
        name = f"{entity.name}.{attribute.get('name')}"
        (self.unknown if isinstance(reason, UnknownForm) else self.skipped).append(f"{name}: {reason}")
        for planned in self.objects:
            for path, _ in self.model.leaves(attribute):
                planned.values.pop(path, None)
                planned.given = [given for given in planned.given if given != path]

    def fill_values(self):
        places, roots = {}, {}
        seen = {}
        for planned in self.objects:
            root = self.model.lineage(planned.entity)[0].name
            place = places[planned.entity.name] = places.get(planned.entity.name, -1) + 1
            overall = roots[root] = roots.get(root, -1) + 1
            unique = self.unique(planned.entity)
            for number, (path, leaf, attribute) in enumerate(self.attributes(planned.entity)):
                if id(attribute) in self.blocked:
                    continue
                # Values of unique attributes differ in the whole hierarchy; other odd values are used in each entity.
                is_unique = attribute.get("name") in unique
                wanted = overall if is_unique else place if place < 4 else 10 + number + overall * 97
                try:
                    self.fill(planned, path, leaf, attribute, wanted, is_unique)
                except (UnknownForm, Impossible) as reason:
                    self.block(planned.entity, attribute, reason)
            self.check_unique(planned, root, seen)

    def fill(self, planned, path, leaf, attribute, number, is_unique):
        # The default is the expected value in a sparse object, so it must be known in any case.
        standard = values.default(leaf)
        if planned.is_sparse and not is_unique and not self.must_be_set(leaf, attribute):
            chosen = standard
        else:
            chosen = values.value(leaf, number, self.user_type(leaf), is_unique)
            planned.given.append(path)
        if chosen is not None:
            planned.values[path] = chosen

    def check_unique(self, planned, root, seen):
        """A value that already exists becomes nil if it may: Core Data does not consider two missing values equal."""
        attributes = {a.get("name"): a for a in self.model.attributes(planned.entity)}
        for level in self.model.lineage(planned.entity):
            for constraint in level.constraints:
                if not all(name in attributes for name in constraint):
                    continue
                key = (root, *constraint)
                found = tuple(planned.values.get(name) for name in constraint)
                if found in seen.setdefault(key, set()) and None not in found:
                    optional = [name for name in constraint if yes(attributes[name], "optional")]
                    if not optional:
                        raise Impossible(f"'{level.name}' has fewer values for {' and '.join(constraint)} than objects")
                    planned.values.pop(optional[0], None)
                seen[key].add(found)

    def must_be_set(self, leaf, attribute):
        """Returns whether even an object with as little as possible has the attribute."""
        if usertypes.flag(attribute, "nonOptionalInit") or usertypes.flag(attribute, "unwrapOptional"):
            return True
        if leaf.get("attributeType") == "Composite":
            return not yes(attribute, "optional")
        standard = values.default(leaf)
        if standard is not None:
            # A default may violate the attribute's own bounds.
            return not values.is_allowed(leaf, standard)
        return not yes(attribute, "optional") and not yes(leaf, "optional")

    # Relationships

    def link(self):
        for place, relation in enumerate(self.relations):
            name = f"{relation.owners[0].name}.{relation.first.get('name')}"
            found = relations.pairs(relation, self.objects)
            if not self.can_link(relation, found):
                if any(relation.end(side).is_required and self.of(owner.name) for side, owner in enumerate(relation.owners)):
                    raise Impossible(f"{name}: no counts of objects were found for it, and it is required")
                self.skip(name, "no counts of objects were found for it" if found else
                          "its destination or its owner has no objects", [relation.first, relation.second])
                continue
            # Each relationship is set once from each end; an ordered end must always set its order.
            for side, element in enumerate([relation.first, relation.second]):
                if element is None or (side == 1 and relation.is_own_inverse):
                    continue
                both = relation.second is None or relation.is_own_inverse or xmlmodel.is_ordered(element)
                self.passes[id(element)] = [0, 1] if both else [(side + place) % 2]
            for source, target in found:
                source.links.setdefault(relation.first.get("name"), []).append(target.number)
                if relation.second is not None and not relation.is_own_inverse:
                    target.links.setdefault(relation.second.get("name"), []).append(source.number)
        for planned in self.objects:
            for element in self.model.relationships(planned.entity):
                self.finish(planned, element)

    def can_link(self, relation, pairs):
        """Returns whether all objects at both ends have counts that the model allows."""
        sides = [(relation.sources, [source for source, _ in pairs])]
        if relation.second is not None and not relation.is_own_inverse:
            sides.append((relation.targets, [target for _, target in pairs]))
        counts = [{} for _ in sides]
        for side, (_, objects) in enumerate(sides):
            for planned in objects:
                counts[side][planned.number] = counts[side].get(planned.number, 0) + 1
        return bool(pairs) and all(
            relation.end(side).allow(counts[side].get(planned.number, 0))
            for side, (entities, _) in enumerate(sides) for planned in self.objects if planned.entity in entities)

    def finish(self, planned, element):
        """Orders the members of a relationship, and finds the relationships that remain empty."""
        name = element.get("name")
        members = sorted(planned.links.get(name, []))
        if xmlmodel.is_ordered(element):
            members = members[1:][::-1] + members[:1]
        planned.links[name] = members
        if not planned.is_sparse and not members and planned is self.first_of(planned.entity) and self.passes.get(id(element)):
            self.skip(f"{planned.entity.name}.{name}", "no objects are left for it", [])

    def first_of(self, entity):
        return next(o for o in self.objects if o.entity is entity)

    def skip(self, name, reason, elements):
        self.skipped.append(f"{name}: {reason}")
        for element in elements:
            if element is not None:
                self.passes[id(element)] = []

    def is_linked(self, entity, element):
        """Returns whether the first object of an entity has members of a relationship, on which its functions are called."""
        return bool(self.passes.get(id(element))) and any(
            self.first_of(e).links.get(element.get("name")) for e in self.model.concrete_below(entity.name))

    # Derived attributes

    def derive(self):
        for planned in self.objects:
            for attribute in self.model.attributes(planned.entity):
                if not yes(attribute, "derived") or id(attribute) in self.blocked:
                    continue
                try:
                    found = derivations.derived(self, planned, attribute)
                except UnknownForm as form:
                    # Derived attributes are never set, so objects can always be saved without knowing them.
                    self.blocked.add(id(attribute))
                    self.unknown.append(str(form))
                    continue
                if found is not None:
                    planned.values[attribute.get("name")] = found

    # Counts

    def properties(self):
        """The names of all properties of concrete entities."""
        return [
            f"{entity.name}.{path}"
            for entity in self.model.concrete
            for path in [
                path for a in self.model.attributes(entity) if id(a) not in self.blocked for path, _ in self.model.leaves(a)
            ] + [r.get("name") for r in self.model.relationships(entity) if self.passes.get(id(r))]
        ]

"""Reads model files independently: it shares no code with Chordata's reader, so that nothing passes by omission."""

import re
import xml.etree.ElementTree as ET

import swiftnames
from forms import UnknownForm
from limits import integer

# The types of attributes without a type, which can have any value.
UNTYPED = (None, "", "Undefined", "ObjectID")


def yes(element, name, otherwise=False):
    """The flag of an element: Xcode writes `YES` and `NO`, and in a few places `true` and `false`."""
    text = element.get(name)
    if text in ("YES", "true", "1"):
        return True
    return False if text in ("NO", "false", "0") else otherwise


def count(element, name):
    """A count of an element, such as `maxCount`; None where there is no valid one."""
    text = element.get(name)
    found = integer(text, 32) if text and re.fullmatch(r"[0-9]+", text) else None
    return found


def is_to_many(relationship):
    """Returns whether a relationship has a set of objects: old files specify this only by the maximum count."""
    most = count(relationship, "maxCount")
    return yes(relationship, "toMany") or (1 if most is None else most) != 1


def is_ordered(relationship):
    return is_to_many(relationship) and yes(relationship, "ordered")


class Entity:
    def __init__(self, element):
        self.element = element
        self.name = element.get("name")
        if not self.name:
            raise UnknownForm(element, "name")
        self.parent = element.get("parentEntity")
        self.abstract = yes(element, "isAbstract")
        self.codegen = element.get("codeGenerationType")
        # The module in front of the class is always the one that the code is generated for.
        self.cls = (element.get("representedClassName") or "").split(".")[-1]
        self.attributes = element.findall("attribute")
        self.relationships = element.findall("relationship")
        self.fetched_properties = element.findall("fetchedProperty")
        self.constraints = [
            [part.get("value") for part in constraint.findall("constraint")]
            for constraint in element.findall("uniquenessConstraints/uniquenessConstraint")
        ]


class Model:
    """A version with its inheritance resolved. `generated` is its generated code, which decides what names do not."""

    def __init__(self, contents, generated=""):
        root = ET.parse(contents).getroot()
        if root.tag != "model":
            raise UnknownForm(root, None, "the root element is not 'model'")
        self.generated = generated
        self.entities = [Entity(e) for e in root.findall("entity")]
        self.by_name = {e.name: e for e in self.entities}
        self.classes = {name: swiftnames.escaped(cls) for name, cls in class_names(self.entities).items()}
        self.composites = {c.get("name"): c.findall("attribute") for c in root.findall("composite")}
        self.fetch_requests = root.findall("fetchRequest")
        self.concrete = [e for e in self.entities if not e.abstract]
        for entity in self.entities:
            self.merge_redeclared(entity)

    def merge_redeclared(self, entity):
        """Merges properties that an entity declares like its parent, which Xcode allows; they have the settings of the
        parent."""
        above = self.lineage(entity)[:-1]
        inherited = {p.get("name") for level in above for tag in ("attribute", "relationship", "fetchedProperty")
                     for p in level.element.findall(tag)}
        for kind in ("attributes", "relationships", "fetched_properties"):
            setattr(entity, kind, [p for p in getattr(entity, kind) if p.get("name") not in inherited])

    def lineage(self, entity):
        """The entity and its superentities, the root entity first."""
        chain = [entity]
        while chain[0].parent:
            parent = self.by_name.get(chain[0].parent)
            if parent is None or parent in chain:
                raise UnknownForm(chain[0].element, "parentEntity", "it does not exist, or inherits from the entity")
            chain.insert(0, parent)
        return chain

    def attributes(self, entity):
        return [attribute for level in self.lineage(entity) for attribute in level.attributes]

    def relationships(self, entity):
        return [relationship for level in self.lineage(entity) for relationship in level.relationships]

    def fetched_properties(self, entity):
        return [fetched for level in self.lineage(entity) for fetched in level.fetched_properties]

    def properties(self, entity):
        """Attributes and relationships."""
        return self.attributes(entity) + self.relationships(entity)

    def relationship(self, entity, name):
        return next((r for r in self.relationships(entity) if r.get("name") == name), None)

    def destination(self, relationship):
        found = self.by_name.get(relationship.get("destinationEntity"))
        if found is None:
            raise UnknownForm(relationship, "destinationEntity", "it does not exist")
        return found

    def inverse(self, entity, relationship):
        """The inverse of a relationship that an entity declares; None unless both ends name each other."""
        found = self.relationship(self.destination(relationship), relationship.get("inverseName"))
        if found is None or found.get("inverseName") != relationship.get("name"):
            return None
        back = self.destination(found)
        is_back = self.relationship(back, relationship.get("name")) is relationship and relationship in entity.relationships
        return found if is_back else None

    def owner(self, entity, element):
        """The level that declares a property."""
        return next(level for level in self.lineage(entity) if element in list(level.element))

    def concrete_below(self, name):
        """The entities whose objects also belong to an entity."""
        return [e for e in self.concrete if name in [level.name for level in self.lineage(e)]]

    def parts(self, attribute):
        """The elements of a composite."""
        name = attribute.get("composite")
        if name not in self.composites:
            raise UnknownForm(attribute, "composite", "there is no such composite")
        return self.composites[name]

    def leaves(self, attribute, path=None, within=()):
        """An attribute with its path, or, for a composite, the attributes of which it ultimately consists."""
        path = path or attribute.get("name")
        if attribute.get("attributeType") != "Composite":
            return [(path, attribute)]
        name = attribute.get("composite")
        if name in within:
            raise UnknownForm(attribute, "composite", "it contains itself")
        return [
            leaf
            for part in self.parts(attribute)
            for leaf in self.leaves(part, f"{path}.{part.get('name')}", (*within, name))
        ]

    def counts(self):
        """(entities, attributes, relationships); a composite counts as the attributes of which it ultimately
        consists."""
        return (
            len(self.entities),
            sum(len(self.leaves(a)) for e in self.entities for a in e.attributes),
            sum(len(e.relationships) for e in self.entities),
        )


def everything(contents):
    """All elements of a file with their attributes and children, in no order of kinds."""

    def node(element):
        return (element.tag, sorted(element.attrib.items()), sorted(map(node, element)))

    return node(ET.parse(contents).getroot())


def class_names(found):
    """Entity name to class name: the represented class, unless two entities claim it."""
    wanted = {}
    for e in found:
        usable = e.cls and e.cls != "NSManagedObject" and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", e.cls)
        wanted[e.name] = e.cls if usable else e.name
    claims = list(wanted.values())
    return {name: cls if claims.count(cls) == 1 else name for name, cls in wanted.items()}

"""Reads model files on its own: shares no code with Chordata's reader, so that nothing passes by omission."""

import os
import re
import xml.etree.ElementTree as ET


def bundles(root):
    """All .xcdatamodeld bundles and stand-alone .xcdatamodel folders below a folder."""
    found = []
    for folder, names, _ in os.walk(root):
        for name in sorted(names):
            if name.endswith((".xcdatamodeld", ".xcdatamodel")):
                found.append(os.path.join(folder, name))
        names[:] = [n for n in names if not n.endswith((".xcdatamodeld", ".xcdatamodel"))]
    return sorted(found)


def natural(name):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def versions(bundle):
    """The version names of a bundle and their contents files."""
    if bundle.endswith(".xcdatamodel"):
        return {os.path.basename(bundle)[: -len(".xcdatamodel")]: os.path.join(bundle, "contents")}
    names = [n for n in os.listdir(bundle) if n.endswith(".xcdatamodel")]
    return {n[: -len(".xcdatamodel")]: os.path.join(bundle, n, "contents") for n in sorted(names, key=natural)}


def current(bundle):
    """The name of the current version."""
    names = sorted(versions(bundle), key=natural)
    path = os.path.join(bundle, ".xccurrentversion")
    if os.path.exists(path):
        match = re.search(r"<string>(.*)\.xcdatamodel</string>", open(path, encoding="utf-8").read())
        if match:
            return match.group(1)
    return names[-1]


class Entity:
    def __init__(self, element):
        self.element = element
        self.name = element.get("name")
        self.parent = element.get("parentEntity")
        self.abstract = element.get("isAbstract") == "YES"
        self.codegen = element.get("codeGenerationType")
        self.cls = (element.get("representedClassName") or "").split(".")[-1]
        self.attributes = element.findall("attribute")
        self.relationships = element.findall("relationship")
        self.fetched_properties = element.findall("fetchedProperty")
        self.constraints = [
            [part.get("value") for part in constraint]
            for constraint in element.findall("uniquenessConstraints/uniquenessConstraint")
        ]


class Model:
    """A version with its inheritance resolved."""

    def __init__(self, contents):
        root = ET.parse(contents).getroot()
        self.entities = [Entity(e) for e in root.findall("entity")]
        self.by_name = {e.name: e for e in self.entities}
        self.classes = class_names(self.entities)
        self.composites = {c.get("name"): c.findall("attribute") for c in root.findall("composite")}
        self.fetch_requests = root.findall("fetchRequest")
        self.concrete = [e for e in self.entities if not e.abstract]

    def lineage(self, entity):
        """The entity and those above it, the topmost first."""
        chain = [entity]
        while chain[0].parent:
            chain.insert(0, self.by_name[chain[0].parent])
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

    def owner(self, entity, element):
        """The level that declares a property."""
        return next(level for level in self.lineage(entity) if element in list(level.element))

    def concrete_below(self, name):
        """The entities whose objects are of that entity too."""
        return [e for e in self.concrete if name in [level.name for level in self.lineage(e)]]

    def leaves(self, attribute, path=None):
        """An attribute with its path, or instead of a composite the attributes that it has in the end."""
        path = path or attribute.get("name")
        if attribute.get("attributeType") != "Composite":
            return [(path, attribute)]
        return [
            leaf
            for part in self.composites[attribute.get("composite")]
            for leaf in self.leaves(part, f"{path}.{part.get('name')}")
        ]


def entities(contents):
    return [Entity(e) for e in ET.parse(contents).getroot().findall("entity")]


def counts(contents):
    """(entities, attributes, relationships) of a version; a composite counts as the attributes that it has in the end."""
    found = entities(contents)
    composites = {c.get("name"): c.findall("attribute") for c in ET.parse(contents).getroot().findall("composite")}

    def leaves(attribute):
        if attribute.get("attributeType") != "Composite":
            return 1
        return sum(map(leaves, composites[attribute.get("composite")]))

    return (
        len(found),
        sum(leaves(a) for e in found for a in e.attributes),
        sum(len(e.relationships) for e in found),
    )


def notes(element):
    """The user info of an attribute or relationship."""
    return {e.get("key"): e.get("value") for e in element.iter("entry")}


def flag(element, key):
    """Whether user info says yes, as mogenerator and SwiftGen read it; None where it says nothing."""
    value = notes(element).get(key)
    return None if value is None else value.lower() in ("yes", "true", "1", "")


def user_type(attribute):
    """The type that an attribute leaves to its users: its name, and what it is (Int, String or Codable).

    Texts in an array are a type that users need not write.
    """
    kind = attribute.get("attributeType") or ""
    found = notes(attribute)
    for key in ("RawType", "attributeValueScalarType"):
        name = found.get(key)
        if name and re.fullmatch(r"(?!U?Int\d*$)[A-Z_]\w*", name) and (kind.startswith("Integer") or kind == "String"):
            return name, "String" if kind == "String" else "Int"
    name = found.get("attributeValueClassName") or attribute.get("customClassName") or ""
    if name == "[String]" and kind == "Transformable":
        return name, "Strings"
    apple = re.match(r"(NS|UI|CG|CI|CL|CA|CN|AV|EK|GK|HK|MK|MP|PH|PK|SCN|SK|UN|WK)[A-Z]", name)
    if kind == "Transformable" and re.fullmatch(r"[A-Za-z_]\w*", name) and not apple:
        return name, "Codable"
    return None


# The raw values of the enumerations below, which are those that attributes get.
RAW_VALUES = {"Int": ["-7", "0", "32000"], "String": ["second 2", "", "\u00e9\U0001f600"]}


def user_types(contents, access=""):
    """Swift declarations of the types that a version leaves to its users: enumerations and values of transformables."""
    kinds, values = {}, {}
    for attribute in ET.parse(contents).getroot().iter("attribute"):
        user = user_type(attribute)
        if user and user[1] != "Strings":
            kinds[user[0]] = user[1]
            default = attribute.get("defaultValueString")
            found = values.setdefault(user[0], list(RAW_VALUES.get(user[1], [])))
            if default is not None and default not in found:
                found.append(default)
    result = []
    for name, kind in kinds.items():
        if kind == "Codable":
            result.append(f"{access}struct {name}: Codable, Hashable, Sendable {{ var text: String }}")
            continue
        raw = [value if kind == "Int" else f'"{value}"' for value in values[name]]
        cases = "; ".join(f"case value{place} = {value}" for place, value in enumerate(raw))
        result.append(f"{access}enum {name}: {kind}, Sendable {{ {cases} }}")
    return result


def user_classes(found, access=""):
    """Swift declarations of the classes that codegen 'category' leaves to its users."""
    classes = class_names(found)
    parents = {e.parent for e in found}
    return [
        f"{access.replace('public', 'open') if e.name in parents else access + 'final '}class {classes[e.name]}: "
        f"_{classes[e.name]} {{}}"
        for e in found
        if e.codegen == "category"
    ]


def everything(contents):
    """All elements of a file with their attributes and children, in no order of kinds."""

    def node(element):
        return (element.tag, sorted(element.attrib.items()), sorted(map(node, element)))

    return node(ET.parse(contents).getroot())


def class_names(found):
    """Entity name to class name: the represented class, unless two entities claim it."""
    wanted = {}
    for e in found:
        usable = e.cls and e.cls != "NSManagedObject" and re.fullmatch(r"[A-Za-z_]\w*", e.cls)
        wanted[e.name] = e.cls if usable else e.name
    claims = list(wanted.values())
    return {name: cls if claims.count(cls) == 1 else name for name, cls in wanted.items()}


def generated_counts(folder):
    """(entities, attributes, relationships) as they stand in generated Swift."""
    total = [0, 0, 0]
    for name in sorted(os.listdir(folder)):
        inside = False
        for line in open(os.path.join(folder, name), encoding="utf-8"):
            text = line.strip()
            if "override" in text and "class var entityName" in text:
                total[0] += 1
            if text == "private struct _Level {":
                inside = True
            elif inside and text == "}":
                inside = False
            elif inside and text.startswith("var "):
                is_relationship = text.endswith(("= Chordata.ToOne()", "= Chordata.ToMany()"))
                total[2 if is_relationship else 1] += 1
    return tuple(total)

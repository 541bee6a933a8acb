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
        self.name = element.get("name")
        self.parent = element.get("parentEntity")
        self.abstract = element.get("isAbstract") == "YES"
        self.codegen = element.get("codeGenerationType")
        self.cls = (element.get("representedClassName") or "").split(".")[-1]
        self.attributes = element.findall("attribute")
        self.relationships = element.findall("relationship")


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


def raw_type(attribute):
    """Whether an attribute has another type in Swift than its column."""
    return any(e.get("key") in ("RawType", "attributeValueScalarType") for e in attribute.iter("entry"))


def user_types(contents):
    """Swift declarations of the types that a version leaves to its users: enumerations and values of transformables."""
    result = {}
    for attribute in ET.parse(contents).getroot().iter("attribute"):
        kind = attribute.get("attributeType") or ""
        notes = {e.get("key"): e.get("value") for e in attribute.iter("entry")}
        for key in ("RawType", "attributeValueScalarType"):
            name = notes.get(key)
            if name and re.fullmatch(r"(?!U?Int\d*$)[A-Z_]\w*", name) and (kind.startswith("Integer") or kind == "String"):
                raw = "Int" if kind != "String" else "String"
                result.setdefault(name, f"enum {name}: {raw}, Sendable {{ case only }}")
        name = notes.get("attributeValueClassName") or attribute.get("customClassName") or ""
        apple = re.match(r"(NS|UI|CG|CI|CL|CA|CN|AV|EK|GK|HK|MK|MP|PH|PK|SCN|SK|UN|WK)[A-Z]", name)
        if kind == "Transformable" and re.fullmatch(r"[A-Za-z_]\w*", name) and not apple:
            result.setdefault(name, f"struct {name}: Codable, Sendable {{}}")
    return list(result.values())


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

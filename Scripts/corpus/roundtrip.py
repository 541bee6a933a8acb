"""Writes a program that inserts an object of every concrete entity with all properties set, saves, and compares what a
new context reads. The program is made from the XML alone."""

import xmlmodel

KEYWORDS = set(
    "associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private "
    "precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default "
    "defer do else fallthrough for guard if in repeat return throw switch where while Any as await false is nil self "
    "Self super throws true try Type Protocol".split()
)
MEMBERS = set(
    "objectID managedObjectContext isFault isInserted isUpdated isDeleted hasChanges entityName describe willAccess "
    "willChange toOne toMany orderedToMany fetchRequest predicateArgumentValue".split()
)


def property_name(name):
    if name in MEMBERS or name in ("init", "self", "Type"):
        return name + "_"
    return f"`{name}`" if name in KEYWORDS else name


def literal(kind, number):
    return {
        "Integer 16": str(number % 30000 + 1),
        "Integer 32": str(number * 1001 + 1),
        "Integer 64": str(number * 1000003 + 1),
        "Double": f"{number}.25",
        "Float": f"{number}.5",
        "Decimal": f'Foundation.Decimal(string: "{number}.125")!',
        "String": f'"text {number} \\u{{e9}}\\u{{1f600}}"',
        "Boolean": "true",
        "Date": f"Foundation.Date(timeIntervalSinceReferenceDate: {number}.000244140625)",
        "UUID": f'Foundation.UUID(uuidString: "00000000-0000-4000-8000-{number:012X}")!',
        "URI": f'Foundation.URL(string: "https://example.org/{number}")!',
        "Binary": f"Foundation.Data([1, 2, {number % 256}])",
        "Transformable": f"Foundation.Data([9, {number % 256}])",
    }.get(kind)


def program(contents, model_type):
    found = xmlmodel.entities(contents)
    by_name = {e.name: e for e in found}
    classes = xmlmodel.class_names(found)

    def lineage(entity):
        chain = [entity]
        while chain[0].parent:
            chain.insert(0, by_name[chain[0].parent])
        return chain

    def members(entity, kind):
        seen = {}
        for level in lineage(entity):
            for element in getattr(level, kind):
                seen.setdefault(element.get("name"), element)
        return list(seen.values())

    def concrete(name):
        """An entity with objects that a relationship to this one may lead to."""
        for e in found:
            if not e.abstract and name in [a.name for a in lineage(e)]:
                return e
        return None

    chosen = [e for e in found if not e.abstract]
    lines = [
        "import Chordata",
        "import Foundation",
        "",
        "func fail(_ text: String) -> Never { print(\"FAIL \\(text)\"); exit(1) }",
        "let path = CommandLine.arguments[1]",
        f"let container = try {model_type}.container(at: path)",
        "var expected: [String: [Int64]] = [:]",
        "var ids: [String: ManagedObjectID] = [:]",
    ]
    checks = []
    stubs = []
    make, link = [], []
    properties = 0
    for e in found:
        if e.codegen == "category":
            stubs.append(f"final class {classes[e.name]}: _{classes[e.name]} {{}}" if not any(x.parent == e.name for x in found)
                         else f"class {classes[e.name]}: _{classes[e.name]} {{}}")
    for index, e in enumerate(chosen):
        variable = f"o{index}"
        make.append(f"    let {variable} = {classes[e.name]}(context: context)")
        check = [f"func check{index}(_ context: ManagedObjectContext) throws {{",
                 f"    guard let id = ids[\"{e.name}\"], let object = try context.existingObject(with: id) as? {classes[e.name]} else {{ fail(\"{e.name} is missing\") }}"]
        for number, attribute in enumerate(members(e, "attributes")):
            kind = attribute.get("attributeType")
            value = literal(kind, index * 97 + number)
            if attribute.get("transient") == "YES" or value is None or attribute.get("derived") == "YES":
                continue
            if attribute.get("customClassName"):
                continue  # Its values are of a type that this program knows nothing of.
            if xmlmodel.raw_type(attribute):
                value = ".only"
            name = property_name(attribute.get("name"))
            # Unique values satisfy uniqueness constraints too.
            make.append(f"    {variable}.{name} = {value}")
            check.append(f"    if object.{name} != {value} {{ fail(\"{e.name}.{attribute.get('name')}: \\(object.{name} as Any)\") }}")
            properties += 1
        for relationship in members(e, "relationships"):
            target = concrete(relationship.get("destinationEntity"))
            if target is None:
                continue
            other = f"o{chosen.index(target)}"
            name = property_name(relationship.get("name"))
            key = f"{e.name}.{relationship.get('name')}"
            stored = relationship.get("transient") != "YES"
            if relationship.get("toMany") == "YES":
                accessor = "addTo" + relationship.get("name")[0].upper() + relationship.get("name")[1:]
                link.append(f"    {variable}.{accessor}({other})")
                read = f".{name}.map(\\.objectID.key).sorted()"
            else:
                link.append(f"    {variable}.{name} = {other}")
                read = f".{name}.map {{ [$0.objectID.key] }} ?? []"
            if stored:
                link_check = f"    expected[\"{key}\"] = {variable}{read}"
                checks.append(link_check)
                check.append(f"    if expected[\"{key}\"] != object{read} {{ fail(\"{key}: \\(object{read}) instead of \\(expected[\"{key}\"] ?? [])\") }}")
                properties += 1
        check.append("}")
        stubs += check
        make.append(f"    ids[\"{e.name}\"] = {variable}.objectID")
    lines += xmlmodel.user_types(contents) + stubs
    lines += ["func build() throws {", "    let context = container.newContext()"] + make + link + checks
    lines += ["    try context.save()", "}", "try build()", "let fresh = container.newContext()"]
    lines += [f"try check{i}(fresh)" for i in range(len(chosen))]
    lines += [f'print("OK {len(chosen)} entities, {properties} properties")']
    return "\n".join(lines) + "\n"

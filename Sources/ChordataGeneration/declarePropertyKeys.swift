internal import ChordataConfiguration
internal import ChordataModel
internal import ChordataSQL

/// Declares the names of all properties as an enumeration, inherited ones included, or `nil`.
func declarePropertyKey(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration? {
    let names = entity.propertyNames.map { context.namer.propertyName($0) }
    guard let last = names.last else { return nil }
    return SwiftTypeDeclaration(
        documentation: ["The names of the properties in the model."],
        access: context.access,
        kind: .enum,
        name: "PropertyKey",
        inherits: [.chordata("PropertyKeyEnumeration")],
        members: [
            .typealias(
                SwiftTypealias(
                    access: context.access,
                    name: "Values",
                    type: .named([context.namer.generatedClassName(of: entity), "Values"])
                )
            )
        ] + names.map { .enumerationCase($0) } + [
            .variable(
                SwiftVariable(
                    access: context.access,
                    modifiers: [.static],
                    kind: .var,
                    name: "lastPropertyKey",
                    type: .named(["Self"]),
                    getter: ".\(last)"
                )
            )
        ]
    )
}

/// Declares the list of all properties, including inherited ones, because a key path of a subclass differs from the
/// superclass's.
func declarePropertyKeyPaths(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let namer = context.namer
    let objectType = namer.classType(of: entity.name)
    var paths: [String] = []
    func append(_ attribute: AttributeDescription, _ path: String, isIgnored: Bool) {
        paths.append(isIgnored ? "self" : path)
        for element in attribute.elements {
            let step = attribute.isOptional ? "?." : "."
            append(element, path + step + namer.elementName(element.name), isIgnored: isIgnored)
        }
    }
    for level in context.model.lineage(of: entity.name) {
        for attribute in context.attributes(of: level) {
            append(attribute.attribute, attribute.name, isIgnored: attribute.isIgnored)
        }
        for relationship in level.declaredRelationships {
            let isIgnored = UserInfoKey.ignore.flag(in: relationship.userInfo) == true
            paths.append(isIgnored ? "self" : namer.propertyName(relationship.name))
        }
    }
    // Each property has its own statement: if the type of one property were missing, the compiler would try all
    // elements of a single literal together.
    let additions = paths.map { path in
        let chained = path == "self" ? "?.self" : "?.?.\(path)"
        return "paths.append(\\\(objectType).\(path), \\\(objectType)\(chained))"
    }
    return SwiftFunction(
        attributes: context.attributesOfGeneratedMembers,
        access: context.classAccess(of: entity),
        modifiers: [.override, .class],
        kind: .function("propertyKeyPaths"),
        resultType: .chordata("PropertyKeyPaths"),
        body: paths.isEmpty
            ? ["Chordata.PropertyKeyPaths(Values.layout)"]
            : ["var paths = Chordata.PropertyKeyPaths(Values.layout)"] + additions + ["return paths"]
    )
}

internal import ChordataModel
internal import ChordataSQL

/// Declares the names of all properties as an enumeration, inherited ones included, or `nil`.
func declarePropertyKey(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration? {
    let names = entity.propertyNames.map { context.namer.propertyName($0) }
    guard let last = names.last else { return nil }
    let values = "\(context.namer.generatedClassName(of: entity)).Values"
    return SwiftTypeDeclaration(
        documentation: ["The names of the properties in the model."],
        introducer: context.access + "enum",
        name: "PropertyKey",
        inherits: ["Chordata.PropertyKeyEnumeration"],
        members: [.line("\(context.access)typealias Values = \(values)")] + names.map { .line("case \($0)") }
            + [.line("\(context.access)static var lastPropertyKey: Self { .\(last) }")]
    )
}

/// Declares the list of all properties, inherited ones included: a key path of a subclass differs from the
/// superclass's.
func declarePropertyKeyPaths(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let namer = context.namer
    let user = namer.className(of: entity.name)
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
    // A statement for each: where the type of one property is missing, the compiler would try all elements of one
    // literal together.
    let additions = paths.map { path in
        let chained = path == "self" ? "?.self" : "?.?.\(path)"
        return "paths.append(\\\(user).\(path), \\\(user)\(chained))"
    }
    return SwiftFunction(
        introducer: "\(overrideIntroducer(of: entity, context)) class func propertyKeyPaths",
        suffix: "-> Chordata.PropertyKeyPaths",
        body: paths.isEmpty
            ? ["Chordata.PropertyKeyPaths(Values.layout)"]
            : ["var paths = Chordata.PropertyKeyPaths(Values.layout)"] + additions + ["return paths"]
    )
}

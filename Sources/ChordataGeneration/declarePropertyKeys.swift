internal import ChordataModel
internal import ChordataSQL

/// Declares the names of all properties as an enumeration, inherited ones included; `nil` where there are none.
func declarePropertyKey(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration? {
    guard !entity.propertyNames.isEmpty else { return nil }
    let cases = entity.propertyNames.map { name -> SwiftDeclaration in
        let property = context.namer.propertyName(name)
        return .line(
            property == name || property == "`\(name)`"
                ? "case \(property)" : "case \(property) = \(swiftLiteral(name))"
        )
    }
    return SwiftTypeDeclaration(
        documentation: ["The names of the properties in the model."],
        introducer: context.access + "enum",
        name: "PropertyKey",
        inherits: ["Swift.String", "Swift.CaseIterable", "Swift.Sendable"],
        members: cases
    )
}

/// Declares the list of all properties, inherited ones included: a key path of a subclass differs from the superclass's.
func declarePropertyKeyPaths(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let namer = context.namer
    let user = namer.className(of: entity.name)
    var entries: [String] = []
    func append(_ name: String, _ path: String, to destination: String? = nil) {
        let end = destination.map { ", to: \($0).self" } ?? ""
        entries.append(
            "    Chordata.PropertyKeyPaths(\(swiftLiteral(name)), \\\(user).\(path), \\\(user)?.?.\(path)\(end)),"
        )
    }
    func append(_ attribute: AttributeDescription, _ name: String, _ path: String) {
        append(name, path)
        guard attribute.attributeType == .composite else { return }
        for element in attribute.elements {
            let step = attribute.isOptional ? "?." : "."
            append(element, "\(name).\(element.name)", path + step + namer.elementName(element.name))
        }
    }
    for level in context.model.lineage(of: entity.name) {
        for attribute in context.attributes(of: level) where !attribute.isIgnored {
            append(attribute.attribute, attribute.attribute.name, attribute.name)
        }
        for relationship in level.declaredRelationships where UserInfoKey.ignore.flag(in: relationship.userInfo) != true
        {
            append(
                relationship.name,
                namer.propertyName(relationship.name),
                to: relationship.isToMany ? nil : namer.className(of: relationship.destinationEntityName)
            )
        }
    }
    return SwiftFunction(
        introducer: "\(overrideIntroducer(of: entity, context)) class func propertyKeyPaths",
        suffix: "-> [Chordata.PropertyKeyPaths]",
        body: ["["] + entries + ["]"]
    )
}

internal import ChordataConfiguration
internal import ChordataModel

/// Declares a struct for every composite that the model's attributes use, by name.
func declareComposites(_ context: GenerationContext) -> [SwiftDeclaration] {
    var composites: [String: [AttributeDescription]] = [:]
    func collect(_ attributes: [AttributeDescription]) {
        for attribute in attributes where attribute.attributeType == .composite {
            composites[attribute.compositeName ?? attribute.name] = attribute.elements
            collect(attribute.elements)
        }
    }
    for entity in context.model.entities { collect(entity.declaredAttributes) }
    return composites.sorted { $0.key < $1.key }.map { .separated(.type(declareComposite($0.key, $0.value, context))) }
}

private func declareComposite(
    _ name: String,
    _ elements: [AttributeDescription],
    _ context: GenerationContext
) -> SwiftTypeDeclaration {
    let members = elements.map { element in
        let generated = GeneratedAttribute(element, firstField: 0, context)
        return (name: context.namer.elementName(element.name), type: generated.type, element: element)
    }
    var declarations: [SwiftDeclaration] = members.map { member in
        .variable(
            SwiftVariable(
                documentation: documentation(of: member.element.userInfo),
                access: context.access,
                kind: .var,
                name: member.name,
                type: member.type
            )
        )
    }
    declarations.append(
        .separated(
            .function(
                SwiftFunction(
                    documentation: ["Creates the composite."],
                    access: context.access,
                    kind: .initializer,
                    parameters: members.map {
                        SwiftParameter(
                            name: Namer.parameterName($0.name),
                            type: $0.type,
                            defaultValue: defaultArgument(of: $0.element, $0.type)
                        )
                    },
                    body: members.map { "self.\($0.name) = \($0.name)" }
                )
            )
        )
    )
    return SwiftTypeDeclaration(
        documentation: ["Composite '\(name)'."],
        access: context.access,
        kind: .struct,
        name: context.namer.compositeName(name),
        inherits: [.swift("Codable"), .swift("Hashable"), .swift("Sendable")],
        members: declarations
    )
}

/// Returns the default of an element as the default of the initializer's parameter, if Swift has a literal for it.
private func defaultArgument(of element: AttributeDescription, _ type: SwiftType) -> SwiftExpression? {
    let hasStorageType = element.attributeType != .composite && type == element.attributeType.swiftStorageType
    switch element.defaultValue {
    case .integer(let value)? where hasStorageType: return .source("\(value)")
    case .double(let value)? where hasStorageType: return .source("\(value)")
    case .boolean(let value)? where hasStorageType: return .source("\(value)")
    case .string(let value)? where hasStorageType: return .string(value)
    case .integer, .double, .boolean, .string, .decimal, .date, .data, .uuid, .url, nil:
        return element.isOptional ? .source("nil") : nil
    }
}

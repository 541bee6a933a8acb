internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate

/// Declares a typed function for every fetch request of the model.
/// - Throws: ``FetchPredicateError`` when a predicate does not work, as ``checkModel(_:)`` has found before.
func declareFetchRequests(
    _ version: ModelVersion,
    _ context: GenerationContext
) throws(FetchPredicateError) -> [SwiftDeclaration] {
    var declarations: [SwiftDeclaration] = []
    for template in version.model.fetchRequestTemplates {
        declarations.append(try declareFetchRequest(template, context))
    }
    return declarations
}

private func declareFetchRequest(
    _ template: FetchRequestTemplate,
    _ context: GenerationContext
) throws(FetchPredicateError) -> SwiftDeclaration {
    let className = context.namer.className(of: template.entityName)
    var variables: [(name: String, type: String)] = []
    var predicateArguments = ""
    if let format = template.predicateFormat {
        let predicate = try FetchPredicate(format: format)
        for variable in try inferVariableTypes(of: predicate, entityName: template.entityName, model: context.model) {
            variables.append((variable.name, swiftType(of: variable.type, context)))
        }
        let values = variables.map { "\(swiftLiteral($0.name)): \(Namer.escaped($0.name))" }
        predicateArguments =
            "predicate: \(swiftLiteral(format)), variables: [\(values.isEmpty ? ":" : values.joined(separator: ", "))]"
    }
    var body = ["var request = Chordata.FetchRequest<\(className)>(\(predicateArguments))"]
    if template.fetchLimit > 0 { body.append("request.fetchLimit = \(template.fetchLimit)") }
    if !template.includesSubentities { body.append("request.includesSubentities = false") }
    if !template.includesPendingChanges { body.append("request.includesPendingChanges = false") }
    if body.count == 1 {
        body = ["Chordata.FetchRequest<\(className)>(\(predicateArguments))"]
    } else {
        body.append("return request")
    }
    let documentation =
        template.predicateFormat.map { "Fetch request '\(template.name)': `\($0)`." }
        ?? "Fetch request '\(template.name)': all objects."
    return .type(
        SwiftTypeDeclaration(
            introducer: "nonisolated extension",
            name: className,
            members: [
                .function(
                    SwiftFunction(
                        documentation: [documentation.split(separator: "\n").joined(separator: " ")],
                        introducer: "\(context.access)static func \(Namer.functionName(template.name))",
                        parameters: variables.map { "\(Namer.escaped($0.name)): \($0.type)" },
                        suffix: "-> Chordata.FetchRequest<\(className)>",
                        body: body
                    )
                )
            ]
        )
    )
}

private func swiftType(of type: VariableType, _ context: GenerationContext) -> String {
    switch type {
    case .attribute(let attribute):
        var required = attribute
        required.isOptional = false
        return required.swiftType
    case .object(let entityName): return context.namer.className(of: entityName)
    case .collection(let element): return "[\(swiftType(of: element, context))]"
    }
}

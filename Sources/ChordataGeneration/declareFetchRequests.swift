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
    let creation = "Chordata.FetchRequest<\(className)>(\(predicateArguments))"
    var body: [String] = []
    if template.fetchLimit > 0 { body.append("request.fetchLimit = \(template.fetchLimit)") }
    if !template.includesSubentities { body.append("request.includesSubentities = false") }
    if !template.includesPendingChanges { body.append("request.includesPendingChanges = false") }
    for key in sortKeys(of: template, in: context.model) {
        let order = key.isAscending ? "" : ", order: .descending"
        body.append("request.sortKeys.append(Chordata.SortKey(\(swiftLiteral(key.path))\(order)))")
    }
    // One that is taken as it is needs no variable.
    let request = body.isEmpty ? creation : "request"
    if !body.isEmpty { body.insert("var request = \(creation)", at: 0) }
    let result: String
    switch template.resultType {
    case .managedObjects:
        result = "Chordata.FetchRequest<\(className)>"
        body.append("return \(request)")
    case .managedObjectIDs:
        result = "Chordata.ObjectIDFetchRequest<\(className)>"
        body.append("return \(request).objectIDs")
    case .count:
        result = "Chordata.CountFetchRequest<\(className)>"
        body.append("return \(request).count")
    case .dictionaries:
        result = "Chordata.DictionaryFetchRequest<\(className)>"
        if template.returnsDistinctResults {
            body += [
                "var dictionaries = \(request).dictionaries", "dictionaries.returnsDistinctResults = true",
                "return dictionaries",
            ]
        } else {
            body.append("return \(request).dictionaries")
        }
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
                        suffix: "-> \(result)",
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
        return attribute.attributeType == .transformable ? "Foundation.Data" : attribute.attributeType.swiftStorageType
    case .object(let entityName): return context.namer.className(of: entityName)
    case .collection(let element): return "[\(swiftType(of: element, context))]"
    }
}

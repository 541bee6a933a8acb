internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate

/// Declares a typed function for every fetch request of the model.
///
/// Of a version that is not the current one those are left out that do not work, as ``checkModel(_:)`` has told.
/// - Throws: ``FetchPredicateError`` when a predicate does not work, as ``checkModel(_:)`` has found before.
func declareFetchRequests(
    _ bundle: ModelBundle,
    _ context: GenerationContext
) throws(FetchPredicateError) -> [SwiftDeclaration] {
    var declarations: [SwiftDeclaration] = []
    for template in bundle.currentVersion.model.fetchRequestTemplates {
        do throws(FetchPredicateError) {
            declarations.append(try declareFetchRequest(template, context))
        } catch {
            guard bundle.isHistory else { throw error }
        }
    }
    return declarations
}

private func declareFetchRequest(
    _ template: FetchRequestTemplate,
    _ context: GenerationContext
) throws(FetchPredicateError) -> SwiftDeclaration {
    let className = context.namer.className(of: template.entityName)
    var variables: [(name: String, type: String, value: String)] = []
    var predicateArguments = ""
    if let format = template.predicateFormat {
        let predicate = try FetchPredicate(format: format)
        for variable in try inferVariableTypes(of: predicate, entityName: template.entityName, model: context.model) {
            let name = Namer.escaped(variable.name)
            variables.append((name, swiftType(of: variable.type, context), argument(name, variable.type, context)))
        }
        let values = variables.map { "\(swiftLiteral($0.name.filter { $0 != "`" })): \($0.value)" }
        predicateArguments =
            "predicate: \(swiftLiteral(format)), variables: [\(values.isEmpty ? ":" : values.joined(separator: ", "))]"
    }
    let creation = "Chordata.FetchRequest<\(className)>(\(predicateArguments))"
    var body: [String] = []
    if template.fetchLimit > 0 { body.append("request.fetchLimit = \(template.fetchLimit)") }
    if template.fetchBatchSize > 0 { body.append("request.fetchBatchSize = \(template.fetchBatchSize)") }
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
                        parameters: variables.map { "\($0.name): \($0.type)" },
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
    case .attribute(let attribute): style(of: attribute, context).map(\.base) ?? attribute.swiftVariableType
    case .object(let entityName): context.namer.className(of: entityName)
    case .collection(let element): "[\(swiftType(of: element, context))]"
    }
}

/// What a predicate compares with: of an enumeration the raw value.
private func argument(_ name: String, _ type: VariableType, _ context: GenerationContext) -> String {
    switch type {
    case .attribute(let attribute):
        guard let style = style(of: attribute, context) else { return name }
        return "Chordata.FieldConversion.raw(\(name), \(swiftLiteral(name))) as \(style.storageBase)"
    case .object: return name
    case .collection(let element):
        let value = argument("$0", element, context)
        return value == "$0" ? name : "\(name).map { \(value) }"
    }
}

/// How an attribute looks that has another type than its storage and can be compared.
private func style(of attribute: AttributeDescription, _ context: GenerationContext) -> AttributeStyle? {
    guard attribute.attributeType != .composite, attribute.attributeType != .transformable else { return nil }
    let style = AttributeStyle(attribute, isStorageOptional: false, context.configuration)
    if case .converted = style.conversion { return style }
    return nil
}

extension AttributeDescription {
    fileprivate var swiftVariableType: String {
        attributeType == .transformable ? "Foundation.Data" : attributeType.swiftStorageType
    }
}

internal import ChordataConfiguration
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate

/// Declares a typed function for every fetch request of the model.
///
/// For a version that is not the current one, requests with invalid predicates are left out, as ``checkModel(_:)`` has
/// reported.
/// - Throws: ``FetchPredicateError`` if a predicate is invalid, as ``checkModel(_:)`` has reported.
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
    let objectType = context.namer.classType(of: template.entityName)
    var variables: [(label: String, parameter: String, type: SwiftType, value: String)] = []
    var predicateArguments = ""
    if let format = template.predicateFormat {
        let predicate = try FetchPredicate(format: format)
        for variable in try inferVariableTypes(of: predicate, entityName: template.entityName, model: context.model) {
            // A parameter would hide a module with the same name in the body.
            let isModule = ["Chordata", "Foundation", "Swift"].contains(variable.name)
            let name = isModule ? variable.name + "_" : Namer.escaped(variable.name)
            variables.append(
                (
                    variable.name, name, swiftType(of: variable.type, isOptional: variable.isOptional, context),
                    argument(name, variable.name, variable.type, isOptional: variable.isOptional, context)
                )
            )
        }
        let values = variables.map { "\(swiftLiteral($0.label)): \($0.value)" }
        predicateArguments =
            "predicate: \(swiftLiteral(format)), variables: [\(values.isEmpty ? ":" : values.joined(separator: ", "))]"
    }
    let requestType = SwiftType.chordata("FetchRequest", objectType)
    let creation = "\(requestType)(\(predicateArguments))"
    // A variable of the predicate may have the same name.
    let variable = unusedName("request", among: variables.map(\.parameter))
    var body: [String] = []
    if template.fetchLimit > 0 { body.append("\(variable).fetchLimit = \(template.fetchLimit)") }
    if template.fetchBatchSize > 0 { body.append("\(variable).fetchBatchSize = \(template.fetchBatchSize)") }
    if !template.includesPropertyValues { body.append("\(variable).includesPropertyValues = false") }
    if !template.includesSubentities { body.append("\(variable).includesSubentities = false") }
    if !template.includesPendingChanges { body.append("\(variable).includesPendingChanges = false") }
    for key in sortKeys(of: template, in: context.model) {
        let order = key.isAscending ? "" : ", order: .descending"
        body.append("\(variable).sortKeys.append(Chordata.SortKey(\(swiftLiteral(key.path))\(order)))")
    }
    // A request whose settings are not changed does not need a variable.
    let request = body.isEmpty ? creation : variable
    if !body.isEmpty { body.insert("var \(variable) = \(creation)", at: 0) }
    let resultType: SwiftType
    switch template.resultType {
    case .managedObjects:
        resultType = requestType
        body.append("return \(request)")
    case .managedObjectIDs:
        resultType = .chordata("ObjectIDFetchRequest", objectType)
        body.append("return \(request).objectIDs")
    case .count:
        resultType = .chordata("CountFetchRequest", objectType)
        body.append("return \(request).count")
    case .dictionaries:
        resultType = .chordata("DictionaryFetchRequest", objectType)
        if template.returnsDistinctResults {
            let dictionaries = unusedName("dictionaries", among: variables.map(\.parameter))
            body += [
                "var \(dictionaries) = \(request).dictionaries", "\(dictionaries).returnsDistinctResults = true",
                "return \(dictionaries)",
            ]
        } else {
            body.append("return \(request).dictionaries")
        }
    }
    let documentation =
        template.predicateFormat.map { "Fetch request '\(template.name)': `\($0)`." }
        ?? "Fetch request '\(template.name)': all objects."
    return .extension(
        SwiftExtension(
            modifiers: [.nonisolated],
            extendedType: objectType,
            members: [
                .function(
                    SwiftFunction(
                        documentation: [documentation.split(separator: "\n").joined(separator: " ")],
                        access: context.access,
                        modifiers: [.static],
                        kind: .function(Namer.functionName(template.name)),
                        parameters: variables.map { parameter($0.label, $0.parameter, $0.type) },
                        resultType: resultType,
                        body: body
                    )
                )
            ]
        )
    )
}

/// Returns the parameter of a variable, with a label if its name in the body is different.
private func parameter(_ label: String, _ name: String, _ type: SwiftType) -> SwiftParameter {
    let escaped = Namer.escaped(label)
    let plain = Namer.parameterName(escaped)
    return name == escaped
        ? SwiftParameter(name: plain, type: type) : SwiftParameter(label: plain, name: name, type: type)
}

private func unusedName(_ name: String, among names: [String]) -> String {
    names.contains(name) ? unusedName(name + "_", among: names) : name
}

private func swiftType(of type: VariableType, isOptional: Bool, _ context: GenerationContext) -> SwiftType {
    switch type {
    case .attribute(let attribute):
        (style(of: attribute, context)?.base ?? attribute.swiftVariableType).optional(if: isOptional)
    case .object(let entityName): context.namer.classType(of: entityName).optional(if: isOptional)
    case .collection(let element): .array(swiftType(of: element, isOptional: isOptional, context))
    }
}

/// Returns the value that a predicate compares: the raw value of an enumeration, and otherwise the value itself.
/// - Parameters:
///   - value: The name of the value in the body.
///   - name: The name of the variable.
private func argument(
    _ value: String,
    _ name: String,
    _ type: VariableType,
    isOptional: Bool,
    _ context: GenerationContext
) -> String {
    switch type {
    case .attribute(let attribute):
        guard let style = style(of: attribute, context) else { return value }
        if isOptional { return "\(value).map { \(argument("$0", name, type, isOptional: false, context)) }" }
        return "Chordata.FieldConversion.raw(\(value), \(swiftLiteral(name))) as \(style.storageBase)"
    case .object: return value
    case .collection(let element):
        let converted = argument("$0", name, element, isOptional: isOptional, context)
        return converted == "$0" ? value : "\(value).map { \(converted) }"
    }
}

/// Returns the form of an attribute whose type differs from its storage and can be compared.
private func style(of attribute: AttributeDescription, _ context: GenerationContext) -> AttributeStyle? {
    guard attribute.attributeType != .composite, attribute.attributeType != .transformable else { return nil }
    let style = AttributeStyle(attribute, isStorageOptional: false, context.configuration)
    if case .converted = style.conversion { return style }
    return nil
}

extension AttributeDescription {
    fileprivate var swiftVariableType: SwiftType {
        attributeType == .transformable ? .foundation("Data") : attributeType.swiftStorageType
    }
}

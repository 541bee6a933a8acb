public import ChordataModel
public import ChordataPredicate

extension FetchRequest {
    /// Creates a request from a fetch request template of the model, whose predicate was checked during code
    /// generation.
    @_spi(Generated)
    public init(predicate format: String, variables: [String: any PredicateArgument]) {
        self.init()
        do {
            let values = variables.mapValues { $0.predicateArgumentValue.value }
            // The values are checked by the fetch, which can throw.
            predicate = try FetchPredicate(format: format).replacingVariables(with: values)
        } catch {
            preconditionFailure("the generated predicate '\(format)' cannot be read: \(error); generate the code again")
        }
    }

    /// Creates a request from a template and substitutes values for its variables.
    ///
    /// Generated code has a typed function for each template of the model. Use this initializer for a template that is
    /// looked up by name at run time or created in code:
    ///
    /// ```swift
    /// let template = FetchRequestTemplate(name: "byTitle", entityName: "TodoItem", predicateFormat: "title == $title")
    /// let request = try FetchRequest<TodoItem>(template, substitutionVariables: ["title": "Milk"])
    /// ```
    /// The template's ``FetchRequestTemplate/resultType`` specifies the kind of result. For results other
    /// than objects, use ``objectIDs``, ``count`` or ``dictionaries`` of the request; for distinct dictionary results,
    /// set ``DictionaryFetchRequest/returnsDistinctResults``.
    /// - Parameters:
    ///   - template: The template.
    ///   - substitutionVariables: A value for each variable of the predicate, keyed by the variable's name; `nil` for a
    ///     null value.
    /// - Throws: ``FetchPredicateError`` when the predicate cannot be parsed, or the dictionary has no entry for a
    ///   variable.
    public init(
        _ template: FetchRequestTemplate,
        substitutionVariables: [String: (any PredicateArgument)?] = [:]
    ) throws(FetchPredicateError) {
        self.init(entityName: template.entityName)
        predicate = try template.predicateFormat.map { format throws(FetchPredicateError) in
            try FetchPredicate(format: format).substituting(substitutionVariables)
        }
        fetchLimit = template.fetchLimit
        fetchBatchSize = template.fetchBatchSize
        includesSubentities = template.includesSubentities
        includesPropertyValues = template.includesPropertyValues
        includesPendingChanges = template.includesPendingChanges
    }
}

extension ManagedObjectModel {
    /// Returns a request from the template with a name, and substitutes values for its variables.
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - substitutionVariables: A value for each variable of the predicate, keyed by the variable's name; `nil` for a
    ///     null value.
    ///   - objectClass: The class of the objects.
    /// - Returns: A request for objects of the class.
    /// - Throws: ``FetchError`` when there is no template with the name, ``FetchPredicateError`` when its predicate
    ///   cannot be parsed, or the dictionary has no entry for a variable.
    public func fetchRequestFromTemplate<Object: ManagedObject>(
        named name: String,
        substitutionVariables: [String: (any PredicateArgument)?] = [:],
        of objectClass: Object.Type = Object.self
    ) throws -> FetchRequest<Object> {
        guard let template = fetchRequestTemplate(named: name) else {
            let suggestion = nearestName(to: name, among: fetchRequestTemplates.map(\.name))
            throw FetchError.unknownTemplate(name, suggestion: suggestion)
        }
        return try FetchRequest(template, substitutionVariables: substitutionVariables)
    }
}

public import ChordataModel
public import ChordataPredicate

extension FetchRequest {
    /// A request of the model, whose predicate was checked when the code was generated.
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

    /// Creates the request that a template describes, with values in the place of its variables.
    ///
    /// Templates of the model have a typed function each; this is for those that are known by name only, or made in
    /// code:
    ///
    /// ```swift
    /// let template = FetchRequestTemplate(name: "byTitle", entityName: "TodoItem", predicateFormat: "title == $title")
    /// let request = try FetchRequest<TodoItem>(template, substitutionVariables: ["title": "Milk"])
    /// ```
    /// The template's ``ChordataModel/FetchRequestTemplate/resultType`` specifies the kind of result. For results other
    /// than objects, use ``objectIDs``, ``count`` or ``dictionaries`` of the request; set there whether the results are
    /// distinct.
    /// - Parameters:
    ///   - template: The template.
    ///   - substitutionVariables: A value for each variable of the predicate; `nil` for a missing value.
    /// - Throws: ``FetchPredicateError`` when the predicate cannot be read, or a variable has no value.
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
    /// Returns the request that a template of the model describes, with values in the place of its variables.
    /// - Parameters:
    ///   - name: The name of the template.
    ///   - substitutionVariables: A value for each variable of the predicate; `nil` for a missing value.
    /// - Returns: A request for objects of the class.
    /// - Throws: ``FetchError`` when there is no such template, ``FetchPredicateError`` when its predicate cannot be
    ///   read or a variable has no value.
    public func fetchRequestFromTemplate<Object: ManagedObject>(
        named name: String,
        substitutionVariables: [String: (any PredicateArgument)?] = [:],
        of _: Object.Type = Object.self
    ) throws -> FetchRequest<Object> {
        guard let template = fetchRequestTemplate(named: name) else {
            let suggestion = nearestName(to: name, among: fetchRequestTemplates.map(\.name))
            throw FetchError.unknownTemplate(name, suggestion: suggestion)
        }
        return try FetchRequest(template, substitutionVariables: substitutionVariables)
    }
}

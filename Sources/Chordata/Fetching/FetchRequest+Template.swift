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
}

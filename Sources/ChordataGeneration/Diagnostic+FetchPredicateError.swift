internal import ChordataDiagnostics
internal import ChordataPredicate

extension Diagnostic {
    /// What is wrong with a predicate or an expression of the model.
    /// - Parameter location: the first byte of its text.
    init(_ error: FetchPredicateError, of subject: String, at location: SourceLocation?) {
        // The offset counts in the text as the model means it; a line break or an entity before it shifts the column.
        var place = location
        place?.column += error.offset
        let id: DiagnosticID =
            switch error.kind {
            case .malformed, .unsupported, .tooComplex: .malformedPredicate
            case .unknownKey: .unknownKey
            case .unfittingType: .unfittingType
            case .variable: .conflictingVariable
            }
        self.init(id, "\(subject): \(error.message)", at: place)
    }
}

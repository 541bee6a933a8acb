internal import ChordataDiagnostics

extension AttributeSyntax {
    /// The mend that puts another value in.
    func replacing(with value: String) -> FixIt {
        FixIt(
            "replace '\(self.value)' with '\(value)'",
            at: valueLocation,
            length: valueLength,
            replacement: escapedForAttribute(value)
        )
    }
}

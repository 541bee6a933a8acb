internal import ChordataPredicate
internal import ChordataSQL

extension SQLiteStatement {
    /// Binds values of a predicate in the form that columns have, from the first parameter on.
    func bind(_ values: [PredicateValue]) {
        for (position, value) in values.enumerated() { bind(value, at: Int32(position + 1)) }
    }

    /// Binds a value of a predicate in the form that columns have.
    func bind(_ value: PredicateValue, at index: Int32) { bind(SQLValue(value), at: index) }
}

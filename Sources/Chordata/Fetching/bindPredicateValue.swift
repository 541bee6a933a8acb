internal import ChordataPredicate
internal import ChordataSQL

/// Binds a value of a predicate in the form that columns have.
func bindPredicateValue(_ value: PredicateValue, to statement: SQLiteStatement, at index: Int32) {
    switch SQLValue(value) {
    case .null: statement.bindNull(at: index)
    case .integer(let integer): statement.bind(integer, at: index)
    case .real(let real): statement.bind(real + 0.0, at: index)
    case .text(let text): statement.bind(text, at: index)
    case .blob(let data): statement.bind(data, at: index)
    }
}

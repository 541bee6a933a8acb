internal import ChordataModel
internal import ChordataPredicate

/// Binds a value of a predicate in the form that columns have.
func bindPredicateValue(_ value: PredicateValue, to statement: SQLiteStatement, at index: Int32) {
    switch value {
    case .null: statement.bindNull(at: index)
    case .object(let reference): statement.bind(reference.key, at: index)
    case .attribute(.integer(let integer)): integer.bind(to: statement, at: index)
    case .attribute(.double(let double)): double.bind(to: statement, at: index)
    case .attribute(.decimal(let decimal)): decimal.bind(to: statement, at: index)
    case .attribute(.string(let string)): string.bind(to: statement, at: index)
    case .attribute(.boolean(let boolean)): boolean.bind(to: statement, at: index)
    case .attribute(.date(let date)): date.bind(to: statement, at: index)
    case .attribute(.data(let data)): data.bind(to: statement, at: index)
    case .attribute(.uuid(let uuid)): uuid.bind(to: statement, at: index)
    case .attribute(.url(let url)): url.bind(to: statement, at: index)
    case .collection: preconditionFailure("a collection is bound element by element")
    }
}

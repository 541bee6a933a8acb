internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ObjectFetcher {
    /// The stored values that a request selects, in the order of its sort keys.
    func fetchDictionaries<Object: ManagedObject>(_ request: DictionaryFetchRequest<Object>) throws
        -> [[String: any Hashable & Sendable]]
    {
        let wanted = try BoundDictionaryRequest(request, in: schema)
        let bound = wanted.bound
        if wanted.isComputedInMemory { return try computeDictionaries(wanted) }
        let fragment = renderValueQuery(
            wanted.rows,
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: wanted.isFiltered ? 0 : bound.limit,
            offset: wanted.isFiltered ? 0 : bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: bound.includesSubentities
        )
        let results = try reader.readStore { connection in
            var results: [[String: any Hashable & Sendable]] = []
            try connection.forEachFetchedRow(of: StoreQuery(fragment)) { row in
                results.append(
                    try {
                        switch row.columns {
                        case .sqlite(let values): try readResult(wanted, values, row)
                        case .cells(let values): try readResult(wanted, values, row)
                        }
                    }()
                )
            }
            return results
        }
        return wanted.isFiltered ? filter(results, bound) : results
    }

    /// Removes duplicate results, and results outside of the limit and offset.
    func filter(_ results: [[String: any Hashable & Sendable]], _ bound: BoundFetchRequest)
        -> [[String: any Hashable & Sendable]]
    {
        var seen: Set<[String: AnyHashable]> = []
        let distinct = results.filter { seen.insert($0.mapValues { AnyHashable($0) }).inserted }
        let rest = distinct.dropFirst(bound.offset)
        return Array(bound.limit > 0 ? rest.prefix(bound.limit) : rest)
    }

    private func readResult<Row: RowValues>(_ wanted: BoundDictionaryRequest, _ values: Row, _ row: StoreRow) throws
        -> [String: any Hashable & Sendable]
    {
        var result = [String: any Hashable & Sendable](minimumCapacity: wanted.columns.count)
        for (index, column) in wanted.columns.enumerated() {
            let position = Int32(index + 1)
            guard !values.isNull(at: position) else { continue }
            switch column.form {
            case .attribute(let attribute):
                guard let value = values.attribute(attribute, at: position) else {
                    row.forgetUnreadable()
                    throw UnreadableValueError(
                        objectID: ManagedObjectID(runtimeEntity: wanted.bound.type, key: values.integer(at: 0)),
                        attributeName: column.name,
                        typeName: attribute.attributeType.rawValue
                    )
                }
                result[column.name] = value
            case .objectID(let type):
                result[column.name] = ManagedObjectID(runtimeEntity: type, key: values.integer(at: position))
            case .computed(let type):
                guard let value = values.argument(at: position).computedValue else { continue }
                guard let converted = value.swiftValue(as: type) else {
                    throw FetchError.invalidResult(column.name, typeName: type?.rawValue ?? "")
                }
                result[column.name] = converted
            }
        }
        return result
    }
}

extension RowValues {
    /// Returns the value of an attribute's column; `nil` if it is not a valid value of the attribute.
    func attribute(_ attribute: AttributeDescription, at column: Int32) -> (any Hashable & Sendable)? {
        guard let type = attribute.attributeType.storageType, !isMistyped(column, as: type) else { return nil }
        return attribute.attributeType.valueKind?.visit(ReadValue(row: self, column: column)) ?? nil
    }
}

private struct ReadValue<Row: RowValues>: FieldVisitor {
    let row: Row
    let column: Int32

    func visit<T: FieldValue>(_: T.Type) -> (any Hashable & Sendable)? { T.read(row, column) }
}

extension AttributeType {
    /// The field kind by which a single value of the type is read; Transformable values are read as bytes.
    fileprivate var valueKind: FieldKind.Base? {
        switch self {
        case .binaryData, .transformable: .data
        default: FieldKind(AttributeDescription(name: "", attributeType: self))?.base
        }
    }
}

extension AttributeValue {
    /// Returns the value in its Swift type, or in the Swift type of an attribute type; `nil` if it is not valid.
    func swiftValue(as type: AttributeType?) -> (any Hashable & Sendable)? {
        if let type { return type.valueKind?.visit(Fitting(value: self)) ?? nil }
        switch self {
        case .integer(let value): return value
        case .double(let value): return value
        case .boolean(let value): return value
        case .decimal(let value): return value
        case .string(let value): return value
        case .date(let value): return value
        case .data(let value): return value
        case .uuid(let value): return value
        case .url(let value): return value
        }
    }
}

private struct Fitting: FieldVisitor {
    let value: AttributeValue

    func visit<T: FieldValue>(_ type: T.Type) -> (any Hashable & Sendable)? {
        switch value {
        case .decimal(let number) where type == Double.self || type == Float.self:
            return Double(decimalText(number)).flatMap { T(.double($0)) }
        case .double(let number) where type == Decimal.self:
            guard number.isFinite, case let decimal = Decimal(number), !decimal.isNaN else { return nil }
            return T(.decimal(decimal))
        default: return T(value)
        }
    }
}

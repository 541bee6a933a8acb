package import ChordataModel
internal import ChordataPredicate
package import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The SQL of a fetch and its query plan.
package struct FetchExplanation: Sendable, Codable, Hashable {
    /// The predicate after its names were resolved with the model and its variables were replaced, a line for each
    /// part.
    package var tree: [String]
    package var sql: String
    /// The values of the question marks, in their order.
    package var bindings: [String]
    /// SQLite's query plan, a line for each step.
    package var plan: [String]
    /// Remarks about scans of tables and sorted rows, with remedies.
    package var remarks: [String]
}

/// Explains a fetch without running it.
/// - Parameter path: The path of a store of the model, which is only read; `nil` for the plan for an empty store.
/// - Throws: Any error that the fetch would throw.
package func explainFetch(
    _ request: FetchRequest<ManagedObject>,
    in model: ManagedObjectModel,
    storeAt path: String? = nil
) throws -> FetchExplanation {
    let mapping = makeSchemaMapping(of: model)
    let connection = try SQLiteConnection(path: path ?? ":memory:", mode: path == nil ? .readWriteCreate : .readOnly)
    if path == nil {
        for statement in renderSchema(mapping) { try connection.execute(statement) }
    } else {
        let metadata = try readMetadata(connection)
        guard metadata.versionHash == model.versionHash else {
            throw StoreError(
                .incompatibleModel,
                "is at version '\(metadata.versionName)' of model '\(metadata.modelName)'; pass a model whose "
                    + "current version is '\(metadata.versionName)', or add the option --version '\(metadata.versionName)'",
                path: connection.path
            )
        }
    }
    let schema = StoreSchema(
        model: model,
        mapping: mapping,
        classes: [],
        storeUUID: UUID(),
        nonStrictTables: [],
        missingFullTextIndexes: Set(try missingFullTextIndexes(of: mapping, connection).map(\.name))
    )
    let bound = try BoundFetchRequest(request, in: schema)
    let projection = schema.projection(of: bound.type)
    // Only the statement that finds the objects is explained.
    let isWhole = bound.predicate?.isRenderable ?? true
    let fragment = renderFetch(
        columns: projection.selectList,
        bound.predicate?.renderablePart(by: SQLiteDialect()),
        sortedBy: isWhole ? bound.sortTerms : [],
        limit: isWhole ? bound.limit : 0,
        offset: isWhole ? bound.offset : 0,
        entityName: bound.type.entity.name,
        in: mapping,
        includesSubentities: bound.includesSubentities,
        calling: projection.rowFunction
    )
    let steps = try plan(of: fragment, connection)
    return FetchExplanation(bound, fragment, plan: steps, remarks: remarks(on: steps, bound))
}

extension FetchExplanation {
    package init(_ bound: BoundFetchRequest, _ fragment: SQLFragment, plan: [String], remarks: [String]) {
        self.init(
            tree: bound.predicate.map { describe($0) } ?? ["every object"],
            sql: fragment.sql,
            bindings: fragment.bindings.map { value in
                if case .attribute(.data(let bytes)) = value { return "\(bytes.count) bytes" }
                return PredicateLiteral.text(of: value)
            },
            plan: plan,
            remarks: remarks
        )
    }
}

private func plan(of fragment: SQLFragment, _ connection: SQLiteConnection) throws -> [String] {
    let statement = try connection.statement("EXPLAIN QUERY PLAN " + fragment.sql)
    defer { statement.reset() }
    statement.bind(fragment.bindings)
    var depths: [Int64: Int] = [0: -1]
    var lines: [String] = []
    while try statement.step() {
        let depth = (depths[statement.integer(at: 1)] ?? -1) + 1
        depths[statement.integer(at: 0)] = depth
        lines.append(String(repeating: "  ", count: depth) + (statement.text(at: 3) ?? ""))
    }
    return lines
}

// MARK: Remarks

private func remarks(on steps: [String], _ bound: BoundFetchRequest) -> [String] {
    let entityName = bound.type.entity.name
    var remarks: [String] = []
    if bound.predicate?.fullText?.isIndexed == false {
        remarks.append(
            "the store does not have the full-text index yet, so the search runs in memory; opening the store for writing "
                + "makes the index"
        )
    } else if let predicate = bound.predicate, !predicate.isRenderable {
        remarks.append(
            "a part of the predicate is evaluated in memory, because SQL cannot express it or it is nested too deep: "
                + "all rows that match the other parts are read first and evaluated in memory; a second statement selects the matching rows by their row keys, with the order and the limit of the fetch"
        )
    }
    let attributes = bound.attributesForIndex
    if steps.contains(where: { $0.hasPrefix("SCAN t0") }), bound.predicate != nil {
        remarks.append(
            attributes.isEmpty
                ? bound.scanWithoutIndex
                : "every row of \(entityName) is read; a fetch index of \(entityName) on \(attributes.joined(separator: ", ")) would help"
        )
    }
    let count = steps.count { $0.contains("CORRELATED") }
    if count > 0 {
        remarks.append(
            "\(count == 1 ? "a subquery runs" : "\(count) subqueries run") once for each row that matches the other "
                + "conditions, to read the members of a to-many relationship; if a condition begins with a to-one relationship, as team.players does, and uses no other property of the fetched entity, its subquery runs once for each row of the to-one relationship's destination entity instead"
        )
    }
    if steps.contains(where: { $0.hasPrefix("USE TEMP B-TREE") && $0.hasSuffix("ORDER BY") }) {
        remarks.append(bound.sortRemark)
    }
    return remarks
}

extension BoundFetchRequest {
    private var equalAttributes: [String] {
        (predicate?.conjuncts ?? []).compactMap { $0.indexableAttribute(by: [.equal]) }
    }

    /// The attributes of an index that would find the rows: first those of equality conditions, then one range.
    package var attributesForIndex: [String] {
        let parts = predicate?.conjuncts ?? []
        let members = parts.compactMap { $0.indexableAttribute(by: [.in]) }
        let range = parts.compactMap { $0.indexableAttribute(by: BoundPredicate.ranges) }.first
        return distinct(equalAttributes + members + (range.map { [$0] } ?? []))
    }

    /// The remark about a scan that no index can replace.
    package var scanWithoutIndex: String {
        "every row of \(type.entity.name) is read: no part of the predicate compares an attribute of "
            + "\(type.entity.name) itself with a value in a form that can use an index"
    }

    /// The remark about rows that are sorted after they were found.
    package var sortRemark: String {
        let sorted = sortTerms.map { term in
            term.keyPath.relationships.isEmpty && term.comparison == .literal && !term.keyPath.isDecimal
                ? term.keyPath.attribute.map { $0.name + (term.ascending ? "" : " descending") } : nil
        }
        let attributes = distinct(equalAttributes + sorted.compactMap(\.self))
        return sorted.isEmpty || sorted.contains(nil)
            ? "the rows are sorted after all of them were found; no index can provide this order"
            : "the rows are sorted after all of them were found; a fetch index of \(type.entity.name) on "
                + "\(attributes.joined(separator: ", ")) would return them in order"
    }
}

private func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
}

extension BoundPredicate {
    /// Returns the condition without the parts that SQL cannot express.
    package func renderablePart(by dialect: any SQLDialect) -> BoundPredicate {
        dialect.isRenderable(self) ? self : .and(conjuncts.filter { dialect.isRenderable($0) })
    }

    /// The operators that select a range.
    fileprivate static let ranges: Set<ComparisonOperator> = [
        .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith,
    ]

    /// Returns the attribute of the row itself whose index could find the matching rows, by value or by range.
    fileprivate func indexableAttribute(by operators: Set<ComparisonOperator>) -> String? {
        guard case .comparison(let comparison) = self, operators.contains(comparison.operator),
            comparison.options.isEmpty,
            case .value = comparison.right, case .keyPath(let path) = comparison.left, path.relationships.isEmpty,
            path.attributePath.count == 1, !path.isDecimal || comparison.operator == .equal
        else { return nil }
        return path.attribute?.name
    }
}

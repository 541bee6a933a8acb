package import Chordata
package import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Explains a fetch from a store on a database server without running it.
/// - Throws: ``StoreError`` when the schema has no store of the model's version, and any error that the fetch would
///   throw.
package func explainFetch(
    _ request: FetchRequest<ManagedObject>,
    in model: ManagedObjectModel,
    _ database: any ServerDatabase,
    schemaName: String
) throws -> FetchExplanation {
    let dialect = PostgresDialect()
    let schema = StoreSchema(
        model: model,
        mapping: makePostgresMapping(of: model),
        classes: [],
        storeUUID: UUID(),
        nonStrictTables: [],
        dialect: dialect
    )
    let bound = try BoundFetchRequest(request, in: schema)
    let isWhole = bound.predicate.map { dialect.isRenderable($0) } != false && schema.hasOrder(of: bound)
    let fragment = renderFetch(
        columns: schema.projection(of: bound.type).selectList,
        bound.predicate?.renderablePart(by: dialect),
        sortedBy: isWhole ? bound.sortTerms : [],
        limit: isWhole ? bound.limit : 0,
        offset: isWhole ? bound.offset : 0,
        entityName: bound.type.entity.name,
        in: schema.mapping,
        dialect,
        includesSubentities: bound.includesSubentities
    )
    let plan = try withServerStore(database, schemaName, for: "the explanation of a fetch") { connection, metadata in
        guard metadata.versionHash == model.versionHash else {
            throw StoreError(
                .incompatibleModel,
                "is at version '\(metadata.versionName)' of model '\(metadata.modelName)'; pass a model whose "
                    + "current version is '\(metadata.versionName)', or add the option --version '\(metadata.versionName)'",
                path: database.place
            )
        }
        var lines: [String] = []
        let statement = ServerStatement(
            "EXPLAIN " + fragment.sql,
            StoreQuery(fragment).serverStatement.arguments
        )
        _ = try connection.execute([statement]) { _, cells in
            if case .text(let line) = cells[0] { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }
    return FetchExplanation(bound, fragment, plan: plan, remarks: remarks(on: plan, bound, isWhole: isWhole, schema))
}

private func remarks(
    on plan: [String],
    _ bound: BoundFetchRequest,
    isWhole: Bool,
    _ schema: StoreSchema
) -> [String] {
    var remarks: [String] = []
    if bound.predicate?.fullText != nil {
        remarks.append("stores on a server have no full-text indexes, so the search runs in memory")
    } else if !isWhole {
        remarks.append(
            "a part of the predicate or of the order is evaluated in memory, because PostgreSQL does not evaluate it "
                + "exactly as Chordata does: all rows that match the other parts are read first"
        )
    }
    let entityName = bound.type.entity.name
    if bound.predicate != nil, plan.contains(where: { $0.contains("Seq Scan on ") && $0.contains(" t0 ") }) {
        let attributes = bound.attributesForIndex
        remarks.append(
            attributes.isEmpty
                ? bound.scanWithoutIndex
                : "every row of \(entityName) is read; if the table is large, a fetch index of \(entityName) on "
                    + "\(attributes.joined(separator: ", ")) would help, unless most rows match"
        )
    }
    let isSorted = plan.contains { line in
        let node = line.drop { $0 == " " || $0 == "-" || $0 == ">" }
        return node.hasPrefix("Sort ") || node.hasPrefix("Incremental Sort ")
    }
    // A fetch without an order of its own is sorted by the row keys.
    if isSorted, isWhole, !bound.sortTerms.isEmpty { remarks.append(bound.sortRemark) }
    return remarks
}

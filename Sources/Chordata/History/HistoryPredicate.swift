internal import ChordataModel
internal import ChordataPredicate
package import ChordataSQL

/// The condition of a history request, as a predicate on an entity whose attributes are the properties of transactions.
package enum HistoryPredicate {
    package static let entityName = "Transaction"

    private static func makeModel() throws -> ManagedObjectModel {
        let attributes: [(String, AttributeType)] = [
            ("author", .string), ("contextName", .string), ("timestamp", .date), ("transactionNumber", .integer64),
        ]
        return try ManagedObjectModel(entities: [
            EntityDescription(
                name: entityName,
                attributes: attributes.map { AttributeDescription(name: $0.0, attributeType: $0.1, isOptional: true) }
            )
        ])
    }

    /// The statement that selects the numbers of the transactions that meet a predicate.
    package static func render(_ predicate: FetchPredicate, _ dialect: any SQLDialect) throws -> SQLFragment {
        let model = try makeModel()
        let bound = try predicate.bind(to: entityName, in: model)
        guard dialect.isRenderable(bound) else { throw FetchError.uncomputable("predicate", entityName: entityName) }
        return renderFetch(columns: ["_id"], bound, entityName: entityName, in: makeSchemaMapping(of: model), dialect)
    }
}

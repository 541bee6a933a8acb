import Chordata

/// A model with attributes that are derived from members, and from destinations of relationships without an inverse.
enum LedgerModel {
    static func definition() throws -> ModelDefinition {
        func derived(_ name: String, _ type: AttributeType, _ expression: String)
            -> AttributeDescription
        {
            AttributeDescription(
                name: name,
                attributeType: type,
                isOptional: true,
                derivationExpression: expression
            )
        }
        return ModelDefinition(
            name: "Ledger",
            versionName: "Ledger",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Account",
                    attributes: [
                        AttributeDescription(name: "title", attributeType: .string),
                        derived("searchTitle", .string, "canonical:(title)"),
                        derived("changedAt", .date, "now()"),
                        derived("entryCount", .integer16, "entries.@count"),
                        derived("total", .integer64, "entries.@sum.amount"),
                        derived("bankName", .string, "bank.name"),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "entries",
                            destinationEntityName: "Entry",
                            inverseName: "account",
                            isToMany: true,
                            deleteRule: .cascade
                        ),
                        RelationshipDescription(name: "bank", destinationEntityName: "Bank"),
                    ]
                ),
                EntityDescription(
                    name: "Entry",
                    attributes: [
                        AttributeDescription(name: "amount", attributeType: .integer64),
                        derived("bankTitle", .string, "uppercase:(account.bank.name)"),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "account",
                            destinationEntityName: "Account",
                            inverseName: "entries"
                        )
                    ]
                ),
                EntityDescription(
                    name: "Bank",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)]
                ),
            ])
        )
    }
}

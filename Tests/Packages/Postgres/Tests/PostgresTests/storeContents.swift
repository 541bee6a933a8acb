import ChordataModel
import Foundation

@testable import Chordata
@testable import ChordataPostgres

/// All objects as texts: values, and the keys of related objects.
func contents(of container: PersistentContainer, _ model: ManagedObjectModel) throws -> [String] {
    let context = container.newContext()
    var lines: [String] = []
    for entity in model.entities where !entity.isAbstract && entity.superentityName == nil {
        for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)) {
            var parts = ["\(object.entity.name) \(object.objectID.key)"]
            for attribute in object.entity.attributes {
                parts.append("\(attribute.name)=\(object.value(forKey: attribute.name) ?? "nil")")
            }
            for relationship in object.entity.relationships {
                let keys: [Int64] =
                    switch object.value(forKey: relationship.name) {
                    case let set as Set<ManagedObject>: set.map(\.objectID.key).sorted()
                    case let list as [ManagedObject]: list.map(\.objectID.key)
                    case let object as ManagedObject: [object.objectID.key]
                    default: []
                    }
                parts.append("\(relationship.name)=\(keys)")
            }
            lines.append(parts.joined(separator: " "))
        }
    }
    return lines.sorted()
}

/// The tables, columns, constraints and indexes of a schema.
func tables(in schema: String) throws -> [String] {
    let connection = try TestServer.connection()
    let statements = [
        """
        SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
            || ' ' || a.atthasdef || ' ' || a.attcollation
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = '"\(schema)"'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
            AND c.relkind = 'r'
        """,
        """
        SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = '"\(schema)"'::regnamespace
        """,
        "SELECT indexdef FROM pg_indexes WHERE schemaname = '\(schema)'",
    ]
    return try statements.flatMap { statement in
        try connection.rows(statement).compactMap { $0[0]?.replacing(schema, with: "schema") }.sorted()
    }
}

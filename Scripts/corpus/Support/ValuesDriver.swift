import Chordata
import Foundation

/// The round trip of the snapshots of an entity, which may be abstract.
public protocol ValuesDriver {
    associatedtype Values: ManagedObjectValues

    static var entityName: String { get }
    /// Compares all properties of a snapshot.
    static func compareValues(_ values: Values, _ row: Row)
    /// Creates the expected snapshot.
    static func makeValues(_ row: Row, derivedFrom values: Values) -> Values
}

extension ValuesDriver {
    /// Fetches and compares the snapshots of the entity and of its subentities.
    static func compareAllValues(in context: ManagedObjectContext, _ world: World) throws {
        let request = FetchRequest<Values.Object>(entityName: entityName)
        let all: [Values] = try context.fetchValues(request, includesExternalData: true)
        let rows = world.rows.filter { $0.entity.lineage.contains(entityName) }
        world.report.expect(all.count == rows.count, "\(entityName): \(all.count) snapshots instead of \(rows.count)")
        for row in rows {
            guard let values = all.first(where: { $0.objectID.key == row.key }) else {
                world.report.fail("\(entityName): object \(row.key) has no snapshot")
                continue
            }
            compareValues(values, row)
            try compareMade(values, row)
        }
    }

    /// Compares a snapshot with one that is created from the plan, and with itself after encoding and decoding.
    private static func compareMade(_ values: Values, _ row: Row) throws {
        let made = makeValues(row, derivedFrom: values)
        row.report.called("\(entityName).Values.init")
        row.report.expect(made == values, "\(entityName): the snapshot differs from one made of the same values")
        row.report.expect(made.hashValue == values.hashValue, "\(entityName): equal snapshots hash differently")
        let coded = try JSONDecoder().decode(Values.self, from: JSONEncoder().encode(values))
        row.report.expect(coded == values, "\(entityName): the snapshot is another one after it was coded")
    }
}

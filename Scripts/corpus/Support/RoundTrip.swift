import Chordata
import Foundation

/// A model with everything that generated code has for it.
public struct GeneratedModel {
    let definition: ModelDefinition
    let open: (String) throws -> PersistentContainer
    let drivers: [any EntityDriver.Type]
    let abstractDrivers: [any ValuesDriver.Type]
    let fetch: (ManagedObjectContext, FetchCheck) throws -> Void

    /// Creates a model with the parts of its generated code.
    public init(
        definition: ModelDefinition,
        open: @escaping (String) throws -> PersistentContainer,
        drivers: [any EntityDriver.Type],
        abstractDrivers: [any ValuesDriver.Type],
        fetch: @escaping (ManagedObjectContext, FetchCheck) throws -> Void
    ) {
        self.definition = definition
        self.open = open
        self.drivers = drivers
        self.abstractDrivers = abstractDrivers
        self.fetch = fetch
    }
}

/// Writes objects with all properties through typed code and by keys, and compares the values that other contexts read,
/// in every available way.
struct RoundTrip {
    let model: GeneratedModel
    let world: World
    let folder: String

    var report: Report { world.report }

    func run() throws {
        for pass in 0...1 {
            let path = "\(folder)/typed\(pass).sqlite"
            world.pass = pass
            try write(path)
            try compare(path)
            try compareKeyed(path)
        }
        let path = "\(folder)/typed0.sqlite"
        try compareFaults(path)
        try changeAttributes(path)
        try callFunctions(path)
        try compare(path)
        let keyed = "\(folder)/keyed.sqlite"
        try writeKeyed(keyed)
        try compare(keyed)
        try compareKeyed(keyed)
        checkNames()
    }

    private func driver(of row: Row) -> any EntityDriver.Type { model.drivers[row.plan.entity] }

    // MARK: Writing

    private func write(_ path: String) throws {
        report.stage = "pass \(world.pass), writing"
        let context = try model.open(path).newContext()
        report.called("container(at:)")
        world.objects = [:]
        for row in world.rows { world.objects[row.number] = driver(of: row).insertAny(into: context, row) }
        withObjects { driver, object, row in driver.setAny(object, row) }
        for isOrdered in [false, true] {
            world.setsOrdered = isOrdered
            withObjects { driver, object, row in driver.linkAny(object, row) }
        }
        try context.save()
        world.noteKeys()
        report.stage = "pass \(world.pass), after the save"
        world.keepsTransients = true
        withObjects { driver, object, row in driver.compareAny(object, row) }
        world.keepsTransients = false
        world.objects = [:]
    }

    private func withObjects(_ body: (any EntityDriver.Type, ManagedObject, Row) -> Void) {
        for row in world.rows {
            if let object = world.objects[row.number] { body(driver(of: row), object, row) }
        }
    }

    // MARK: Reading

    /// Reads everything in contexts of a separate container.
    private func compare(_ path: String) throws {
        let container = try model.open(path)
        let name = URL(filePath: path).lastPathComponent
        for (kind, batchSize, isPrefetching) in [
            ("a fetch", 0, false), ("batches", 2, false), ("prefetching", 0, true),
        ] {
            report.stage = "\(name), \(kind)"
            let context = container.newContext()
            for (entity, driver) in zip(world.plan.entities, model.drivers) {
                let relationships = isPrefetching ? entity.relationships.map(\.name) : []
                let found = try driver.fetchAll(in: context, batchSize: batchSize, prefetching: relationships)
                let rows = world.rows.filter { $0.entity.name == entity.name }
                report.expect(
                    found.count == rows.count,
                    "\(entity.name): \(found.count) objects instead of \(rows.count)"
                )
                let objects = Dictionary(uniqueKeysWithValues: found.map { ($0.objectID.key, $0) })
                for row in rows {
                    guard let object = objects[row.key] else {
                        report.fail("\(entity.name): object \(row.key) is missing")
                        continue
                    }
                    driver.compareAny(object, row)
                }
            }
        }
        report.stage = "\(name), values"
        let context = container.newContext()
        for driver in model.drivers { try driver.compareAllValues(in: context, world) }
        for driver in model.abstractDrivers { try driver.compareAllValues(in: context, world) }
    }

    /// Reads each object individually, turns it into a fault and reads it again.
    private func compareFaults(_ path: String) throws {
        let container = try model.open(path)
        for row in world.rows {
            let driver = driver(of: row)
            let context = container.newContext()
            report.stage = "an existing object"
            let object = try driver.existing(row.key, in: context)
            driver.compareAny(object, row)
            compareKeyed(object, row, keepsTransients: false)
            report.stage = "after a refresh"
            context.refresh(object, mergeChanges: false)
            report.expect(object.isFault, "\(row.entity.name): the object is no fault")
            driver.compareAny(object, row)
            report.stage = "after changes were dropped"
            let other = world.rows.last { $0.entity.name == row.entity.name && !$0.isSparse } ?? row
            driver.setAny(object, other)
            context.refresh(object, mergeChanges: false)
            driver.compareAny(object, row)
            driver.setAny(object, other)
            context.rollback()
            driver.compareAny(object, row)
            report.stage = "after a merging refresh"
            driver.setAny(object, row)
            context.refresh(object, mergeChanges: true)
            driver.compareAny(object, row)
            report.stage = "a fault"
            let another = container.newContext()
            if let fault = driver.fault(row.key, in: another) {
                driver.compareAny(fault, row)
            } else {
                report.fail("\(row.entity.name): object \(row.key) is missing")
            }
        }
    }

    // MARK: Functions

    /// Calls the functions of generated code on saved objects, and saves the resulting changes.
    private func callFunctions(_ path: String) throws {
        let container = try model.open(path)
        for row in world.rows where !row.isSparse {
            let driver = driver(of: row)
            guard world.rows.first(where: { $0.entity.name == row.entity.name }) === row else { continue }
            report.stage = "functions"
            let context = container.newContext()
            // The objects are retained as long as they are used.
            let all = try model.drivers.flatMap { try $0.fetchAll(in: context) }
            let objects = Dictionary(uniqueKeysWithValues: all.map { ($0.objectID.key, $0) })
            world.objects = Dictionary(
                uniqueKeysWithValues: world.rows.compactMap { row in objects[row.key].map { (row.number, $0) } }
            )
            if let object = world.objects[row.number] { driver.callAccessorsOfAny(object, row) }
            try context.save()
            world.objects = [:]
        }
        report.stage = "fetch requests"
        try model.fetch(container.newContext(), FetchCheck(world))
    }

    private func checkNames() {
        report.stage = "names"
        for (entity, driver) in zip(world.plan.entities, model.drivers) {
            let keys = driver.propertyKeys
            let expected = entity.propertyNames + entity.fetchedPropertyNames
            report.expect(keys.single == expected, "\(entity.name): PropertyKey has \(keys.single)")
            report.expect(keys.all == expected, "\(entity.name): PropertyKey lists \(keys.all)")
            for (name, found) in driver.keyPathNames {
                report.expect(found == name, "\(entity.name).\(name): its key path is known as '\(found)'")
            }
        }
    }
}

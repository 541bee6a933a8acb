import Chordata
import Foundation

// The same round trip without generated code: objects without classes, whose properties are accessed by name.

extension RoundTrip {
    /// The model without its classes.
    private var definition: ModelDefinition {
        ModelDefinition(
            name: model.definition.name,
            versionName: model.definition.versionName,
            model: model.definition.model
        )
    }

    /// Writes the planned objects by keys.
    func writeKeyed(_ path: String) throws {
        report.stage = "writing by keys"
        let context = try PersistentContainer(model: definition, path: path).newContext()
        world.objects = [:]
        for row in world.rows {
            let object = EntityDescription.insertNewObject(forEntityName: row.entity.name, into: context)
            world.objects[row.number] = object
            for attribute in row.entity.attributes where row.sets(attribute.name) {
                let value = row.plan.values[attribute.name].flatMap { keyedValue($0, kind: attribute.kind) }
                object.setValue(value, forKey: attribute.name)
            }
        }
        for isOrdered in [false, true] {
            for row in world.rows {
                guard let object = world.objects[row.number] else { continue }
                for relationship in row.entity.relationships
                where !relationship.passes.isEmpty && relationship.isOrdered == isOrdered {
                    link(object, relationship, row)
                }
            }
        }
        try context.save()
        world.noteKeys()
        report.stage = "by keys, after the save"
        for row in world.rows {
            if let object = world.objects[row.number] { compareKeyed(object, row, keepsTransients: true) }
        }
        world.objects = [:]
    }

    private func link(_ object: ManagedObject, _ relationship: Plan.Relationship, _ row: Row) {
        let members = row.members(relationship.name, of: ManagedObject.self)
        if !relationship.isToMany {
            object.setValue(members.first, forKey: relationship.name)
        } else if row.number.isMultiple(of: 2) || relationship.isOrdered {
            object.setValue(members, forKey: relationship.name)
        } else {
            let value = object.mutableSetValue(forKey: relationship.name)
            for member in members { value.add(member) }
        }
    }

    /// Compares a store by keys, with objects that have no classes.
    func compareKeyed(_ path: String) throws {
        report.stage = "\(URL(filePath: path).lastPathComponent), by keys"
        let container = try PersistentContainer(model: definition, path: path)
        let context = container.newContext()
        for entity in world.plan.entities {
            var request = FetchRequest<ManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            let found = try context.fetch(request)
            let rows = world.rows.filter { $0.entity.name == entity.name }
            report.expect(found.count == rows.count, "\(entity.name): \(found.count) objects instead of \(rows.count)")
            for object in found {
                guard let row = rows.first(where: { $0.key == object.objectID.key }) else {
                    report.fail("\(entity.name): there is an object \(object.objectID.key)")
                    continue
                }
                compareKeyed(object, row, keepsTransients: false)
            }
        }
    }

    /// Compares the properties of an object, which may have a class, by keys.
    func compareKeyed(_ object: ManagedObject, _ row: Row, keepsTransients: Bool) {
        for attribute in row.entity.attributes where keepsTransients || !attribute.isTransient {
            let actual = object.value(forKeyPath: attribute.name)
            let text = row.plan.values[attribute.name]
            let expected = text.flatMap { keyedValue($0, kind: attribute.kind) }
            let isSame =
                switch (actual, expected) {
                case (let actual, _) where text == "now": world.isNow(actual)
                case (nil, nil): text == nil
                case (let actual?, let expected?): CorpusSupport.isSame(actual, expected)
                default: false
                }
            report.compare(
                "\(row.entity.name).\(attribute.name)",
                isSame,
                "\(brief(actual)) instead of \(brief(text))"
            )
        }
        let kept = world.keepsTransients
        defer { world.keepsTransients = kept }
        world.keepsTransients = keepsTransients
        for relationship in row.entity.relationships {
            let value = object.value(forKey: relationship.name)
            if relationship.isToMany {
                let members = (value as? any Sequence).map { self.objects(in: $0) } ?? []
                row.check(relationship.name, many: members, isOrdered: relationship.isOrdered)
            } else {
                row.check(relationship.name, one: value as? ManagedObject)
            }
        }
    }

    private func objects(in sequence: some Sequence) -> [ManagedObject] { sequence.compactMap { $0 as? ManagedObject } }
}

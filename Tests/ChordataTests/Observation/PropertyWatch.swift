import Observation
import Testing

@testable import Chordata

/// A tracker of objects' properties that reads them again at a notification, and compares them later.
struct PropertyWatch {
    /// The access to the members of a relationship: they are read, or their number or their object IDs are requested
    /// from the store.
    enum Way: CaseIterable {
        case read, counted, identified
    }

    /// The contents of a property; objects are retained, so that no object can be mistaken for another.
    private enum Content: Equatable {
        case nothing
        case text(String)
        case object(ManagedObject)
        case members(Set<ManagedObject>)
        case line([ManagedObject])
        case count(Int)
        case identities(Set<ManagedObjectID>)
        /// The contents of a property of a detached object.
        case detached
    }

    private struct Property {
        let object: ManagedObject
        let name: String
        let way: Way

        var content: Content {
            if object.managedObjectContext == nil { return .detached }
            switch way {
            case .counted: return .count(object.mutableSetValue(forKey: name).count)
            case .identified: return .identities(Set(object.objectIDs(forRelationshipNamed: name)))
            case .read: break
            }
            let value = object.value(forKey: name)
            if let object = value as? ManagedObject { return .object(object) }
            if let members = value as? Set<ManagedObject> { return .members(members) }
            if let members = value as? any Sequence, !(value is String) {
                return .line(members.compactMap { $0 as? ManagedObject })
            }
            return value.map { .text("\($0)") } ?? .nothing
        }
    }

    private let tracker = Tracker()
    private var before: [(label: String, property: Property, content: Content)] = []

    mutating func add(_ label: String, _ object: ManagedObject, _ name: String, _ way: Way = .read) {
        // Notifications are delivered on this thread.
        nonisolated(unsafe) let property = Property(object: object, name: name, way: way)
        nonisolated(unsafe) let content = property.content
        before.append((label, property, content))
        let tracker = tracker
        withObservationTracking {
            _ = property.content
        } onChange: {
            tracker.note(label)
            // If the store is read, it may already have the new contents.
            #expect(way != .read || property.content == content, "\(label) was reported too late")
        }
    }

    /// Adds all properties of an object; a closure determines the access to each to-many.
    mutating func addAll(of object: ManagedObject, _ way: () -> Way) {
        guard let context = object.managedObjectContext,
            let entity = EntityDescription.entity(forEntityName: object.objectID.entityName, in: context)
        else { return }
        for name in entity.propertyNames {
            let isToMany = entity.relationships.contains { $0.name == name && $0.isToMany }
            add("'\(name)' of \(object.objectID)", object, name, isToMany ? way() : .read)
        }
    }

    /// Returns the changed properties and the reported properties.
    func look() -> (changed: Set<String>, told: Set<String>) {
        let told = Set(tracker.take())
        let changed = before.filter { entry in
            let content = entry.property.content
            // An object that a save restores may reference an object that the same save deletes, and so a deleted row.
            if case .object(let object) = content {
                object.readRowOfFault()
                if object.version < 0 { return false }
            }
            return content != entry.content
        }
        return (Set(changed.map(\.label)), told)
    }

    /// Checks that all changes were reported.
    /// - Returns: The names of the changed properties.
    @discardableResult
    func expectAllChangesReported(_ comment: String = "") -> Set<String> {
        let (changed, told) = look()
        let untold = changed.subtracting(told).sorted()
        #expect(untold.isEmpty, "\(comment): \(untold)")
        return changed
    }
}

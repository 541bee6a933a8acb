public import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ManagedObject {
    /// The description of the object's entity in the model.
    public final var entity: EntityDescription { runtimeEntity.entity }
}

extension ManagedObject: CustomStringConvertible {
    /// A textual description for debugging: the entity, the object ID, the kind of unsaved change, and the values in
    /// memory.
    ///
    /// The property does not read the store: a fault remains a fault, and relationships are not loaded.
    public final var description: String {
        let mark =
            switch state {
            case .inserted: "; inserted"
            case .updated: "; updated"
            case .deleted: "; deleted"
            case .clean, .detached: ""
            }
        let head = "\(entity.name) (id: \(objectID)\(mark); data: "
        if isFault { return head + "<fault>)" }
        let values = runtimeEntity.fields.map { "    \($0.name) = \(describe($0));\n" }
        return head + "{\n" + values.joined() + "})"
    }

    private final func describe(_ field: Field) -> String {
        switch field.kind.base {
        case .toOne:
            let reference = toOneReference(field).pointee
            if let object = reference.object { return "\(object.objectID)" }
            guard reference.key != 0, let relationship = runtimeEntity.relationships[field.index],
                let type = schema?.runtimeEntities[relationship.destination]
            else { return "nil" }
            return "\(ManagedObjectID(runtimeEntity: type, key: reference.key))"
        case .toMany:
            guard let members = toManyReference(field).pointee.storage else {
                return "<relationship fault: '\(field.name)'>"
            }
            let ids = members.array.map { "\($0.objectID)" }
            return "{" + (field.relationship?.isOrdered == true ? ids : ids.ordered(by: <)).joined(separator: ", ")
                + "}"
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .external, .any, .objectID:
            if changes?.unset.contains(field.index) == true { return "nil" }
            guard let value = storedValue(of: field) else { return "nil" }
            if let text = value as? String { return text.debugDescription }
            if let data = value as? Data { return "<\(data.count) bytes>" }
            // Bytes in a side table that were not read have no readable description.
            return value is ExternalData ? "<external data>" : "\(value)"
        }
    }
}

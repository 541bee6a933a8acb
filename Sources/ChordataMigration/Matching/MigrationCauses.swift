internal import ChordataSQL

/// The changes of a model by the elements that they affect, so that each statement can name its causes.
struct MigrationCauses {
    let changes: [ModelChange]

    init(_ changes: [ModelChange]) { self.changes = changes }

    /// The causes of a change of a destination's property, which the entity or a superentity declares, or of the
    /// entity.
    func ofProperty(_ name: String, declaredBy entity: String) -> [ModelChange] {
        // If the entity is new, all its properties are new.
        let ofEntity = ofEntity(entity)
        if ofEntity.contains(where: { $0.kind == .added }) { return ofEntity }
        let found = changes.filter {
            $0.entityName == entity && $0.name.map { Self.begins($0, with: name) } == true && $0.kind != .removed
                && ($0.subject == .attribute || $0.subject == .relationship) && $0.changesTables
        }
        return found.isEmpty ? ofEntity : found
    }

    /// Returns the change of an old property.
    func ofRemovedProperty(_ name: String, declaredBy entity: String) -> [ModelChange] {
        changes.filter {
            ($0.oldEntityName ?? $0.entityName) == entity
                && ($0.oldName ?? $0.name).map { Self.begins($0, with: name) } == true
                && ($0.subject == .attribute || $0.subject == .relationship) && $0.changesTables
        }
    }

    /// Returns the added or removed entities.
    func entities(_ kind: ModelChange.Kind) -> [String] {
        changes.filter { $0.subject == .entity && $0.kind == kind }.compactMap(\.entityName)
    }

    /// The removed attributes and relationships of an old entity.
    func ofRemovedProperties(of entity: String) -> [ModelChange] {
        changes.filter {
            ($0.oldEntityName ?? $0.entityName) == entity && $0.kind == .removed
                && ($0.subject == .attribute || $0.subject == .relationship)
        }
    }

    /// Returns the change of a destination's entity itself.
    func ofEntity(_ name: String) -> [ModelChange] {
        changes.filter { $0.subject == .entity && $0.entityName == name && $0.kind != .removed && $0.changesTables }
    }

    /// The change of an old entity itself.
    func ofOldEntity(_ name: String) -> [ModelChange] {
        changes.filter { $0.subject == .entity && ($0.oldEntityName ?? $0.entityName) == name && $0.changesTables }
    }

    /// The uniqueness constraints of a table's entities that are new.
    func ofConstraints(in table: Table, _ mapping: SchemaMapping) -> [ModelChange] {
        let names = Set(mapping.entities.filter { $0.tableName == table.name }.map(\.entityName))
        return changes.filter { change in
            change.subject == .uniquenessConstraint && change.kind != .removed
                && change.entityName.map(names.contains) == true
        }
    }

    /// Returns whether a path is that of a name or of its elements: the changes of a composite are those of its
    /// elements.
    private static func begins(_ path: String, with name: String) -> Bool {
        path == name || path.hasPrefix(name + ".")
    }
}

extension ModelChange {
    /// A Boolean value that indicates whether tables or rows may have to change.
    fileprivate var changesTables: Bool {
        guard kind == .changed else { return true }
        return switch aspect {
        case .isAbstract, .superentityName, .isOptional, .isTransient, .attributeType, .derivationExpression,
            .allowsExternalBinaryDataStorage, .destinationEntityName, .inverseName, .isToMany, .isOrdered:
            true
        default: false  // All other aspects do not affect tables.
        }
    }
}

/// One difference between two models, as a reviewer would name it.
///
/// Names are those of the new model, and for removed elements those of the old model. Values are text, as the model
/// file or Swift spells them: `Integer 16`, `true`, `"milk"`.
package struct ModelChange: Sendable, Hashable, Codable {
    /// The kind of thing that changed.
    package enum Subject: String, Sendable, Hashable, Codable, CaseIterable {
        case model, entity, attribute, relationship, fetchedProperty, index, uniquenessConstraint
        case fetchRequest, configuration
    }

    /// The kind of change.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case added, removed, renamed
        /// The property is declared by a different entity of the hierarchy.
        case moved
        /// The value of an ``Aspect`` is different.
        case changed
    }

    package var subject: Subject
    package var kind: Kind
    /// The name of the entity, or of the entity that declares the property; `nil` for an element of the model itself.
    package var entityName: String?
    /// The name of its entity in the old model, if that differs.
    package var oldEntityName: String?
    /// The name of the property, index, constraint, fetch request or configuration; `nil` for a model or an entity.
    ///
    /// An element of a composite has its path, `address.street`; a uniqueness constraint the names of its properties,
    /// `name, born`.
    package var name: String?
    /// The name of the element in the old model, if it differs.
    package var oldName: String?
    /// The aspect that changes; `nil` unless the kind is ``Kind/changed``.
    package var aspect: Aspect?
    /// The key of the entry when the aspect is ``Aspect/userInfo``.
    package var key: String?
    /// The old value; for a removed element, its declaration in short; `nil` if there is none.
    package var oldValue: String?
    /// The new value; for an added element, its declaration in short; `nil` if there is none.
    package var newValue: String?
    /// A Boolean value that indicates whether the change makes version hashes differ, so that stores have to migrate.
    package var changesVersionHash: Bool
    /// A Boolean value that indicates whether a migration may drop or change values, according to the models alone.
    package var mayLoseData: Bool

    init(
        _ subject: Subject,
        _ kind: Kind,
        entityName: String? = nil,
        oldEntityName: String? = nil,
        name: String? = nil,
        oldName: String? = nil,
        oldValue: String? = nil,
        newValue: String? = nil,
        changesVersionHash: Bool = false,
        mayLoseData: Bool = false
    ) {
        self.subject = subject
        self.kind = kind
        self.entityName = entityName
        self.oldEntityName = oldEntityName == entityName ? nil : oldEntityName
        self.name = name
        self.oldName = oldName == name ? nil : oldName
        self.oldValue = oldValue
        self.newValue = newValue
        self.changesVersionHash = changesVersionHash
        self.mayLoseData = mayLoseData
    }
}

extension [ModelChange] {
    /// A Boolean value that indicates whether stores of the old model have to migrate before the new one can open them.
    package var requireMigration: Bool { contains(where: \.changesVersionHash) }
}

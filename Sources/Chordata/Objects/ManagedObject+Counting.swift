public import OrderedCollections

extension FetchableObject {
    /// Returns the number of objects of a to-many relationship without loading the objects.
    ///
    /// The number includes unsaved changes. The method reads the store unless the relationship is loaded.
    /// ```swift
    /// team.count(of: \.players)
    /// ```
    /// - Parameter relationship: The relationship. Any other key path traps.
    /// - Returns: The number of objects.
    public func count<Member: ManagedObject>(of relationship: KeyPath<Self, Set<Member>>) -> Int {
        countMembers(of: relationship)
    }

    /// Returns the number of objects of an ordered to-many relationship without loading the objects.
    ///
    /// The number includes unsaved changes. The method reads the store unless the relationship is loaded.
    /// - Parameter relationship: The relationship. Any other key path traps.
    /// - Returns: The number of objects.
    public func count<Member: ManagedObject>(of relationship: KeyPath<Self, OrderedSet<Member>>) -> Int {
        countMembers(of: relationship)
    }

    /// Returns the number of objects of a to-many relationship without loading the objects, for a class whose code was
    /// generated with the [option](doc:Configuration) `"optionality": "coreData"`.
    ///
    /// The number includes unsaved changes. The method reads the store unless the relationship is loaded.
    /// - Parameter relationship: The relationship. Any other key path traps.
    /// - Returns: The number of objects.
    public func count<Members: RelationshipCollection>(of relationship: KeyPath<Self, Members?>) -> Int {
        countMembers(of: relationship)
    }

    private func countMembers(of keyPath: AnyKeyPath) -> Int {
        guard let name = propertyKeys(of: keyPath)?.first, let field = runtimeEntity.field(named: name) else {
            preconditionFailure("\(keyPath) is not a relationship of '\(runtimeEntity.entity.name)'")
        }
        recordAccess(field.index)
        return managedObjectContext?.editor.countToMany(of: self, field: field.index)
            ?? toManyReference(field).pointee.storage?.count ?? 0
    }
}

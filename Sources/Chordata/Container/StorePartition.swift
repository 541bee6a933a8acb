internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The stores of a coordinator that has several stores, and the rules by which objects belong to them.
///
/// Each file has all tables of the model, and a configuration determines which of them the file uses, so a file is
/// created, checked and migrated like any other store. The entity of an object determines its store. If several stores
/// have the entity, the row key determines the store, because each of these stores has its own key space.
package final class StorePartition: Sendable {
    /// The stores in the order in which they were added.
    let stores: [PersistentStore]
    /// For each entity type, the indexes of the stores that may have rows of the entity or of its subentities.
    private let places: [[Int]]
    /// For each entity type, the indexes of the stores whose configurations have the entity.
    private let holders: [[Int]]
    private let indexByName: [String: Int]
    /// For each entity type, the index of the root entity, which has the table.
    private let roots: [Int]
    /// For each entity type, the index of the store of new objects; `nil` if no store has the entity.
    private let placesOfNewObjects: [Int?]
    private let several: SeveralStoreIdentifiers
    /// For each store, the upper bits of its row keys.
    private let keySpaces: [Int64]

    /// The number of lower bits of a row key, which count the objects of a store.
    static let keyBits: Int64 = 36
    /// Row keys are below 2⁵², so that other languages can represent them as floating-point numbers.
    private static let keySpaceCount: Int64 = 1 << 16

    /// - Parameters:
    ///   - stores: The stores with their key spaces.
    /// - Throws: ``StoreError`` when two stores have the same key space and entities of one hierarchy.
    init(_ stores: [(store: PersistentStore, keySpace: Int64)], of model: ManagedObjectModel) throws(StoreError) {
        self.stores = stores.map(\.store)
        keySpaces = stores.map(\.keySpace)
        let holders = model.entities.map { entity in
            stores.indices.filter { Self.has(entity, in: stores[$0].store, of: model) }
        }
        self.holders = holders
        let indexByName = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
        self.indexByName = indexByName
        roots = model.entities.map { indexByName[$0.rootEntityName] ?? 0 }
        places = model.entities.map { entity in
            let closure = model.subentityClosure(of: entity.name).compactMap { indexByName[$0] }
            return Set(closure.flatMap { holders[$0] }).sorted()
        }
        placesOfNewObjects = holders.map { places in
            places.first { !stores[$0].store.isReadOnly } ?? places.first
        }
        several = SeveralStoreIdentifiers(
            byRootEntity: Dictionary(
                uniqueKeysWithValues: zip(model.entities, places).filter { $0.0.superentityName == nil }.map { root in
                    (root.0.name, Set(root.1.map { stores[$0].store.identifier }))
                }
            )
        )
        // The check includes all entities of a table, because they share its row keys.
        for (entity, places) in zip(model.entities, places) where entity.superentityName == nil {
            for (number, place) in places.enumerated() {
                guard let other = places[..<number].first(where: { stores[$0].keySpace == stores[place].keySpace })
                else { continue }
                throw StoreError(
                    .cannotOpen,
                    "may have given objects of '\(entity.name)' or its subentities the same row keys as the store "
                        + "'\(stores[other].store.path)'; open the two with different coordinators, or use configurations "
                        + "of which only one has '\(entity.name)' or its subentities; a store that is created "
                        + "with a configuration, or as the second or a later store of its coordinator, has other row keys than "
                        + "the other stores of that coordinator",
                    path: stores[place].store.path
                )
            }
        }
    }

    private static func has(_ entity: EntityDescription, in store: PersistentStore, of model: ManagedObjectModel)
        -> Bool
    {
        guard let name = store.configurationName, let members = model.configuration(named: name)?.entityNames else {
            return true
        }
        return members.contains { model.entity(entity.name, isKindOf: $0) }
    }

    /// Returns a Boolean value that indicates whether the configuration of a store has an entity.
    func holds(_ entityName: String, at place: Int) -> Bool {
        indexByName[entityName].map { holders[$0].contains(place) } ?? false
    }

    /// Returns the indexes of the stores that may have rows of an entity or of its subentities.
    func places(ofEntityNamed name: String) -> [Int] { indexByName[name].map { places[$0] } ?? [] }

    /// Returns a Boolean value that indicates whether a store is written before another one in the same save.
    func isLocked(_ place: Int, before other: Int) -> Bool {
        stores[place].identifier.uuidString < stores[other].identifier.uuidString
    }

    /// Returns the first row key of a new store.
    /// - Parameter taken: The key spaces of the other stores of the coordinator.
    static func firstKey(except taken: [Int64]) -> Int64 {
        var space = Int64.random(in: 1..<keySpaceCount)
        while taken.contains(space) { space = Int64.random(in: 1..<keySpaceCount) }
        return space << keyBits + 1
    }

    // MARK: Places

    /// Returns the index of the store that has the row of an object; `nil` if no store has the entity, or if several
    /// stores have it and the key belongs to none of them.
    func place(of type: RuntimeEntity, key: Int64) -> Int? {
        let places = places[type.index]
        if places.count < 2 { return places.first }
        return places.first { keySpaces[$0] == key >> Self.keyBits }
    }

    /// Returns the index of the store to which a save writes an object; `nil` if no store has the entity.
    func placeToSave(_ key: Int64, of type: RuntimeEntity) -> Int? {
        key > PersistentStore.firstProvisionalKey ? placeOfNewObject(of: type) : place(of: type, key: key)
    }

    /// Returns the index of the store of a new object; `nil` if no store has the entity.
    func placeOfNewObject(of type: RuntimeEntity) -> Int? { placesOfNewObjects[type.index] }

    /// Returns the indexes of the stores that may have rows of an entity or of its subentities.
    func places(of type: RuntimeEntity) -> [Int] { places[type.index] }

    /// The store of new objects; `nil` if no store has the entity.
    func storeOfNewObject(of type: RuntimeEntity) -> PersistentStore? { placeOfNewObject(of: type).map { stores[$0] } }

    private func keys(at place: Int) -> ClosedRange<Int64> {
        let first = keySpaces[place] << Self.keyBits
        return first...first + ((1 << Self.keyBits) - 1)
    }

    /// The row keys of the store to which a save writes an object; `nil` if no other store has rows of its table.
    func keys(ofStoreOf object: ManagedObject) -> ClosedRange<Int64>? {
        guard places[roots[object.runtimeEntity.index]].count > 1 else { return nil }
        return placeToSave(object.key, of: object.runtimeEntity).map { keys(at: $0) }
    }

    /// Returns the condition that an object of an entity is in one of the selected stores.
    func isRow(of type: RuntimeEntity, in isAffected: (PersistentStore) -> Bool) -> BoundPredicate {
        let places = places(of: type)
        let affected = places.filter { isAffected(stores[$0]) }
        if affected == places || affected.isEmpty { return .constant(!affected.isEmpty) }
        return .keys(
            affected.flatMap { place -> [ClosedRange<Int64>] in
                let keys = keys(at: place)
                let provisional = PersistentStore.firstProvisionalKey...Int64.max
                return place == placeOfNewObject(of: type) ? [keys, provisional] : [keys]
            }
        )
    }

    /// Returns the index of the store of a new object.
    /// - Throws: ``StoreError`` when no store has the entity.
    func requirePlace(ofNew type: RuntimeEntity) throws(StoreError) -> Int {
        if let place = placesOfNewObjects[type.index] { return place }
        throw noStore(of: type)
    }

    private func noStore(of type: RuntimeEntity) -> StoreError {
        let names = stores.map { "'\($0.path)'" }.joined(separator: ", ")
        return StoreError(
            .noStoreForEntity,
            "no store of the coordinator has the entity '\(type.entity.name)' (its stores are \(names)); add a store "
                + "with a configuration that contains the entity, or without a configuration"
        )
    }

    /// Returns objects by the indexes of their stores, in the order in which the stores were added.
    /// - Throws: ``StoreError`` when an object belongs to none of the stores.
    func objectsByPlace(_ objects: [ManagedObject]) throws(StoreError) -> [(place: Int, objects: [ManagedObject])] {
        var lists: [[ManagedObject]] = stores.map { _ in [] }
        for object in objects {
            guard let place = place(of: object.runtimeEntity, key: object.key) else {
                throw noStore(of: object.runtimeEntity)
            }
            lists[place].append(object)
        }
        // A store without stored changes is not written.
        return lists.enumerated().filter { $1.contains(where: \.hasStoredChanges) }.map { ($0, $1) }
    }

    /// Returns the indexes of the stores that may have rows of a table.
    func places(of table: Table, in mapping: SchemaMapping) -> [Int] {
        let entityName =
            switch table.kind {
            case .system: ""
            case .entity(let entity), .join(let entity, _): entity
            case .external(let owner, _): mapping.entities.first { $0.tableName == owner }?.entityName ?? ""
            }
        let model = mapping.model
        let root = model.entity(named: entityName)?.rootEntityName
        return model.entities.firstIndex { $0.name == root }.map { places[$0] } ?? []
    }

    /// The store identifiers of an entity's objects.
    func identifiers(of entity: EntityDescription, in model: ManagedObjectModel) -> StoreIdentifiers? {
        guard let index = model.entities.firstIndex(where: { $0.name == entity.name }) else { return nil }
        let places = places[index]
        let identifiers = places.map { (keySpaces[$0], stores[$0].identifier) }
        guard let place = placesOfNewObjects[index] ?? places.first else { return nil }
        return StoreIdentifiers(
            ofNewObjects: stores[place].identifier,
            byKeySpace: places.count < 2 ? [:] : Dictionary(uniqueKeysWithValues: identifiers),
            several: several
        )
    }

    /// The store identifiers of the objects of an entity.
    final class StoreIdentifiers: Sendable {
        private let ofNewObjects: UUID
        /// The store identifiers by key space; empty if only one store has the entity.
        private let byKeySpace: [Int64: UUID]
        /// The identifiers of all stores of the coordinator.
        let several: SeveralStoreIdentifiers

        init(ofNewObjects: UUID, byKeySpace: [Int64: UUID], several: SeveralStoreIdentifiers) {
            self.ofNewObjects = ofNewObjects
            self.byKeySpace = byKeySpace
            self.several = several
        }

        subscript(key: Int64) -> UUID { byKeySpace[key >> StorePartition.keyBits] ?? ofNewObjects }
    }
}

package import ChordataModel

/// Returns the changes between two models.
///
/// Entities and properties are matched as a migration matches them, by renaming identifier (R0–R5), so that names may
/// be swapped; a property that moved along the hierarchy is one change. Another order of declarations is not a change,
/// nor is another order of the properties in a uniqueness constraint; another order of the properties of an index is a
/// change.
///
/// - Returns: The changes of the model itself, then those of entities by their new name, of fetch requests and of
///   configurations; empty if the models differ at most in the order of declarations.
package func compareModels(_ old: ManagedObjectModel, _ new: ManagedObjectModel) -> [ModelChange] {
    var comparison = ModelComparison(old, new)
    comparison.run()
    return comparison.sortedChanges()
}

/// Collects the changes in the order in which they are found.
struct ModelComparison {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    let entities: EntityPairs
    let properties: PropertyPairs
    let loss: DataLoss
    private let oldHashes: [String: String]
    private let newHashes: [String: String]
    private var found: [(change: ModelChange, isOfRemovedEntity: Bool)] = []

    init(_ old: ManagedObjectModel, _ new: ManagedObjectModel) {
        self.old = old
        self.new = new
        entities = EntityPairs(old: old, new: new)
        properties = PropertyPairs(entities)
        loss = DataLoss(entities, properties)
        oldHashes = old.versionHashesByEntityName
        newHashes = new.versionHashesByEntityName
    }

    mutating func run() {
        var version = FieldComparison()
        let identifiers = [old, new].map { $0.versionIdentifier.isEmpty ? nil : $0.versionIdentifier }
        version.compare(.versionIdentifier, identifiers[0], identifiers[1])
        add(version.changes, to: ModelChange(.model, .changed))
        for entity in new.entities {
            if let earlier = entities.old(of: entity.name) {
                compare(earlier, entity)
            } else {
                add(entity: entity)
            }
        }
        for entity in old.entities where entities.new(of: entity.name) == nil { remove(entity: entity) }
        compareProperties()
        compareFetchRequests()
        compareConfigurations()
    }

    /// Adds one change unmodified.
    mutating func add(_ change: ModelChange, isOfRemovedEntity: Bool = false) {
        found.append((change, isOfRemovedEntity))
    }

    /// Adds the fields whose values are different.
    mutating func add(
        _ fields: [FieldChange],
        to template: ModelChange,
        mayLoseData: (ModelChange.Aspect) -> Bool = { _ in false }
    ) {
        for field in fields {
            var change = template
            change.aspect = field.aspect
            change.key = field.key
            change.oldValue = field.oldValue
            change.newValue = field.newValue
            change.changesVersionHash = template.changesVersionHash && field.isHashed
            change.mayLoseData = mayLoseData(field.aspect)
            add(change)
        }
    }

    /// Returns a Boolean value that indicates whether the hash of a new entity differs from its old hash.
    func isHashChanged(_ name: String) -> Bool {
        guard let earlier = entities.old(of: name) else { return true }
        return oldHashes[earlier.name] != newHashes[name]
    }

    // MARK: Order

    /// The changes in their final order, each once.
    ///
    /// If the version hashes of both models are equal, as after swapping the names of equal properties, no store
    /// migrates. No data is lost then.
    func sortedChanges() -> [ModelChange] {
        let isMigrating = oldHashes != newHashes
        let sorted = found.map { (key: key($0.change, $0.isOfRemovedEntity), change: $0.change) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var changes: [ModelChange] = []
        for (_, change) in sorted where changes.last != change { changes.append(change) }
        guard !isMigrating else { return changes }
        return changes.map { change in
            var change = change
            change.changesVersionHash = false
            change.mayLoseData = false
            return change
        }
    }

    private func key(_ change: ModelChange, _ isOfRemovedEntity: Bool) -> [String] {
        // Each rank becomes two digits; the enumerations have the order of the report.
        func rank<T: CaseIterable & Equatable>(_ value: T?) -> String where T.AllCases == [T] {
            guard let index = value.flatMap({ T.allCases.firstIndex(of: $0) }) else { return "" }
            return index < 10 ? "0\(index)" : "\(index)"
        }
        let group =
            switch change.subject {
            case .model: "0"
            case .entity, .attribute, .relationship, .fetchedProperty, .index, .uniquenessConstraint: "1"
            case .fetchRequest: "2"
            case .configuration: "3"
            }
        return [
            group, change.entityName ?? "", isOfRemovedEntity ? "0" : "1", rank(change.subject), change.name ?? "",
            rank(change.kind), change.oldEntityName ?? "", change.oldName ?? "", rank(change.aspect), change.key ?? "",
            change.oldValue ?? "", change.newValue ?? "",
        ]
    }
}

internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataSQL

// What the author of a model should know of a step that can be made: what it drops, rounds and depends on, what may be
// a renaming, and what others who read the store will miss.

extension MigrationPlanner {
    mutating func lint(_ steps: [MigrationStep], _ tables: [TablePlan]) {
        for change in causes.changes where change.mayLoseData { findLoss(change) }
        findLostLinks()
        for change in causes.changes where change.kind == .added { findRenaming(change) }
        for step in steps where step.dependsOnData { findDependence(step) }
        for plan in tables { findKeptByTheOldest(plan) }
        for plan in tables { findCollisions(plan) }
        for change in causes.changes { findBreak(change) }
        for plan in tables { findBreaks(plan) }
    }

    // MARK: Losses

    private mutating func findLoss(_ change: ModelChange) {
        // A property that is removed with its entity is reported with the entity.
        if change.kind == .removed, change.subject != .entity, isOfRemovedEntity(change) { return }
        let isConversion = change.aspect == .attributeType
        add(
            isConversion ? .riskyConversion : .migrationLosesData,
            "\(sentence(change)) in '\(destinationName)', \(lossPhrase(change))",
            change
        )
    }

    private func lossPhrase(_ change: ModelChange) -> String {
        switch (change.kind, change.subject) {
        case (.removed, .entity):
            "so its objects are dropped; if another entity replaces it, set the renaming identifier of that entity to the name of the removed one"
        case (.removed, _):
            "so its values are dropped; if another property replaces it, set the renaming identifier of that property to the name of the removed one"
        default:
            change.aspect == .attributeType
                ? "so values can change: depending on the types, fractions are truncated or precision is lost; and the migration fails if a value is outside the range of the new type; check your data, or keep the type"
                : "so values may be dropped"
        }
    }

    private func isOfRemovedEntity(_ change: ModelChange) -> Bool {
        (change.oldEntityName ?? change.entityName).map { match.destinationEntity(of: $0) == nil } ?? false
    }

    /// Reports a change at its place, which for a removed property is its entity.
    mutating func add(_ id: DiagnosticID, _ message: String, _ change: ModelChange) {
        let isGone = change.kind == .removed && change.subject != .model
        let entity = change.entityName.flatMap { name in
            isGone && change.subject == .entity ? nil : match.destination.entity(named: name)?.name
        }
        add(Finding(id: id, message: message, entity: entity, property: isGone ? nil : change.name))
    }

    // MARK: Renamings

    /// The only new element of its kind, beside the only removed element of the same kind: probably a renaming.
    private mutating func findRenaming(_ added: ModelChange) {
        switch added.subject {
        case .entity:
            guard let name = added.entityName, let new = match.destination.entity(named: name) else { return }
            let gone = causes.entities(.removed).compactMap { match.source.entity(named: $0) }.filter {
                isAlike($0, new)
            }
            guard gone.count == 1, let old = gone.first else { return }
            let others = causes.entities(.added).compactMap { match.destination.entity(named: $0) }.filter {
                isAlike(old, $0)
            }
            guard others.count == 1 else { return }
            suggest(
                "entity '\(old.name)' was removed and '\(name)' is new, with properties of the same names",
                old.name,
                name,
                nil
            )
        case .attribute, .relationship:
            guard let entity = added.entityName, let name = added.name, let old = match.sourceEntity(of: entity),
                let new = match.destination.entity(named: entity), let form = PropertyForm(name, of: new)
            else { return }
            let gone = causes.ofRemovedProperties(of: old.name).compactMap(\.name).filter {
                PropertyForm($0, of: old) == form
            }
            let others = causes.changes.filter { other in
                other.kind == .added && other.subject == added.subject && other.entityName == entity
                    && other.name.flatMap { PropertyForm($0, of: new) } == form
            }
            guard gone.count == 1, others.count == 1, let before = gone.first else { return }
            suggest(
                "'\(before)' of '\(entity)' was removed and '\(name)' of the same type is new",
                before,
                entity,
                name
            )
        default: return  // Nothing else has values to lose.
        }
    }

    /// Returns a Boolean value that indicates whether at least half of the properties of two entities have the same
    /// names.
    private func isAlike(_ old: EntityDescription, _ new: EntityDescription) -> Bool {
        let oldNames = Set(old.attributes.map(\.name) + old.relationships.map(\.name))
        let newNames = Set(new.attributes.map(\.name) + new.relationships.map(\.name))
        return !oldNames.isEmpty && oldNames.intersection(newNames).count * 2 >= max(oldNames.count, newNames.count)
    }

    private mutating func suggest(_ what: String, _ identifier: String, _ entity: String, _ property: String?) {
        add(
            Finding(
                id: .likelyRenaming,
                message:
                    "\(what); if this is a renaming, give the new one the renaming identifier '\(identifier)' to keep the values of the old one",
                entity: entity,
                property: property,
                renamingIdentifier: identifier
            )
        )
    }

    // MARK: Data

    private mutating func findDependence(_ step: MigrationStep) {
        // Values that do not fit, and references to another entity, are reported as a loss; several references to one
        // object are reported with the column.
        guard step.kind == .createIndex else { return }
        for change in step.causes where change.entityName.map(hasObjectsBefore) != false {
            add(
                .migrationDependsOnData,
                "\(sentence(change)) in '\(destinationName)', and a store with duplicate values cannot be migrated; "
                    + "before the migration, make the values unique with a program of version '\(sourceName)'",
                change
            )
        }
    }

    /// Returns a Boolean value that indicates whether a store can have objects of an entity before the migration: the
    /// entity or one of its subentities is not new.
    private func hasObjectsBefore(_ entityName: String) -> Bool {
        match.destination.entities.contains { entity in
            match.destination.entity(entity.name, isKindOf: entityName) && match.sourceEntity(of: entity.name) != nil
        }
    }

    // MARK: Readers

    /// Programs that read the tables by SQL, and older programs, do not find renamed and removed columns.
    private mutating func findBreak(_ change: ModelChange) {
        guard isBreak(change) else { return }
        add(
            .migrationBreaksReaders,
            "'\(destinationName)' changes the tables that programs read with their own SQL: \(sentence(change)); "
                + "update these programs",
            change
        )
    }

    private func isBreak(_ change: ModelChange) -> Bool {
        guard let name = change.oldEntityName ?? change.entityName, let old = sourceMapping.entity(named: name) else {
            return false
        }
        let new = match.destinationEntity(of: name).flatMap { mapping.entity(named: $0.name) }
        switch change.subject {
        case .entity:
            if change.kind == .removed || change.kind == .renamed { return true }
            return change.kind == .changed && change.aspect == .superentityName && new?.tableName != old.tableName
        case .attribute, .relationship:
            // A property that is removed with its entity is reported with the entity.
            guard let property = change.oldName ?? change.name, let new else { return false }
            let aspects: [ModelChange.Aspect?] = [
                .isTransient, .isToMany, .inverseName, .allowsExternalBinaryDataStorage,
            ]
            if change.kind == .added || change.kind == .changed && !aspects.contains(change.aspect) { return false }
            // Only to-manys go to another place with another inverse.
            if change.aspect == .inverseName, old.relationship(named: property)?.relationship.isToMany != true {
                return false
            }
            if change.aspect == .allowsExternalBinaryDataStorage {
                // A column has either the bytes or how many there are.
                return old.isExternal(property) != new.isExternal(change.name ?? property)
            }
            let columns = old.columnNames(of: property)
            let newColumns = change.kind == .removed ? [] : new.columnNames(of: change.name ?? property)
            return !columns.isSubset(of: newColumns)
        default: return false
        }
    }
}

extension EntityMapping {
    fileprivate func isExternal(_ property: String) -> Bool {
        attribute(at: property.split(separator: ".").map(String.init))?.externalTableName != nil
    }

    /// The columns and join tables of a property or of an element of a composite, which has its path.
    fileprivate func columnNames(of property: String) -> Set<String> {
        let path = property.split(separator: ".").map(String.init)
        let columns = attributes.filter { $0.path.starts(with: path) }.map(\.columnName)
        switch relationship(named: property)?.storage {
        case .column(let name): return [name]
        case .joinTable(let name, _, _, _): return [name]
        default: return Set(columns)
        }
    }
}

/// The form of a property's values: two of one form may be one property under two names.
private enum PropertyForm: Hashable {
    case attribute(AttributeType, compositeName: String?)
    case relationship(destination: String, isToMany: Bool)

    init?(_ name: String, of entity: EntityDescription) {
        if let attribute = entity.declaredAttributes.first(where: { $0.name == name }) {
            if attribute.isTransient || attribute.isDerived { return nil }
            self = .attribute(attribute.attributeType, compositeName: attribute.compositeName)
        } else if let relationship = entity.declaredRelationships.first(where: { $0.name == name }) {
            if relationship.isTransient { return nil }
            self = .relationship(destination: relationship.destinationEntityName, isToMany: relationship.isToMany)
        } else {
            return nil
        }
    }
}

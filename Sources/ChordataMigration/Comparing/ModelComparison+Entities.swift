internal import ChordataModel

extension ModelComparison {
    mutating func add(entity: EntityDescription) {
        add(
            ModelChange(
                .entity,
                .added,
                entityName: entity.name,
                newValue: declaration(entity),
                changesVersionHash: true
            )
        )
        for index in entity.declaredIndexes { add(added(index, in: entity)) }
        for constraint in entity.declaredUniquenessConstraints {
            add(
                ModelChange(
                    .uniquenessConstraint,
                    .added,
                    entityName: entity.name,
                    name: constraintName(constraint),
                    changesVersionHash: true
                )
            )
        }
    }

    mutating func remove(entity: EntityDescription) {
        add(
            ModelChange(
                .entity,
                .removed,
                entityName: entity.name,
                oldValue: declaration(entity),
                changesVersionHash: true,
                mayLoseData: !entity.isAbstract
            ),
            isOfRemovedEntity: true
        )
        for index in entity.declaredIndexes { add(removed(index, in: entity.name), isOfRemovedEntity: true) }
        for constraint in entity.declaredUniquenessConstraints {
            add(
                ModelChange(
                    .uniquenessConstraint,
                    .removed,
                    entityName: entity.name,
                    name: constraintName(constraint),
                    changesVersionHash: true
                ),
                isOfRemovedEntity: true
            )
        }
    }

    mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
        let isHashed = isHashChanged(new.name)
        // If a migration does not use the new identifier, it treats the entity as a different one.
        let isDropped = !entities.isCarried(new.name) && loss.hasRows(old.name)
        let template = ModelChange(
            .entity,
            .changed,
            entityName: new.name,
            oldEntityName: old.name,
            changesVersionHash: isHashed
        )
        let isRenamed = !isIdentical(old.name, new.name)
        if isRenamed {
            var change = template
            change.kind = .renamed
            change.oldEntityName = old.name
            change.mayLoseData = isDropped
            add(change)
        }
        let fields = compareFields(old, new).filter { field in
            // This is already part of the renaming.
            !(field.aspect == .renamingIdentifier && isRenamed && new.renamingIdentifier == old.name)
        }
        add(fields, to: template) { [loss] aspect in
            // Other fields change neither columns nor rows.
            aspect == .isAbstract && new.isAbstract
                || aspect == .superentityName && loss.isLost(inheritedBy: old, in: new)
                || aspect == .renamingIdentifier && isDropped && !isRenamed
        }
        compareIndexes(old, new)
        compareConstraints(old, new)
    }

    // MARK: Indexes

    private mutating func compareIndexes(_ old: EntityDescription, _ new: EntityDescription) {
        let pairs = IdentityPairs(
            old: old.declaredIndexes.map { .init($0.name, $0.name) },
            new: new.declaredIndexes.map { .init($0.name, $0.name) }
        )
        for (position, index) in new.declaredIndexes.enumerated() {
            guard let oldPosition = pairs.oldIndexes[position] else {
                add(added(index, in: new))
                continue
            }
            let earlier = old.declaredIndexes[oldPosition]
            add(
                compareFields(earlier, index),
                to: ModelChange(
                    .index,
                    .changed,
                    entityName: new.name,
                    oldEntityName: old.name,
                    name: index.name,
                    oldName: earlier.name
                )
            )
        }
        for (position, index) in old.declaredIndexes.enumerated() where pairs.newIndexes[position] == nil {
            var change = removed(index, in: new.name)
            if old.name != new.name { change.oldEntityName = old.name }
            add(change)
        }
    }

    private func added(_ index: FetchIndexDescription, in entity: EntityDescription) -> ModelChange {
        ModelChange(
            .index,
            .added,
            entityName: entity.name,
            oldEntityName: entities.old(of: entity.name)?.name,
            name: index.name,
            newValue: text(index.elements)
        )
    }

    private func removed(_ index: FetchIndexDescription, in entityName: String) -> ModelChange {
        ModelChange(.index, .removed, entityName: entityName, name: index.name, oldValue: text(index.elements))
    }

    // MARK: Uniqueness constraints

    private mutating func compareConstraints(_ old: EntityDescription, _ new: EntityDescription) {
        guard !old.declaredUniquenessConstraints.isEmpty || !new.declaredUniquenessConstraints.isEmpty else { return }
        // A constraint over a renamed property is still the same constraint.
        let newNames = newPropertyNames(of: old, in: new)
        let matchedNames = Set(newNames.values)
        func key(_ names: [String], _ form: (String) -> String?) -> [String] {
            // A name without a property is equal only to the same name without a property.
            names.map { name in form(name).map { "=" + $0 } ?? "?" + name }.sorted()
        }
        var rest: [[String]: [[String]]] = [:]
        for constraint in new.declaredUniquenessConstraints {
            rest[key(constraint) { matchedNames.contains($0) ? $0 : nil }, default: []].append(constraint)
        }
        var template = ModelChange(
            .uniquenessConstraint,
            .removed,
            entityName: new.name,
            oldEntityName: old.name,
            changesVersionHash: isHashChanged(new.name)
        )
        for constraint in old.declaredUniquenessConstraints {
            if rest[key(constraint) { newNames[$0] }]?.popLast() != nil { continue }
            template.name = constraintName(constraint)
            add(template)
        }
        template.kind = .added
        for constraint in rest.values.joined() {
            template.name = constraintName(constraint)
            add(template)
        }
    }

    private func newPropertyNames(of old: EntityDescription, in new: EntityDescription) -> [String: String] {
        var names: [String: String] = [:]
        let relationships = IdentityPairs(
            old: old.relationships.map { .init($0.name, $0.renamingIdentifier) },
            new: new.relationships.map { .init($0.name, $0.renamingIdentifier) }
        )
        for (index, relationship) in old.relationships.enumerated() {
            names[relationship.name] = relationships.newIndexes[index].map { new.relationships[$0].name }
        }
        let attributes = IdentityPairs(
            old: old.attributes.map { .init($0.name, $0.renamingIdentifier) },
            new: new.attributes.map { .init($0.name, $0.renamingIdentifier) }
        )
        for (index, attribute) in old.attributes.enumerated() {
            names[attribute.name] = attributes.newIndexes[index].map { new.attributes[$0].name }
        }
        return names
    }

    private func constraintName(_ constraint: [String]) -> String { constraint.sorted().joined(separator: ", ") }
}

internal import ChordataModel

extension ModelComparison {
    mutating func compareProperties() {
        for pair in properties.pairs { compare(pair) }
        for place in properties.added {
            add(place.property, kind: .added, path: place.property.name, of: place.entity)
        }
        for place in properties.removed {
            add(place.property, kind: .removed, path: place.property.name, of: place.entity)
        }
    }

    private mutating func compare(_ pair: PropertyPairs.Pair) {
        let (old, new) = (pair.old.property, pair.new.property)
        // A property that moved is missing in the old entity's hash, too.
        let isHashed =
            old.subject != .fetchedProperty
            && (isHashChanged(pair.new.entity.name)
                || pair.isMoved && entities.new(of: pair.old.entity.name).map { isHashChanged($0.name) } ?? true)
        let template = ModelChange(
            old.subject,
            .changed,
            entityName: pair.new.entity.name,
            oldEntityName: pair.old.entity.name,
            name: new.name,
            oldName: old.name,
            changesVersionHash: isHashed
        )
        // If a migration does not use the new identifier, it treats the property as a different one.
        let isDropped = !pair.isCarried && old.isStored && loss.hasRows(pair.old.entity.name)
        let isRenamed = !isIdentical(old.name, new.name)
        if pair.isMoved || isRenamed {
            var change = template
            change.kind = pair.isMoved ? .moved : .renamed
            // The old names are included even if two entities swapped names or two forms of a name are equal to `==`.
            if pair.isMoved { change.oldEntityName = pair.old.entity.name }
            if isRenamed { change.oldName = old.name }
            change.mayLoseData = isDropped || pair.isMoved && loss.isLost(moved: pair.old)
            add(change)
        }
        let fields = old.fieldChanges(to: new).filter { field in
            // This is already part of the renaming.
            !(field.aspect == .renamingIdentifier && isRenamed && new.identity.identifier == old.name)
        }
        add(fields, to: template) { [loss] aspect in
            if aspect == .renamingIdentifier { return isDropped && !pair.isMoved && !isRenamed }
            return loss.hasRows(pair.old.entity.name) && loss.isLost(aspect, of: old, in: new)
        }
        if case .attribute(let old) = old, case .attribute(let new) = new {
            compareElements(old.elements, new.elements, template, path: (old.name, new.name))
        }
    }

    /// Compares the elements of a composite, which are attributes with a path.
    private mutating func compareElements(
        _ old: [AttributeDescription],
        _ new: [AttributeDescription],
        _ template: ModelChange,
        path: (old: String, new: String)
    ) {
        let pairs = IdentityPairs(
            old: old.map { .init($0.name, $0.renamingIdentifier) },
            new: new.map { .init($0.name, $0.renamingIdentifier) }
        )
        let isStored = loss.hasRows(template.oldEntityName ?? template.entityName ?? "")
        for (index, element) in new.enumerated() {
            var change = template
            change.name = "\(path.new).\(element.name)"
            change.oldName = nil
            guard let oldIndex = pairs.oldIndexes[index] else {
                change.kind = .added
                change.newValue = declaration(.attribute(element))
                add(change)
                continue
            }
            let earlier = old[oldIndex]
            let oldPath = "\(path.old).\(earlier.name)"
            if oldPath != change.name { change.oldName = oldPath }
            let isRenamed = !isIdentical(earlier.name, element.name)
            if isRenamed {
                change.kind = .renamed
                change.oldName = oldPath
                change.mayLoseData =
                    !pairs.areCarried[index] && isStored && DeclaredProperty.attribute(earlier).isStored
                add(change)
            }
            change.kind = .changed
            let fields = compareFields(earlier, element).filter { field in
                !(field.aspect == .renamingIdentifier && isRenamed && element.renamingIdentifier == earlier.name)
            }
            add(fields, to: change) { [loss] aspect in
                isStored && loss.isLost(aspect, of: .attribute(earlier), in: .attribute(element))
            }
            compareElements(earlier.elements, element.elements, change, path: (oldPath, change.name ?? ""))
        }
        for (index, element) in old.enumerated() where pairs.newIndexes[index] == nil {
            var change = template
            change.kind = .removed
            change.name = "\(path.old).\(element.name)"
            change.oldName = nil
            change.oldValue = declaration(.attribute(element))
            change.mayLoseData = isStored && DeclaredProperty.attribute(element).isStored
            add(change)
        }
    }

    /// Adds the change for a property that only one model has, and the changes for its elements.
    private mutating func add(
        _ property: DeclaredProperty,
        kind: ModelChange.Kind,
        path: String,
        of entity: EntityDescription
    ) {
        let isAdded = kind == .added
        // The group of an entity that both models have is listed under the new name.
        let counterpart = isAdded ? entities.old(of: entity.name) : entities.new(of: entity.name)
        let newName = isAdded ? entity.name : counterpart?.name
        var change = ModelChange(
            property.subject,
            kind,
            entityName: newName ?? entity.name,
            oldEntityName: isAdded ? counterpart?.name : entity.name,
            name: path,
            changesVersionHash: property.subject != .fetchedProperty && (newName.map(isHashChanged) ?? true),
            mayLoseData: !isAdded && loss.isLost(removed: PropertyPlace(entity: entity, property: property))
        )
        if isAdded { change.newValue = declaration(property) } else { change.oldValue = declaration(property) }
        add(change, isOfRemovedEntity: newName == nil)
        guard case .attribute(let attribute) = property else { return }
        for element in attribute.elements {
            add(.attribute(element), kind: kind, path: "\(path).\(element.name)", of: entity)
        }
    }
}

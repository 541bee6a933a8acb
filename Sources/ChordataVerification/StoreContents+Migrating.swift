package import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

// The expected objects after a migration, by the rules of the manual and without regard to tables: the planner applies
// the rules in SQL, this file applies them to values, and verification compares the results.

extension StoreContents {
    /// Returns the expected objects after a correct migration.
    ///
    /// The objects have no values of derived attributes: a store computes these whenever it is migrated, even in rows
    /// that a step does not change. They also have no values of stored attributes that were derived in an older
    /// version.
    package func migrated(by match: ModelMatch) -> StoreContents {
        var result = StoreContents()
        for old in inOrder {
            guard let entity = match.destinationEntity(of: old.entityName) else { continue }
            var object = Object(id: old.id, entityName: entity.name)
            for attribute in entity.attributes {
                for leaf in attribute.leaves where leaf.attribute.isInValues {
                    let name = leaf.path.joined(separator: ".")
                    if leaf.attribute.isDerived || wasDerived(leaf, old, entity.name, match) {
                        object.derivedNames.insert(name)
                    } else {
                        object.values[name] = value(of: leaf, old, entity.name, match)
                    }
                }
            }
            for relationship in entity.relationships where !relationship.isTransient {
                object.links[relationship.name] = []
            }
            result.objects[object.id] = object
        }
        for entity in match.destination.entities {
            for relationship in entity.declaredRelationships where !relationship.isTransient {
                let declared = DeclaredRelationship(entity: entity, relationship: relationship)
                for (id, links) in links(of: declared, result, match) {
                    result.objects[id]?.links[relationship.name] = links
                }
            }
        }
        return result
    }

    /// Returns the same objects, without the values of derived attributes and those that other contents leave out.
    func leavingOutDerivedValues(of model: ManagedObjectModel, and inferred: StoreContents) -> StoreContents {
        var result = self
        for (id, object) in objects {
            var names = inferred.objects[id]?.derivedNames ?? []
            for leaf in model.entity(named: object.entityName)?.attributes.flatMap(\.leaves) ?? []
            where leaf.attribute.isDerived { names.insert(leaf.path.joined(separator: ".")) }
            result.objects[id]?.derivedNames = names
            for name in names { result.objects[id]?.values[name] = nil }
        }
        return result
    }

    // MARK: Values

    /// Returns a Boolean value that indicates whether a value was derived in the older version, or in an earlier one.
    private func wasDerived(
        _ leaf: AttributeDescription.Leaf,
        _ old: Object,
        _ entityName: String,
        _ match: ModelMatch
    ) -> Bool {
        guard let path = match.sourcePath(of: leaf.path, in: entityName) else { return false }
        let before = match.source.entity(named: old.entityName)?.attribute(named: path[0])?.leaves.first {
            $0.path == path
        }
        return before?.attribute.isDerived == true || old.derivedNames.contains(path.joined(separator: "."))
    }

    private func value(
        of leaf: AttributeDescription.Leaf,
        _ old: Object,
        _ entityName: String,
        _ match: ModelMatch
    ) -> SQLValue {
        let path = match.sourcePath(of: leaf.path, in: entityName)
        let before = path.flatMap { path in
            match.source.entity(named: old.entityName)?.attribute(named: path[0])?.leaves.first { $0.path == path }
        }
        let kept = path.flatMap { old.values[$0.joined(separator: ".")] }
        var value = kept ?? .null
        if let before, before.attribute.attributeType != leaf.attribute.attributeType {
            value = value.converted(to: leaf.attribute.attributeType)
        }
        let becameRequired = before?.attribute.isOptional != false && !leaf.attribute.isOptional
        if value == .null, kept == nil || becameRequired, !leaf.attribute.isDerived,
            let standard = leaf.attribute.defaultValue
        {
            return SQLValue(.attribute(standard))
        }
        return value
    }

    // MARK: Links

    /// A link from one object to another.
    private struct Link: Hashable {
        var source: Int64
        var destination: Int64
        var reversed: Link { Link(source: destination, destination: source) }
    }

    /// Returns the objects that a relationship references, for each object that has the relationship.
    private func links(
        of declared: DeclaredRelationship,
        _ result: StoreContents,
        _ match: ModelMatch
    ) -> [Int64: [Int64]] {
        let relationship = declared.relationship
        let inverse = match.destination.inverse(of: relationship, in: declared.entity)
        func isKind(_ id: Int64, of entityName: String) -> Bool {
            result.objects[id].map { match.destination.entity($0.entityName, isKindOf: entityName) } ?? false
        }
        // Each end references only objects that both ends allow.
        let own = keptLinks(of: declared, result, match).filter { link in
            inverse.map { isKind(link.source, of: $0.relationship.destinationEntityName) } ?? true
        }
        let others = (inverse.map { keptLinks(of: $0, result, match).map(\.reversed) } ?? [])
            .filter { isKind($0.destination, of: relationship.destinationEntityName) }
        var links = own + others.filter { !own.contains($0) }.sorted { $0.destination < $1.destination }
        // A to-one keeps its object, or the oldest of several; the same applies to the other end, and both must agree.
        if !relationship.isToMany {
            let chosen = chooseFirst(own + others.sorted { $0.destination < $1.destination })
            links = links.filter { chosen.contains($0) }
        }
        if let inverse, !inverse.relationship.isToMany {
            let chosen = chooseFirst(
                others.map(\.reversed) + own.map(\.reversed).sorted { $0.destination < $1.destination }
            )
            links = links.filter { chosen.contains($0.reversed) }
        }
        let isOrderKnown = relationship.isOrdered && wasOrdered(declared, match)
        return Dictionary(grouping: links, by: \.source).mapValues { links in
            let destinations = links.map(\.destination)
            return isOrderKnown ? destinations : destinations.sorted()
        }
    }

    private func wasOrdered(_ declared: DeclaredRelationship, _ match: ModelMatch) -> Bool {
        match.destination.subentityClosure(of: declared.entity.name).contains { name in
            match.sourceRelationship(named: declared.relationship.name, of: name)?.isOrdered == true
        }
    }

    /// Returns the first link of each source.
    private func chooseFirst(_ links: [Link]) -> Set<Link> {
        var sources: Set<Int64> = []
        return Set(links.filter { sources.insert($0.source).inserted })
    }

    /// Returns the links of the old form of a relationship, between objects that may have them, in the old order.
    private func keptLinks(of declared: DeclaredRelationship, _ result: StoreContents, _ match: ModelMatch) -> [Link] {
        result.objects(of: declared.entity.name, in: match.destination).flatMap { id -> [Link] in
            guard let old = objects[id], let entityName = result.objects[id]?.entityName,
                let before = match.sourceRelationship(named: declared.relationship.name, of: entityName)
            else { return [] }
            return (old.links[before.name] ?? []).filter { target in
                result.objects[target].map {
                    match.destination.entity($0.entityName, isKindOf: declared.relationship.destinationEntityName)
                } ?? false
            }.map { Link(source: id, destination: $0) }
        }
    }
}

extension SQLValue {
    /// Returns a number as another type stores it.
    fileprivate func converted(to type: AttributeType) -> SQLValue {
        switch (self, type) {
        case (.integer(let integer), .double): .real(Double(integer))
        case (.integer(let integer), .float): .real(Double(Float(integer)))
        case (.integer(let integer), .decimal): .text(String(integer))
        case (.integer(let integer), .boolean): .integer(integer == 0 ? 0 : 1)
        case (.real(let real), .boolean): .integer(real == 0 ? 0 : 1)
        case (.real(let real), .float): .real(Double(Float(real)))
        case (.real(let real), .integer16), (.real(let real), .integer32), (.real(let real), .integer64):
            // A value that does not fit stops the migration.
            Int64(exactly: real.rounded(.towardZero)).map { .integer($0) } ?? self
        default: self  // All other types store the same value.
        }
    }
}

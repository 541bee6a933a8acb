internal import ChordataModel
internal import ChordataSQL

extension MigrationMatch {
    /// Returns the location of the pairs of a relationship in the old version; `nil` if it is transient.
    func links(of relationship: RelationshipDescription, in entityName: String) -> LinkSource? {
        guard let entity = sourceMapping.entity(named: entityName),
            let storage = entity.relationship(named: relationship.name)?.storage
        else { return nil }
        func column(_ name: String, in table: String) -> String? {
            sourceMapping.table(named: table)?.columns.contains { $0.name == name } == true ? name : nil
        }
        switch storage {
        case .column(let name):
            return LinkSource(
                table: entity.tableName,
                source: "_id",
                destination: name,
                inverseOrder: column("_order_" + name, in: entity.tableName)
            )
        case .inverseColumn(let table, let name, _):
            return LinkSource(
                table: table,
                source: name,
                destination: "_id",
                order: column("_order_" + name, in: table)
            )
        case .joinTable(let table, let sourceColumn, _, _):
            let links = LinkSource(
                table: table,
                source: "source",
                destination: "destination",
                order: column("_order", in: table),
                inverseOrder: column("_inverse_order", in: table)
            )
            return sourceColumn == "source" ? links : links.reversed
        }
    }

    /// Returns the pairs that the relationship at the other end had, as seen from this end, unless they are the pairs
    /// that this end had itself.
    func linksFromOtherEnd(
        of relationship: RelationshipDescription,
        in entityName: String,
        except old: RelationshipDescription?,
        of oldEntityName: String
    ) -> [LinkSource] {
        guard let entity = destination.entity(named: entityName),
            let inverse = destination.inverse(of: relationship, in: entity)
        else { return [] }
        var found: [LinkSource] = []
        for name in destination.subentityClosure(of: inverse.entity.name) {
            guard let source = models.sourceEntity(of: name),
                let before = models.sourceRelationship(named: inverse.relationship.name, of: name),
                !before.isTransient, !isInverse(before, of: source, to: old, of: oldEntityName),
                mayReference(before, oldEntityName), let links = links(of: before, in: source.name)?.reversed,
                !found.contains(links)
            else { continue }
            found.append(links)
        }
        return found
    }

    /// Returns a Boolean value that indicates whether the relationship at the other end had an order.
    ///
    /// A new order does not use the positions of another order.
    func keepsOrder(ofInverseOf relationship: RelationshipDescription, in entityName: String) -> Bool {
        guard let entity = destination.entity(named: entityName),
            let inverse = destination.inverse(of: relationship, in: entity)
        else { return false }
        return destination.subentityClosure(of: inverse.entity.name).contains { name in
            models.sourceRelationship(named: inverse.relationship.name, of: name)?.isOrdered == true
        }
    }

    /// Returns a Boolean value that indicates whether two old relationships were each other's inverse.
    private func isInverse(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        to other: RelationshipDescription?,
        of otherEntityName: String
    ) -> Bool {
        guard let other, let inverse = source.inverse(of: relationship, in: entity) else { return false }
        return inverse.relationship.name == other.name && source.entity(otherEntityName, isKindOf: inverse.entity.name)
    }

    /// Returns a Boolean value that indicates whether an old relationship could reference objects of an old entity.
    private func mayReference(_ relationship: RelationshipDescription, _ entityName: String) -> Bool {
        source.entity(entityName, isKindOf: relationship.destinationEntityName)
            || source.entity(relationship.destinationEntityName, isKindOf: entityName)
    }
}

internal import ChordataModel

/// Removes one-sided inverses, which ``checkModel(_:)`` reports in the current version.
///
/// Two relationships are inverses of each other if each of them names the other, which the destination or one of its
/// superentities declares.
func clearOneSidedInverses(_ resolved: inout [EntityDescription], _ lineages: InheritanceChains) {
    for index in resolved.indices {
        let owner = resolved[index].name
        for position in resolved[index].declaredRelationships.indices {
            let relationship = resolved[index].declaredRelationships[position]
            guard let inverseName = relationship.inverseName else { continue }
            let inverse = lineages.relationship(named: inverseName, of: relationship.destinationEntityName)
            if let inverse, isInverse(inverse.relationship, to: relationship.name, of: owner, lineages) { continue }
            resolved[index].declaredRelationships[position].inverseName = nil
        }
    }
}

private func isInverse(
    _ inverse: RelationshipDescription,
    to relationship: String,
    of owner: String,
    _ lineages: InheritanceChains
) -> Bool {
    guard inverse.inverseName == relationship else { return false }
    return lineages.relationship(named: relationship, of: inverse.destinationEntityName)?.owner == owner
}

internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

extension ModelBundle {
    /// Finds versions whose stores cannot be distinguished from those of an earlier version.
    ///
    /// The hashes of such versions are equal although names were swapped in between. Consecutive versions are checked
    /// by their step.
    ///
    /// - Returns: The diagnostics, by the index of the version.
    func indistinguishableVersions(upTo last: Int) -> [Int: [Diagnostic]] {
        var places: [String: [Int]] = [:]
        var found: [Int: [Diagnostic]] = [:]
        for index in 0...last {
            let hash = versions[index].model.versionHash
            let twins = places[hash, default: []]
            for twin in twins where twin < index - 1 {
                guard let place = changedPlace(on: versions[twin...index].map(\.model)) else { continue }
                found[index, default: []].append(
                    indistinguishableVersion(
                        of: versions[index],
                        with: versions[twin],
                        entity: place.entity,
                        property: place.property
                    )
                )
            }
            places[hash] = twins + [index]
        }
        return found
    }
}

/// The message for two versions with one hash and different names for the same columns.
func indistinguishableVersion(of version: ModelVersion, with earlier: ModelVersion, entity: String, property: String?)
    -> Diagnostic
{
    let location = property.flatMap { version.locations.property($0, of: entity) } ?? version.locations.entity(entity)
    return Diagnostic(
        .indistinguishableVersions,
        "from '\(earlier.name)' to '\(version.name)', renaming identifiers exchange names of entities or properties, but both "
            + "versions have the same version hash, which does not include renaming identifiers, so a store of '\(earlier.name)' would not be migrated; give entity "
            + "'\(entity)' a hash modifier in '\(version.name)' (versionHashModifier)",
        at: location ?? version.locations.model
    )
}

/// An entity or property whose name in the last of several versions differs from its name in the first one.
///
/// Elements that were removed in between are not compared.
private func changedPlace(on way: [ManagedObjectModel]) -> (entity: String, property: String?)? {
    guard let first = way.first, let last = way.last else { return nil }
    /// The names in the first version of elements of the version reached so far.
    var names: [[String]: [String]] = [:]
    for entity in first.entities { for path in paths(of: entity) { names[path] = path } }
    for (source, destination) in zip(way, way.dropFirst()) {
        let match = ModelMatch(source: source, destination: destination)
        var next: [[String]: [String]] = [:]
        for entity in destination.entities {
            guard let old = match.sourceEntity(of: entity.name) else { continue }
            for path in paths(of: entity) {
                let property = Array(path.dropFirst())
                let before =
                    property.isEmpty
                    ? []
                    : match.sourcePath(of: property, in: entity.name)
                        ?? match.sourceRelationship(named: property[0], of: entity.name).map { [$0.name] }
                next[path] = before.flatMap { names[[old.name] + $0] }
            }
        }
        names = next
    }
    for entity in last.entities {
        for path in paths(of: entity) {
            guard let before = names[path], before != path else { continue }
            return (entity.name, path.dropFirst().first)
        }
    }
    return nil
}

/// Returns the paths of names of an entity, its properties, and the elements of its composites.
private func paths(of entity: EntityDescription) -> [[String]] {
    func leaves(_ attribute: AttributeDescription) -> [[String]] {
        attribute.elements.isEmpty
            ? [[attribute.name]] : attribute.elements.flatMap(leaves).map { [attribute.name] + $0 }
    }
    let properties = entity.attributes.flatMap(leaves) + entity.relationships.map { [$0.name] }
    return [[entity.name]] + properties.map { [entity.name] + $0 }
}

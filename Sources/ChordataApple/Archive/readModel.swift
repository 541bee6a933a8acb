internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A model that was read from an archive of `NSManagedObjectModel`.
struct ArchivedModel: Sendable {
    var model: ManagedObjectModel
    /// The parts of the archive that the model does not have, such as the default value of a class of the app.
    var omissions: [String]
}

/// Reads the archive of a model.
/// - Parameter hashes: The version hashes of the entities, which determine what the archive does not specify.
func readModel(archive bytes: [UInt8], hashes: [String: Data]) throws(BinaryPropertyList.Failure) -> ArchivedModel {
    var reader = try ModelArchiveReader(archive: try KeyedArchive(bytes))
    var entities = try reader.readEntities()
    let templates = try reader.readFetchRequestTemplates()
    let configurations = try reader.readConfigurations()
    let identifier = try reader.readVersionIdentifier()
    func makeModel(_ entities: [EntityDescription]) throws(BinaryPropertyList.Failure) -> ManagedObjectModel {
        do throws(ManagedObjectModelError) {
            return try ManagedObjectModel(
                versionIdentifier: identifier,
                entities: entities,
                fetchRequestTemplates: templates,
                configurations: configurations
            )
        } catch {
            throw .init("has an invalid model: \(error)")
        }
    }
    // An attribute with a flag of unknown meaning may be one whose value the history keeps; the hash of its entity
    // determines whether it is.
    let plain = entities
    let computed = VersionHashes(of: try makeModel(entities)).entityVersionHashesByName
    for index in entities.indices {
        let name = entities[index].name
        guard let flagged = reader.flaggedAttributes[name], let expected = hashes[name], computed[name] != expected
        else {
            continue
        }
        for place in entities[index].declaredAttributes.indices
        where flagged.contains(entities[index].declaredAttributes[place].name) {
            entities[index].declaredAttributes[place].preservesValueInHistoryOnDeletion = true
        }
    }
    let corrected = VersionHashes(of: try makeModel(entities)).entityVersionHashesByName
    for index in entities.indices where corrected[plain[index].name] != hashes[plain[index].name] {
        entities[index] = plain[index]
    }
    let omissions = reader.omissions + clearNegativeCounts(of: &entities)
    return ArchivedModel(model: try makeModel(entities), omissions: omissions)
}

/// Replaces negative counts, which mean no limit in a model that was created in code.
///
/// A model file cannot have them.
/// - Returns: The replaced counts.
private func clearNegativeCounts(of entities: inout [EntityDescription]) -> [String] {
    var omissions: [String] = []
    for index in entities.indices {
        for place in entities[index].declaredRelationships.indices {
            let relationship = entities[index].declaredRelationships[place]
            guard relationship.maximumCount < 0 || relationship.minimumCount < 0 else { continue }
            entities[index].declaredRelationships[place].maximumCount = max(relationship.maximumCount, 0)
            entities[index].declaredRelationships[place].minimumCount = max(relationship.minimumCount, 0)
            omissions.append(
                "relationship '\(relationship.name)' of '\(entities[index].name)': its negative count, which is read as "
                    + "no limit; the version hash of '\(entities[index].name)' differs from the store's"
            )
        }
    }
    return omissions
}

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The metadata of a store of Core Data.
package struct CoreDataMetadata: Sendable {
    package var storeUUID: UUID
    /// The hashes of the entities, 32 bytes each, by the names of the entities.
    package var versionHashes: [String: Data] = [:]
    package var versionIdentifiers: [String] = []
    /// The version of Core Data that wrote the metadata, such as 1345.
    package var frameworkVersion: Int64?
    /// The keys of Core Data in the metadata, ordered.
    package var knownKeys: [String] = []
    /// The number of other keys, which belong to the app.
    package var customKeyCount = 0

    // These limits are necessary because a property list may use one object in many places.
    private static let maximumIdentifierCount = 1_000
    private static let maximumIdentifierSize = 1_024

    private static let knownKeys: Set = [
        "NSStoreType", "NSStoreUUID", "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
        "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionIdentifiers", "NSStoreModelVersionChecksumKey", "_NSAutoVacuumLevel",
    ]

    /// Reads the property list of the metadata.
    init(storeUUID: UUID, propertyList bytes: [UInt8]) throws(BinaryPropertyList.Failure) {
        self.storeUUID = storeUUID
        let list = try BinaryPropertyList(bytes)
        guard case .dictionary(let keys, let values) = try list.node(at: list.top) else {
            throw .init("is not a dictionary")
        }
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = try list.node(at: key) else { continue }
            guard Self.knownKeys.contains(name) else {
                customKeyCount += 1
                continue
            }
            knownKeys.append(name)
            switch (name, try list.node(at: value)) {
            case ("NSPersistenceFrameworkVersion", .integer(let version)): frameworkVersion = version
            case ("NSStoreModelVersionIdentifiers", .array(let elements)):
                guard elements.count <= Self.maximumIdentifierCount else {
                    throw .init("has too many version identifiers")
                }
                for element in elements {
                    if case .string(let text) = try list.node(at: element), !text.isEmpty,
                        text.utf8.count <= Self.maximumIdentifierSize
                    {
                        versionIdentifiers.append(text)
                    }
                }
            case ("NSStoreModelVersionHashes", .dictionary(let names, let hashes)):
                for (name, hash) in zip(names, hashes) {
                    guard case .string(let name) = try list.node(at: name),
                        name.utf8.count <= Self.maximumIdentifierSize,
                        case .data(let range) = try list.node(at: hash), range.count == 32
                    else { continue }
                    versionHashes[name] = Data(list.bytes[range])
                }
            default: break
            }
        }
        knownKeys.sort()
        versionIdentifiers.sort()
    }
}

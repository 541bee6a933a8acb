import Foundation

@testable import ChordataApple

/// Reads bytes as Core Data's model cache or metadata.
///
/// The first byte selects the kind of input: an archive of a model, a compressed archive, or the property list of the
/// metadata. Errors are valid results. A model that is read must be written and read again without a change of its
/// version hashes.
public func fuzzArchive(_ bytes: UnsafeRawBufferPointer) {
    guard let kind = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0: checkModel(rest)
    case 1:
        guard let archive = try? inflate(rest, limit: 1 << 20) else { return }
        guard archive.count <= 1 << 20 else { fatalError("the limit was exceeded") }
        checkModel(archive)
    default:
        guard let metadata = try? CoreDataMetadata(storeUUID: UUID(), propertyList: rest) else { return }
        guard metadata.versionHashes.values.allSatisfy({ $0.count == 32 }) else {
            fatalError("a hash has another length")
        }
    }
}

private func checkModel(_ archive: [UInt8]) {
    guard let read = try? readModel(archive: archive, hashes: [:]) else { return }
    let hashes = VersionHashes(of: read.model)
    guard let again = try? readModel(archive: writeModelArchive(read.model), hashes: hashes.entityVersionHashesByName)
    else {
        fatalError("a model cannot be read again")
    }
    guard
        VersionHashes(of: again.model).entityVersionHashesByName.allSatisfy({
            hashes.reasonsByEntityName[$0] != nil || hashes.entityVersionHashesByName[$0] == $1
        })
    else { fatalError("a version hash has changed") }
}

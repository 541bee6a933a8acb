internal import ChordataModel
internal import ChordataSQL
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#elseif canImport(ucrt)
    internal import ucrt
#elseif canImport(WASILibc)
    internal import WASILibc
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The state of a list at its last fetch, in a file next to the store: rows, their order, and sections (F43).
///
/// It is valid for the same request as long as the state of the store has the same name. A file with other or
/// unreadable contents is treated as a missing file (F42, F44).
struct SectionCache {
    /// The rows of a list, and their sections.
    struct Layout {
        var ids: [ManagedObjectID] = []
        /// The sections in order, each with its number of rows.
        var sections: [Section] = []

        struct Section {
            let name: String
            var count: Int
        }
    }

    /// The beginning of the file, before the hash of the rest.
    private static let signature = "Chordata sections 1\n"
    private static let hashLength = 64

    private let file: SectionCacheFile
    /// The values that must be equal for the file to be valid: the store, the name of its state, and the request.
    private let conditions: [SQLValue]
    private let schema: StoreSchema
    private let includes: (RuntimeEntity) -> Bool

    /// - Parameters:
    ///   - contents: The name of the store's state.
    ///   - shape: The other values on which the rows depend, so that two requests with the same shape have the same
    ///     rows in the same sections.
    ///   - includes: A closure that returns a Boolean value that indicates whether the list has objects of an entity.
    init(
        named name: String,
        of store: PersistentStore,
        contents: String,
        shape: [SQLValue],
        includes: @escaping (RuntimeEntity) -> Bool
    ) {
        self.includes = includes
        file = SectionCacheFile(ofCacheNamed: name, storePath: store.path)
        schema = store.schema
        conditions =
            [.text(name), .text(store.identifier.uuidString), .text(store.schema.model.versionHash), .text(contents)]
            + shape
    }

    /// Returns the cached state; `nil` if it is not valid.
    func read() -> Layout? {
        let start = Self.signature.utf8.count + Self.hashLength
        guard let bytes = file.contents.map([UInt8].init), bytes.count > start, bytes.starts(with: Self.signature.utf8)
        else {
            return nil
        }
        let body = Array(bytes[start...])
        guard bytes[Self.signature.utf8.count..<start].elementsEqual(sha256(body).utf8) else { return nil }
        return body.withUnsafeBytes { layout(of: SQLValueList.decode($0)) }
    }

    /// Stores a layout in place of the previous one.
    func write(_ layout: Layout) {
        var values = conditions
        var types: [RuntimeEntity] = []
        var places: [Int: UInt32] = [:]
        var keys = Data(capacity: layout.ids.count * 8)
        var placesOfTypes = Data()
        for id in layout.ids {
            withUnsafeBytes(of: id.key.littleEndian) { keys.append(contentsOf: $0) }
            if places[id.runtimeEntity.index] == nil {
                places[id.runtimeEntity.index] = UInt32(types.count)
                types.append(id.runtimeEntity)
            }
        }
        // If all objects are of one entity, the cache does not store an entity for each of them.
        if types.count > 1 {
            for id in layout.ids {
                withUnsafeBytes(of: (places[id.runtimeEntity.index] ?? 0).littleEndian) {
                    placesOfTypes.append(contentsOf: $0)
                }
            }
        }
        values += [.blob(keys), .blob(placesOfTypes), .integer(Int64(types.count))]
        values += types.map { .text($0.entity.name) }
        for section in layout.sections { values += [.text(section.name), .integer(Int64(section.count))] }
        let body = [UInt8](SQLValueList.encode(values))
        file.write(Data(Array(Self.signature.utf8) + Array(sha256(body).utf8) + body))
    }

    /// Returns the contents of a file, if they were written under the same conditions; otherwise, `nil`.
    private func layout(of values: [SQLValue]) -> Layout? {
        guard values.starts(with: conditions) else { return nil }
        var rest = values.dropFirst(conditions.count)
        guard case .blob(let keys) = rest.popFirst(), case .blob(let places) = rest.popFirst(),
            case .integer(let typeCount) = rest.popFirst(), keys.count % 8 == 0
        else { return nil }
        var types: [RuntimeEntity] = []
        for _ in 0..<max(0, typeCount) {
            guard case .text(let name) = rest.popFirst(), let type = schema.runtimeEntity(named: name), includes(type)
            else {
                return nil
            }
            types.append(type)
        }
        let count = keys.count / 8
        guard types.count > 1 ? places.count == count * 4 : types.count == min(count, 1) else { return nil }
        var layout = Layout()
        layout.ids.reserveCapacity(count)
        let isRead = keys.withUnsafeBytes { keys in
            places.withUnsafeBytes { places in
                for index in 0..<count {
                    let key = Int64(littleEndian: keys.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
                    let place =
                        types.count > 1
                        ? Int(UInt32(littleEndian: places.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
                        : 0
                    guard types.indices.contains(place) else { return false }
                    layout.ids.append(ManagedObjectID(runtimeEntity: types[place], key: key))
                }
                return true
            }
        }
        while !rest.isEmpty {
            guard case .text(let name) = rest.popFirst(), case .integer(let count) = rest.popFirst(), count > 0 else {
                return nil
            }
            layout.sections.append(Layout.Section(name: name, count: Int(count)))
        }
        let known = layout.sections.reduce(0) { $0 &+ $1.count }
        return isRead && known == count ? layout : nil
    }
}

/// The file of a section cache in the folder `<store>-sections`.
///
/// The file name is a hash of the cache's name, which may be long and contain any characters.
struct SectionCacheFile {
    let directory: String
    let name: String

    init(ofCacheNamed name: String, storePath: String) {
        directory = Self.directory(ofStoreAt: storePath)
        self.name = Self.fileName(name)
    }

    static func directory(ofStoreAt path: String) -> String { path + "-sections" }
    private static func fileName(_ name: String) -> String { sha256(Array(name.utf8)) }

    private var path: String { directory + "/" + name }

    // MARK: Deletion

    /// The caches that this program has opened, deleted and written.
    ///
    /// They are recorded because caches are deleted by name, without a store.
    private struct Knowledge {
        var directories: Set<String> = []
        var deletedNames: Set<String> = []
        var areAllDeleted = false
        /// The paths of files that were written since they were deleted.
        var written: Set<String> = []
    }

    private static let knowledge = Mutex(Knowledge())

    /// Records the folder of a store's caches.
    static func recordStore(at path: String) {
        knowledge.withLock { _ = $0.directories.insert(directory(ofStoreAt: path)) }
    }

    /// Deletes the caches with a name, or all caches.
    static func delete(named name: String?) {
        let fileName = name.map(fileName)
        let directories = knowledge.withLock { knowledge in
            if let fileName { knowledge.deletedNames.insert(fileName) } else { knowledge.areAllDeleted = true }
            knowledge.written = knowledge.written.filter { path in fileName.map { !path.hasSuffix($0) } ?? false }
            return knowledge.directories
        }
        for directory in directories { deleteFiles(of: fileName, in: directory) }
    }

    /// Deletes the caches of a store that was destroyed or replaced.
    static func deleteAll(ofStoreAt path: String) { deleteFiles(of: nil, in: directory(ofStoreAt: path)) }

    /// Deletes the cache files with a name, or all cache files, and the folder unless it has other files.
    private static func deleteFiles(of name: String?, in directory: String) {
        // A file that cannot be removed is no longer read, and is not valid for another store at that path.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for file in names where isOurs(file) && file.hasPrefix(name ?? "") { remove(directory + "/" + file) }
        remove(directory)  // C's function does not remove a folder with other files.
    }

    /// Returns a Boolean value that indicates whether a name is the name of a cache file, or of an incompletely written
    /// cache file.
    private static func isOurs(_ name: String) -> Bool {
        name.prefix(64).utf8.count == 64 && name.prefix(64).allSatisfy(\.isHexDigit)
            && (name.utf8.count == 64 || name.dropFirst(64).first == ".")
    }

    /// A Boolean value that indicates whether the cache was deleted, for any location of the store, and not written
    /// again.
    private var isDeleted: Bool {
        Self.knowledge.withLock { knowledge in
            (knowledge.areAllDeleted || knowledge.deletedNames.contains(name)) && !knowledge.written.contains(path)
        }
    }

    // MARK: Contents

    var contents: Data? {
        // Opening a pipe would wait for its other end.
        guard !isDeleted, let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return FileManager.default.contents(atPath: path)
    }

    /// Replaces the whole file without waiting for the disk, because an incomplete file is detected by its hash.
    func write(_ data: Data) {
        let new = "\(path).\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try data.write(to: URL(filePath: new))
        } catch {
            return  // Without permission to write next to the store, there are no caches, and none is needed.
        }
        guard rename(new, path) == 0 else {
            remove(new)
            return
        }
        Self.knowledge.withLock { _ = $0.written.insert(path) }
    }
}

import Chordata
import Foundation

/// The stores of a run, in a folder of their own.
struct Stores: Sendable {
    /// The folder.
    let folder: URL
    /// The row keys of the products.
    let keys: [Int64]
    private let original: URL

    /// Creates a store with products, of which each measurement uses a copy.
    init(products: [ProductSample]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "chordata-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        original = folder.appending(path: "original.sqlite")
        keys = try Self.fill(original.path, products)
    }

    private static func fill(_ path: String, _ products: [ProductSample]) throws -> [Int64] {
        // The last connection writes the log into the file, so both are released before the file is copied.
        let context = try CatalogModel.container(at: path).newContext()
        return try context.insertValues(products.map { Product.Values($0) }).map(\.key)
    }

    /// Copies the store with all products.
    /// - Returns: The path of the copy.
    func copy() throws -> String {
        let copy = folder.appending(path: "\(UUID().uuidString).sqlite")
        try FileManager.default.copyItem(at: original, to: copy)
        // Otherwise the first save of the measurement also waits for the bytes of the copy.
        let file = try FileHandle(forUpdating: copy)
        try file.synchronize()
        try file.close()
        return copy.path
    }

    /// Removes a copy.
    func remove(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Removes the folder.
    func removeAll() throws { try FileManager.default.removeItem(at: folder) }
}

extension Product.Values {
    /// Creates the values of a product that is not in the store yet.
    init(_ sample: ProductSample) {
        self.init(
            objectID: ObjectID(),
            name: sample.name,
            price: sample.price,
            stock: sample.stock,
            category: sample.category
        )
    }
}

import CoreData
import Foundation

/// The versions of the model in the bundle of the app.
enum ModelVersions {
    static var folder: URL {
        guard let url = Bundle.main.url(forResource: "Bookshelf", withExtension: "momd") else {
            fatalError("The model is missing")
        }
        return url
    }

    static let current: NSManagedObjectModel = load(folder)

    static let first: NSManagedObjectModel = load(folder.appendingPathComponent("Bookshelf.mom"))

    private static func load(_ url: URL) -> NSManagedObjectModel {
        guard let model = NSManagedObjectModel(contentsOf: url) else {
            fatalError("Cannot read \(url.lastPathComponent)")
        }
        return model
    }
}

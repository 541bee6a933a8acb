import Chordata
import Foundation
import OldWorkload

/// A store of albums as the previous version wrote it, to be migrated.
public struct OldAlbumStore {
    private let container: PersistentContainer

    /// Creates the store of a folder.
    public init(folder: String) throws {
        container = try PersistentContainer(model: oldAlbums, path: AlbumStore.path(in: folder))
    }

    /// The identifier of the store.
    public var identifier: UUID { container.persistentStoreCoordinator.persistentStores[0].identifier }

    /// Saves the contents that a store has at the end of a plan.
    public func save(_ plan: Plan) throws {
        let context = container.newContext()
        func insert(_ entityName: String, _ number: Int) -> ManagedObject {
            let object = EntityDescription.insertNewObject(forEntityName: entityName, into: context)
            object.setValue(number, forKey: "number")
            return object
        }
        let content = plan.content
        let tags = Dictionary(uniqueKeysWithValues: content.tags.map { ($0, insert("Tag", $0)) })
        var albums: [Int: ManagedObject] = [:]
        for (number, album) in content.albums {
            let object = insert("Album", number)
            object.setValue(album.title, forKey: "name")
            object.setValue(Set(album.tags.compactMap { tags[$0] }), forKey: "tags")
            albums[number] = object
        }
        for (number, photo) in content.photos {
            let object = insert("Photo", number)
            object.setValue(photo.caption, forKey: "caption")
            object.setValue(photo.image?.data, forKey: "image")
            object.setValue(photo.album.flatMap { albums[$0] }, forKey: "album")
        }
        try context.save()
    }
}

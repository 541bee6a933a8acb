import Chordata
import Foundation
import StagedWorkload

/// A store of albums, through the library as a program has it.
public final class AlbumStore {
    private let path: String
    private let options: StoreOptions
    private var container: PersistentContainer

    /// Opens or creates the store of a folder.
    public init(folder: String, waitsForDisk: Bool = true) throws {
        path = AlbumStore.path(in: folder)
        options = StoreOptions(synchronous: waitsForDisk ? .full : .normal)
        container = try PersistentContainer(model: AlbumsModel.definition, path: path, options: options)
    }

    static func path(in folder: String) -> String { folder + "/albums.sqlite" }

    /// A Boolean value that indicates whether the store of a folder has yet to be migrated.
    public static func isOld(in folder: String) throws -> Bool {
        try MigrationManager(model: AlbumsModel.definition, path: path(in: folder)).pendingMigrations().isEmpty == false
    }

    /// Migrates the store of a folder with stages, in batches and in one piece.
    public static func migrateWithStages(in folder: String, waitsForDisk: Bool = true) throws {
        try StagedWorkload.migrateWithStages(storeAt: path(in: folder), synchronous: waitsForDisk ? .full : .normal)
    }

    /// The permanent contents of a store.
    public var identifier: UUID { container.persistentStoreCoordinator.persistentStores[0].identifier }

    /// A number for all that is in the store, and how many objects that is.
    public func digest() throws -> (value: UInt64, objectCount: Int) {
        let context = container.newContext()
        var digest = Digest()
        var albums: [ObjectID<Album>: Int] = [:]
        for album in try context.fetch(Album.fetchRequest().prefetching(\.tags)) {
            albums[ObjectID(key: album.objectID.key)] = Int(album.number)
            digest.addAlbum(Int(album.number), title: album.title, tags: Set(album.tags.map { Int($0.number) }))
        }
        let photos: [Photo.Values] = try context.fetchValues(Photo.fetchRequest(), includesExternalData: true)
        for photo in photos {
            let image = photo.image.map { ($0.count, ($0.data ?? Data()).withUnsafeBytes { hash($0) }) }
            // A photo of a missing album is not one of the plan.
            let album = photo.album.map { albums[$0] ?? -1 }
            digest.addPhoto(Int(photo.number), caption: photo.caption, image: image, album: album)
        }
        for tag in try context.fetch(Tag.fetchRequest()) { digest.addTag(Int(tag.number)) }
        return (digest.value, digest.objectCount)
    }

    /// Performs one save of a plan; in halves, as none may be, where that is asked for.
    public func perform(_ plan: Plan, _ number: Int, inHalves: Bool = false) throws {
        let save = plan.saves[number - 1]
        if save.opensAnew {
            container = try PersistentContainer(model: AlbumsModel.definition, path: ":memory:")  // Closes the store.
            container = try PersistentContainer(model: AlbumsModel.definition, path: path, options: options)
        }
        let half = inHalves ? save.changes.count / 2 : 0
        for changes in [save.changes[..<half], save.changes[half...]] where !changes.isEmpty {
            let context = container.newContext()
            switch save.means {
            case .objects:
                for change in changes { try perform(change, context) }
                try context.save()
            case .values: try context.insertValues(try changes.compactMap { try values($0, context) })
            }
        }
    }

    private func perform(_ change: Change, _ context: ManagedObjectContext) throws {
        switch change {
        case .insertAlbum(let number, let title): _ = Album(context: context, number: Int64(number), title: title)
        case .insertPhoto(let number, let planned):
            let photo = Photo(context: context, number: Int64(number))
            photo.caption = planned.caption
            photo.image = planned.image?.data
            photo.album = try planned.album.map { try album($0, context) }
        case .insertTag(let number): _ = Tag(context: context, number: Int64(number))
        case .setTitle(let number, let title): try album(number, context).title = title
        case .setCaption(let number, let caption): try photo(number, context).caption = caption
        case .setImage(let number, let image): try photo(number, context).image = image?.data
        case .movePhoto(let number, let target):
            try photo(number, context).album = try target.map { try album($0, context) }
        case .addTag(let number, let target): try album(target, context).addToTags(tag(number, context))
        case .removeTag(let number, let target): try album(target, context).removeFromTags(tag(number, context))
        case .deletePhoto(let number): context.delete(try photo(number, context))
        case .deleteAlbum(let number): context.delete(try album(number, context))
        case .deleteTag(let number): context.delete(try tag(number, context))
        }
    }

    private func values(_ change: Change, _ context: ManagedObjectContext) throws -> Photo.Values? {
        guard case .insertPhoto(let number, let planned) = change else { return nil }
        return Photo.Values(
            objectID: ObjectID(),
            number: Int64(number),
            caption: planned.caption,
            image: planned.image.map { ExternalData($0.data) },
            album: try planned.album.map { ObjectID(key: try album($0, context).objectID.key) }
        )
    }

    private func album(_ number: Int, _ context: ManagedObjectContext) throws -> Album {
        try only(context.fetch(Album.fetchRequest().where(\.number == Int64(number))), number)
    }

    private func photo(_ number: Int, _ context: ManagedObjectContext) throws -> Photo {
        try only(context.fetch(Photo.fetchRequest().where(\.number == Int64(number))), number)
    }

    private func tag(_ number: Int, _ context: ManagedObjectContext) throws -> Tag {
        try only(context.fetch(Tag.fetchRequest().where(\.number == Int64(number))), number)
    }

    private func only<Object>(_ found: [Object], _ number: Int) throws -> Object {
        guard found.count == 1 else { throw UnexpectedContentError(number: number, count: found.count) }
        return found[0]
    }
}

/// An object that the plan has once is there another number of times.
struct UnexpectedContentError: Error, CustomStringConvertible {
    let number: Int
    let count: Int
    var description: String { "there are \(count) objects with the number \(number)" }
}

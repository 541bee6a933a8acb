import Chordata
import Foundation
import Harness

/// The contents of a store, by writer.
public struct StoreContents {
    /// The objects of a writer have numbers in a range of their own.
    static let numbersPerWriter = 1_000_000
    /// The number of the album whose title is the counter that all writers share.
    static let counterNumber: Int64 = 1_000_000_000

    private var digests: [Int: Digest] = [:]
    /// The value of the shared counter; `nil` if it is not stored.
    public private(set) var counter: Int?
    /// The number of an object that is stored more than once; `nil` if there is no such object.
    public private(set) var duplicate: Int64?

    /// Reads all objects of a store.
    init(_ context: ManagedObjectContext) throws {
        var numbers: [ObjectID<Album>: Int64] = [:]
        var known: Set<Int64> = []
        for album in try context.fetch(Album.fetchRequest().prefetching(\.tags)) {
            if !known.insert(album.number).inserted { duplicate = album.number }
            guard album.number != Self.counterNumber else {
                counter = Int(album.title)
                continue
            }
            let (writer, number) = Self.parts(album.number)
            numbers[ObjectID(key: album.objectID.key)] = album.number
            let tags = album.tags.map { Self.number($0.number, of: writer) }
            digests[writer, default: Digest()].addAlbum(number, title: album.title, tags: Set(tags))
        }
        let photos: [Photo.Values] = try context.fetchValues(Photo.fetchRequest(), includesExternalData: true)
        for photo in photos {
            if !known.insert(photo.number).inserted { duplicate = photo.number }
            let (writer, number) = Self.parts(photo.number)
            let image = photo.image.map { ($0.count, ($0.data ?? Data()).withUnsafeBytes { hash($0) }) }
            // No plan has a photo of a missing album.
            let album = photo.album.map { numbers[$0].map { Self.number($0, of: writer) } ?? -1 }
            digests[writer, default: Digest()].addPhoto(number, caption: photo.caption, image: image, album: album)
        }
        for tag in try context.fetch(Tag.fetchRequest()) {
            if !known.insert(tag.number).inserted { duplicate = tag.number }
            let (writer, number) = Self.parts(tag.number)
            digests[writer, default: Digest()].addTag(number)
        }
    }

    /// A number for all objects of a writer.
    public func digest(of writer: Int) -> UInt64 { digests[writer]?.value ?? 0 }

    /// The number of objects of a writer.
    public func objectCount(of writer: Int) -> Int { digests[writer]?.objectCount ?? 0 }

    private static func parts(_ stored: Int64) -> (writer: Int, number: Int) {
        (Int(stored) / numbersPerWriter, Int(stored) % numbersPerWriter)
    }

    /// Returns the number in the plan of a writer, or -1 for an object of another writer, which no plan has.
    private static func number(_ stored: Int64, of writer: Int) -> Int {
        let parts = parts(stored)
        return parts.writer == writer ? parts.number : -1
    }
}

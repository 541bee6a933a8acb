import Foundation
import Harness

/// The bytes of a photo, which are computed from a seed.
struct Image: Sendable {
    let seed: UInt64
    let count: Int
    let hash: UInt64

    init(seed: UInt64, count: Int) {
        self.seed = seed
        self.count = count
        hash = Image.bytes(seed, count).withUnsafeBytes { Harness.hash($0) }
    }

    var data: Data { Data(Image.bytes(seed, count)) }

    private static func bytes(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = RandomSource(seed: seed, stream: UInt64(count))
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for offset in stride(from: 0, to: count - 7, by: 8) {
                raw.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            }
            for offset in count - count % 8..<count { raw[offset] = UInt8(truncatingIfNeeded: random.next()) }
            initializedCount = count
        }
    }
}

/// The planned contents of a store after some saves.
struct Content: Sendable {
    struct Album {
        var title: String
        var tags: Set<Int> = []
    }

    struct Photo {
        var caption: String
        var image: Image?
        var album: Int?
    }

    var albums: [Int: Album] = [:]
    var photos: [Int: Photo] = [:]
    var tags: Set<Int> = []

    mutating func apply(_ change: Change) {
        switch change {
        case .insertAlbum(let number, let title): albums[number] = Album(title: title)
        case .insertPhoto(let number, let photo): photos[number] = photo
        case .insertTag(let number): tags.insert(number)
        case .setTitle(let number, let title): albums[number]?.title = title
        case .setCaption(let number, let caption): photos[number]?.caption = caption
        case .setImage(let number, let image): photos[number]?.image = image
        case .movePhoto(let number, let album): photos[number]?.album = album
        case .addTag(let tag, let album): albums[album]?.tags.insert(tag)
        case .removeTag(let tag, let album): albums[album]?.tags.remove(tag)
        case .deletePhoto(let number): photos[number] = nil
        case .deleteAlbum(let number):
            albums[number] = nil
            photos = photos.filter { $0.value.album != number }
        case .deleteTag(let number):
            tags.remove(number)
            for album in albums.keys { albums[album]?.tags.remove(number) }
        }
    }

    var digest: UInt64 {
        var digest = Digest()
        for (number, album) in albums { digest.addAlbum(number, title: album.title, tags: album.tags) }
        for (number, photo) in photos {
            let image = photo.image.map { ($0.count, $0.hash) }
            digest.addPhoto(number, caption: photo.caption, image: image, album: photo.album)
        }
        for number in tags { digest.addTag(number) }
        return digest.value
    }
}

/// A number for all contents of a store, which does not depend on the order in which they are read.
struct Digest {
    private(set) var value: UInt64 = 0
    private(set) var objectCount = 0

    private mutating func add(_ line: String) {
        value &+= hash(line)
        objectCount += 1
    }

    mutating func addAlbum(_ number: Int, title: String, tags: Set<Int>) {
        add("album \(number) \(title) \(tags.sorted())")
    }

    mutating func addPhoto(_ number: Int, caption: String, image: (count: Int, hash: UInt64)?, album: Int?) {
        let bytes = image.map { "\($0.count) \($0.hash)" } ?? "-"
        add("photo \(number) \(caption) \(bytes) \(album.map(String.init) ?? "-")")
    }

    mutating func addTag(_ number: Int) { add("tag \(number)") }
}

import Chordata

/// Makes the planned changes of one writer in a context.
struct AlbumEditor {
    let context: ManagedObjectContext
    /// The number that is added to the numbers of the plan.
    private let offset: Int

    init(_ context: ManagedObjectContext, writer: Int) {
        self.context = context
        offset = writer * StoreContents.numbersPerWriter
    }

    func perform(_ change: Change) throws {
        switch change {
        case .insertAlbum(let number, let title): _ = Album(context: context, number: stored(number), title: title)
        case .insertPhoto(let number, let planned):
            let photo = Photo(context: context, number: stored(number))
            photo.caption = planned.caption
            photo.image = planned.image?.data
            photo.album = try planned.album.map(album)
        case .insertTag(let number): _ = Tag(context: context, number: stored(number))
        case .setTitle(let number, let title): try album(number).title = title
        case .setCaption(let number, let caption): try photo(number).caption = caption
        case .setImage(let number, let image): try photo(number).image = image?.data
        case .movePhoto(let number, let target): try photo(number).album = try target.map(album)
        case .addTag(let number, let target): try album(target).addToTags(tag(number))
        case .removeTag(let number, let target): try album(target).removeFromTags(tag(number))
        case .deletePhoto(let number): context.delete(try photo(number))
        case .deleteAlbum(let number): context.delete(try album(number))
        case .deleteTag(let number): context.delete(try tag(number))
        }
    }

    /// Inserts the photos of a save without objects, in a transaction of its own.
    func insertValues(_ changes: some Sequence<Change>) throws {
        try context.insertValues(try changes.compactMap(values))
    }

    private func values(_ change: Change) throws -> Photo.Values? {
        guard case .insertPhoto(let number, let planned) = change else { return nil }
        return Photo.Values(
            objectID: ObjectID(),
            number: stored(number),
            caption: planned.caption,
            image: planned.image.map { ExternalData($0.data) },
            album: try planned.album.map { ObjectID(key: try album($0).objectID.key) }
        )
    }

    /// Adds one to the counter that all writers share.
    func increment() throws {
        let found = try context.fetch(Album.fetchRequest().where(\.number == StoreContents.counterNumber))
        let counter = try only(found, StoreContents.counterNumber)
        // Other writers may have changed the counter since this context read it.
        context.refresh(counter, mergeChanges: false)
        counter.title = "\((Int(counter.title) ?? 0) + 1)"
    }

    private func stored(_ number: Int) -> Int64 { Int64(offset + number) }

    private func album(_ number: Int) throws -> Album {
        let number = stored(number)
        return try only(context.fetch(Album.fetchRequest().where(\.number == number)), number)
    }

    private func photo(_ number: Int) throws -> Photo {
        let number = stored(number)
        return try only(context.fetch(Photo.fetchRequest().where(\.number == number)), number)
    }

    private func tag(_ number: Int) throws -> Tag {
        let number = stored(number)
        return try only(context.fetch(Tag.fetchRequest().where(\.number == number)), number)
    }

    private func only<Object>(_ found: [Object], _ number: Int64) throws -> Object {
        guard found.count == 1 else { throw UnexpectedContentError(number: number, count: found.count) }
        return found[0]
    }
}

/// The error for an object that the plan has once, and that is stored another number of times.
struct UnexpectedContentError: Error, CustomStringConvertible {
    let number: Int64
    let count: Int
    var description: String { "there are \(count) objects with the number \(number)" }
}

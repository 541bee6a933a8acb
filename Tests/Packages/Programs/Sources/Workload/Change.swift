/// A change of one object.
///
/// Objects have numbers, because the keys in the store depend on what happened to it.
enum Change: Sendable {
    case insertAlbum(Int, title: String)
    case insertPhoto(Int, Content.Photo)
    case insertTag(Int)
    case setTitle(Int, String)
    case setCaption(Int, String)
    case setImage(Int, Image?)
    case movePhoto(Int, album: Int?)
    case addTag(Int, album: Int)
    case removeTag(Int, album: Int)
    case deletePhoto(Int)
    /// With all of its photos.
    case deleteAlbum(Int)
    case deleteTag(Int)
}

/// One save: all of it becomes durable, or nothing.
struct PlannedSave: Sendable {
    enum Means: Sendable {
        /// Objects of a context, and `save()`.
        case objects
        /// `insertValues`, for photos only.
        case values
    }

    var means = Means.objects
    var changes: [Change] = []
    /// Whether the store is closed and opened again before, so that the log beside it goes and comes back.
    var opensAnew = false
}

/// A change of one object.
///
/// Objects have numbers, because the row keys depend on the history of the store.
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
    /// The album is deleted with all of its photos.
    case deleteAlbum(Int)
    case deleteTag(Int)
}

/// One save, which becomes durable completely or not at all.
struct PlannedSave: Sendable {
    enum Means: Sendable {
        /// Objects of a context, and `save()`.
        case objects
        /// `insertValues`, for photos only.
        case values
    }

    var means = Means.objects
    var changes: [Change] = []
    /// A Boolean value that indicates whether the store is closed and reopened before the save, so that its log is
    /// removed and created again.
    var opensAnew = false
}

/// What becomes of changes that were not synced.
enum Damage: String, CaseIterable {
    case nothingKept = "nothing kept"
    case everythingKept = "everything kept"
    /// The disk wrote in order, and got so far.
    case prefix = "a prefix kept"
    /// Any of the changes, whatever their order.
    case subset = "a subset kept"
    case tornAt512 = "torn at 512 bytes"
    case tornAt4096 = "torn at 4,096 bytes"
    /// One of the others for each file.
    case mixed = "each file its own"

    static let ofFiles: [Damage] = [.nothingKept, .everythingKept, .prefix, .subset, .tornAt512, .tornAt4096]
}

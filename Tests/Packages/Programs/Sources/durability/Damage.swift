/// The ways in which changes that were not synced are kept or lost.
enum Damage: String, CaseIterable {
    case nothingKept = "nothing kept"
    case everythingKept = "everything kept"
    /// The disk wrote in order, up to some change.
    case prefix = "a prefix kept"
    /// Any of the changes are kept, whatever their order.
    case subset = "a subset kept"
    case tornAt512 = "torn at 512 bytes"
    case tornAt4096 = "torn at 4,096 bytes"
    /// One of the other kinds for each file.
    case mixed = "each file its own"

    static let ofFiles: [Damage] = [.nothingKept, .everythingKept, .prefix, .subset, .tornAt512, .tornAt4096]
}

/// Pairs of objects in an old table, as the names of its columns.
struct LinkSource: Sendable, Hashable {
    var table: String
    var source: String
    var destination: String
    /// The column of the position in the relationship of the source.
    var order: String?
    /// The column of the position in the relationship of the destination.
    var inverseOrder: String?

    /// The same pairs, as seen from the other end.
    var reversed: LinkSource {
        LinkSource(
            table: table,
            source: destination,
            destination: source,
            order: inverseOrder,
            inverseOrder: order
        )
    }
}

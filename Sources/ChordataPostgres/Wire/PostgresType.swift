/// The types of PostgreSQL that Chordata reads and writes, with their object IDs, which are the same on every server.
enum PostgresType: UInt32, Sendable, Hashable, CaseIterable {
    /// The type of NULL, which the server determines.
    case unspecified = 0
    case boolean = 16
    case bytes = 17
    case name = 19
    case integer64 = 20
    case integer16 = 21
    case integer32 = 23
    case text = 25
    case objectID = 26
    case real32 = 700
    case real64 = 701
    case unknown = 705
    case booleans = 1000
    case byteArrays = 1001
    case texts = 1009
    case integers64 = 1016
    case reals64 = 1022
    case variableText = 1043
    case numerics = 1231
    case numeric = 1700
    /// The result type of a function that returns no value.
    case void = 2278
    case uuid = 2950
    case uuids = 2951
    case transactionID = 5069

    /// The type of the elements of an array; `nil` for other types.
    var element: PostgresType? {
        switch self {
        case .booleans: .boolean
        case .byteArrays: .bytes
        case .texts: .text
        case .integers64: .integer64
        case .reals64: .real64
        case .numerics: .numeric
        case .uuids: .uuid
        case .unspecified, .boolean, .bytes, .name, .integer64, .integer16, .integer32, .text, .objectID, .real32,
            .real64,
            .unknown, .variableText, .numeric, .void, .uuid, .transactionID:
            nil
        }
    }

    /// The type of an array of such values; `nil` for types that are not written in arrays.
    var array: PostgresType? { Self.allCases.first { $0.element == self } }
}

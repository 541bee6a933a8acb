/// A value that PostgreSQL cannot store or that is not in the format of its type.
enum WireError: Error, Hashable {
    /// A text contains U+0000.
    case nulCharacter
    /// An argument has more bytes than a server accepts.
    case tooLarge
    /// Bytes are not a value of a type.
    case malformed(PostgresType)
    /// Chordata does not read the type with this object ID.
    case unsupportedType(UInt32)

    /// The reason as the end of a sentence that begins with the name of the property.
    var reason: String {
        switch self {
        case .nulCharacter: "contains the character U+0000, which PostgreSQL does not store; remove it"
        case .tooLarge: "has more than 1 GB, which PostgreSQL does not accept; save fewer objects at a time"
        case .malformed(let type): "is not a valid value of the type \(type); check for a proxy that changes messages"
        case .unsupportedType(let number):
            "has the PostgreSQL type with the OID \(number), which Chordata does not read; another program changed the table"
        }
    }
}

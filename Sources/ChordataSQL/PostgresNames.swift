/// Assigns names that PostgreSQL accepts to tables, columns and indexes, one for each name in SQLite.
///
/// PostgreSQL truncates names after 63 bytes, has system columns in each table, and has a type for each table, which
/// would hide the type of a column with the same name. All other names are unchanged.
struct PostgresNames {
    /// The maximum number of bytes of a name.
    static let maximumLength = 63
    /// The columns that each table of PostgreSQL has (https://www.postgresql.org/docs/current/ddl-system-columns.html).
    static let systemColumns: Set<String> = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]
    /// The types of columns that a table of the same name would hide.
    static let columnTypes: Set<String> = ["text", "bytea", "uuid"]

    private let names: [String: String]

    /// - Parameters:
    ///   - originals: All names that must be distinct.
    ///   - reserved: The names that cannot be used.
    ///   - prefix: The prefix that is added to a name that cannot be used.
    init(_ originals: [String], reserved: Set<String>, prefix: String) {
        var names: [String: String] = [:]
        var taken = reserved
        let sorted = Set(originals).sorted()
        for name in sorted where name.utf8.count <= Self.maximumLength && !reserved.contains(name) {
            names[name] = name
            taken.insert(name)
        }
        for name in sorted where names[name] == nil {
            let base = reserved.contains(name) ? prefix + name : name
            var candidate = Self.shortened(base)
            var number = 2
            while !taken.insert(candidate).inserted {
                candidate = Self.shortened("\(base)_\(number)")
                number += 1
            }
            names[name] = candidate
        }
        self.names = names
    }

    subscript(_ name: String) -> String { names[name] ?? name }

    /// Returns the name or, if it is too long, as much of its beginning as fits before its hash.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        let hash = String(stableHash(name), radix: 16)
        let ending = "_" + String(repeating: "0", count: 16 - hash.count) + hash
        var beginning = ""
        for character in name.unicodeScalars {
            guard beginning.utf8.count + UTF8.width(character) + ending.utf8.count <= maximumLength else { break }
            beginning.unicodeScalars.append(character)
        }
        return beginning + ending
    }
}

/// A hash that is the same in every process, for names.
package func stableHash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

extension UTF8 {
    /// The number of bytes of a scalar.
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}

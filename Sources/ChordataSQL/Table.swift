/// A table of a store, as SQLite declares it.
package struct Table: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Chordata's own tables: metadata, sequence, migrations.
        case system
        /// The rows of a root entity and of all its subentities.
        case entity(String)
        /// The pairs of a to-many relationship without a to-one inverse.
        case join(entity: String, relationship: String)
        /// The bytes of an attribute that is stored externally; the column of the entity's table contains their number.
        case external(table: String, column: String)
    }

    package var name: String
    package var kind: Kind
    package var columns: [Column]
    /// The columns of the primary key if it is not the `_id` column itself.
    package var primaryKey: [String]
    package var indexes: [Index]

    package init(name: String, kind: Kind, columns: [Column], primaryKey: [String] = [], indexes: [Index] = []) {
        self.name = name
        self.kind = kind
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexes = indexes
    }
}

extension Table {
    /// Returns the side table for a column of an entity's table that contains only the lengths of the values: it has a
    /// row with the bytes of each value that is not `nil`.
    package static func external(named name: String, table: String, column: String) -> Table {
        Table(
            name: name,
            kind: .external(table: table, column: column),
            columns: [
                Column("_id", .integer, isRowID: true, references: table), Column("bytes", .blob, isNotNull: true),
            ]
        )
    }
}

package struct Column: Sendable, Hashable {
    package enum StorageType: String, Sendable, Hashable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case blob = "BLOB"
    }

    package var name: String
    package var type: StorageType
    /// A Boolean value that indicates whether the column is the table's `INTEGER PRIMARY KEY`.
    package var isRowID: Bool
    package var isNotNull: Bool
    /// The table whose `_id` the column references.
    package var references: String?

    package init(
        _ name: String,
        _ type: StorageType,
        isRowID: Bool = false,
        isNotNull: Bool = false,
        references: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isRowID = isRowID
        self.isNotNull = isNotNull
        self.references = references
    }
}

package struct Index: Sendable, Hashable {
    package struct Element: Sendable, Hashable {
        package var columnName: String
        package var isAscending: Bool

        package init(_ columnName: String, isAscending: Bool = true) {
            self.columnName = columnName
            self.isAscending = isAscending
        }
    }

    package var name: String
    package var elements: [Element]
    package var isUnique: Bool

    package init(name: String, elements: [Element], isUnique: Bool = false) {
        self.name = name
        self.elements = elements
        self.isUnique = isUnique
    }
}

internal import Chordata
internal import ChordataSQL
internal import Foundation

extension ExportRun {
    private static let author = "chordata"
    private static let changeNumber = 16_001
    private static let transactionNumber = 16_002
    private static let stringNumber = 16_003

    /// Writes a transaction of the history, with a change for each object.
    func writeHistory() throws {
        let hasStrings =
            try integer(
                "SELECT count(*) FROM pragma_table_info('ATRANSACTION') WHERE \"name\" IN ('ZAUTHORTS', 'ZBUNDLEIDTS', 'ZPROCESSIDTS')"
            ) == 3
        for (number, name) in [
            (Self.changeNumber, "CHANGE"), (Self.transactionNumber, "TRANSACTION"),
            (Self.stringNumber, "TRANSACTIONSTRING"),
        ] where hasStrings || number != Self.stringNumber {
            try connection.run(
                "INSERT OR IGNORE INTO \"Z_PRIMARYKEY\" VALUES (?, ?, 0, 0)",
                [.integer(Int64(number)), .text(name)]
            )
        }
        let author = hasStrings ? SQLValue.integer(try authorKey()) : .text(Self.author)
        let suffix = hasStrings ? "TS" : ""
        let transaction = try takeKeys(1, of: Self.transactionNumber)
        try connection.run(
            "INSERT INTO \"ATRANSACTION\" (\"Z_PK\", \"Z_ENT\", \"ZAUTHOR\(suffix)\", \"ZBUNDLEID\(suffix)\", "
                + "\"ZPROCESSID\(suffix)\", \"ZTIMESTAMP\") VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(transaction), .integer(Int64(Self.transactionNumber)), author, author, author,
                .real(Date().timeIntervalSinceReferenceDate),
            ]
        )
        try connection.addFunction(named: "chordata_export_columns") { argument in
            guard case .text(let digits) = argument else { return .null }
            var bytes = [UInt8](repeating: 0, count: (digits.count + 7) / 8)
            for (index, digit) in digits.enumerated() where digit == UInt8(ascii: "1") {
                bytes[index / 8] |= 0x80 >> UInt8(index % 8)
            }
            return .blob(Data(bytes))
        }
        // The kinds of changes are 0 for an insertion, 1 for an update, 2 for a deletion.
        for index in plan.rootTables.indices {
            for (kind, name, columns) in [
                (0, "inserted", "NULL"), (1, "updated", "\"columns\""), (2, "deleted", "NULL"),
            ] {
                let count = try integer("SELECT count(*) FROM temp.\"\(name)_\(index)\"")
                guard count > 0 else { continue }
                let first = try takeKeys(count, of: Self.changeNumber)
                try connection.run(
                    """
                    INSERT INTO "ACHANGE" ("Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS") \
                    SELECT \(first) - 1 + row_number() OVER (ORDER BY "key"), \(Self.changeNumber), \(kind), "entity", "key", \
                    \(transaction), chordata_export_columns(\(columns)) FROM temp."\(name)_\(index)"
                    """
                )
            }
        }
    }

    /// The primary key of the author in the table of strings that newer versions of Core Data have.
    private func authorKey() throws -> Int64 {
        let select = "SELECT \"Z_PK\" FROM \"ATRANSACTIONSTRING\" WHERE \"ZNAME\" = '\(Self.author)'"
        if let key = try connection.rows(select).first?.first?.integer { return key }
        let key = try takeKeys(1, of: Self.stringNumber)
        try connection.run(
            "INSERT INTO \"ATRANSACTIONSTRING\" (\"Z_PK\", \"Z_ENT\", \"ZNAME\") VALUES (?, ?, ?)",
            [.integer(key), .integer(Int64(Self.stringNumber)), .text(Self.author)]
        )
        return key
    }

    /// Reserves unused primary keys of a table of the history.
    /// - Returns: The first of the keys.
    private func takeKeys(_ count: Int64, of number: Int) throws -> Int64 {
        let maximum = try maximum(of: number)
        guard maximum <= Int64.max - count else {
            throw conflict(
                "has too few unused primary keys for new rows of its history, because 'Z_MAX' of entity number \(number) in "
                    + "'Z_PRIMARYKEY' is \(maximum); restore the store from a backup",
                .damagedStore
            )
        }
        try raiseMaximum(of: number, from: maximum, to: maximum + count)
        return maximum + 1
    }
}

import CChordataSQLite
import ChordataTestSupport
import Testing

@testable import ChordataSQL

struct SplitStatementsTests {
    @Test func piecesAndTheirLines() {
        let text = """
            -- one
            /* two
            lines */ SELECT ';' /* in it; */, "a;""b" -- to the end;
                FROM [t;];;

            commit
            """
        let pieces = splitStatements(text)
        expectEqual(pieces.map(\.kind), [.comment, .comment, .statement, .statement])
        expectEqual(pieces.map(\.line), [1, 2, 3, 6])
        expectEqual(pieces.map(\.keyword), ["", "", "SELECT", "COMMIT"])
        #expect(pieces[0].text == "-- one" && pieces[1].text == "/* two\nlines */")
        #expect(pieces[2].text.hasSuffix("FROM [t;]"))
    }

    @Test func triggersEndWithEND() {
        for create in ["CREATE TRIGGER", "create temp trigger", "CREATE /* a */ TEMPORARY\nTRIGGER"] {
            let text = "\(create) t BEGIN DELETE FROM a; SELECT 'END;'; END; SELECT 1;"
            expectEqual(splitStatements(text).count, 2, "\(text)")
        }
        expectEqual(splitStatements("CREATE TABLE \"TRIGGER\" (a); END;").map(\.keyword), ["CREATE", "END"])
    }

    /// Statements end where SQLite ends them, in any text.
    @Test func statementsEndWhereSQLiteEndsThem() {
        let words = [
            "'", "\"", "`", "[", "]", ";", ";", "--", "\n", "/*", "*/", " ", " CREATE ", " TRIGGER ", " TEMP ", " END",
            "x", "é",
        ]
        var state: UInt64 = 7
        for _ in 0..<4000 {
            var text = ""
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += words[Int(state >> 33) % words.count]
            }
            let byLength = completeStatements(in: text).count
            let own = splitStatements(text).count { $0.kind == .statement }
            // The last statement may be incomplete.
            #expect(own == byLength || own == byLength + 1, "\(text.debugDescription)")
        }
    }

    /// Returns the shortest pieces of a text that SQLite considers complete, without empty pieces.
    private func completeStatements(in text: String) -> [String] {
        var found: [String] = []
        var piece: [UInt8] = []
        for byte in text.utf8 {
            piece.append(byte)
            guard byte == UInt8(ascii: ";"), sqlite3_complete(String(decoding: piece, as: UTF8.self)) != 0 else {
                continue
            }
            let text = String(decoding: piece, as: UTF8.self)
            if splitStatements(text).contains(where: { $0.kind == .statement }) { found.append(text) }
            piece = []
        }
        return found
    }
}

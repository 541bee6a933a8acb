import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

/// Operator × nil × NOT: the exact table of the manual.
@Suite struct TruthTableTests {
    private static let table = """
        | `name` is | `== 'a'` | `NOT ==` | `!= 'a'` | `NOT !=` | `< 'b'` | `NOT <` | `<= 'a'` | `NOT <=` | `> 'A'` | `NOT >` | `>= 'a'` | `NOT >=` |
        |---|---|---|---|---|---|---|---|---|---|---|---|---|
        | `'a'` | true | false | false | true | true | false | true | false | true | false | true | false |
        | nil | false | true | true | false | false | true | false | true | false | true | false | true |

        | `name` is | `== nil` | `NOT ==` | `!= nil` | `NOT !=` | `< nil` | `NOT <` | `<= nil` | `NOT <=` | `> nil` | `NOT >` | `>= nil` | `NOT >=` |
        |---|---|---|---|---|---|---|---|---|---|---|---|---|
        | `'a'` | false | true | true | false | false | true | false | true | false | true | false | true |
        | nil | true | false | false | true | false | true | false | true | false | true | false | true |

        | `name` is | `BETWEEN {'a', 'b'}` | `NOT` | `BETWEEN {nil, 'b'}` | `NOT` | `IN {'a'}` | `NOT` | `IN {nil}` | `NOT` | `IN {}` | `NOT` |
        |---|---|---|---|---|---|---|---|---|---|---|
        | `'a'` | true | false | false | true | true | false | false | true | false | true |
        | nil | false | true | false | true | false | true | true | false | false | true |

        | `name` is | `CONTAINS 'a'` | `NOT` | `BEGINSWITH 'a'` | `NOT` | `ENDSWITH 'a'` | `NOT` | `LIKE 'a'` | `NOT` | `MATCHES 'a'` | `NOT` |
        |---|---|---|---|---|---|---|---|---|---|---|
        | `'a'` | true | false | true | false | true | false | true | false | true | false |
        | nil | false | true | false | true | false | true | false | true | false | true |
        """

    private func cells(_ line: Substring) -> [String] {
        line.split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
        }
    }

    @Test func everyCell() throws {
        var header: [String] = []
        var count = 0
        for line in Self.table.split(separator: "\n") where !line.hasPrefix("|---") {
            let cells = cells(line)
            if cells[0] == "name is" {
                header = cells
                continue
            }
            let row: Row = cells[0] == "nil" ? [:] : ["name": .string("a")]
            for index in 1..<cells.count {
                let isNegated = header[index].hasPrefix("NOT")
                let comparison = "name " + header[isNegated ? index - 1 : index]
                // In all spellings of a negation, and with the key path on either side.
                for format in isNegated
                    ? ["NOT \(comparison)", "NOT (\(comparison))", "!(\(comparison))"] : [comparison]
                {
                    let isMet = try FetchPredicate(format: format).isMet(by: row)
                    expectEqual("\(isMet)", cells[index], "\(format) for \(cells[0])")
                    count += 1
                }
            }
        }
        expectEqual(count, 176)
    }

    @Test func theManualHasTheSameTable() throws {
        let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Chordata/Chordata.docc/Predicates.md")
        #expect(try String(contentsOf: manual, encoding: .utf8).contains(Self.table))
    }
}

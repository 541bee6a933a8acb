import Foundation

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// The server that `Scripts/postgres test` has started.
enum TestServer {
    /// The connection string of the server.
    static var string: String {
        guard let string = ProcessInfo.processInfo.environment["CHORDATA_TEST_POSTGRES"] else {
            preconditionFailure("set CHORDATA_TEST_POSTGRES, or run 'Scripts/postgres test'")
        }
        return string
    }

    static func configuration(_ change: (inout PostgresConfiguration) -> Void = { _ in }) -> PostgresConfiguration {
        var configuration = PostgresConfiguration(string, schema: "test")
        change(&configuration)
        return configuration
    }

    static func connection(_ change: (inout PostgresConfiguration) -> Void = { _ in }) throws -> PostgresConnection {
        let configuration = configuration(change)
        return try PostgresConnection(
            configuration,
            prepares: PreparationSwitch(isOn: configuration.preparesStatements)
        )
    }
}

extension ServerConnection {
    /// The rows of a statement, as texts of their cells.
    func rows(_ sql: String, _ arguments: [ServerArgument] = [], isKept: Bool = false) throws -> [[String?]] {
        var rows: [[String?]] = []
        _ = try execute([ServerStatement(sql, arguments, isKept: isKept)]) { _, cells in
            rows.append(cells.map(text))
        }
        return rows
    }
}

/// A cell as text; bytes in hexadecimal.
func text(_ cell: StoreCell) -> String? {
    switch cell {
    case .null: nil
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

/// Random numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// The seed of CHORDATA_TEST_SEED, or a random one, which a failure prints.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["CHORDATA_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
    }
}

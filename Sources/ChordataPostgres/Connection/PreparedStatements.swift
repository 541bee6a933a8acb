internal import ChordataSQL
internal import Synchronization

/// A switch, shared by all connections of a store, that determines whether statements are prepared on the server.
package final class PreparationSwitch: Sendable {
    private let state: Atomic<Bool>

    package init(isOn: Bool) { state = Atomic(isOn) }

    package var isOn: Bool { state.load(ordering: .relaxed) }
    package func switchOff() { state.store(false, ordering: .relaxed) }
}

/// The statements that a connection has prepared.
///
/// The names are hashes of the texts, so that a name means the same statement in all programs that share a connection
/// pooler.
struct PreparedStatements {
    enum Name {
        /// The statement is not prepared.
        case unnamed
        case known(String)
        /// The name of a statement that must be prepared first.
        case new(String)
    }

    private final class State {
        var names: [String: String] = [:]
    }

    private let state = State()
    private let preparation: PreparationSwitch
    /// The maximum number of statements, each of which uses memory on the server.
    private static let limit = 500

    init(_ preparation: PreparationSwitch) { self.preparation = preparation }

    var isOn: Bool { preparation.isOn }
    func switchOff() { preparation.switchOff() }

    func name(of sql: String, _ types: [UInt32]) -> Name {
        guard preparation.isOn else { return .unnamed }
        let key = Self.key(sql, types)
        let name = "chordata_" + String(stableHash(key), radix: 16)
        guard let known = state.names[name] else { return state.names.count < Self.limit ? .new(name) : .unnamed }
        // Another text has the same hash.
        return known == key ? .known(name) : .unnamed
    }

    func add(_ name: String, _ sql: String, _ types: [UInt32]) { state.names[name] = Self.key(sql, types) }

    private static func key(_ sql: String, _ types: [UInt32]) -> String {
        sql + "\n" + types.map(String.init).joined(separator: " ")
    }
}

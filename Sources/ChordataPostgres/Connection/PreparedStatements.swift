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

    private struct Key: Hashable {
        package let sql: String
        let types: [UInt32]
    }

    private final class State {
        var names: [Key: String] = [:]
        /// The names in use, because two texts can have the same hash.
        var used: Set<String> = []
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
        if let known = state.names[Key(sql: sql, types: types)] { return .known(known) }
        guard state.names.count < Self.limit else { return .unnamed }
        let text = sql + "\n" + types.map(String.init).joined(separator: " ")
        let name = "chordata_" + String(stableHash(text), radix: 16)
        return state.used.contains(name) ? .unnamed : .new(name)
    }

    func add(_ name: String, _ sql: String, _ types: [UInt32]) {
        state.names[Key(sql: sql, types: types)] = name
        state.used.insert(name)
    }
}

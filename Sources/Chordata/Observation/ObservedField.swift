public import Observation
internal import Synchronization

/// A subscript argument in the key paths for observation, which identify the properties of an object by their indexes.
///
/// These key paths are never visible, so one key path for each index serves all objects. A registrar does not expose
/// whether tracking is active, but if it is, the registrar inserts the key path into a set, which hashes it.
struct ObservedField: Hashable {
    let index: Int
    let probe: TrackingProbe

    static func == (left: ObservedField, right: ObservedField) -> Bool { left.index == right.index }

    func hash(into hasher: inout Hasher) {
        probe.isHashed.store(true, ordering: .relaxed)
        hasher.combine(index)
    }
}

/// Records that a key path was hashed.
///
/// Tracking may end on any thread, which also hashes key paths; a wrong record only creates an unused registrar.
final class TrackingProbe: Sendable {
    let isHashed = Atomic(false)
}

extension ManagedObject: Observable {
    /// A placeholder for a property that key paths identify.
    subscript(observed _: ObservedField) -> Void { () }
}

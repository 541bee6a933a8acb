public import Observation
internal import Synchronization

/// The root of observation's key paths: an object's properties by their places.
///
/// These key paths are never visible, so one for each place serves all objects. A registrar does not expose whether
/// tracking is active; but if so it puts the key path into a set, which hashes it.
struct ObservedField: Hashable {
    let index: Int
    let probe: TrackingProbe

    static func == (left: ObservedField, right: ObservedField) -> Bool { left.index == right.index }

    func hash(into hasher: inout Hasher) {
        probe.isHashed.store(true, ordering: .relaxed)
        hasher.combine(index)
    }
}

/// Notes that a key path was hashed.
///
/// Tracking may end on any thread, which hashes too; a wrong record makes an unused registrar.
final class TrackingProbe: Sendable {
    let isHashed = Atomic(false)
}

extension ManagedObject: Observable {
    /// A placeholder for a property that key paths identify.
    subscript(observed _: ObservedField) -> Void { () }
}

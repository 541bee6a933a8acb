public import Observation
internal import Synchronization

/// What key paths of observation lead through: an object's properties by their places.
///
/// Nobody sees these key paths, so one for each place serves all objects. A registrar does not tell whether anybody is
/// tracking what is read; but then it puts the key path into a set, which hashes it.
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
/// Tracking may end on any thread, which hashes too; a note too many makes a registrar that nobody needs.
final class TrackingProbe: Sendable {
    let isHashed = Atomic(false)
}

extension ManagedObject: Observable {
    /// Stands for a property where key paths tell which.
    subscript(observed _: ObservedField) -> Void { () }
}

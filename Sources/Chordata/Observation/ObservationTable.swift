internal import Observation
internal import Synchronization

/// The observation state of a context: a registrar for each object that was read during tracking.
///
/// The table does not retain objects. Observers run code of the program, which may read, change and delete objects, so
/// no access is open during a notification.
final class ObservationTable {
    private struct Entry {
        let registrar: ObservationRegistrar
        /// The properties that were read during tracking.
        var accessed: PropertyMask
    }

    private struct Change {
        let object: ManagedObject
        let registrar: ObservationRegistrar
        let keyPath: KeyPath<ManagedObject, Void>
    }

    // An access to these properties ends before other code, such as an observer, runs.
    @exclusivity(unchecked) private var entries: [IdentityMap.Key: Entry] = [:]
    /// The registrar of the next tracked object; accesses without tracking do not change it.
    @exclusivity(unchecked) private var spare = ObservationRegistrar()
    private let probe = TrackingProbe()
    /// The key paths, by field.
    @exclusivity(unchecked) private var keyPaths: [KeyPath<ManagedObject, Void>] = []
    /// The changes whose end has not been reported yet.
    @exclusivity(unchecked) private var unfinished: [Change] = []
    /// The notifications in progress: an observer may cause the same change again, with a fetch that reads the new
    /// value.
    @exclusivity(unchecked) private var told: [(row: IdentityMap.Key, field: Int)] = []

    /// A Boolean value that indicates whether no object is observed.
    var isEmpty: Bool { entries.isEmpty }
    /// The number of objects with a registrar; for tests.
    var count: Int { entries.count }
    /// The rows of the objects that are observed.
    var keys: [IdentityMap.Key] { Array(entries.keys) }

    private func keyPath(_ field: Int) -> KeyPath<ManagedObject, Void> {
        while keyPaths.count <= field {
            keyPaths.append(\ManagedObject[observed: ObservedField(index: keyPaths.count, probe: probe)])
        }
        return keyPaths[field]
    }

    // MARK: Reading

    /// Records an access to a property, if tracking is active.
    func access(_ object: ManagedObject, _ field: Int) {
        let field = object.runtimeEntity.observedFields[field]
        let keyPath = keyPath(field)
        probe.isHashed.store(false, ordering: .relaxed)
        if object.slowPath.contains(.tracked), let known = entries.index(forKey: IdentityMap.Key(of: object)) {
            entries.values[known].registrar.access(object, keyPath: keyPath)
            if probe.isHashed.load(ordering: .relaxed) { entries.values[known].accessed.insert(field) }
            return
        }
        spare.access(object, keyPath: keyPath)
        if probe.isHashed.load(ordering: .relaxed) { adoptSpare(for: object, field) }
    }

    /// Assigns to an object the registrar with which its first property was tracked.
    private func adoptSpare(for object: ManagedObject, _ field: Int) {
        var accessed = PropertyMask()
        accessed.insert(field)
        entries[IdentityMap.Key(of: object)] = Entry(registrar: spare, accessed: accessed)
        object.slowPath.insert(.tracked)
        spare = ObservationRegistrar()
    }

    // MARK: Changing

    /// Notifies the observers of a property that it is about to change.
    func willChange(_ object: ManagedObject, _ field: Int) {
        finishChanges()
        begin(object, object.runtimeEntity.observedFields[field])
    }

    /// Notifies the observers of all properties that the properties are about to change.
    func willChange(_ object: ManagedObject) {
        finishChanges()
        for field in object.runtimeEntity.fields.indices { begin(object, field) }
    }

    private func begin(_ object: ManagedObject, _ field: Int) {
        let row = IdentityMap.Key(of: object)
        guard let entry = entries[row], entry.accessed.contains(field), !told.contains(where: { $0 == (row, field) })
        else { return }
        told.append((row, field))
        defer { told.removeLast() }
        let change = Change(object: object, registrar: entry.registrar, keyPath: keyPath(field))
        unfinished.append(change)
        change.registrar.willSet(object, keyPath: change.keyPath)
    }

    /// Reports the end of the announced changes.
    ///
    /// Setters notify observers before they set a value, but not afterwards, so the end is reported with the next
    /// change, or at the end of the event.
    func finishChanges() {
        guard !unfinished.isEmpty else { return }
        let finished = unfinished
        unfinished = []
        for change in finished { change.registrar.didSet(change.object, keyPath: change.keyPath) }
    }

    // MARK: Rows

    /// Removes the observation state of the object of a row.
    func forget(_ key: IdentityMap.Key) { entries[key] = nil }

    /// Updates the table after the key of an object has changed.
    func changeKey(from old: IdentityMap.Key, to new: IdentityMap.Key) {
        if let entry = entries.removeValue(forKey: old) { entries[new] = entry }
    }
}

internal import ChordataModel

// Observation: tracking code that reads properties of objects is notified before they change.

extension ManagedObjectContext {
    /// A Boolean value that indicates whether objects can be observed with `withObservationTracking` or `Observations`.
    ///
    /// The value can be changed at any time. After it is set to `false`, observers of objects receive no more
    /// notifications. While it is `true`, reading a property takes slightly longer.
    /// ```swift
    /// let context = container.viewContext
    /// context.isObservationEnabled = true
    /// withObservationTracking { label.text = item.name } onChange: { Task { @MainActor in updateLabel() } }
    /// ```
    /// - Complexity: O(n) in the number of [registered](doc:Glossary#Objects) objects when the value changes.
    public var isObservationEnabled: Bool {
        get { graph.observation != nil }
        set {
            guard newValue != isObservationEnabled else { return }
            graph.setObservable(newValue)
        }
    }
}

extension ManagedObject {
    /// Registers the access to a property with active tracking.
    @inline(__always)
    final func recordAccess(_ field: Int) {
        if !slowPath.isEmpty { recordAccessSlowly(field) }
    }

    @inline(never)
    private final func recordAccessSlowly(_ field: Int) {
        slowPath.remove(.unread)
        if slowPath.contains(.observable) { withContext { $0.graph.observation?.access(self, field) } }
    }

    /// Reads the row of a fault for the runtime's own use, without registering an access for observation.
    @inline(__always)
    final func readRowOfFault() {
        if slowPath.contains(.fault) { readRow() }
    }

    private final func readRow() {
        guard let context = managedObjectContext else {
            // A detached object keeps the values that were read, if any.
            if version == -1 { clearValuesOfMissingRow() }
            slowPath.remove(.fault)
            return
        }
        context.reader.fulfillFault(self)
    }
}

internal import CChordataSQLite

/// A buffer to which `Values` are appended; it grows without copying its elements one by one.
///
/// An array whose element type is known only at run time would look up that type for each element.
struct ValuesStorage<Values: ManagedObjectValues>: ~Copyable {
    private let stride = MemoryLayout<Values>.stride
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private var count = 0

    init() {
        // The alignment of malloc is sufficient for all kinds of fields.
        precondition(MemoryLayout<Values>.alignment <= 16)
    }

    deinit {
        guard let memory else { return }
        memory.assumingMemoryBound(to: Values.self).deinitialize(count: count)
        chordata_free(memory)
    }

    /// Returns the memory of the next element, which must be written before ``commit()``.
    @inline(__always)
    mutating func next() -> UnsafeMutableRawPointer {
        if count == capacity { grow() }
        // If there is capacity, there is memory.
        return memory.unsafelyUnwrapped + count * stride
    }

    /// Counts the element that was written to the memory of ``next()``.
    @inline(__always)
    mutating func commit() { count += 1 }

    @inline(never)
    private mutating func grow() {
        capacity = max(capacity * 2, 64)
        guard let grown = chordata_reallocate(memory, capacity * stride) else {
            preconditionFailure("cannot allocate memory for \(capacity) values of \(stride) bytes")
        }
        memory = grown
    }

    /// Returns all elements.
    consuming func takeArray() -> [Values] {
        let array = [Values](unsafeUninitializedCapacity: count) { target, initializedCount in
            guard let memory, let start = target.baseAddress else { return }
            start.moveInitialize(from: memory.assumingMemoryBound(to: Values.self), count: count)
            initializedCount = count
        }
        count = 0
        return array
    }
}

extension Array where Element == ManagedObject {
    /// Calls a closure with each object without counting a reference to it: the array retains them in the meantime.
    @inline(__always)
    func forEachUnretained(_ body: (ManagedObject) throws -> Void) rethrows {
        try withUnsafeBytes { bytes in
            for reference in bytes.bindMemory(to: Unmanaged<ManagedObject>.self) {
                try reference._withUnsafeGuaranteedRef(body)
            }
        }
    }
}

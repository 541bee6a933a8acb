extension ManagedObjectModel {
    /// The names of an entity and all entities below it, the entity first.
    ///
    /// An entity stands before those below it, and these before its next sibling.
    /// - Complexity: O(n) in the number of these entities.
    public func subentityClosure(of name: String) -> [String] {
        guard entity(named: name) != nil else { return [] }
        var closure: [String] = []
        var pending = [name]
        while let next = pending.popLast() {
            closure.append(next)
            if let names = entity(named: next)?.subentityNames { pending.append(contentsOf: names.reversed()) }
        }
        return closure
    }

    /// Whether an entity is the other one or inherits from it.
    /// - Complexity: O(n) in the number of superentities.
    public func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        var current: String? = name
        while let candidate = current {
            if candidate == ancestor { return true }
            current = entity(named: candidate)?.superentityName
        }
        return false
    }
}

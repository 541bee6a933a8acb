public import Foundation

// With codegen 'category' the classes are ours, and their storage is generated.

/// What entries belong to.
public nonisolated final class Account: _Account {
    /// What is left after all entries.
    public var balance: Decimal { entries.reduce(0) { $0 + $1.amount } }
}

/// Open, because the model has an entity that inherits from it.
open nonisolated class Entry: _Entry {
    /// What a list shows.
    open var label: String { note ?? "entry" }
}

/// An entry with somebody who gets the money.
public nonisolated final class Payment: _Payment {
    override public var label: String { "to \(payee)" }
}

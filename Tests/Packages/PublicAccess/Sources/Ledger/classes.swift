public import Foundation

// With codegen 'category', the classes are handwritten, and their storage is generated.

/// The owner of entries.
public nonisolated final class Account: _Account {
    /// The balance after all entries.
    public var balance: Decimal { entries.reduce(0) { $0 + $1.amount } }
}

/// Open, because the model has an entity that inherits from it.
open nonisolated class Entry: _Entry {
    /// The text in a list.
    open var label: String { note ?? "entry" }
}

/// An entry with a payee.
public nonisolated final class Payment: _Payment {
    override public var label: String { "to \(payee)" }
}

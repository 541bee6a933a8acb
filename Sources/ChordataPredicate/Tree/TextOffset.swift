/// A place in a format string, counted in UTF-8 code units; 0 for what has no text.
///
/// All places are equal to each other, so that two trees are equal when they mean the same, wherever their parts are
/// written.
package struct TextOffset: Sendable, Hashable, ExpressibleByIntegerLiteral {
    package var utf8: Int

    package init(_ utf8: Int) { self.utf8 = utf8 }
    package init(integerLiteral value: Int) { self.utf8 = value }

    package static func == (left: TextOffset, right: TextOffset) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

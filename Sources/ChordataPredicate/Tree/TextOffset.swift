/// A position in a format string, counted in UTF-8 code units; 0 for a part that was not read from text.
///
/// All offsets are equal to each other, so that two trees that differ only in the positions of their parts are equal.
package struct TextOffset: Sendable, Hashable, ExpressibleByIntegerLiteral {
    package var utf8: Int

    package init(_ utf8: Int) { self.utf8 = utf8 }
    package init(integerLiteral value: Int) { self.utf8 = value }

    package static func == (left: TextOffset, right: TextOffset) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension IndexPath {
    /// Creates the index path of a row in a section, both counted from 0.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The index of the section.
    public var section: Int { self[0] }
    /// The index of the row in its section.
    public var row: Int { self[1] }
}

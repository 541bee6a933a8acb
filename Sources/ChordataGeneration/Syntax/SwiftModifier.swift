/// The access level of a declaration, by its keyword.
enum SwiftAccess: String {
    case `open`, `public`
    /// The level of a declaration without a keyword.
    case `internal`
    case `private`

    /// A Boolean value that indicates whether other modules see the declaration.
    var isVisibleToOtherModules: Bool {
        switch self {
        case .open, .public: true
        case .internal, .private: false
        }
    }
}

/// A modifier of a declaration other than its access level, by its keyword.
///
/// The order of the cases is the order in which they are written: `override` before the access level, the others after
/// it.
enum SwiftModifier: String, CaseIterable {
    case override, nonisolated, `static`, `class`, convenience, final
}

/// An attribute of a declaration, as it is written.
enum SwiftAttribute: String {
    /// The declaration is for generated code only.
    case generatedSPI = "@_spi(Generated)"
    /// The runtime guarantees exclusive access.
    case uncheckedExclusivity = "@exclusivity(unchecked)"
}

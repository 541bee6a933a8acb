#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The initial values of storage without a value, for generated code.
@_spi(Generated) public enum DefaultValues {
    /// The date 2001-01-01 00:00:00 UTC.
    public static let date = Date(timeIntervalSinceReferenceDate: 0)
    /// Empty data.
    public static let data = Data()
    /// The UUID whose bytes are all zero.
    public static let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// The URL `about:blank`.
    public static let url = URL.zero
}

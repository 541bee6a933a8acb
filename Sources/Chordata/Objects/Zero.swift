#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The values that storage has before it has any; used by generated code.
@_spi(Generated) public enum Zero {
    /// 2001-01-01 00:00:00 UTC.
    public static let date = Date(timeIntervalSinceReferenceDate: 0)
    /// No bytes.
    public static let data = Data()
    /// All zeros.
    public static let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// `about:blank`.
    public static let url = URL.zero
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The value of one attribute.
///
/// An attribute without a value is represented by `nil` of the type `AttributeValue?`.
public enum AttributeValue: Sendable, Hashable {
    /// Integer 16, Integer 32 and Integer 64.
    case integer(Int64)
    /// Double and Float.
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case boolean(Bool)
    case date(Date)
    /// Binary, and the encoded form of a Transformable.
    case data(Data)
    case uuid(UUID)
    case url(URL)
}

internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type that an attribute's field can have, with its conversions from and to a column and an ``AttributeValue``.
protocol FieldValue: Hashable, Codable, Sendable {
    /// The getter's result for a required attribute without a value.
    static var zero: Self { get }
    /// A Boolean value that indicates whether ``zero`` has nothing to release.
    static var zeroHoldsNothing: Bool { get }
    /// The value of a column; `nil` for NULL, and for a value of another type, which the row records.
    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Self?
    func give(to place: some SQLiteValuePlace)
    /// Creates a value from an attribute value, if the attribute value has this type and is in its range.
    init?(_ value: AttributeValue)
    var attributeValue: AttributeValue { get }
    /// A Boolean value that indicates whether SQLite would store the value as a missing value.
    var isNotANumber: Bool { get }
}

extension FieldValue {
    var isNotANumber: Bool { false }
    static var zeroHoldsNothing: Bool { true }
}

/// An operation on a field whose type is known only at run time.
protocol FieldVisitor {
    associatedtype Result
    func visit<T: FieldValue>(_ type: T.Type) -> Result
}

extension FieldKind.Base {
    /// Calls the visitor with the attribute type of this field; `nil` for fields that hold no attribute value.
    ///
    /// This is the only place where a field's kind becomes a Swift type.
    @inline(__always)
    func visit<Visitor: FieldVisitor>(_ visitor: Visitor) -> Visitor.Result? {
        switch self {
        case .int64: visitor.visit(Int64.self)
        case .string: visitor.visit(String.self)
        case .double: visitor.visit(Double.self)
        case .date: visitor.visit(Date.self)
        case .bool: visitor.visit(Bool.self)
        case .int16: visitor.visit(Int16.self)
        case .int32: visitor.visit(Int32.self)
        case .float: visitor.visit(Float.self)
        case .uuid: visitor.visit(UUID.self)
        case .url: visitor.visit(URL.self)
        case .data: visitor.visit(Data.self)
        case .decimal: visitor.visit(Decimal.self)
        case .encoded: visitor.visit(TransformableStorage.self)
        case .external: visitor.visit(ExternalData.self)
        case .any, .toOne, .toMany, .objectID: nil
        }
    }
}

extension FieldValue where Self: FixedWidthInteger {
    static var zero: Self { 0 }

    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Self? {
        let value = row.integer(at: column)
        if value == 0 && row.isNull(at: column) { return nil }
        if let fitting = Self(exactly: value) { return fitting }
        row.recordUnreadable(column)
        return nil
    }

    func give(to place: some SQLiteValuePlace) { place.give(Int64(self)) }

    init?(_ value: AttributeValue) {
        switch value {
        case .integer(let integer): self.init(exactly: integer)
        case .boolean(let boolean): self = boolean ? 1 : 0
        case .double(let double): self.init(exactly: double)
        case .decimal(let decimal):
            guard let integer = Int64(decimal.description) else { return nil }
            self.init(exactly: integer)
        case .string, .date, .data, .uuid, .url: return nil
        }
    }

    var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int16: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}

extension FieldValue where Self: BinaryFloatingPoint {
    static var zero: Self { 0 }
    var isNotANumber: Bool { isNaN }

    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Self? {
        let value = row.double(at: column)
        if value == 0 && row.isNull(at: column) { return nil }
        let fitting = Self(value)
        // A number may be rounded to the nearest `Float`, but not to infinity; a `Double` is not rounded.
        if Self.self != Double.self, fitting.isInfinite, value.isFinite {
            row.recordUnreadable(column)
            return nil
        }
        return fitting
    }

    // SQLite has no NaN and one zero; −0.0 is stored as 0.0.
    func give(to place: some SQLiteValuePlace) { place.give(Double(self) + 0.0) }

    init?(_ value: AttributeValue) {
        switch value {
        case .double(let double):
            let fitting = Self(double)
            // A number may be rounded to the nearest value, but not to infinity.
            if fitting.isInfinite, double.isFinite { return nil }
            self = fitting
        case .integer(let integer): self.init(integer)
        case .decimal(let decimal):
            // The number is rounded to the nearest value, as for a `Double`.
            guard !decimal.isNaN, let fitting = Double(decimal.description).map({ Self($0) }), fitting.isFinite else {
                return nil
            }
            self = fitting
        case .boolean, .string, .date, .data, .uuid, .url: return nil
        }
    }

    var attributeValue: AttributeValue { .double(Double(self)) }
}

extension Double: FieldValue {}
extension Float: FieldValue {}

extension Bool: FieldValue {
    static var zero: Bool { false }

    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Bool? {
        let value = row.integer(at: column)
        switch value {
        case 0: return row.isNull(at: column) ? nil : false
        case 1: return true
        default:
            // In SQL, the value would be neither true nor false.
            row.recordUnreadable(column)
            return nil
        }
    }

    func give(to place: some SQLiteValuePlace) { place.give(Int64(self ? 1 : 0)) }

    init?(_ value: AttributeValue) {
        switch value {
        case .boolean(let boolean): self = boolean
        case .integer(let integer) where integer == 0 || integer == 1: self = integer == 1
        case .integer, .double, .decimal, .string, .date, .data, .uuid, .url: return nil
        }
    }

    var attributeValue: AttributeValue { .boolean(self) }
}

extension String: FieldValue {
    static var zero: String { "" }
    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> String? { row.exactText(at: column) }
    func give(to place: some SQLiteValuePlace) { place.give(self) }
    init?(_ value: AttributeValue) {
        guard case .string(let string) = value else { return nil }
        self = string
    }
    var attributeValue: AttributeValue { .string(self) }
}

extension Date: FieldValue {
    var isNotANumber: Bool { timeIntervalSinceReferenceDate.isNaN }
    static var zero: Date { Date(timeIntervalSinceReferenceDate: 0) }

    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Date? {
        let seconds = row.double(at: column)
        return seconds == 0 && row.isNull(at: column) ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }

    func give(to place: some SQLiteValuePlace) {
        place.give(timeIntervalSinceReferenceDate + 0.0)
    }

    init?(_ value: AttributeValue) {
        guard case .date(let date) = value else { return nil }
        self = date
    }

    var attributeValue: AttributeValue { .date(self) }
}

extension UUID: FieldValue {
    static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> UUID? {
        guard let bytes = row.bytes(at: column) else { return nil }
        if bytes.count == 16, let start = bytes.baseAddress {
            // The memory of a UUID consists of its bytes; the initializer would copy them one by one.
            guard MemoryLayout<UUID>.size == 16, MemoryLayout<UUID>.alignment == 1 else {
                return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
            }
            return start.assumingMemoryBound(to: UUID.self).pointee
        }
        row.recordUnreadable(column)
        return nil
    }

    func give(to place: some SQLiteValuePlace) {
        withUnsafeBytes(of: uuid) { place.give($0) }
    }

    init?(_ value: AttributeValue) {
        guard case .uuid(let uuid) = value else { return nil }
        self = uuid
    }

    var attributeValue: AttributeValue { .uuid(self) }
}

extension Data: FieldValue {
    static var zero: Data { Data() }
    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Data? {
        row.bytes(at: column).map { Data($0) }
    }
    func give(to place: some SQLiteValuePlace) { place.give(self) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }
    var attributeValue: AttributeValue { .data(self) }
}

extension URL: FieldValue {
    // "about:blank" is a valid URL (RFC 6694).
    static var zero: URL { URL(string: "about:blank")! }
    static var zeroHoldsNothing: Bool { false }
    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> URL? {
        guard let text = row.exactText(at: column) else { return nil }
        // Invalid characters are not replaced by percent encoding, because the URL would differ from the stored text.
        if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        row.recordUnreadable(column)
        return nil
    }
    func give(to place: some SQLiteValuePlace) { place.give(absoluteString) }
    init?(_ value: AttributeValue) {
        guard case .url(let url) = value else { return nil }
        self = url
    }
    var attributeValue: AttributeValue { .url(self) }
}

extension Decimal: FieldValue {
    static var zero: Decimal { 0 }
    var isNotANumber: Bool { isNaN }
    @inline(__always)
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> Decimal? {
        guard let text = row.exactText(at: column) else { return nil }
        if let decimal = exactDecimal(text) { return decimal }
        row.recordUnreadable(column)
        return nil
    }
    func give(to place: some SQLiteValuePlace) {
        place.give(decimalText(self))
    }
    init?(_ value: AttributeValue) {
        switch value {
        case .decimal(let decimal): self = decimal
        case .integer(let integer): self.init(integer)
        case .double, .boolean, .string, .date, .data, .uuid, .url: return nil
        }
    }
    var attributeValue: AttributeValue { .decimal(self) }
}

/// Returns the exact decimal of a text; `nil` when the text is not a decimal.
///
/// `Decimal(string:)` alone reads `1x` as 1, and rounds numbers with too many digits.
private func exactDecimal(_ text: String) -> Decimal? {
    text.utf8.count <= 38 && isPlainDecimal(text) ? Decimal(string: text) : parseDecimal(text)
}

/// Returns a Boolean value that indicates whether a text has digits, at most a minus sign before them and a point
/// within them, and nothing else.
private func isPlainDecimal(_ text: String) -> Bool {
    var (digits, points, others) = (0, 0, 0)
    for (position, byte) in text.utf8.enumerated() {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "-") where position == 0: continue
        default: others += 1
        }
    }
    return digits > 0 && points <= 1 && others == 0
}

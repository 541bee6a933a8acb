internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type that an attribute's field can have: how it stands in a column and in an ``AttributeValue``.
protocol FieldValue: Hashable, Codable, Sendable {
    /// What the getter gives for a required attribute that has no value.
    static var zero: Self { get }
    /// The value of a column; `nil` for NULL.
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Self?
    func bind(to statement: SQLiteStatement, at index: Int32)
    /// The value, if it is of this type and in its range.
    init?(_ value: AttributeValue)
    var attributeValue: AttributeValue { get }
    /// Whether SQLite would take it for a missing value.
    var isNotANumber: Bool { get }
}

extension FieldValue {
    var isNotANumber: Bool { false }
}

/// Work to do on a field whose type is known only at run time.
protocol FieldVisitor {
    associatedtype Result
    func visit<T: FieldValue>(_ type: T.Type) -> Result
}

extension FieldKind.Base {
    /// Calls the visitor with the attribute type of this field; `nil` for fields that hold no attribute value.
    ///
    /// The one place where a field's kind becomes a Swift type.
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
        case .encoded: visitor.visit(Encoded.self)
        case .any, .toOne, .toMany, .objectID: nil
        }
    }
}

extension FieldValue where Self: FixedWidthInteger {
    static var zero: Self { 0 }

    @inline(__always)
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Self? {
        let value = statement.integer(at: column)
        if value == 0 && statement.isNull(at: column) { return nil }
        // Only another program can have written what does not fit; the nearest value keeps the order.
        return Self(clamping: value)
    }

    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(Int64(self), at: index) }

    init?(_ value: AttributeValue) {
        switch value {
        case .integer(let integer): self.init(exactly: integer)
        case .boolean(let boolean): self = boolean ? 1 : 0
        case .double(let double): self.init(exactly: double)
        case .decimal, .string, .date, .data, .uuid, .url: return nil
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
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Self? {
        let value = statement.double(at: column)
        return value == 0 && statement.isNull(at: column) ? nil : Self(value)
    }

    // SQLite has no NaN and one zero; −0.0 is stored as 0.0.
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(Double(self) + 0.0, at: index) }

    init?(_ value: AttributeValue) {
        switch value {
        case .double(let double): self.init(double)
        case .integer(let integer): self.init(integer)
        case .boolean, .decimal, .string, .date, .data, .uuid, .url: return nil
        }
    }

    var attributeValue: AttributeValue { .double(Double(self)) }
}

extension Double: FieldValue {}
extension Float: FieldValue {}

extension Bool: FieldValue {
    static var zero: Bool { false }

    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Bool? {
        let value = statement.integer(at: column)
        return value == 0 && statement.isNull(at: column) ? nil : value != 0
    }

    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(Int64(self ? 1 : 0), at: index) }

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
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> String? { statement.text(at: column) }
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(self, at: index) }
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
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Date? {
        let seconds = statement.double(at: column)
        return seconds == 0 && statement.isNull(at: column) ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }

    func bind(to statement: SQLiteStatement, at index: Int32) {
        statement.bind(timeIntervalSinceReferenceDate + 0.0, at: index)
    }

    init?(_ value: AttributeValue) {
        guard case .date(let date) = value else { return nil }
        self = date
    }

    var attributeValue: AttributeValue { .date(self) }
}

extension UUID: FieldValue {
    static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    static func read(_ statement: SQLiteStatement, _ column: Int32) -> UUID? {
        guard let bytes = statement.bytes(at: column), bytes.count == 16 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    func bind(to statement: SQLiteStatement, at index: Int32) {
        withUnsafeBytes(of: uuid) { statement.bind($0, at: index) }
    }

    init?(_ value: AttributeValue) {
        guard case .uuid(let uuid) = value else { return nil }
        self = uuid
    }

    var attributeValue: AttributeValue { .uuid(self) }
}

extension Data: FieldValue {
    static var zero: Data { Data() }
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Data? {
        statement.bytes(at: column).map { Data($0) }
    }
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(self, at: index) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }
    var attributeValue: AttributeValue { .data(self) }
}

extension URL: FieldValue {
    // "about:blank" is a valid URL (RFC 6694).
    static var zero: URL { URL(string: "about:blank")! }
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> URL? {
        statement.text(at: column).flatMap { URL(string: $0) }
    }
    func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(absoluteString, at: index) }
    init?(_ value: AttributeValue) {
        guard case .url(let url) = value else { return nil }
        self = url
    }
    var attributeValue: AttributeValue { .url(self) }
}

extension Decimal: FieldValue {
    static var zero: Decimal { 0 }
    var isNotANumber: Bool { isNaN }
    static func read(_ statement: SQLiteStatement, _ column: Int32) -> Decimal? {
        statement.text(at: column).flatMap { Decimal(string: $0) }
    }
    func bind(to statement: SQLiteStatement, at index: Int32) {
        statement.bind(decimalText(self), at: index)
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

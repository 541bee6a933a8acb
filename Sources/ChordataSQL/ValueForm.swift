package import ChordataModel
import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form of a value in SQL, passed as a letter to the SQL functions of Chordata that need it.
///
/// Columns have the forms of their types. The result of a function is ``computed``: integers, doubles and strings are
/// unchanged; all other values are blobs that begin with the letter of their form.
enum ValueForm: String {
    case number = "n"
    case string = "s"
    case date = "t"
    case decimal = "m"
    case uuid = "u"
    case url = "l"
    case data = "x"
    case computed = "v"

    /// The form of an attribute's column.
    init(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: self = .number
        case .string: self = .string
        case .date: self = .date
        case .decimal: self = .decimal
        case .uuid: self = .uuid
        case .uri: self = .url
        case .binaryData, .transformable, .composite, .undefined, .objectID: self = .data
        }
    }

    /// The form in which a constant is bound.
    init(_ value: AttributeValue) {
        switch value {
        case .integer, .double, .boolean: self = .number
        case .string: self = .string
        case .date: self = .date
        case .decimal: self = .decimal
        case .uuid: self = .uuid
        case .url: self = .url
        case .data: self = .data
        }
    }

    /// A Boolean value that indicates whether a value of the form is a computed value without a conversion.
    var isComputed: Bool { self == .number || self == .string || self == .computed }

    /// Returns the value of an argument; `nil` for NULL, and for a value of another form.
    func value(of argument: SQLArgument) -> AttributeValue? {
        switch (self, argument) {
        case (.number, .integer(let number)), (.computed, .integer(let number)): return .integer(number)
        case (.number, .real(let number)), (.computed, .real(let number)): return .double(number)
        case (.string, .text(let text)), (.computed, .text(let text)):
            return .string(String(decoding: text, as: UTF8.self))
        case (.date, .real(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .integer(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.decimal, .text(let text)):
            return parseDecimal(String(decoding: text, as: UTF8.self)).map(AttributeValue.decimal)
        case (.uuid, .blob(let bytes)): return readUUID(bytes).map(AttributeValue.uuid)
        case (.url, .text(let text)): return URL(string: String(decoding: text, as: UTF8.self)).map(AttributeValue.url)
        case (.data, .blob(let bytes)): return .data(Data(bytes))
        case (.computed, .blob(let bytes)): return computedValue(of: bytes)
        case (.number, _), (.string, _), (.date, _), (.decimal, _), (.uuid, _), (.url, _), (.data, _), (.computed, _):
            return nil
        }
    }
}

extension SQLArgument {
    /// The value of a column that was rendered in the form ``ValueForm/computed``.
    package var computedValue: AttributeValue? { ValueForm.computed.value(of: self) }
}

extension SQLValue {
    /// Creates a value in the form ``ValueForm/computed``.
    init(computed value: AttributeValue?) {
        guard let value else {
            self = .null
            return
        }
        let stored = SQLValue(PredicateValue.attribute(value))
        let form = ValueForm(value)
        var bytes = Data(form.rawValue.utf8)
        if case .decimal(let number) = value {
            // The number is copied unchanged, because a quotient has more digits than the text of a stored decimal. The
            // bytes never leave the process.
            withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
            self = .blob(bytes)
            return
        }
        guard !form.isComputed else {
            self = stored
            return
        }
        switch stored {
        case .real(let number): withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .blob(let data): bytes.append(data)
        case .null, .integer: break  // No other form is stored in this way.
        }
        self = .blob(bytes)
    }
}

/// Returns the value of a blob that a function of Chordata has created.
private func computedValue(of bytes: UnsafeRawBufferPointer) -> AttributeValue? {
    guard let first = bytes.first, let form = ValueForm(rawValue: String(UnicodeScalar(first))) else { return nil }
    let payload = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch form {
    case .date:
        guard payload.count == 8 else { return nil }
        let bits = UInt64(littleEndian: payload.loadUnaligned(as: UInt64.self))
        return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case .decimal:
        guard payload.count == MemoryLayout<Decimal>.size else { return nil }
        var number = Decimal()
        withUnsafeMutableBytes(of: &number) { $0.copyMemory(from: payload) }
        return .decimal(number)
    case .url: return form.value(of: .text(payload))
    case .uuid, .data: return form.value(of: .blob(payload))
    case .number, .string, .computed: return nil
    }
}

private func readUUID(_ bytes: UnsafeRawBufferPointer) -> UUID? {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
}

internal import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Returns a computed value in the type of an attribute: a number without its fraction for an integer attribute, and a
/// date as seconds for a number; `nil` if the value is out of range.
func convert(_ value: AttributeValue, to kind: FieldKind.Base) -> AttributeValue? {
    switch (value, kind) {
    case (.boolean(let flag), .decimal), (.boolean(let flag), .double), (.boolean(let flag), .float):
        return convert(.integer(flag ? 1 : 0), to: kind)
    case (.double(let number), .int16), (.double(let number), .int32), (.double(let number), .int64):
        return Int64(exactly: number.rounded(.towardZero)).map { .integer($0) }
    case (.decimal(let number), .int16), (.decimal(let number), .int32), (.decimal(let number), .int64):
        return Int64(decimalText(number).prefix { $0 != "." }).map { .integer($0) }
    case (.decimal(let number), .double), (.decimal(let number), .float):
        return Double(decimalText(number)).map { .double($0) }
    case (.integer(let number), .double), (.integer(let number), .float): return .double(Double(number))
    case (.integer(let number), .decimal): return .decimal(Decimal(number))
    case (.double(let number), .decimal): return parseDecimal("\(number)").map { .decimal($0) }
    case (.date(let date), .double), (.date(let date), .float): return .double(date.timeIntervalSinceReferenceDate)
    case (.integer(let number), .date): return .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.double(let number), .date): return .date(Date(timeIntervalSinceReferenceDate: number))
    default: return value
    }
}

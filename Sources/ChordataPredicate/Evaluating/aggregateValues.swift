package import ChordataModel
import Foundation

/// Returns the value of a function of many values, or `nil`, as for the average of no values.
///
/// Missing values are ignored, except that ``CollectionFunction/count`` counts them. The result does not depend on the
/// order of the values: values whose sum is not exact are added in ascending order.
package func aggregateValues(_ function: CollectionFunction, _ values: [AttributeValue?]) -> AttributeValue? {
    if function == .count { return .integer(Int64(values.count)) }
    let present = values.compactMap(\.self)
    switch function {
    case .count, .sum: return sum(of: present) ?? .integer(0)
    case .average: return sum(of: present).flatMap { divide($0, by: present.count) }
    case .min: return first(of: present, in: .ascending)
    case .max: return first(of: present, in: .descending)
    case .median:
        let sorted = sorted(present)
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return sum(of: Array(sorted[max(0, middle - 1)..<min(middle + 1, sorted.count)])).flatMap { divide($0, by: 2) }
    case .mode: return mode(of: sorted(present))
    case .stddev: return standardDeviation(of: present)
    }
}

/// Returns the value that precedes all others in an order; if several are equal, the first one.
private func first(of values: [AttributeValue], in order: ValueOrder) -> AttributeValue? {
    guard var best = values.first else { return nil }
    for value in values.dropFirst() where compareNumbers(value, best) == order { best = value }
    return best
}

/// The order of two values, numbers of all kinds by their value.
func compareNumbers(_ left: AttributeValue, _ right: AttributeValue) -> ValueOrder {
    compareNumbers((left, false), (right, false))
}

/// The order of two values, numbers of all kinds by their value.
func compareNumbers(_ left: FunctionArgument, _ right: FunctionArgument) -> ValueOrder {
    guard left.value.isDecimal != right.value.isDecimal else { return compareValues(left.value, right.value) }
    switch NumberPair(left, right) {
    case .decimals(let a, let b)?: return compareDecimalTexts(decimalText(a), decimalText(b))
    case .doubles(let a, let b)?: return ValueOrder(a, b)
    case .integers, nil: return compareValues(left.value, right.value)
    }
}

extension AttributeValue {
    var isDecimal: Bool {
        if case .decimal = self { return true }
        return false
    }

    fileprivate var isDouble: Bool {
        if case .double = self { return true }
        return false
    }
}

/// Returns the values in ascending order; equal values keep their order.
private func sorted(_ values: [AttributeValue]) -> [AttributeValue] {
    values.sorted { compareNumbers($0, $1) == .ascending }
}

/// Returns the sum; `nil` if there are no values.
private func sum(of values: [AttributeValue]) -> AttributeValue? {
    guard !values.isEmpty else { return nil }
    if values.contains(where: \.isDouble) { return sumOfDoubles(values) }
    if values.contains(where: \.isDecimal) {
        let sum = sorted(values).reduce(Decimal(0)) { sum, value in sum + (decimalNumber(value) ?? .nan) }
        return sum.isNaN ? nil : .decimal(sum)
    }
    // The sum of any array of 64-bit integers fits in 128 bits, regardless of the order.
    var sum: Int128 = 0
    for value in values {
        switch value {
        case .integer(let number): sum += Int128(number)
        case .boolean(let flag): sum += flag ? 1 : 0
        default: return nil
        }
    }
    return Int64(exactly: sum).map { .integer($0) } ?? sumOfDoubles(values)
}

private func sumOfDoubles(_ values: [AttributeValue]) -> AttributeValue? {
    let sum = values.compactMap(numberValue).sorted().reduce(0, +)
    return sum.isNaN ? nil : .double(sum)
}

private func decimalNumber(_ value: AttributeValue) -> Decimal? {
    switch value {
    case .decimal(let number): number
    case .integer(let number): Decimal(number)
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
}

private func divide(_ sum: AttributeValue, by count: Int) -> AttributeValue? {
    if case .decimal(let sum) = sum {
        let quotient = sum / Decimal(count)
        return quotient.isNaN ? nil : .decimal(quotient)
    }
    return numberValue(sum).map { .double($0 / Double(count)) }
}

private func mode(of sorted: [AttributeValue]) -> AttributeValue? {
    var best: (value: AttributeValue, count: Int)?
    var start = 0
    while start < sorted.count {
        var end = start + 1
        while end < sorted.count, compareNumbers(sorted[start], sorted[end]) == .same { end += 1 }
        if end - start > best?.count ?? 0 { best = (sorted[start], end - start) }
        start = end
    }
    return best?.value
}

private func standardDeviation(of values: [AttributeValue]) -> AttributeValue? {
    let numbers = values.compactMap(numberValue).sorted()
    guard !numbers.isEmpty else { return nil }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.map { ($0 - mean) * ($0 - mean) }.sorted()
    let deviation = (squares.reduce(0, +) / Double(numbers.count)).squareRoot()
    return deviation.isNaN ? nil : .double(deviation)
}

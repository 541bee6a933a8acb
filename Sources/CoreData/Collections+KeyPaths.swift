#if !canImport(Darwin)
    public import Foundation

    // Key-value coding of collections, which Foundation does not have on this platform.

    extension NSArray {
        /// Returns the values of a property of the managed objects in the array; `NSNull` for `nil`.
        public func value(forKey key: String) -> Any { NSArray(array: values(of: map { $0 }, key)) }

        /// Returns the values at a key path of the managed objects in the array, or the value of a collection operator,
        /// such as `@sum.pages`.
        public func value(forKeyPath keyPath: String) -> Any? {
            collectionValue(of: map { $0 }, keyPath) ?? value(forKey: keyPath)
        }
    }

    extension NSSet {
        /// Returns the set of the values of a property of the managed objects in the set, without `nil`.
        public func value(forKey key: String) -> Any {
            NSSet(array: values(of: map { $0 }, key).filter { !($0 is NSNull) })
        }

        /// Returns the set of the values at a key path of the managed objects in the set, or the value of a collection
        /// operator, such as `@sum.pages`.
        public func value(forKeyPath keyPath: String) -> Any? {
            collectionValue(of: map { $0 }, keyPath) ?? value(forKey: keyPath)
        }
    }

    private func values(of elements: [Any], _ keyPath: String) -> [Any] {
        elements.map { element in
            guard let object = element as? NSManagedObject else {
                preconditionFailure(
                    "the value of '\(keyPath)' of a collection requires managed objects, not \(type(of: element)); use map(_:)"
                )
            }
            return object.value(forKeyPath: keyPath) ?? NSNull()
        }
    }

    /// The value of a collection operator; `nil` for a key path without an operator.
    private func collectionValue(of elements: [Any], _ keyPath: String) -> Any? {
        guard keyPath.first == "@" else { return nil }
        let name = String(keyPath.dropFirst().prefix { $0 != "." })
        let path = String(keyPath.dropFirst(name.count + 2))
        if name == "count" { return NSNumber(value: elements.count) }
        let values = values(of: elements, path).filter { !($0 is NSNull) }
        switch name {
        case "sum": return sum(of: values)
        case "avg": return values.isEmpty ? nil : NSNumber(value: sum(of: values).doubleValue / Double(values.count))
        case "min": return values.min(by: isOrderedBefore)
        case "max": return values.max(by: isOrderedBefore)
        case "unionOfObjects": return NSArray(array: values)
        case "distinctUnionOfObjects":
            var seen: Set<AnyHashable> = []
            return NSArray(
                array: values.filter { value in
                    guard let value = value as? AnyHashable else { return true }
                    return seen.insert(value).inserted
                }
            )
        default:
            preconditionFailure(
                "the collection operator '@\(name)' is not supported; use @count, @sum, @avg, @min, @max, @unionOfObjects or "
                    + "@distinctUnionOfObjects"
            )
        }
    }

    private func number(_ value: Any) -> NSNumber {
        guard let number = value as? NSNumber else {
            preconditionFailure(
                "a value of type \(type(of: value)) is not a number; use @sum and @avg with numbers only"
            )
        }
        return number
    }

    /// The sum of numbers: a decimal, if one of them is a decimal; otherwise an integer, if all of them are integers.
    private func sum(of values: [Any]) -> NSNumber {
        if values.contains(where: { $0 is Decimal || $0 is NSDecimalNumber }) {
            let decimals = values.map { $0 as? Decimal ?? number($0).decimalValue }
            return NSDecimalNumber(decimal: decimals.reduce(0, +))
        }
        let integers = values.compactMap { ($0 as? any BinaryInteger).map { Int64(truncatingIfNeeded: $0) } }
        if integers.count == values.count { return NSNumber(value: integers.reduce(0, &+)) }
        return NSNumber(value: values.reduce(0) { $0 + number($1).doubleValue })
    }

    private func isOrderedBefore(_ first: Any, _ second: Any) -> Bool {
        switch (first, second) {
        case (let first as String, let second as String): first < second
        case (let first as Date, let second as Date): first < second
        default: number(first).compare(number(second)) == .orderedAscending
        }
    }
#endif

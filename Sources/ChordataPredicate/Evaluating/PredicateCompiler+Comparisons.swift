import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateCompiler {
    mutating func comparison(_ comparison: BoundComparison) -> Condition {
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            if comparison.left.isObject || comparison.right.isObject { return objectComparison(comparison) }
            return constantComparison(comparison) ?? valueComparison(comparison)
        case .between: return between(comparison)
        case .in: return membership(comparison)
        case .contains, .beginsWith, .endsWith, .like, .matches: return stringTest(comparison)
        }
    }

    // MARK: Objects

    /// Compiles a comparison of objects; they are equal or not, so the operator is `==` or `!=`.
    private mutating func objectComparison(_ comparison: BoundComparison) -> Condition {
        let left = key(comparison.left)
        let isEqual = comparison.operator == .equal
        if case .value(let value) = comparison.right {
            guard case .object(let reference) = value else {
                return { object, scope throws(FetchPredicateError) in (try left(object, scope) == nil) == isEqual }
            }
            guard reference.isPermanent else {
                return { object, scope throws(FetchPredicateError) in
                    (try left(object, scope) == reference.key) == isEqual
                }
            }
            let key = reference.key
            return { object, scope throws(FetchPredicateError) in (try left(object, scope) == key) == isEqual }
        }
        let right = key(comparison.right)
        return { object, scope throws(FetchPredicateError) in
            let key = try left(object, scope)
            return (key == (try right(object, scope))) == isEqual
        }
    }

    // MARK: One attribute and a constant

    /// Compiles the most frequent comparisons, without an intermediate value of any type; returns `nil` for others.
    private func constantComparison(_ comparison: BoundComparison) -> Condition? {
        guard comparison.options.isEmpty, case .keyPath(let path) = comparison.left,
            case .value(.attribute(let constant)) = comparison.right
        else { return nil }
        switch constant {
        case .integer(let constant):
            return access.integer(of: path).map { test(path, $0, comparison.operator, constant) }
        case .boolean(let flag):
            return access.integer(of: path).map { test(path, $0, comparison.operator, flag ? 1 : 0) }
        case .double(let constant):
            return access.double(of: path).map { test(path, $0, comparison.operator, constant) }
        case .date(let date):
            return access.double(of: path).map {
                test(path, $0, comparison.operator, date.timeIntervalSinceReferenceDate)
            }
        case .string(let constant):
            guard let read = string(of: path) else { return nil }
            let isEquality = comparison.operator == .equal || comparison.operator == .notEqual
            let operation = comparison.operator
            return test(path, read, whenMissing: operation == .notEqual) { value in
                isEquality
                    ? hasSameBytes(value, constant) == (operation == .equal)
                    : compareStrings(value, constant).satisfies(operation)
            }
        case .decimal, .data, .uuid, .url: return nil
        }
    }

    private func test<Value: Comparable>(
        _ path: BoundKeyPath,
        _ read: @escaping (Object) -> Value?,
        _ operation: ComparisonOperator,
        _ constant: Value
    ) -> Condition {
        switch operation {
        case .equal: test(path, read, whenMissing: false) { $0 == constant }
        case .notEqual: test(path, read, whenMissing: true) { $0 != constant }
        case .less: test(path, read, whenMissing: false) { $0 < constant }
        case .lessOrEqual: test(path, read, whenMissing: false) { $0 <= constant }
        case .greater: test(path, read, whenMissing: false) { $0 > constant }
        case .greaterOrEqual: test(path, read, whenMissing: false) { $0 >= constant }
        case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: { _, _ in false }
        }
    }

    @inline(__always)
    private func test<Value>(
        _ path: BoundKeyPath,
        _ read: @escaping (Object) -> Value?,
        whenMissing: Bool,
        _ isMet: @escaping (Value) -> Bool
    ) -> Condition {
        if path.relationships.isEmpty, path.root == nil {
            return { object, _ in
                guard let value = read(object) else { return whenMissing }
                return isMet(value)
            }
        }
        let start = object(at: path)
        return { object, scope in
            guard let end = start(object, scope), let value = read(end) else { return whenMissing }
            return isMet(value)
        }
    }

    // MARK: Any two values

    private mutating func valueComparison(_ comparison: BoundComparison) -> Condition {
        let operation = comparison.operator
        let left = value(comparison.left)
        if comparison.right == .value(.null) {
            let isEqual = operation == .equal
            return { object, scope throws(FetchPredicateError) in (try left(object, scope) == nil) == isEqual }
        }
        let options = comparison.options
        let leftIsConstant = comparison.left.isConstant
        let rightIsConstant = comparison.right.isConstant
        let right = rightIsConstant ? constant(comparison.right, options) : value(comparison.right)
        let rightOptions = rightIsConstant ? [] : options
        return { object, scope throws(FetchPredicateError) in
            let leftValue = try left(object, scope)
            let rightValue = try right(object, scope)
            return holds(
                leftValue.map { ($0.folded(options), leftIsConstant) },
                operation,
                rightValue.map { ($0.folded(rightOptions), rightIsConstant) }
            )
        }
    }

    /// Returns a reader of a constant, which is folded only once.
    private func constant(_ expression: BoundExpression, _ options: ComparisonOptions) -> Reader {
        guard case .value(.attribute(let value)) = expression else { return { _, _ in nil } }
        let folded = value.folded(options)
        return { _, _ in folded }
    }

    private mutating func between(_ comparison: BoundComparison) -> Condition {
        guard case .value(.collection(let bounds)) = comparison.right, bounds.count == 2,
            case .attribute(let lower) = bounds[0].folded(comparison.options),
            case .attribute(let upper) = bounds[1].folded(comparison.options)
        else { preconditionFailure("BETWEEN must be bound to two constants") }
        let left = value(comparison.left)
        let options = comparison.options
        return { object, scope throws(FetchPredicateError) in
            guard let value = try left(object, scope)?.folded(options) else { return false }
            return isBetween(value, lower, upper)
        }
    }

    private mutating func membership(_ comparison: BoundComparison) -> Condition {
        guard case .value(.collection(let values)) = comparison.right else {
            preconditionFailure("IN must be bound to a collection of constants")
        }
        let hasNull = values.contains(.null)
        if comparison.left.isObject {
            let left = key(comparison.left)
            let references = values.compactMap { if case .object(let reference) = $0 { reference } else { nil } }
            let keys = Set(references.filter(\.isPermanent).map(\.key))
            let provisional = references.filter { !$0.isPermanent }
            return { object, scope throws(FetchPredicateError) in
                guard let key = try left(object, scope) else { return hasNull }
                return keys.contains(key) || provisional.contains { $0.key == key }
            }
        }
        let options = comparison.options
        let left = value(comparison.left)
        let members = ConstantList(
            values.map { if case .attribute(let value) = $0 { value.folded(options) } else { nil } }
        )
        return { object, scope throws(FetchPredicateError) in
            members.contains(try left(object, scope)?.folded(options))
        }
    }

    // MARK: Strings

    private mutating func stringTest(_ comparison: BoundComparison) -> Condition {
        let (operation, options) = (comparison.operator, comparison.options)
        if case .value(let constant) = comparison.right {
            guard case .attribute(.string(let text)) = constant else { return { _, _ in false } }
            let pattern = StringPattern(operation, text, options: options)
            if case .keyPath(let path) = comparison.left, let read = string(of: path) {
                let start = object(at: path)
                return { object, scope throws(FetchPredicateError) in
                    guard let end = start(object, scope), let text = read(end) else { return false }
                    return try pattern.matches(text)
                }
            }
            let left = value(comparison.left)
            return { object, scope throws(FetchPredicateError) in
                guard case .string(let text) = try left(object, scope) else { return false }
                return try pattern.matches(text)
            }
        }
        let left = value(comparison.left)
        let right = value(comparison.right)
        return { object, scope throws(FetchPredicateError) in
            guard case .string(let text) = try left(object, scope),
                case .string(let pattern) = try right(object, scope)
            else { return false }
            return try StringPattern(operation, pattern, options: options).matches(text)
        }
    }
}

import ChordataModel
import ChordataPredicate
import Foundation

/// An object as plain dictionaries; the elements of a composite are in `values` under `home.street`.
final class NaiveObject {
    let entityName: String
    let key: Int64
    var values: [String: AttributeValue] = [:]
    var toOne: [String: NaiveObject] = [:]
    var toMany: [String: [NaiveObject]] = [:]

    init(entityName: String, key: Int64) {
        self.entityName = entityName
        self.key = key
    }
}

/// The result of an expression.
enum NaiveValue {
    case none
    case value(AttributeValue)
    case object(NaiveObject)
    case reference(rootEntityName: String, key: Int64)
    case list([NaiveValue])
}

/// A value, and whether the expression it comes from is the same for all objects.
struct NaiveOperand {
    var value: NaiveValue
    var isConstant = false
}

/// Evaluates a predicate in the simplest way; it shares no code with the evaluators that it checks.
struct NaiveEvaluator {
    let model: ManagedObjectModel

    /// The meaning of names: the object, and the variables of SUBQUERY with their entities (a variable may be nil).
    struct Scope {
        let object: NaiveObject
        var variables: [String: NaiveValue] = [:]
        var entityNames: [String: String] = [:]
    }

    /// One side of a comparison.
    enum Side {
        case one(NaiveOperand)
        case many([NaiveOperand])
    }

    func isMet(_ node: PredicateNode, by object: NaiveObject) -> Bool { isMet(node, Scope(object: object)) }

    func isMet(_ node: PredicateNode, _ scope: Scope) -> Bool {
        switch node {
        case .constant(let answer): answer
        case .and(let nodes): nodes.allSatisfy { isMet($0, scope) }
        case .or(let nodes): nodes.contains { isMet($0, scope) }
        case .not(let node): !isMet(node, scope)
        case .comparison(let comparison): isMet(comparison, scope)
        }
    }

    // MARK: Comparisons

    private func isMet(_ comparison: PredicateNode.Comparison, _ scope: Scope) -> Bool {
        var left = side(comparison.left, scope)
        var right = side(comparison.right, scope)
        // A constant that is compared with a Float attribute is rounded to a Float.
        if isFloatPath(comparison.left, scope), case .value = comparison.right { right = roundedToFloat(right) }
        if isFloatPath(comparison.right, scope), case .value = comparison.left { left = roundedToFloat(left) }
        // Next to a Decimal attribute, expressions of constants are computed from the constants as they are written.
        if isDecimalPath(comparison.left, scope) { right = side(asDecimals(comparison.right), scope) }
        if isDecimalPath(comparison.right, scope) { left = side(asDecimals(comparison.left), scope) }
        let test = { (left: Side) in holds(left, comparison.operator, right, comparison.options.effective) }
        if comparison.modifier == .direct { return test(left) }
        // A to-one relationship only has its single object.
        guard case .many(let elements) = left else { return test(left) != (comparison.modifier == .none) }
        switch comparison.modifier {
        case .direct, .any: return elements.contains { test(.one($0)) }
        case .all: return elements.allSatisfy { test(.one($0)) }
        case .none: return !elements.contains { test(.one($0)) }
        }
    }

    private func side(_ expression: ExpressionNode, _ scope: Scope) -> Side {
        if case .aggregate(let parts) = expression {
            // A list that contains a to-many path contains all values of the path.
            return .many(
                parts.flatMap { part in
                    let value = value(of: part, scope)
                    let values = if case .list(let elements) = value { elements } else { [value] }
                    return values.map { NaiveOperand(value: $0, isConstant: isConstant(part)) }
                }
            )
        }
        let constant = isConstant(expression)
        switch value(of: expression, scope) {
        case .list(let elements): return .many(elements.map { NaiveOperand(value: $0, isConstant: constant) })
        case let single: return .one(NaiveOperand(value: single, isConstant: constant))
        }
    }

    private func holds(_ left: Side, _ sign: ComparisonOperator, _ right: Side, _ options: ComparisonOptions) -> Bool {
        switch (sign, left, right) {
        case (.in, .one(let value), .many(let list)), (.contains, .many(let list), .one(let value)):
            return list.contains { areEqual(value, $0, options) }
        case (.in, .one(let part), .one(let whole)):
            return holds(.one(whole), .contains, .one(part), options)
        case (.between, .one(let value), .many(let bounds)):
            guard bounds.count == 2 else { fatalError("BETWEEN has two bounds") }
            guard let low = order(value, bounds[0], options), let high = order(value, bounds[1], options) else {
                return false
            }
            return low >= 0 && high <= 0
        case (_, .one(let left), .one(let right)):
            return holds(left, sign, right, options)
        case (_, .many, _), (_, _, .many):
            fatalError("a list where one value is wanted: \(left) \(sign) \(right)")
        }
    }

    private func holds(
        _ left: NaiveOperand,
        _ sign: ComparisonOperator,
        _ right: NaiveOperand,
        _ options: ComparisonOptions
    ) -> Bool {
        switch sign {
        case .equal: return areEqual(left, right, options)
        case .notEqual: return !areEqual(left, right, options)
        case .less: return order(left, right, options).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(left, right, options).map { $0 <= 0 } ?? false
        case .greater: return order(left, right, options).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(left, right, options).map { $0 >= 0 } ?? false
        case .contains, .beginsWith, .endsWith, .like, .matches:
            if case .none = left.value { return false }
            if case .none = right.value { return false }
            guard case .value(.string(let text)) = left.value, case .value(.string(let pattern)) = right.value else {
                fatalError("\(sign) of what is not a string")
            }
            return NaiveText.holds(text, sign, pattern, options)
        case .between, .in: fatalError("\(sign) needs a list or a string on its right")
        }
    }

    private func areEqual(_ left: NaiveOperand, _ right: NaiveOperand, _ options: ComparisonOptions) -> Bool {
        switch (left.value, right.value) {
        case (.none, .none): return true
        case (.none, _), (_, .none): return false
        case (.value, .value): return order(left, right, options) == 0
        case (.list, _), (_, .list): fatalError("a list is compared with ==")
        case (_, _):
            let (left, right) = (identity(left.value), identity(right.value))
            return left.root == right.root && left.key == right.key
        }
    }

    private func identity(_ value: NaiveValue) -> (root: String, key: Int64) {
        switch value {
        case .object(let object):
            guard let entity = model.entity(named: object.entityName) else { fatalError("no \(object.entityName)") }
            return (entity.rootEntityName, object.key)
        case .reference(let root, let key): return (root, key)
        case .none, .value, .list: fatalError("an object is compared with a value")
        }
    }

    /// Returns -1, 0 or 1, or `nil` if an operand is nil.
    private func order(_ left: NaiveOperand, _ right: NaiveOperand, _ options: ComparisonOptions = []) -> Int? {
        switch (left.value, right.value) {
        case (.none, _), (_, .none): return nil
        case (.value(let a), .value(let b)):
            return NaiveNumber.order(a, b, constants: (left.isConstant, right.isConstant), options)
        case (_, _): fatalError("objects and lists have no order")
        }
    }

    private func roundedToFloat(_ side: Side) -> Side {
        func rounded(_ operand: NaiveOperand) -> NaiveOperand {
            guard case .value(let value) = operand.value else { return operand }
            return NaiveOperand(value: .value(.double(Double(Float(NaiveNumber.double(value))))), isConstant: true)
        }
        switch side {
        case .one(let operand): return .one(rounded(operand))
        case .many(let operands): return .many(operands.map(rounded))
        }
    }

    func isFloatPath(_ expression: ExpressionNode, _ scope: Scope) -> Bool { isPath(expression, to: .float, scope) }

    func isDecimalPath(_ expression: ExpressionNode, _ scope: Scope) -> Bool { isPath(expression, to: .decimal, scope) }

    /// Returns an expression of constants with the decimals as which the doubles are written.
    ///
    /// In a list, this applies to each part.
    private func asDecimals(_ expression: ExpressionNode) -> ExpressionNode {
        switch expression {
        case .aggregate(let parts): return .aggregate(parts.map(asDecimals))
        case .function(let function, let arguments, let offset) where isArithmetic(expression):
            let decimals = arguments.map { argument -> ExpressionNode in
                if case .value(.attribute(.double(let number))) = argument,
                    let decimal = Decimal(string: "\(number)", locale: Locale(identifier: "en_US_POSIX"))
                {
                    return .value(.attribute(.decimal(decimal)))
                }
                return asDecimals(argument)
            }
            return .function(function, decimals, offset: offset)
        default: return expression
        }
    }

    private func isArithmetic(_ expression: ExpressionNode) -> Bool {
        guard case .function(let function, let arguments, _) = expression, function != .now, function != .random else {
            return false
        }
        return arguments.allSatisfy { argument in
            if case .value = argument { return true }
            return isArithmetic(argument)
        }
    }

    private func isPath(_ expression: ExpressionNode, to type: AttributeType, _ scope: Scope) -> Bool {
        var entityName: String?
        var path: [String] = []
        switch expression {
        case .keyPath(let keys, _): (entityName, path) = (scope.object.entityName, keys)
        case .path(let base, let keys, _): (entityName, path) = (self.entityName(of: base, scope), keys)
        default: return false
        }
        guard let last = path.last, !path.contains(where: { $0.hasPrefix("@") }) else { return false }
        let entity = self.entityName(from: entityName, path.dropLast()).flatMap { model.entity(named: $0) }
        return entity?.attribute(named: last)?.attributeType == type
    }

    /// Returns whether the expression contains nothing that could differ between objects.
    func isConstant(_ expression: ExpressionNode) -> Bool {
        switch expression {
        case .value: true
        case .evaluatedObject, .keyPath, .path, .variable, .conditional, .subquery, .element, .assignment: false
        case .aggregate(let parts): parts.allSatisfy(isConstant)
        case .function(let function, let arguments, _):
            function != .now && function != .random && arguments.allSatisfy(isConstant)
        case .collectionFunction(_, let collection, _): isConstant(collection)
        case .cast(let inner, _, _): isConstant(inner)
        }
    }

    // MARK: Expressions

    func value(of expression: ExpressionNode, _ scope: Scope) -> NaiveValue {
        switch expression {
        case .value(let constant): return value(of: constant)
        case .evaluatedObject: return .object(scope.object)
        case .keyPath(let keys, _): return follow(.object(scope.object), scope.object.entityName, keys)
        case .path(let base, let keys, _): return follow(value(of: base, scope), entityName(of: base, scope), keys)
        case .variable(let name, _):
            guard let value = scope.variables[name] else { fatalError("$\(name) has no value") }
            return value
        case .aggregate(let parts): return .list(parts.map { value(of: $0, scope) })
        case .function(let function, let arguments, _):
            let operands = arguments.map { NaiveOperand(value: value(of: $0, scope), isConstant: isConstant($0)) }
            return NaiveNumber.call(function, operands)
        case .collectionFunction(let function, let collection, _):
            return NaiveNumber.aggregate(function, elements(value(of: collection, scope)))
        case .cast(let inner, let type, _):
            switch value(of: inner, scope) {
            case .none: return .none
            case .value(let value): return NaiveNumber.cast(value, to: type).map { .value($0) } ?? .none
            case .object, .reference, .list: fatalError("CAST of what is not a value")
            }
        case .conditional(let condition, let then, let otherwise, _):
            return value(of: isMet(condition, scope) ? then : otherwise, scope)
        case .subquery(let collection, let variable, let condition, _):
            var inner = scope
            inner.entityNames[variable] = entityName(of: collection, scope)
            return .list(
                elements(value(of: collection, scope)).filter { element in
                    inner.variables[variable] = element
                    return isMet(condition, inner)
                }
            )
        case .element(let collection, let index, _):
            let elements = elements(value(of: collection, scope))
            switch index {
            case .first: return elements.first ?? NaiveValue.none
            case .last: return elements.last ?? NaiveValue.none
            case .at(let expression):
                guard case .value(let index) = value(of: expression, scope), let index = NaiveNumber.integer(index),
                    index >= 0, index < elements.count
                else { return .none }
                return elements[Int(index)]
            }
        case .assignment: fatalError("assignment is not supported")
        }
    }

    private func value(of constant: PredicateValue) -> NaiveValue {
        switch constant {
        case .null: .none
        case .attribute(let value): .value(value)
        case .object(let reference): .reference(rootEntityName: reference.rootEntityName, key: reference.key)
        case .collection(let values): .list(values.map { value(of: $0) })
        }
    }

    private func elements(_ value: NaiveValue) -> [NaiveValue] {
        guard case .list(let elements) = value else { fatalError("a list is wanted instead of \(value)") }
        return elements
    }

    // MARK: Paths

    private func follow(_ start: NaiveValue, _ startEntity: String?, _ keys: [String]) -> NaiveValue {
        var current = start
        var entity = startEntity
        var index = 0
        while index < keys.count {
            let key = keys[index]
            index += 1
            switch key {
            case "@count":
                current = .value(.integer(Int64(elements(current).count)))
            case "@sum", "@avg", "@min", "@max":
                let functions = ["@sum": CollectionFunction.sum, "@avg": .average, "@min": .min, "@max": .max]
                guard let function = functions[key] else { fatalError(key) }
                return NaiveNumber.aggregate(function, elements(follow(current, entity, Array(keys[index...]))))
            case "@unionOfObjects", "@distinctUnionOfObjects":
                let end = keys[index...].firstIndex { $0.hasPrefix("@") } ?? keys.count
                var found: [NaiveValue] = []
                for element in elements(follow(current, entity, Array(keys[index..<end]))) {
                    if case .none = element { continue }
                    let operand = NaiveOperand(value: element)
                    if key == "@unionOfObjects"
                        || !found.contains(where: { areEqual(NaiveOperand(value: $0), operand, []) })
                    {
                        found.append(element)
                    }
                }
                current = .list(found)
                entity = entityName(from: entity, keys[index..<end])
                index = end
            default:
                let description = entity.flatMap { model.entity(named: $0) }
                var name = key
                var attribute = description?.attribute(named: key)
                while let composite = attribute, composite.attributeType == .composite {
                    name += "." + keys[index]
                    attribute = composite.elements.first { $0.name == keys[index] }
                    index += 1
                }
                let relationship = description?.relationship(named: key)
                let isEntityName = attribute == nil && relationship == nil && key == "entity"
                if isEntityName {
                    name = "entity.name"
                    if index < keys.count, keys[index] == "name" { index += 1 }
                }
                guard attribute != nil || relationship != nil || isEntityName else {
                    fatalError("\(entity ?? "?") has no '\(key)'")
                }
                if case .list(let elements) = current {
                    let steps = elements.map { step($0, name, relationship) }
                    current = .list(steps.flatMap { if case .list(let inner) = $0 { inner } else { [$0] } })
                } else {
                    current = step(current, name, relationship)
                }
                entity = relationship?.destinationEntityName
            }
        }
        return current
    }

    private func step(_ value: NaiveValue, _ name: String, _ relationship: RelationshipDescription?) -> NaiveValue {
        let isToMany = relationship?.isToMany ?? false
        switch value {
        case .none: return isToMany ? .list([]) : .none
        case .object(let object):
            if isToMany { return .list((object.toMany[name] ?? []).map { .object($0) }) }
            if relationship != nil { return object.toOne[name].map { .object($0) } ?? .none }
            if name == "entity.name" { return .value(.string(object.entityName)) }
            return object.values[name].map { .value($0) } ?? .none
        case .value, .reference, .list: fatalError("'\(name)' of what is not an object")
        }
    }

    /// Returns the entity at the end of a path of keys, which is needed if an object is missing.
    private func entityName(from start: String?, _ keys: some Sequence<String>) -> String? {
        keys.reduce(start) { name, key in
            if key.hasPrefix("@") { return name }
            return name.flatMap { model.entity(named: $0) }?.relationship(named: key)?.destinationEntityName
        }
    }

    private func entityName(of expression: ExpressionNode, _ scope: Scope) -> String? {
        switch expression {
        case .evaluatedObject: scope.object.entityName
        case .keyPath(let keys, _): entityName(from: scope.object.entityName, keys)
        case .path(let base, let keys, _): entityName(from: entityName(of: base, scope), keys)
        case .variable(let name, _): scope.entityNames[name]
        case .subquery(let base, _, _, _), .element(let base, _, _): entityName(of: base, scope)
        case .conditional(_, let then, let otherwise, _):
            entityName(of: then, scope) ?? entityName(of: otherwise, scope)
        case .aggregate(let parts): parts.lazy.compactMap { entityName(of: $0, scope) }.first
        case .function(.noIndex, let arguments, _): arguments.first.flatMap { entityName(of: $0, scope) }
        case .value(.object(let reference)): reference.rootEntityName
        case .value, .function, .collectionFunction, .cast, .assignment: nil
        }
    }
}

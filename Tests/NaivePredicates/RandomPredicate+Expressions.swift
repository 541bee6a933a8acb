import ChordataModel
import ChordataPredicate
import Foundation

extension RandomPredicate {
    mutating func condition(_ names: Names) -> PredicateNode { predicate(0, names) }

    /// Returns a number that usually differs between objects.
    mutating func variableNumber(_ depth: Int, _ names: Names) -> ExpressionNode {
        let result = number(depth, names)
        return isConstant(result) && !random.percent(8) ? path(to: numberTypes, names).node : result
    }

    mutating func constantNumber() -> ExpressionNode {
        switch random.below(10) {
        case 0...4:
            .value(
                .attribute(
                    .integer(random.pick(random.percent(85) ? RandomAlphabet.integers : RandomAlphabet.wideIntegers))
                )
            )
        case 5...7: .value(.attribute(.double(random.pick(RandomAlphabet.doubles))))
        case 8: .value(.attribute(.decimal(random.pick(RandomAlphabet.decimals))))
        default: .value(.attribute(.boolean(random.percent(50))))
        }
    }

    mutating func number(_ depth: Int, _ names: Names) -> ExpressionNode {
        if depth <= 0 { return random.percent(60) ? path(to: numberTypes, names).node : constantNumber() }
        switch random.below(24) {
        case 0...3: return path(to: numberTypes, names).node
        case 4...5: return constantNumber()
        case 6...8:
            let sign: PredicateFunction = random.pick([.add, .subtract, .multiply, .divide, .modulus, .power])
            let right: ExpressionNode
            // Large exponents test nothing.
            if sign == .power { right = integer(random.below(5) - 1) } else { right = number(depth - 1, names) }
            return .function(sign, [variableNumber(depth - 1, names), right], offset: 0)
        case 9:
            let sign: PredicateFunction = random.pick([.add, .subtract, .multiply])
            let parts = (0..<2).map { _ in ExpressionNode.value(.attribute(.double(random.pick([0.1, 0.2, 1.5, 3])))) }
            return .function(sign, parts, offset: 0)
        case 10...11:
            let function: PredicateFunction = random.pick([
                .negate, .abs, .floor, .ceiling, .trunc, .sqrt, .ln, .log, .exp, .noIndex,
            ])
            return .function(function, [variableNumber(depth - 1, names)], offset: 0)
        case 12:
            let function: PredicateFunction = random.pick([
                .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift,
            ])
            let right =
                random.percent(50) ? integer(random.pick([-65, -2, 0, 1, 3, 63, 64, 100])) : variableNumber(0, names)
            return .function(function, [variableNumber(depth - 1, names), right], offset: 0)
        case 13:
            if random.percent(30) { return .function(.onesComplement, [variableNumber(depth - 1, names)], offset: 0) }
            return .function(.length, [text(depth - 1, names)], offset: 0)
        case 14...15: return count(names)
        case 16...18: return aggregate(depth, names)
        case 19: return cast(depth, names)
        case 20:
            let type = random.pick(numberTypes)
            let branches = [path(to: [type], names).node, path(to: [type], names).node]
            return .conditional(condition(names), branches[0], branches[1], offset: 0)
        case 21:
            let isDecimal = random.percent(30)
            let parts = (0..<3).map { _ in
                isDecimal || random.percent(50)
                    ? path(to: isDecimal ? [.decimal] : [.integer16, .integer32, .integer64], names).node
                    : integer(random.below(5))
            }
            return .element(list(parts), index(), offset: 0)
        case 22: return .function(.subtract, [path(to: [.date], names).node, date(0, names)], offset: 0)
        default: return count(names)
        }
    }

    mutating func count(_ names: Names) -> ExpressionNode {
        if names.variables.count < 2, random.percent(60) {
            let node = random.percent(80) ? subquery(names, ofValues: 25).node : subquery(names, ofValues: 100).node
            return random.percent(75)
                ? .path(node, ["@count"], offset: 0) : .collectionFunction(.count, node, offset: 0)
        }
        let (list, isOfObjects) =
            random.percent(50)
            ? (objectList(names)?.node, true) : (valueList([.string, .date] + numberTypes, names)?.node, false)
        switch list ?? .keyPath(["toys"], offset: 0) {
        case .keyPath(let keys, _) where (isOfObjects || isUnion(keys)) && random.percent(70):
            return .keyPath(keys + ["@count"], offset: 0)
        case .path(let base, let keys, _) where (isOfObjects || isUnion(keys)) && random.percent(70):
            return .path(base, keys + ["@count"], offset: 0)
        case let node: return .collectionFunction(.count, node, offset: 0)
        }
    }

    func isUnion(_ keys: [String]) -> Bool { keys.contains { $0.hasPrefix("@") } }

    mutating func aggregate(_ depth: Int, _ names: Names) -> ExpressionNode {
        let functions: [CollectionFunction] = [.sum, .average, .min, .max, .median, .mode, .stddev]
        switch random.below(5) {
        case 0...1: return pathAggregate(["@sum", "@avg", "@min", "@max"], numberTypes, names)
        case 2:
            // Several arguments: of one kind for all functions, and of different kinds if the result is well defined.
            let isMixed = random.percent(40)
            let types: [AttributeType] =
                isMixed ? numberTypes : random.pick([[.integer16, .integer32], [.double], [.decimal], [.float]])
            var parts = (0...(1 + random.below(3))).map { _ in path(to: types, names).node }
            if isMixed { parts.append(constantNumber()) }
            let function: CollectionFunction = random.pick(
                isMixed ? [.sum, .average, .min, .max, .stddev, .count] : functions
            )
            return .collectionFunction(function, list(parts), offset: 0)
        default:
            guard let (list, _) = valueList(numberTypes, names) else { return count(names) }
            return .collectionFunction(random.pick(functions), list, offset: 0)
        }
    }

    /// `toys.@sum.price`, `toys.@sum.shop.rank`, `toys.@distinctUnionOfObjects.price.@sum`.
    mutating func pathAggregate(_ functions: [String], _ types: [AttributeType], _ names: Names)
        -> ExpressionNode
    {
        if names.variables.count < 2, random.percent(20) {
            let (node, entity) = subquery(names)
            if let (keys, _) = attribute(types, from: entity) {
                return .path(node, [random.pick(functions)] + keys, offset: 0)
            }
        }
        for _ in 0..<8 {
            let start = start(names)
            guard let (keys, end) = toManyKeys(from: start.entity), let (more, _) = attribute(types, from: end) else {
                continue
            }
            if random.percent(15) {
                let union = random.pick(["@unionOfObjects", "@distinctUnionOfObjects"])
                return joined(start.node, keys + [union] + more + [random.pick(functions)])
            }
            return joined(start.node, keys + [random.pick(functions)] + more)
        }
        return .keyPath(
            types.contains(.string)
                ? ["toys", "@min", "name"] : ["toys", "@max", types.contains(.date) ? "made" : "price"],
            offset: 0
        )
    }

    /// Returns a text from which a number is read.
    ///
    /// A constant that is not a number would be rejected.
    mutating func spelling(_ depth: Int, _ names: Names) -> ExpressionNode {
        let text = text(depth - 1, names)
        return isConstant(text) ? string("-12.5") : text
    }

    mutating func cast(_ depth: Int, _ names: Names) -> ExpressionNode {
        switch random.below(6) {
        case 0: .cast(spelling(depth, names), to: .number, offset: 0)
        case 1: .cast(spelling(depth, names), to: .decimal, offset: 0)
        case 2: .cast(variableNumber(depth - 1, names), to: .decimal, offset: 0)
        case 3: .cast(path(to: [.date], names).node, to: .number, offset: 0)
        default: .cast(variableNumber(depth - 1, names), to: .number, offset: 0)
        }
    }

    mutating func text(_ depth: Int, _ names: Names) -> ExpressionNode {
        if depth <= 0 || random.percent(60) {
            if random.percent(55) { return path(to: [.string], names).node }
            return string(random.pick(random.percent(6) ? ["Animal", "Dog", "Owner"] : RandomAlphabet.strings))
        }
        switch random.below(8) {
        case 0...1:
            let function: PredicateFunction = random.pick([.uppercase, .lowercase, .canonical, .noIndex])
            return .function(function, [path(to: [.string], names).node], offset: 0)
        case 2: return .cast(variableNumber(depth - 1, names), to: .string, offset: 0)
        case 3: return .cast(path(to: [.uuid, .uri, .string], names).node, to: .string, offset: 0)
        case 4: return .conditional(condition(names), path(to: [.string], names).node, text(0, names), offset: 0)
        case 5: return pathAggregate(["@min", "@max"], [.string], names)
        case 6:
            guard let (list, _) = valueList([.string], names) else { return text(0, names) }
            return .collectionFunction(random.pick([.min, .max, .mode]), list, offset: 0)
        default: return .element(list((0..<3).map { _ in text(0, names) }), index(), offset: 0)
        }
    }

    mutating func date(_ depth: Int, _ names: Names) -> ExpressionNode {
        if depth <= 0 || random.percent(50) {
            return random.percent(60)
                ? path(to: [.date], names).node : .value(.attribute(.date(random.pick(RandomAlphabet.dates))))
        }
        let base = path(to: [.date], names).node
        switch random.below(6) {
        case 0: return .function(.add, [base, number(0, names)], offset: 0)
        case 1: return .function(.add, [number(0, names), base], offset: 0)
        case 2: return .function(.subtract, [base, number(0, names)], offset: 0)
        case 3: return .cast(variableNumber(depth - 1, names), to: .date, offset: 0)
        case 4: return pathAggregate(["@min", "@max"], [.date], names)
        default: return .conditional(condition(names), base, path(to: [.date], names).node, offset: 0)
        }
    }
}

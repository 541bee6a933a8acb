import ChordataModel

extension PredicateCompiler {
    private func attribute(of path: BoundKeyPath) -> (AnyObject) -> AttributeValue? {
        switch path.target {
        case .attribute, .object: return access.attribute(of: path)
        case .entityName:
            let access = access
            return { .string(access.entityName(of: $0)) }
        }
    }

    /// Returns a fast reader of a string, or `nil`.
    func string(of path: BoundKeyPath) -> ((AnyObject) -> String?)? {
        switch path.target {
        case .attribute, .object: return access.string(of: path)
        case .entityName:
            let access = access
            return { access.entityName(of: $0) }
        }
    }

    /// Returns a reader of a value that is not an object.
    mutating func value(_ expression: BoundExpression) -> Reader {
        switch expression {
        case .value(.attribute(let constant)): return { _, _ in constant }
        case .value: return { _, _ in nil }
        case .keyPath(let path):
            let read = attribute(of: path)
            if path.relationships.isEmpty, path.root == nil { return { object, _ in read(object) } }
            let start = object(at: path)
            return { object, scope in start(object, scope).flatMap(read) }
        case .variable(let variable, _):
            return { _, scope in
                if case .value(let value) = scope.slots[variable] { return value }
                return nil
            }
        case .function(let function, let arguments): return call(function, arguments)
        case .cast(let operand, let type):
            let read = value(operand)
            return { object, scope throws(FetchPredicateError) in
                guard let value = try read(object, scope) else { return nil }
                return evaluateCast(value, to: type)
            }
        case .conditional(let condition, let first, let second):
            let condition = self.condition(condition)
            let first = value(first)
            let second = value(second)
            return { object, scope throws(FetchPredicateError) in
                try condition(object, scope) ? try first(object, scope) : try second(object, scope)
            }
        case .aggregate(let function, let collection): return aggregate(function, collection)
        case .element(let collection, let position):
            return element(of: collection, at: position, read: value(collection.element))
        }
    }

    private mutating func call(_ function: PredicateFunction, _ arguments: [BoundExpression]) -> Reader {
        let first = value(arguments[0])
        if function == .noIndex { return first }
        let firstIsConstant = arguments[0].isConstant
        guard arguments.count == 2 else {
            return { object, scope throws(FetchPredicateError) in
                guard let value = try first(object, scope) else { return nil }
                return evaluate(function, [(value, firstIsConstant)])
            }
        }
        let second = value(arguments[1])
        let secondIsConstant = arguments[1].isConstant
        return { object, scope throws(FetchPredicateError) in
            guard let left = try first(object, scope), let right = try second(object, scope) else { return nil }
            return evaluate(function, [(left, firstIsConstant), (right, secondIsConstant)])
        }
    }

    // MARK: Collections

    /// Iterates over a collection; the step receives the scope of each element and returns whether to continue.
    typealias Step = (Scope) throws(FetchPredicateError) -> Bool
    typealias Walk = (Object, Scope, Step) throws(FetchPredicateError) -> Void

    mutating func walk(_ collection: BoundCollection) -> Walk {
        for generator in collection.generators { variableCount = max(variableCount, generator.variable + 1) }
        let filter = collection.filter == .constant(true) ? nil : condition(collection.filter)
        // The closures are built from the innermost out; each returns whether the iteration continues.
        typealias Inner = (Object, Scope, Step) throws(FetchPredicateError) -> Bool
        var inner: Inner = { object, scope, step throws(FetchPredicateError) in
            if let filter, !(try filter(object, scope)) { return true }
            return try step(scope)
        }
        for generator in collection.generators.reversed() {
            let next = inner
            let variable = generator.variable
            switch generator.source {
            case .relationship(let path, let relationship):
                let start = self.object(at: path)
                let read = access.toMany(relationship, of: path.targetEntityName)
                inner = { object, scope, step throws(FetchPredicateError) in
                    guard let source = start(object, scope) else { return true }
                    for element in read(source) {
                        try scope.countStep()
                        scope.slots[variable] = .object(element)
                        guard try next(object, scope, step) else { return false }
                    }
                    return true
                }
            case .list(let parts):
                let readers = parts.map { slot($0) }
                inner = { object, scope, step throws(FetchPredicateError) in
                    for read in readers {
                        try scope.countStep()
                        scope.slots[variable] = try read(object, scope)
                        guard try next(object, scope, step) else { return false }
                    }
                    return true
                }
            }
        }
        let outermost = inner
        return { object, scope, step throws(FetchPredicateError) in _ = try outermost(object, scope, step) }
    }

    private mutating func slot(
        _ expression: BoundExpression
    ) -> (Object, Scope) throws(FetchPredicateError) -> Scope.Slot {
        if case .element(let collection, let position) = expression, case .keyPath(let path) = collection.element,
            path.target == .object
        {
            let object = object(at: path)
            let read = element(of: collection, at: position, read: { root, scope in object(root, scope) })
            return { object, scope throws(FetchPredicateError) in
                guard let found = try read(object, scope) else { return .empty }
                return .object(found)
            }
        }
        if expression.isObject {
            let read = key(expression)
            return { object, scope throws(FetchPredicateError) in
                guard let key = try read(object, scope) else { return .empty }
                return .key(key)
            }
        }
        let read = value(expression)
        return { object, scope throws(FetchPredicateError) in
            guard let value = try read(object, scope) else { return .empty }
            return .value(value)
        }
    }

    private mutating func aggregate(_ function: CollectionFunction, _ collection: BoundCollection) -> Reader {
        if collection.generators.isEmpty, let group { return aggregate(function, collection, group) }
        let walk = walk(collection)
        if function == .count, !collection.isDistinct {
            return { object, scope throws(FetchPredicateError) in
                var count: Int64 = 0
                try walk(object, scope) { _ throws(FetchPredicateError) in
                    count += 1
                    return true
                }
                return .integer(count)
            }
        }
        if collection.element.isObject {
            // The only aggregate of objects is their count.
            let read = key(collection.element)
            return { object, scope throws(FetchPredicateError) in
                var keys: Set<Int64?> = []
                try walk(object, scope) { scope throws(FetchPredicateError) in
                    keys.insert(try read(object, scope))
                    return true
                }
                return .integer(Int64(keys.count))
            }
        }
        let read = value(collection.element)
        let isDistinct = collection.isDistinct
        return { object, scope throws(FetchPredicateError) in
            var values: [AttributeValue?] = []
            var seen: Set<ExactValue> = []
            try walk(object, scope) { scope throws(FetchPredicateError) in
                let value = try read(object, scope)
                if !isDistinct || seen.insert(ExactValue(value.map { .attribute($0) } ?? .null)).inserted {
                    values.append(value)
                }
                return true
            }
            return aggregateValues(function, values)
        }
    }

    /// Returns a reader of a function of the objects of a group; missing values do not count, as in SQL.
    private mutating func aggregate(
        _ function: CollectionFunction,
        _ collection: BoundCollection,
        _ group: EvaluatedGroup
    ) -> Reader {
        if collection.element.isObject {
            // The only aggregate of objects is their count.
            let read = key(collection.element)
            return { _, scope throws(FetchPredicateError) in
                var count: Int64 = 0
                for member in group.members where try read(member, scope) != nil { count += 1 }
                return .integer(count)
            }
        }
        let read = value(collection.element)
        return { _, scope throws(FetchPredicateError) in
            var values: [AttributeValue?] = []
            for member in group.members {
                if let value = try read(member, scope) { values.append(value) }
            }
            return aggregateValues(function, values)
        }
    }

    /// Returns a reader of one element of an ordered collection.
    mutating func element<Value>(
        of collection: BoundCollection,
        at position: BoundPosition,
        read: @escaping (Object, Scope) throws(FetchPredicateError) -> Value?
    ) -> (Object, Scope) throws(FetchPredicateError) -> Value? {
        let walk = walk(collection)
        let index: Reader
        switch position {
        case .first: index = { _, _ in .integer(0) }
        case .last:
            return { object, scope throws(FetchPredicateError) in
                var result: Value?
                try walk(object, scope) { scope throws(FetchPredicateError) in
                    result = try read(object, scope)
                    return true
                }
                return result
            }
        case .at(let expression): index = value(expression)
        }
        return { object, scope throws(FetchPredicateError) in
            guard let wanted = try index(object, scope).flatMap(wholeNumber), wanted >= 0 else { return nil }
            var count: Int64 = 0
            var result: Value?
            try walk(object, scope) { scope throws(FetchPredicateError) in
                defer { count += 1 }
                guard count == wanted else { return true }
                result = try read(object, scope)
                return false
            }
            return result
        }
    }
}

extension BoundExpression {
    /// A Boolean value that indicates whether the value was known when the predicate was bound.
    var isConstant: Bool {
        if case .value = self { return true }
        return false
    }
}

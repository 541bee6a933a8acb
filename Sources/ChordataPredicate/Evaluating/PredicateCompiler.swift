package import ChordataModel

/// Compiles a bound predicate to a function that returns whether an object meets it.
///
/// The results are those of the SQL that is rendered for the predicate: two-valued logic, nil equals nil and differs
/// from everything else, an order or a string test with nil is false, and NOT inverts the result. The function throws
/// when a regular expression takes too long on an object's text.
/// - Parameters:
///   - memo: The results that several objects share. Pass one only if no object changes between evaluations.
///   - group: The objects for which functions of a group are computed; `nil` for a predicate without such functions.
/// - Complexity: Compiling is O(n log n) in the size of the predicate with its lists.
package func makeEvaluator(
    _ predicate: BoundPredicate,
    access: any PredicateAccess,
    memo: EvaluationMemo? = nil,
    group: EvaluatedGroup? = nil
) -> (AnyObject) throws(FetchPredicateError) -> Bool {
    var compiler = PredicateCompiler(access: access, memo: memo, group: group)
    let condition = compiler.condition(predicate)
    let count = compiler.variableCount
    if count == 0 {
        let scope = EvaluationScope(count: 0)
        return { object throws(FetchPredicateError) in try condition(object, scope) }
    }
    return { object throws(FetchPredicateError) in try condition(object, EvaluationScope(count: count)) }
}

/// Compiles a bound expression that is not an object to a function that computes its value for an object.
/// - Parameter group: The objects for which functions of a group are computed; `nil` for an expression without such
///   functions.
package func makeReader(
    _ expression: BoundExpression,
    access: any PredicateAccess,
    group: EvaluatedGroup? = nil
) -> (AnyObject) throws(FetchPredicateError) -> AttributeValue? {
    var compiler = PredicateCompiler(access: access, group: group)
    let value = compiler.value(expression)
    let count = compiler.variableCount
    return { object throws(FetchPredicateError) in try value(object, EvaluationScope(count: count)) }
}

/// The objects of a group, while functions of its objects are evaluated.
package final class EvaluatedGroup {
    package var members: [AnyObject] = []

    package init() {}
}

/// Converts the parts of a bound predicate to closures.
struct PredicateCompiler {
    typealias Object = AnyObject
    typealias Scope = EvaluationScope
    typealias Condition = (Object, Scope) throws(FetchPredicateError) -> Bool
    /// A closure that returns a value that is not an object.
    typealias Reader = (Object, Scope) throws(FetchPredicateError) -> AttributeValue?
    /// A closure that returns the key of an object.
    typealias KeyReader = (Object, Scope) throws(FetchPredicateError) -> Int64?
    typealias ObjectReader = (Object, Scope) -> Object?

    let access: any PredicateAccess
    /// The results that several objects share; `nil` while a condition whose results are kept is compiled.
    private var memo: EvaluationMemo?
    /// The objects for which functions of a group are computed.
    let group: EvaluatedGroup?
    /// The number of slots of a scope.
    var variableCount = 0

    init(access: any PredicateAccess, memo: EvaluationMemo? = nil, group: EvaluatedGroup? = nil) {
        (self.access, self.memo, self.group) = (access, memo, group)
    }

    mutating func condition(_ predicate: BoundPredicate) -> Condition {
        guard let memo else { return computedCondition(predicate) }
        let paths = RootPaths(of: predicate)
        guard paths.hasCollections, !paths.dependsOnVariables else { return computedCondition(predicate) }
        guard let way = paths.commonPrefix, !way.isEmpty else { return computedCondition(predicate) }
        self.memo = nil
        defer { self.memo = memo }
        let computed = computedCondition(predicate)
        let end = object(at: BoundKeyPath(entityName: paths.entityName, relationships: way, target: .object))
        let index = memo.addCondition()
        return { object, scope throws(FetchPredicateError) in
            guard let referenced = end(object, scope) else { return try computed(object, scope) }
            if let result = memo.result(of: index, for: referenced) { return result }
            let result = try computed(object, scope)
            memo.setResult(result, of: index, for: referenced)
            return result
        }
    }

    /// Compiles a condition whose results are not kept.
    private mutating func computedCondition(_ predicate: BoundPredicate) -> Condition {
        switch predicate {
        case .constant(let result): return { _, _ in result }
        case .and(let parts):
            let conditions = parts.map { condition($0) }
            if conditions.count == 2 {
                let (first, second) = (conditions[0], conditions[1])
                return { object, scope throws(FetchPredicateError) in
                    guard try first(object, scope) else { return false }
                    return try second(object, scope)
                }
            }
            return { object, scope throws(FetchPredicateError) in
                for condition in conditions where !(try condition(object, scope)) { return false }
                return true
            }
        case .or(let parts):
            let conditions = parts.map { condition($0) }
            return { object, scope throws(FetchPredicateError) in
                for condition in conditions where try condition(object, scope) { return true }
                return false
            }
        case .not(let inner):
            let condition = condition(inner)
            return { object, scope throws(FetchPredicateError) in !(try condition(object, scope)) }
        case .comparison(let comparison): return self.comparison(comparison)
        case .keys(let ranges):
            let access = access
            return { object, _ in
                let key = access.key(of: object)
                return ranges.contains { $0.contains(key) }
            }
        case .fullText(let search):
            let matches = access.fullText(search)
            return { object, _ throws(FetchPredicateError) in try matches(object) }
        case .exists(let collection):
            let walk = walk(collection)
            return { object, scope throws(FetchPredicateError) in
                var isFound = false
                try walk(object, scope) { _ throws(FetchPredicateError) in
                    isFound = true
                    return false
                }
                return isFound
            }
        }
    }

    // MARK: Objects

    /// Returns a reader of the object at the end of a path of to-one relationships.
    func object(at path: BoundKeyPath) -> ObjectReader {
        object(behind: path.relationships[...], of: path)
    }

    private func object(behind relationships: ArraySlice<RelationshipDescription>, of path: BoundKeyPath)
        -> ObjectReader
    {
        guard let last = relationships.last else {
            guard let root = path.root else { return { object, _ in object } }
            return { _, scope in
                if case .object(let object) = scope.slots[root] { return object }
                return nil
            }
        }
        let way = relationships.dropLast()
        let read = access.toOne(last, of: way.last?.destinationEntityName ?? path.entityName)
        if way.isEmpty, path.root == nil { return { object, _ in read(object) } }
        let start = object(behind: way, of: path)
        return { object, scope in start(object, scope).flatMap(read) }
    }

    /// Returns a reader of the key of an object; the key is `nil` if there is no object.
    mutating func key(_ expression: BoundExpression) -> KeyReader {
        switch expression {
        case .value(.object(let reference)):
            guard reference.isPermanent else { return { _, _ in reference.key } }
            let key = reference.key
            return { _, _ in key }
        case .value: return { _, _ in nil }
        case .keyPath(let path):
            let access = access
            guard let last = path.relationships.last else {
                let start = object(at: path)
                return { object, scope in start(object, scope).map { access.key(of: $0) } }
            }
            let way = path.relationships.dropLast()
            let read = access.toOneKey(last, of: way.last?.destinationEntityName ?? path.entityName)
            if way.isEmpty, path.root == nil { return { object, _ in read(object) } }
            let start = object(behind: way, of: path)
            return { object, scope in start(object, scope).flatMap(read) }
        case .variable(let variable, _):
            let access = access
            return { _, scope in
                switch scope.slots[variable] {
                case .key(let key): key
                case .object(let object): access.key(of: object)
                case .value, .empty: nil
                }
            }
        case .conditional(let condition, let first, let second):
            let condition = self.condition(condition)
            let first = key(first)
            let second = key(second)
            return { object, scope throws(FetchPredicateError) in
                try condition(object, scope) ? try first(object, scope) : try second(object, scope)
            }
        case .function(_, let arguments): return key(arguments[0])
        case .element(let collection, let position):
            return element(of: collection, at: position, read: key(collection.element))
        case .cast, .aggregate: return { _, _ in nil }
        }
    }
}

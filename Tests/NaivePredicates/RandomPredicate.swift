import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation

/// A generator of random predicates for the entity Animal, all of which can be bound.
struct RandomPredicate {
    /// The possible beginnings of a name: the object's own keys and the variables in scope.
    struct Names {
        enum Variable {
            case object(entityName: String)
            case value(AttributeType)
        }
        var variables: [(name: String, stands: Variable)] = []
    }

    var random: SplitMix64
    let model: ManagedObjectModel
    let entityName = "Animal"
    let numberTypes: [AttributeType] = [
        .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean,
    ]

    init(seed: UInt64, model: ManagedObjectModel) {
        random = SplitMix64(seed: seed)
        self.model = model
    }

    /// Returns the next predicate.
    mutating func next() -> PredicateNode { predicate(random.below(3), Names()) }

    mutating func predicate(_ depth: Int, _ names: Names) -> PredicateNode {
        if depth <= 0 { return random.percent(2) ? .constant(random.percent(50)) : comparison(1, names) }
        switch random.below(10) {
        case 0...2: return .conjunction((0...(1 + random.below(2))).map { _ in predicate(depth - 1, names) })
        case 3...4: return .disjunction((0...(1 + random.below(2))).map { _ in predicate(depth - 1, names) })
        case 5...6: return .not(predicate(depth - 1, names))
        default: return comparison(2, names)
        }
    }

    // MARK: Comparisons

    mutating func comparison(_ depth: Int, _ names: Names) -> PredicateNode {
        switch random.below(20) {
        case 0...4: return numbers(depth, names)
        case 5...8: return strings(depth, names)
        case 9: return others([.uuid], names)
        case 10: return others([.uri], names)
        case 11: return others([.binaryData], names)
        case 12: return dates(depth, names)
        case 13...14: return objects(names)
        default: return elementsOfList(depth, names)
        }
    }

    mutating func numbers(_ depth: Int, _ names: Names) -> PredicateNode {
        var left = number(depth, names)
        if isConstant(left), !random.percent(5) { left = path(to: numberTypes, names).node }
        switch random.below(8) {
        case 0: return pair(left, .between, list((0..<2).map { _ in orNil(number(depth - 1, names)) }), names)
        case 1:
            let parts = (0..<random.below(4)).map { _ in orNil(number(depth - 1, names)) }
            return random.percent(75)
                ? pair(left, .in, list(parts), names) : pair(list(parts), .contains, left, names)
        case 2:
            var decimal = path(to: [.decimal], names).node
            // The string is parsed as a decimal if it is compared with an attribute, but not with a variable.
            if case .variable = decimal { decimal = .keyPath(["price"], offset: 0) }
            return pair(
                decimal,
                random.pick([.equal, .less, .greaterOrEqual]),
                string(random.pick(["0.1", "12.34", "-7"])),
                names
            )
        default: return pair(left, orders(), orNil(number(depth, names)), names)
        }
    }

    mutating func strings(_ depth: Int, _ names: Names) -> PredicateNode {
        var left = text(depth, names)
        if isConstant(left), !random.percent(5) { left = path(to: [.string], names).node }
        let options = options()
        switch random.below(9) {
        case 0...2: return pair(left, orders(), orNil(text(depth, names), if: options.isEmpty), names, options)
        case 3:
            let sign: ComparisonOperator = random.pick([.contains, .beginsWith, .endsWith])
            return pair(left, sign, orNil(text(depth, names), if: options.isEmpty), names, options)
        case 4:
            return pair(left, .like, random.percent(80) ? pattern() : path(to: [.string], names).node, names, options)
        case 5: return pair(left, .matches, string(random.pick(RandomAlphabet.expressions)), names, options)
        case 6:
            let bounds = (0..<2).map { _ in orNil(text(depth - 1, names), if: options.isEmpty) }
            return pair(left, .between, list(bounds), names, options)
        case 7:
            let parts = (0..<random.below(4)).map { _ in orNil(text(depth - 1, names)) }
            let safe = parts.isEmpty ? [] : options
            return random.percent(75)
                ? pair(left, .in, list(parts), names, safe) : pair(list(parts), .contains, left, names, safe)
        // A string in a string.
        default: return pair(text(0, names), .in, path(to: [.string], names).node, names, options)
        }
    }

    mutating func dates(_ depth: Int, _ names: Names) -> PredicateNode {
        var left = date(depth, names)
        if isConstant(left) { left = path(to: [.date], names).node }
        switch random.below(5) {
        case 0: return pair(left, .between, list((0..<2).map { _ in orNil(date(0, names)) }), names)
        case 1: return pair(left, .in, list((0..<random.below(4)).map { _ in orNil(date(0, names)) }), names)
        default: return pair(left, orders(), orNil(date(depth, names)), names)
        }
    }

    /// UUIDs, URLs and data.
    mutating func others(_ types: [AttributeType], _ names: Names) -> PredicateNode {
        let (left, type) = path(to: types, names)
        var right: [ExpressionNode] = []
        for _ in 0..<2 {
            let constant = RandomAlphabet.value(of: type, isNarrow: true, &random)
            switch (random.below(5), constant) {
            case (0, _): right.append(path(to: types, names).node)
            case (1, .uuid(let uuid)):
                right.append(string(random.percent(50) ? uuid.uuidString : uuid.uuidString.lowercased()))
            case (1, .url(let url)): right.append(string(url.absoluteString))
            case (2, .uuid(let uuid)): right.append(.cast(string(uuid.uuidString), to: .uuid, offset: 0))
            case (2, .url(let url)): right.append(.cast(string(url.absoluteString), to: .url, offset: 0))
            case (3, .uuid): right.append(.cast(path(to: [.uuid, .string], names).node, to: .uuid, offset: 0))
            case (3, .url): right.append(.cast(path(to: [.uri], names).node, to: .url, offset: 0))
            case (3, .data): right.append(.cast(path(to: [.binaryData], names).node, to: .data, offset: 0))
            case (_, _): right.append(.value(.attribute(constant)))
            }
        }
        switch random.below(5) {
        case 0: return pair(left, .between, list(right), names)
        case 1: return pair(left, .in, list(right + [.value(.null)].filter { _ in random.percent(30) }), names)
        default: return pair(left, orders(), orNil(right[0]), names)
        }
    }

    mutating func objects(_ names: Names) -> PredicateNode {
        let (left, entity) = object(names)
        let root = model.entity(named: entity)?.rootEntityName ?? entity
        let sign: ComparisonOperator = random.percent(60) ? .equal : .notEqual
        if random.percent(30), let (list, end) = objectList(names), end == root {
            return random.percent(50) ? pair(left, .in, list, names) : pair(list, .contains, left, names)
        }
        if random.percent(20) {
            let parts = (0..<random.below(4)).map { _ in orNil(reference(root)) }
            return pair(left, .in, list(parts), names)
        }
        for _ in 0..<6 where random.percent(60) {
            let (right, end) = object(names)
            if model.entity(named: end)?.rootEntityName == root { return pair(left, sign, right, names) }
        }
        let right: ExpressionNode = random.percent(35) ? .value(.null) : reference(root)
        // Before a to-one relationship, the modifiers only apply to its single object.
        if case .keyPath(let keys, _) = left, keys != ["objectID"], !isUnion(keys), random.percent(25) {
            return pair(left, sign, right, names, [], random.pick([.any, .all, .none]))
        }
        return pair(left, sign, right, names)
    }

    /// ANY, ALL, NONE, and `x IN list`.
    mutating func elementsOfList(_ depth: Int, _ names: Names) -> PredicateNode {
        let modifier: PredicateNode.Modifier = random.pick([.any, .any, .all, .none])
        if random.percent(15), let (list, entity) = objectList(names) {
            let root = model.entity(named: entity)?.rootEntityName ?? entity
            if random.percent(30) {
                return pair(list, .in, self.list([reference(root), reference(root)]), names, [], modifier)
            }
            let right = random.percent(20) ? .value(.null) : reference(root)
            return pair(list, random.percent(60) ? .equal : .notEqual, right, names, [], modifier)
        }
        let wanted: [AttributeType] = random.pick([
            [.string], [.string], numberTypes, numberTypes, [.date], [.uuid, .uri],
        ])
        guard let (list, type) = valueList(wanted, names) else { return numbers(depth, names) }
        func single(_ generator: inout RandomPredicate) -> ExpressionNode {
            switch type {
            case .string: generator.text(depth - 1, names)
            case .date: generator.date(depth - 1, names)
            case .uuid, .uri: .value(.attribute(RandomAlphabet.value(of: type, isNarrow: true, &generator.random)))
            default: generator.number(depth - 1, names)
            }
        }
        let options = type == .string ? options() : []
        let right = single(&self)
        switch random.below(8) {
        case 0: return pair(right, .in, list, names, options)
        // Texts at the end of a path are compared by IN or ANY.
        case 1 where type == .string: return pair(right, .in, self.list([single(&self), list]), names, options)
        case 1: return pair(list, .contains, right, names, options)
        case 2: return pair(list, .in, self.list([right, single(&self)]), names, options, modifier)
        case 3: return pair(list, .between, self.list([right, single(&self)]), names, options, modifier)
        case 4 where type == .string:
            let sign: ComparisonOperator = random.pick([.contains, .beginsWith, .endsWith])
            return pair(list, sign, right, names, options, modifier)
        case 5 where type == .string: return pair(list, .like, pattern(), names, options, modifier)
        case 6 where type == .string:
            return pair(list, .matches, string(random.pick(RandomAlphabet.expressions)), names, options, modifier)
        default: return pair(list, orders(), orNil(right, if: options.isEmpty), names, options, modifier)
        }
    }

    /// Returns a comparison.
    ///
    /// A constant that is compared with a Float is a plain double, for which the rounding is well defined.
    func pair(
        _ left: ExpressionNode,
        _ sign: ComparisonOperator,
        _ right: ExpressionNode,
        _ names: Names,
        _ options: ComparisonOptions = [],
        _ modifier: PredicateNode.Modifier = .direct
    ) -> PredicateNode {
        let evaluator = NaiveEvaluator(model: model)
        var scope = NaiveEvaluator.Scope(object: NaiveObject(entityName: entityName, key: 0))
        for case (let name, .object(let entity)) in names.variables { scope.entityNames[name] = entity }
        func plain(_ expression: ExpressionNode) -> ExpressionNode {
            switch expression {
            case .value(.attribute(.decimal)): .value(.attribute(.double(0.1)))
            case .value(.collection(let parts)): list(parts.map { plain(.value($0)) })
            case .aggregate: list([.value(.attribute(.double(0.1))), .value(.attribute(.double(1.7)))])
            case .value: expression
            default: isConstant(expression) ? .value(.attribute(.double(1.7))) : expression
            }
        }
        return .comparison(
            PredicateNode.Comparison(
                evaluator.isFloatPath(right, scope) ? plain(left) : left,
                sign,
                evaluator.isFloatPath(left, scope) ? plain(right) : right,
                options: options,
                modifier: modifier
            )
        )
    }

    // MARK: Small parts

    func isConstant(_ expression: ExpressionNode) -> Bool {
        NaiveEvaluator(model: model).isConstant(expression)
    }
    func string(_ text: String) -> ExpressionNode { .value(.attribute(.string(text))) }
    func integer(_ number: Int) -> ExpressionNode { .value(.attribute(.integer(Int64(number)))) }
    func list(_ parts: [ExpressionNode]) -> ExpressionNode { .list(parts) }

    mutating func pattern() -> ExpressionNode { string(random.pick(RandomAlphabet.patterns)) }

    mutating func orders() -> ComparisonOperator {
        random.pick([.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    mutating func orNil(_ expression: ExpressionNode, if allowed: Bool = true) -> ExpressionNode {
        allowed && random.percent(7) ? .value(.null) : expression
    }

    mutating func options() -> ComparisonOptions {
        let letters = ["", "", "c", "d", "cd", "cd", "n", "l", "cdl", "cn"]
        return ComparisonOptions(letters: random.pick(letters))
    }

    mutating func reference(_ root: String) -> ExpressionNode {
        .value(.object(ObjectReference(rootEntityName: root, key: Int64(1 + random.below(root == "Animal" ? 12 : 3)))))
    }

    // MARK: Paths

    mutating func toOnes(from entity: String, atMost steps: Int) -> (keys: [String], end: String) {
        var keys: [String] = []
        var end = entity
        for _ in 0..<steps where random.percent(35) {
            let candidates = model.entity(named: end)?.relationships.filter { !$0.isToMany } ?? []
            if candidates.isEmpty { break }
            let step = random.pick(candidates)
            keys.append(step.name)
            end = step.destinationEntityName
        }
        return (keys, end)
    }

    mutating func attribute(_ types: [AttributeType], from entity: String) -> (
        keys: [String], type: AttributeType
    )? {
        for _ in 0..<8 {
            let (keys, end) = toOnes(from: entity, atMost: 2)
            if types.contains(.string), random.percent(4) {
                return (keys + random.pick([["entity", "name"], ["entity"]]), .string)
            }
            let candidates = (model.entity(named: end)?.askable ?? []).filter { types.contains($0.type) }
            if candidates.isEmpty { continue }
            let attribute = random.pick(candidates)
            return (keys + attribute.keys, attribute.type)
        }
        return nil
    }

    /// Returns the beginning of a path: the object, a variable, or an element of an ordered to-many relationship.
    mutating func start(_ names: Names) -> (node: ExpressionNode?, entity: String) {
        if random.percent(65), let variable = names.variables.last(where: { _ in random.percent(70) }),
            case .object(let entity) = variable.stands
        {
            return (.variable(variable.name, offset: 0), entity)
        }
        return random.percent(12) ? (pup(names), entityName) : (nil, entityName)
    }

    func joined(_ start: ExpressionNode?, _ keys: [String]) -> ExpressionNode {
        start.map { .path($0, keys, offset: 0) } ?? .keyPath(keys, offset: 0)
    }

    mutating func path(to types: [AttributeType], _ names: Names) -> (node: ExpressionNode, type: AttributeType) {
        if random.percent(60), let variable = names.variables.last, case .value(let type) = variable.stands,
            types.contains(type)
        {
            return (.variable(variable.name, offset: 0), type)
        }
        let start = start(names)
        if let (keys, type) = attribute(types, from: start.entity) { return (joined(start.node, keys), type) }
        while true {
            if let (keys, type) = attribute(types, from: entityName) { return (.keyPath(keys, offset: 0), type) }
        }
    }

    mutating func index() -> CollectionIndex {
        switch random.below(6) {
        case 0, 1: .first
        case 2: .last
        case 3: .at(.keyPath([random.pick(["first", "age"])], offset: 0))
        default: .at(integer(random.pick([-1, 0, 0, 1, 1, 2, 5])))
        }
    }

    /// Returns an element of the ordered to-many relationship.
    mutating func pup(_ names: Names) -> ExpressionNode {
        for case (let name, .object("Animal")) in names.variables where random.percent(50) {
            return .element(.path(.variable(name, offset: 0), ["pups"], offset: 0), index(), offset: 0)
        }
        return .element(
            .keyPath(random.pick([["pups"], ["pups"], ["friend", "pups"]]), offset: 0),
            index(),
            offset: 0
        )
    }

    mutating func object(_ names: Names) -> (node: ExpressionNode, entity: String) {
        let start = start(names)
        let (keys, end) = toOnes(from: start.entity, atMost: 3)
        if !keys.isEmpty { return (joined(start.node, keys), end) }
        if let node = start.node { return (node, start.entity) }
        let own = [("friend", "Animal"), ("owner", "Owner"), ("", "Animal")]
        let (key, entity) = random.pick(own)
        return (key.isEmpty ? .evaluatedObject : .keyPath([key], offset: 0), entity)
    }

    /// Returns the keys of a path over one or two to-many relationships.
    mutating func toManyKeys(from entity: String) -> (keys: [String], end: String)? {
        for _ in 0..<4 {
            var (keys, end) = toOnes(from: entity, atMost: 2)
            let candidates = model.entity(named: end)?.relationships.filter(\.isToMany) ?? []
            if candidates.isEmpty { continue }
            let step = random.pick(candidates)
            keys.append(step.name)
            end = step.destinationEntityName
            if random.percent(25), let (more, last) = toManyKeys(from: end), keys.count + more.count < 5 {
                return (keys + more, last)
            }
            return (keys, end)
        }
        return nil
    }

    mutating func objectList(_ names: Names, subqueries: Bool = true) -> (node: ExpressionNode, entity: String)? {
        if subqueries, names.variables.count < 2, random.percent(30) { return subquery(names) }
        let start = start(names)
        guard let (keys, end) = toManyKeys(from: start.entity) else { return nil }
        let (more, last) = random.percent(25) ? toOnes(from: end, atMost: 2) : ([], end)
        return (joined(start.node, keys + more), last)
    }

    mutating func valueList(_ types: [AttributeType], _ names: Names) -> (
        node: ExpressionNode, type: AttributeType
    )? {
        for _ in 0..<5 {
            if names.variables.count < 2, random.percent(15) {
                let (subquery, entity) = subquery(names)
                guard let (keys, type) = attribute(types, from: entity) else { continue }
                return (.path(subquery, keys, offset: 0), type)
            }
            let start = start(names)
            guard let (keys, end) = toManyKeys(from: start.entity), let (more, type) = attribute(types, from: end)
            else {
                continue
            }
            // It is not well defined whether a union of floats is a plain path.
            let union = random.percent(20) && type != .float
            let joint = union ? [random.pick(["@unionOfObjects", "@distinctUnionOfObjects"])] : []
            return (joined(start.node, keys + joint + more), type)
        }
        return nil
    }

    /// Returns a subquery of objects, or, with a probability of `chance` percent, of values (without an entity).
    mutating func subquery(_ names: Names, ofValues chance: Int = 0) -> (node: ExpressionNode, entity: String?) {
        let name = ["x", "y"][names.variables.count]
        var inner = names
        if random.percent(chance),
            let (list, type) = valueList([.string, .integer32, .integer64, .double, .decimal, .date], names)
        {
            inner.variables.append((name, .value(type)))
            let condition = predicate(random.below(2), inner)
            return (.subquery(list, variable: name, condition, offset: 0), nil)
        }
        let (list, entity) = objectList(names, subqueries: false) ?? (.keyPath(["toys"], offset: 0), "Toy")
        inner.variables.append((name, .object(entityName: entity)))
        let condition = predicate(random.below(2), inner)
        return (.subquery(list, variable: name, condition, offset: 0), entity)
    }

    mutating func subquery(_ names: Names) -> (node: ExpressionNode, entity: String) {
        let result: (node: ExpressionNode, entity: String?) = subquery(names, ofValues: 0)
        return (result.node, result.entity ?? entityName)
    }
}

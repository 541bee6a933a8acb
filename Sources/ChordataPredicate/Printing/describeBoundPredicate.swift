import ChordataModel

/// Returns the bound form of a predicate, as a tree of lines: types of keys, visited collections, comparisons.
package func describe(_ predicate: BoundPredicate) -> [String] {
    switch predicate {
    case .constant(let value): [value ? "every object" : "no object"]
    case .and(let parts): ["AND"] + indent(parts.flatMap { describe($0) })
    case .or(let parts): ["OR"] + indent(parts.flatMap { describe($0) })
    case .not(let inner): ["NOT"] + indent(describe(inner))
    case .comparison(let comparison): [text(of: comparison)]
    case .fullText(let search): [text(of: search)]
    case .keys(let ranges): [text(of: ranges)]
    case .exists(let collection):
        ["EXISTS \(walk(over: collection))"]
            + (collection.filter == .constant(true) ? [] : indent(describe(collection.filter)))
    }
}

private func indent(_ lines: [String]) -> [String] { lines.map { "  " + $0 } }

private func text(of ranges: [ClosedRange<Int64>]) -> String {
    "row key IN \(ranges.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))"
}

private func text(of search: BoundFullText) -> String {
    let names = search.attributes.map(\.keyPath).joined(separator: ", ")
    return "FULL TEXT (\(names)) MATCHES \(PredicateLiteral.text(of: .attribute(.string(search.query.description))))"
}

private func text(of comparison: BoundComparison) -> String {
    let options = comparison.options.isEmpty ? "" : "[\(comparison.options.letters)]"
    return "\(text(of: comparison.left)) \(comparison.operator.rawValue)\(options) \(text(of: comparison.right))"
}

private func text(of expression: BoundExpression) -> String {
    switch expression {
    case .value(let value): return PredicateLiteral.text(of: value)
    case .keyPath(let path): return text(of: path)
    case .variable(let variable, _): return "$\(variable)"
    case .function(let function, let arguments):
        let arguments = arguments.map { text(of: $0) }
        guard let sign = function.sign, arguments.count == 2 else {
            return "\(function.rawValue)(\(arguments.joined(separator: ", ")))"
        }
        return "(\(arguments[0]) \(sign) \(arguments[1]))"
    case .cast(let operand, let type): return "CAST(\(text(of: operand)), \"\(type.rawValue)\")"
    case .conditional(let condition, let first, let second):
        return "TERNARY(\(inOneLine(condition)), \(text(of: first)), \(text(of: second)))"
    case .aggregate(let function, let collection):
        let distinct = collection.isDistinct ? "distinct " : ""
        return "\(function.rawValue)(\(distinct)\(text(of: collection)))"
    case .element(let collection, let position):
        switch position {
        case .first: return "(\(text(of: collection)))[FIRST]"
        case .last: return "(\(text(of: collection)))[LAST]"
        case .at(let index): return "(\(text(of: collection)))[\(text(of: index))]"
        }
    }
}

private func text(of path: BoundKeyPath) -> String {
    let root = path.root.map { "$\($0)" }
    let keys = path.relationships.map(\.name) + path.attributePath
    let way = ([root].compactMap(\.self) + keys).joined(separator: ".")
    let type = path.attribute?.attributeType.rawValue ?? path.targetEntityName
    return "\(way.isEmpty ? "SELF" : way) (\(type))"
}

private func text(of collection: BoundCollection) -> String {
    let filter = collection.filter == .constant(true) ? "" : " WHERE \(inOneLine(collection.filter))"
    return "\(text(of: collection.element)) FOR \(walk(over: collection))\(filter)"
}

private func walk(over collection: BoundCollection) -> String {
    collection.generators.map { generator in
        switch generator.source {
        case .list(let parts):
            return "$\(generator.variable) IN {\(parts.map { text(of: $0) }.joined(separator: ", "))}"
        case .relationship(let path, let relationship):
            let keys =
                ([path.root.map { "$\($0)" }].compactMap(\.self) + path.relationships.map(\.name)) + [relationship.name]
            return "$\(generator.variable) IN \(keys.joined(separator: ".")) (\(relationship.destinationEntityName))"
        }
    }.joined(separator: ", ")
}

private func inOneLine(_ predicate: BoundPredicate) -> String {
    switch predicate {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): "(" + parts.map { inOneLine($0) }.joined(separator: " AND ") + ")"
    case .or(let parts): "(" + parts.map { inOneLine($0) }.joined(separator: " OR ") + ")"
    case .not(let inner): "NOT " + inOneLine(inner)
    case .comparison(let comparison): text(of: comparison)
    case .fullText(let search): text(of: search)
    case .keys(let ranges): text(of: ranges)
    case .exists(let collection): "EXISTS(\(text(of: collection)))"
    }
}

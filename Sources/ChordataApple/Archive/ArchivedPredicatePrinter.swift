internal import ChordataModel

/// Prints archived predicates and expressions as format strings.
///
/// A predicate that contains a part without an equivalent in format strings, or that is nested too deeply, is not
/// printed.
struct ArchivedPredicatePrinter {
    typealias Failure = KeyedArchive.Failure
    typealias Index = KeyedArchive.Index

    let archive: KeyedArchive
    /// The user info of the fetched property whose predicate is printed, to which `$FETCHED_PROPERTY` refers.
    private let userInfo: [String: String]
    private static let maximumDepth = 64

    init(_ archive: KeyedArchive, userInfo: [String: String] = [:]) {
        self.archive = archive
        self.userInfo = userInfo
    }

    // MARK: Predicates

    func predicate(_ index: Index?, depth: Int = 0) throws(Failure) -> String? {
        guard depth < Self.maximumDepth, let object = try archive.object(index) else { return nil }
        switch object.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSCompoundPredicate": return try compound(object, depth: depth)
        case "NSComparisonPredicate": return try comparison(object, depth: depth)
        default: return nil
        }
    }

    private func compound(_ object: KeyedArchive.Object, depth: Int) throws(Failure) -> String? {
        var parts: [String] = []
        for element in try archive.elements(object.fields["NSSubpredicates"]) {
            guard let part = try predicate(element, depth: depth + 1) else { return nil }
            parts.append(part)
        }
        // NSCompoundPredicate.LogicalType
        switch try archive.integer(object.fields["NSCompoundPredicateType"]) {
        case 0: return parts.count == 1 ? "NOT (\(parts[0]))" : nil
        case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.map { "(\($0))" }.joined(separator: " AND ")
        case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.map { "(\($0))" }.joined(separator: " OR ")
        default: return nil
        }
    }

    private func comparison(_ object: KeyedArchive.Object, depth: Int) throws(Failure) -> String? {
        guard let left = try expression(object.fields["NSLeftExpression"], depth: depth + 1),
            let right = try expression(object.fields["NSRightExpression"], depth: depth + 1),
            let comparison = try archive.object(object.fields["NSPredicateOperator"])
        else { return nil }
        let type = try archive.integer(comparison.fields["NSOperatorType"]) ?? -1
        let options = try archive.integer(comparison.fields["NSOptions"] ?? comparison.fields["NSFlags"]) ?? 0
        let suffix: String
        // NSComparisonPredicate.Options
        switch options {
        case 0: suffix = ""
        case 1: suffix = "[c]"
        case 2: suffix = "[d]"
        case 3: suffix = "[cd]"
        case 4: suffix = "[n]"
        default: return nil
        }
        let prefix: String
        // NSComparisonPredicate.Modifier
        switch try archive.integer(comparison.fields["NSModifier"]) ?? 0 {
        case 0: prefix = ""
        case 1: prefix = "ALL "
        case 2: prefix = "ANY "
        default: return nil
        }
        // NSComparisonPredicate.Operator
        let sign: String
        switch type {
        case 0: sign = "<"
        case 1: sign = "<="
        case 2: sign = ">"
        case 3: sign = ">="
        case 4: sign = "=="
        case 5: sign = "!="
        case 6: sign = "MATCHES"
        case 7: sign = "LIKE"
        case 8: sign = "BEGINSWITH"
        case 9: sign = "ENDSWITH"
        case 10: sign = "IN"
        case 99: sign = "CONTAINS"
        case 100: sign = "BETWEEN"
        default: return nil
        }
        return "\(prefix)\(left) \(sign)\(suffix) \(right)"
    }

    // MARK: Expressions

    func expression(_ index: Index?, depth: Int = 0) throws(Failure) -> String? {
        guard depth < Self.maximumDepth, let object = try archive.object(index) else { return nil }
        switch object.className {
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return try archive.string(object.fields["NSVariable"]).map { "$" + $0 }
        case "NSKeyPathSpecifierExpression": return try archive.string(object.fields["NSKeyPath"])
        case "NSConstantValueExpression": return try constant(object.fields["NSConstantValue"], depth: depth)
        case "NSAggregateExpression":
            return try list(archive.elements(object.fields["NSCollection"]), depth: depth).map { "{\($0)}" }
        case "NSKeyPathExpression":
            guard let owner = try expression(object.fields["NSOperand"], depth: depth + 1),
                let argument = try archive.elements(object.fields["NSArguments"]).first,
                let path = try expression(argument, depth: depth + 1)
            else { return nil }
            return owner == "SELF" ? path : propertyValue("\(owner).\(path)") ?? "\(owner).\(path)"
        case "NSFunctionExpression": return try function(object, depth: depth)
        default: return nil
        }
    }

    /// The constant for a key path from the fetched property itself; `nil` for other key paths.
    private func propertyValue(_ path: String) -> String? {
        let prefix = "$FETCHED_PROPERTY.userInfo."
        guard path.hasPrefix(prefix), let value = userInfo[String(path.dropFirst(prefix.count))] else { return nil }
        return Self.quoted(value)
    }

    private func list(_ elements: [Index], depth: Int) throws(Failure) -> String? {
        var parts: [String] = []
        for element in elements {
            guard let part = try expression(element, depth: depth + 1) else { return nil }
            parts.append(part)
        }
        return parts.joined(separator: ", ")
    }

    /// Prints a function of the predicate language; `nil` for other functions, such as methods of the program.
    private func function(_ object: KeyedArchive.Object, depth: Int) throws(Failure) -> String? {
        let operand = try archive.object(object.fields["NSOperand"])
        let className = try archive.string(operand?.fields["NSConstantValueClassName"])
        let selector = try archive.string(object.fields["NSSelectorName"]) ?? ""
        guard className == "_NSPredicateUtilities" else { return nil }
        let elements = try archive.elements(object.fields["NSArguments"])
        let isName = selector.dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0 == ":") }
        guard isName, selector.hasSuffix(":") || elements.isEmpty, let arguments = try list(elements, depth: depth)
        else {
            return nil
        }
        // A relationship's count is written as a key path.
        if selector == "count:", elements.count == 1,
            arguments.allSatisfy({ $0.isLetter || $0.isNumber || "._".contains($0) })
        {
            return arguments + ".@count"
        }
        return "\(selector.split(separator: ":").first ?? "")\(elements.isEmpty ? "" : ":")(\(arguments))"
    }

    private func constant(_ index: Index?, depth: Int) throws(Failure) -> String? {
        switch try archive.node(index) {
        case nil: return "nil"
        case .boolean(let value)?: return value ? "YES" : "NO"
        case .integer(let value)?: return "\(value)"
        case .real(let value)?: return value.isFinite ? "\(value)" : nil
        case .string(let text)?: return Self.quoted(text)
        case .dictionary?:
            guard let object = try archive.object(index) else { return nil }
            switch object.className {
            case "NSString", "NSMutableString": return try archive.string(index).map(Self.quoted)
            case "NSDate":
                guard case .real(let seconds)? = try archive.node(object.fields["NS.time"]), seconds.isFinite else {
                    return nil
                }
                return "CAST(\(seconds), \"NSDate\")"
            case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
                var parts: [String] = []
                guard depth < Self.maximumDepth else { return nil }
                for element in try archive.elements(index) {
                    guard let part = try constant(element, depth: depth + 1) else { return nil }
                    parts.append(part)
                }
                return "{\(parts.joined(separator: ", "))}"
            default: return nil
            }
        case .date?, .data?, .uid?, .array?, .other?: return nil
        }
    }

    private static func quoted(_ text: String) -> String { "\"" + escape(text, with: .predicate) + "\"" }
}

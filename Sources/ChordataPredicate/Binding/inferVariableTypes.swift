package import ChordataModel

/// The required type of a `$variable`.
package indirect enum VariableType: Sendable, Hashable {
    /// A value of the attribute's type.
    case attribute(AttributeDescription)
    /// An object of the entity.
    case object(entityName: String)
    /// Several of these, for IN and BETWEEN.
    case collection(VariableType)
}

/// A `$variable` of a predicate.
package struct VariableDescription: Sendable, Hashable {
    package var name: String
    package var type: VariableType
    /// A Boolean value that indicates whether the value, or for a collection each element, may be nil: all comparisons
    /// of the variable are `==`, `!=` or IN.
    package var isOptional: Bool
}

/// Infers the types of a predicate's variables from the keys that they are compared with.
///
/// Everything else in the predicate is checked too, as when it is bound.
/// - Returns: The variables in the order in which they first appear.
/// - Throws: ``FetchPredicateError`` if a variable is not compared with a key path, or is compared with key paths of
///   different types.
package func inferVariableTypes(
    of predicate: FetchPredicate,
    entityName: String,
    model: ManagedObjectModel
) throws(FetchPredicateError) -> [VariableDescription] {
    let entity = try predicate.prepare(for: entityName, in: model)
    let source = predicate.text == nil ? predicate.withPrintedText : predicate
    var binder = PredicateBinder(
        model: model,
        entity: entity,
        text: source.text ?? "",
        variableTypes: VariableTypes()
    )
    _ = try binder.bind(source.node)
    var result: [VariableDescription] = []
    for (name, offset) in source.variableOffsets where !result.contains(where: { $0.name == name }) {
        guard let variable = binder.variableTypes?.types[name] else {
            throw binder.fail(
                .variable,
                "the type of '$\(name)' is unknown, because it is not compared with an expression that has a type; compare "
                    + "it with a property",
                at: offset.utf8
            )
        }
        result.append(VariableDescription(name: name, type: variable.type, isOptional: variable.allowsNil))
    }
    return result
}

/// The inferred types of a predicate's variables.
struct VariableTypes {
    /// The type of a variable, its source, and whether all comparisons allow nil.
    private(set) var types: [String: (type: VariableType, source: PredicateBinder.Scalar, allowsNil: Bool)] = [:]

    /// Records that a variable is compared with a value.
    mutating func record(
        _ name: String,
        isCollection: Bool,
        allowsNil: Bool,
        _ scalar: PredicateBinder.Scalar,
        at offset: Int,
        binder: PredicateBinder
    ) throws(FetchPredicateError) {
        let single: VariableType
        switch scalar.type {
        case .opaque:
            throw binder.fail(
                .typeMismatch,
                "\(binder.description(of: scalar)), which can only be compared with nil",
                at: offset
            )
        case .object(let rootEntityName):
            single = .object(
                entityName: scalar.comparedKeyPath?.targetEntityName ?? rootEntityName
            )
        case .null: return
        case .number, .string, .date, .data, .uuid, .url:
            let attribute =
                scalar.comparedKeyPath?.attribute
                ?? scalar.type.attribute(scalar.expression.numberType)
            guard let attribute else { return }
            single = .attribute(attribute)
        }
        let type = isCollection ? .collection(single) : single
        guard let known = types[name] else {
            types[name] = (type, scalar, allowsNil)
            return
        }
        guard let merged = merge(known.type, type, in: binder.model) else {
            throw binder.fail(
                .variable,
                "variable '$\(name)' is compared with values of two types; use two variables: "
                    + use(known.source, isCollection: known.type.isCollection, differsFrom: isCollection, binder)
                    + ", and "
                    + use(scalar, isCollection: isCollection, differsFrom: known.type.isCollection, binder),
                at: offset
            )
        }
        types[name] = (merged, known.source, known.allowsNil && allowsNil)
    }

    /// Describes a use of a variable, with the kind of its value if another use needs another kind.
    private func use(
        _ scalar: PredicateBinder.Scalar,
        isCollection: Bool,
        differsFrom isOtherCollection: Bool,
        _ binder: PredicateBinder
    ) -> String {
        binder.description(of: scalar)
            + (isCollection == isOtherCollection
                ? "" : isCollection ? " (compared with a list)" : " (compared with a single value)")
    }

    /// Returns the type that is valid for both uses: the wider number, or the more general entity.
    private func merge(_ left: VariableType, _ right: VariableType, in model: ManagedObjectModel) -> VariableType? {
        switch (left, right) {
        case (.attribute(let a), .attribute(let b)):
            if a.attributeType == b.attributeType { return left }
            guard let wider = a.attributeType.widened(to: b.attributeType) else { return nil }
            if wider == a.attributeType { return left }
            return wider == b.attributeType ? right : .attribute(AttributeDescription(name: "", attributeType: wider))
        case (.object(let a), .object(let b)):
            if model.entity(a, isKindOf: b) { return right }
            return model.entity(b, isKindOf: a) ? left : nil
        case (.collection(let a), .collection(let b)):
            return merge(a, b, in: model).map { .collection($0) }
        case (.attribute, _), (.object, _), (.collection, _): return nil
        }
    }
}

extension AttributeType {
    /// The types of numbers from the narrowest to the widest; each type can represent the values of the types before
    /// it, within the limits of floating point.
    private static let numbers: [AttributeType] = [
        .boolean, .integer16, .integer32, .integer64, .float, .double, .decimal,
    ]

    /// Returns the type of numbers that can represent the values of both types; `nil` if one of the two is not a type
    /// of numbers.
    fileprivate func widened(to other: AttributeType) -> AttributeType? {
        guard let place = Self.numbers.firstIndex(of: self), let otherPlace = Self.numbers.firstIndex(of: other)
        else { return nil }
        let wider = Self.numbers[max(place, otherPlace)]
        // A float cannot represent the larger integers.
        return wider == .float ? .double : wider
    }
}

extension VariableType {
    fileprivate var isCollection: Bool {
        switch self {
        case .collection: true
        case .attribute, .object: false
        }
    }
}

extension BoundExpression {
    /// The type of the numbers that the expression returns.
    var numberType: AttributeType {
        switch self {
        case .value(.attribute(let value)):
            switch value {
            case .integer: .integer64
            case .boolean: .boolean
            case .decimal: .decimal
            case .double, .string, .date, .data, .uuid, .url: .double
            }
        case .keyPath(let path): path.attribute?.attributeType ?? .double
        case .aggregate(.count, _): .integer64
        case .aggregate(.average, let collection), .aggregate(.median, let collection):
            collection.element.numberType == .decimal ? .decimal : .double
        case .aggregate(.stddev, _): .double
        case .aggregate(_, let collection): collection.element.numberType.asResult
        case .element(let collection, _): collection.element.numberType
        case .conditional(_, let first, let second):
            first.numberType.widened(to: second.numberType) ?? .double
        case .cast(_, let type): type == .decimal ? .decimal : .double
        case .function(let function, let arguments):
            switch function {
            case .length, .integer, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
                .integer64
            case .add, .subtract, .multiply, .divide, .modulus, .negate, .abs, .floor, .ceiling, .trunc, .noIndex:
                arguments.dropFirst().reduce(arguments.first?.numberType ?? .double) {
                    $0.widened(to: $1.numberType) ?? .double
                }.asResult
            case .power, .sqrt, .log, .ln, .exp, .double, .now, .random, .uppercase, .lowercase, .canonical: .double
            }
        case .value, .variable: .double
        }
    }
}

extension AttributeType {
    /// The type of values that are computed from such numbers.
    fileprivate var asResult: AttributeType {
        switch self {
        case .boolean, .integer16, .integer32: .integer64
        case .float: .double
        default: self
        }
    }
}

package import ChordataModel

/// What a `$variable` must be given.
package indirect enum VariableType: Sendable, Hashable {
    /// A value of the attribute's type.
    case attribute(AttributeDescription)
    /// An object of the entity.
    case object(entityName: String)
    /// Several of these, for IN and BETWEEN.
    case collection(VariableType)
}

/// Finds out what the variables of a predicate are, from the keys they are compared with.
///
/// Everything else in the predicate is checked too, as binding does.
/// - Returns: the variables in the order in which they first appear.
/// - Throws: ``PredicateError`` when a variable is compared with no key path, or with ones of different types.
package func inferVariableTypes(
    of predicate: FetchPredicate,
    entityName: String,
    model: ManagedObjectModel
) throws(PredicateError) -> [(name: String, type: VariableType)] {
    let entity = try predicate.prepare(for: entityName, in: model)
    let source = predicate.text == nil ? predicate.withPrintedText : predicate
    var binder = PredicateBinder(
        model: model,
        entity: entity,
        variables: [:],
        text: source.text ?? "",
        variableTypes: VariableTypes()
    )
    _ = try binder.bind(source.node)
    var result: [(name: String, type: VariableType)] = []
    for (name, offset) in source.variableOffsets where !result.contains(where: { $0.name == name }) {
        guard let type = binder.variableTypes?.types[name]?.type else {
            throw binder.fail(
                .variable,
                "the type of '$\(name)' is unknown, because it is compared with no key path",
                at: offset.utf8
            )
        }
        result.append((name, type))
    }
    return result
}

/// What has been learnt of a predicate's variables.
struct VariableTypes {
    /// The type of a variable, and the key path that told it.
    private(set) var types: [String: (type: VariableType, source: BoundKeyPath)] = [:]

    /// Notes that a variable is compared with a key path.
    mutating func record(
        _ name: String,
        isCollection: Bool,
        _ path: BoundKeyPath,
        at offset: Int,
        binder: PredicateBinder
    ) throws(PredicateError) {
        if binder.kind(of: path) == .opaque {
            throw binder.fail(
                .unfittingType,
                "\(binder.description(of: path)), which can only be compared with nil",
                at: offset
            )
        }
        let single: VariableType = path.attribute.map { .attribute($0) } ?? .object(entityName: path.targetEntityName)
        let type = isCollection ? .collection(single) : single
        guard let known = types[name] else {
            types[name] = (type, path)
            return
        }
        guard let merged = merge(known.type, type, in: binder.model) else {
            throw binder.fail(
                .variable,
                "'$\(name)' cannot have two types: \(binder.description(of: known.source))"
                    + ", and \(binder.description(of: path))"
                    + (isCollection != known.type.isCollection ? " where a list is wanted" : ""),
                at: offset
            )
        }
        types[name] = (merged, known.source)
    }

    /// The type that fits both uses: the wider integer, the wider floating point, the more general entity.
    private func merge(_ left: VariableType, _ right: VariableType, in model: ManagedObjectModel) -> VariableType? {
        switch (left, right) {
        case (.attribute(let a), .attribute(let b)):
            if a.attributeType == b.attributeType { return left }
            for family in [[.integer64, .integer32, .integer16], [.double, .float]] as [[AttributeType]] {
                guard family.contains(a.attributeType), family.contains(b.attributeType) else { continue }
                return family.first { $0 == a.attributeType || $0 == b.attributeType } == a.attributeType ? left : right
            }
            return nil
        case (.object(let a), .object(let b)):
            if model.entity(a, isKindOf: b) { return right }
            return model.entity(b, isKindOf: a) ? left : nil
        case (.collection(let a), .collection(let b)):
            return merge(a, b, in: model).map { .collection($0) }
        case (.attribute, _), (.object, _), (.collection, _): return nil
        }
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

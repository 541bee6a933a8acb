import ChordataModel

extension PredicateBinder {
    /// An object from which keys are followed, and the to-many relationships that were followed to reach it.
    struct Origin {
        var generators: [BoundCollection.Generator] = []
        var filter: BoundPredicate = .constant(true)
        /// The beginning of the path of to-one relationships: the entity, and a variable or `nil` for the evaluated
        /// object.
        var entityName: String
        var root: Int?
        var relationships: [RelationshipDescription] = []
        /// The entity of the object.
        var entity: EntityDescription

        func path(to target: BoundKeyPath.Target, _ attributePath: [String]? = nil) -> BoundKeyPath {
            BoundKeyPath(
                entityName: entityName,
                root: root,
                relationships: relationships,
                target: target,
                attributePath: attributePath
            )
        }
    }

    /// The evaluated object.
    var evaluatedOrigin: Origin { Origin(entityName: entity.name, root: nil, entity: entity) }

    /// Resolves a key path without a to-many relationship.
    mutating func resolveSingleKeyPath(_ keys: [String]) throws(FetchPredicateError) -> BoundKeyPath {
        let node = ExpressionNode.keyPath(keys, offset: 0)
        switch try follow(keys[...], of: keys, from: evaluatedOrigin, node: node, at: 0) {
        case .scalar(let scalar):
            if let path = scalar.comparedKeyPath { return path }
            throw fail(.unsupported, "'\(keys.joined(separator: "."))' is computed; use a stored property here", at: 0)
        case .collection(let many): throw typeMismatch(many, at: 0)
        case .value, .list, .variable: throw fail(.unsupported, "a key path is expected here", at: 0)
        }
    }

    /// Follows keys from an object to an attribute, an object, many of them, or the result of an operator.
    /// - Parameter path: The whole path as it is written; `keys` is the rest of it.
    mutating func follow(
        _ keys: ArraySlice<String>,
        of path: [String],
        from origin: Origin,
        node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        var origin = origin
        var index = keys.startIndex
        while index < keys.endIndex {
            let key = keys[index]
            if key.hasPrefix("@") {
                return try apply(
                    operators: keys[index...],
                    of: path,
                    to: operand(origin, .keyPath(origin.path(to: .object)), type(of: origin.entity), node),
                    origin: origin,
                    node: node,
                    at: offset
                )
            }
            if let attribute = origin.entity.attribute(named: key) {
                let end = keys[index...].firstIndex { $0.hasPrefix("@") } ?? keys.endIndex
                let (found, foundType) = try resolveAttribute(
                    attribute,
                    keys[index..<end],
                    of: path,
                    origin,
                    at: offset
                )
                let result = operand(origin, .keyPath(found), foundType, node)
                if end == keys.endIndex { return result }
                return try apply(operators: keys[end...], of: path, to: result, origin: nil, node: node, at: offset)
            }
            if let relationship = origin.entity.relationship(named: key) {
                guard !relationship.isTransient || allowsTransient else {
                    throw fail(
                        .unknownKey,
                        "relationship '\(key)' of '\(origin.entity.name)' is transient, so it is not stored; use a stored relationship",
                        at: place(of: index, in: path, at: offset)
                    )
                }
                // A model contains the destinations of all its relationships.
                let destination = model.entity(named: relationship.destinationEntityName) ?? origin.entity
                if relationship.isToMany {
                    let variable = makeGeneratorVariable()
                    origin.generators.append(
                        .init(variable: variable, source: .relationship(origin.path(to: .object), relationship))
                    )
                    origin.entityName = destination.name
                    origin.root = variable
                    origin.relationships = []
                } else {
                    origin.relationships.append(relationship)
                }
                origin.entity = destination
            } else if key == "objectID", index == keys.endIndex - 1 {
                break
            } else if key == "entity" {
                return try resolveEntityName(keys[index...], of: path, from: origin, node: node, at: offset)
            } else {
                throw unknownKey(key, of: origin.entity, at: place(of: index, in: path, at: offset))
            }
            index += 1
        }
        return operand(origin, .keyPath(origin.path(to: .object)), type(of: origin.entity), node)
    }

    /// Resolves `entity` and `entity.name`, which are equivalent, because the entities of a model have different names.
    private mutating func resolveEntityName(
        _ keys: ArraySlice<String>,
        of path: [String],
        from origin: Origin,
        node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        var end = keys.startIndex + 1
        if end < keys.endIndex, keys[end] == "name" { end += 1 }
        let result = operand(origin, .keyPath(origin.path(to: .entityName)), .string, node)
        guard end < keys.endIndex else { return result }
        guard keys[end].hasPrefix("@") else {
            throw fail(
                .unknownKey,
                "'\(keys[end])' is not a key of an entity; only 'entity.name' can be used in a predicate",
                at: place(of: end, in: path, at: offset)
            )
        }
        return try apply(operators: keys[end...], of: path, to: result, origin: nil, node: node, at: offset)
    }

    private func type(of entity: EntityDescription) -> ExpressionType {
        .object(rootEntityName: entity.rootEntityName)
    }

    private func operand(
        _ origin: Origin,
        _ expression: BoundExpression,
        _ type: ExpressionType,
        _ node: ExpressionNode
    ) -> Operand {
        if origin.generators.isEmpty { return .scalar(Scalar(expression: expression, type: type, node: node)) }
        let collection = BoundCollection(
            generators: origin.generators,
            filter: origin.filter,
            element: expression,
            isDistinct: false
        )
        return .collection(Collection(collection: collection, elementType: type, node: node))
    }

    // MARK: Operators

    /// Applies the operators at the beginning of some keys to the operand before them.
    /// - Parameter origin: The origin of the keys after an operator; `nil` if no keys can follow.
    mutating func apply(
        operators keys: ArraySlice<String>,
        of path: [String],
        to operand: Operand,
        origin: Origin?,
        node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        guard let key = keys.first else { return operand }
        let index = keys.startIndex
        guard case .collection = operand else {
            let written = path[..<index].joined(separator: ".")
            throw fail(
                .typeMismatch,
                "'\(key)' needs a collection, but '\(written.isEmpty ? "SELF" : written)' is a single value",
                at: place(of: index, in: path, at: offset)
            )
        }
        let end = keys.dropFirst().firstIndex { $0.hasPrefix("@") } ?? keys.endIndex
        let rest = keys[(index + 1)..<end]
        var operand = operand
        if !rest.isEmpty {
            guard let origin else {
                throw noKeys(behind: path[index], at: self.place(of: index + 1, in: path, at: offset))
            }
            operand = try follow(rest, of: path, from: origin, node: node, at: offset)
        }
        guard case .collection(var many) = operand else { return operand }
        if let function = CollectionFunction(pathOperator: key) {
            guard function != .count || rest.isEmpty else {
                throw noKeys(behind: key, at: self.place(of: index + 1, in: path, at: offset))
            }
            guard end == keys.endIndex else {
                throw noKeys(behind: key, at: self.place(of: end, in: path, at: offset))
            }
            do throws(FetchPredicateError) {
                return .scalar(try aggregate(function, many, node: node, at: offset))
            } catch {
                // The place of the error is that of the operator, which is determined only now.
                throw fail(error.kind, error.message, at: place(of: index, in: path, at: offset))
            }
        }
        many.collection.filter = .conjunction([
            many.collection.filter,
            .comparison(
                BoundComparison(left: many.collection.element, operator: .notEqual, options: [], right: .value(.null))
            ),
        ])
        if key == "@distinctUnionOfObjects" { many.collection.isDistinct = true }
        if end == keys.endIndex { return .collection(many) }
        return try apply(operators: keys[end...], of: path, to: .collection(many), origin: nil, node: node, at: offset)
    }

    private func noKeys(behind key: String, at offset: Int) -> FetchPredicateError {
        fail(.unknownKey, "the values of '\(key)' have no keys, so no key can follow it", at: offset)
    }

    // MARK: Attributes

    private func resolveAttribute(
        _ attribute: AttributeDescription,
        _ keys: ArraySlice<String>,
        of path: [String],
        _ origin: Origin,
        at offset: Int
    ) throws(FetchPredicateError) -> (BoundKeyPath, ExpressionType) {
        let entity = origin.entity
        var attribute = attribute
        for index in keys.indices {
            if index > keys.startIndex {
                let key = keys[index]
                guard !attribute.elements.isEmpty else {
                    throw fail(
                        .unknownKey,
                        "attribute '\(keys[index - 1])' of '\(entity.name)' is \(attribute.typeName) and has no keys",
                        at: place(of: index, in: path, at: offset)
                    )
                }
                guard let element = attribute.elements.first(where: { $0.name == key }) else {
                    let names = attribute.elements.map(\.name)
                    throw unknownKey(
                        "composite '\(attribute.name)' has no element '\(key)'",
                        key,
                        among: names,
                        at: place(of: index, in: path, at: offset)
                    )
                }
                attribute = element
            }
            // Q2.
            guard !attribute.isTransient || allowsTransient else {
                throw fail(
                    .unknownKey,
                    "attribute '\(keys[index])' of '\(entity.name)' is transient, so it is not stored; use a stored "
                        + "or derived one",
                    at: place(of: index, in: path, at: offset)
                )
            }
        }
        let last = keys.endIndex - 1
        if let element = attribute.elements.first {
            let key = keys.joined(separator: ".")
            throw fail(
                .typeMismatch,
                "'\(key)' is a composite; compare its elements, such as '\(key).\(element.name)'",
                at: place(of: last, in: path, at: offset)
            )
        }
        guard let type = ExpressionType(attribute) else {
            throw fail(
                .unknownKey,
                "attribute '\(attribute.name)' of '\(entity.name)' has no type, so it is not stored",
                at: place(of: last, in: path, at: offset)
            )
        }
        return (origin.path(to: .attribute(attribute), Array(keys)), type)
    }

    // MARK: Errors

    private func unknownKey(_ key: String, of entity: EntityDescription, at offset: Int) -> FetchPredicateError {
        var level: EntityDescription? = entity
        while let current = level {
            if current.declaredFetchedProperties.contains(where: { $0.name == key }) {
                return fail(
                    .unknownKey,
                    "'\(key)' of '\(entity.name)' is a fetched property, so it is not stored",
                    at: offset
                )
            }
            level = current.superentityName.flatMap { model.entity(named: $0) }
        }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let message = "entity '\(entity.name)' has no property '\(key)'"
        for name in model.subentityClosure(of: entity.name).dropFirst() {
            guard let subentity = model.entity(named: name) else { continue }
            if subentity.attribute(named: key) != nil || subentity.relationship(named: key) != nil {
                return fail(.unknownKey, message + "; its subentity '\(name)' has it, so fetch that entity", at: offset)
            }
        }
        return unknownKey(message, key, among: names, at: offset)
    }

    private func unknownKey(
        _ message: String,
        _ key: String,
        among names: [String],
        at offset: Int
    ) -> FetchPredicateError {
        let suggestion = nearestName(to: key, among: names)
        return FetchPredicateError(
            .unknownKey,
            message + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
            at: offset,
            in: text,
            suggestion: suggestion
        )
    }

    /// Returns the place of one key of a path.
    ///
    /// The text is read again from the beginning of the path, because white space, `#` and `%K` make it longer or
    /// shorter than the keys.
    func place(of index: Int, in path: [String], at offset: Int) -> Int {
        var lexer = PredicateLexer(text, at: offset)
        var found = -1
        while let token = try? lexer.next() {
            switch token.kind {
            case .word(let word, let isEscaped):
                if found < 0, !isEscaped, path[0] != word, word.uppercased() == "SELF" { continue }
                found += 1
                guard found < path.count, path[found] == word else { return offset }
                if found == index { return token.range.lowerBound }
            case .collectionOperator(let name):
                found += 1
                guard found < path.count, path[found] == "@" + name else { return offset }
                if found == index { return token.range.lowerBound }
            case .dot: continue
            default: return offset
            }
        }
        return offset
    }
}

extension AttributeDescription {
    /// The attribute's type with its article, for messages.
    var typeName: String {
        switch attributeType {
        case .integer16, .integer32, .integer64, .undefined, .objectID: "an \(attributeType.rawValue)"
        case .decimal, .double, .float, .string, .boolean, .date, .uuid, .uri, .transformable, .composite:
            "a \(attributeType.rawValue)"
        case .binaryData: "Binary"
        }
    }
}

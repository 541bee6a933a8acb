import ChordataModel

extension PredicateBinder {
    /// Binds an expression that must have one value.
    mutating func bind(_ node: ExpressionNode) throws(FetchPredicateError) -> (BoundExpression, ExpressionType) {
        let scalar = try requireScalar(try resolve(node), node, at: node.offset?.utf8 ?? 0)
        return (scalar.expression, scalar.type)
    }

    /// Resolves the keys of an expression.
    ///
    /// The functions that call this function again for the parts of an expression are kept small, and the functions
    /// that combine the parts are called afterwards, so that each level uses little of the stack.
    mutating func resolve(_ node: ExpressionNode) throws(FetchPredicateError) -> Operand {
        try enterLevel(at: node.offset)
        defer { leaveLevel() }
        return switch node {
        case .value(let value): .value(try ownValue(value, at: node.offset?.utf8 ?? 0))
        case .evaluatedObject: try resolveKeyPath([], node, at: 0)
        case .keyPath(let path, let offset): try resolveKeyPath(path, node, at: offset.utf8)
        case .path(let root, let keys, let offset): try resolvePath(root, keys, node, at: offset.utf8)
        case .variable(let name, let offset): try resolveVariable(name, node, at: offset.utf8)
        case .aggregate(let parts): try resolveList(parts)
        case .function(let function, let arguments, let offset):
            try call(function, resolveArguments(arguments, of: function, node, at: offset.utf8), node, at: offset.utf8)
        case .collectionFunction(let function, let collection, let offset):
            try call(function, resolve(collection), collection, node, at: offset.utf8)
        case .cast(let operand, let type, let offset):
            try cast(resolve(operand), operand, to: type, node, at: offset.utf8)
        case .conditional(let condition, let first, let second, let offset):
            try choose(bind(condition), [resolve(first), resolve(second)], [first, second], node, at: offset.utf8)
        case .subquery(let collection, let variable, let condition, let offset):
            try resolveSubquery(resolve(collection), collection, variable, condition, node, at: offset.utf8)
        case .element(let collection, let index, let offset):
            try resolveElement(of: collection, index, node, at: offset.utf8)
        case .assignment(let name, let value, let offset): try resolveAssignment(name, value, at: offset.utf8)
        }
    }

    private mutating func resolvePath(
        _ root: ExpressionNode,
        _ keys: [String],
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        try requireKeys(of: root, keys)
        return try follow(keys, behind: resolve(root), root, node, at: offset)
    }

    private mutating func resolveElement(
        of collection: ExpressionNode,
        _ index: CollectionIndex,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let operand = try resolve(collection)
        guard case .at(let position) = index else {
            return try element(of: operand, collection, index, nil, node, at: offset)
        }
        return try element(of: operand, collection, index, resolve(position), node, at: offset)
    }

    private mutating func resolveAssignment(
        _ name: String,
        _ value: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        guard localVariables[name] == nil else {
            throw fail(.variable, "'$\(name)' is already assigned", at: offset)
        }
        let operand = try resolve(value)
        if case .value(let constant) = operand {
            // A random number is generated only once.
            localVariables[name] = .constant(constant)
        } else {
            localVariables[name] = .expression(value, variables: localVariables)
        }
        return operand
    }

    private mutating func resolveKeyPath(
        _ path: [String],
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        try follow(path[...], of: path, from: evaluatedOrigin, node: node, at: offset)
    }

    private mutating func resolveList(_ parts: [ExpressionNode]) throws(FetchPredicateError) -> Operand {
        var operands: [Operand] = []
        var values: [PredicateValue] = []
        for part in parts {
            let operand = try resolve(part)
            if case .value(let value) = operand { values.append(value) }
            operands.append(operand)
        }
        return values.count == operands.count ? .value(.collection(values)) : .list(operands)
    }

    // MARK: Variables

    private mutating func resolveVariable(
        _ name: String,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        switch localVariables[name] {
        case .object(let variable, let entityName)?:
            guard let entity = model.entity(named: entityName) else { return .value(.null) }
            let path = BoundKeyPath(entityName: entityName, root: variable, relationships: [], target: .object)
            let type = ExpressionType.object(rootEntityName: entity.rootEntityName)
            return .scalar(Scalar(expression: .keyPath(path), type: type, node: node))
        case .element(let scalar)?: return .scalar(scalar)
        case .constant(let value)?: return .value(value)
        case .expression(let value, let variables)?: return try expand(value, variables)
        case nil:
            if let value = variables[name] { return .value(try ownValue(value, at: offset)) }
            return .variable(name, offset: offset)
        }
    }

    /// Returns a constant with its objects bound to the model and the store.
    /// - Throws: ``FetchPredicateError`` for an object of another store, whose key has no meaning here.
    private func ownValue(_ value: PredicateValue, at offset: Int) throws(FetchPredicateError) -> PredicateValue {
        switch value {
        case .null, .attribute: return value
        case .object(let reference):
            if let store, !store.contains(reference) {
                throw fail(
                    .typeMismatch,
                    "an object of '\(reference.rootEntityName)' belongs to another store than the one that is "
                        + "fetched from; use an object of the same store",
                    at: offset
                )
            }
            // A reference with a store was made from an object ID, which has the topmost superentity.
            return reference.storeUUID == nil ? .object(reference.bound(to: store, in: model)) : value
        case .collection(let values):
            return .collection(
                try values.map { value throws(FetchPredicateError) in try ownValue(value, at: offset) }
            )
        }
    }

    /// Throws if keys follow a variable whose value is passed from outside.
    private func requireKeys(of root: ExpressionNode, _ keys: [String]) throws(FetchPredicateError) {
        guard case .variable(let name, let place) = root, localVariables[name] == nil else { return }
        if case .collection? = variables[name] { return }
        throw fail(
            .variable,
            "a key path cannot begin with '$\(name)', because the entity of its value is unknown; pass the value of '\(keys.joined(separator: "."))' in a variable",
            at: place.utf8
        )
    }

    /// Follows keys from an operand that is not the evaluated object.
    private mutating func follow(
        _ keys: [String],
        behind operand: Operand,
        _ root: ExpressionNode,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        switch operand {
        case .scalar(let scalar):
            if case .keyPath(let path) = scalar.expression, path.target == .object,
                let entity = model.entity(named: path.targetEntityName)
            {
                let origin = Origin(
                    entityName: path.entityName,
                    root: path.root,
                    relationships: path.relationships,
                    entity: entity
                )
                return try follow(keys[...], of: keys, from: origin, node: node, at: offset)
            }
            if case .element(let collection, let position) = scalar.expression {
                let many = Collection(collection: collection, elementType: scalar.type, node: root)
                if let result = try follow(keys, ofElementAt: position, in: many, node, at: offset) { return result }
            }
            throw fail(
                .typeMismatch,
                "key '\(keys[0])' cannot be used here, because \(description(of: scalar))",
                at: offset
            )
        case .collection(let many): return try follow(keys, of: many, node, at: offset)
        case .list, .value(.collection):
            return try follow(keys, of: try requireCollection(of: operand, root, at: offset), node, at: offset)
        case .value(let value):
            throw fail(
                .typeMismatch,
                "key '\(keys[0])' cannot be used on \(value.kindName), which has no keys",
                at: offset
            )
        case .variable:
            throw fail(
                .variable,
                "a key path cannot begin with a variable, because the entity of its value is unknown; pass the value of the key path in a variable",
                at: offset
            )
        }
    }

    /// Follows keys from one element of a collection; returns `nil` if the elements have no keys.
    private mutating func follow(
        _ keys: [String],
        ofElementAt position: BoundPosition,
        in many: Collection,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand? {
        guard var origin = origin(of: many) else { return nil }
        if keys[0].hasPrefix("@") {
            throw fail(
                .typeMismatch,
                "'\(keys[0])' needs a collection, but '\(printed(many.node))' is a single value",
                at: offset
            )
        }
        let found = try follow(keys[...], of: keys, from: origin, node: node, at: offset)
        if case .collection(let ends) = found, ends.collection.generators.count == origin.generators.count,
            ends.collection.filter == origin.filter
        {
            // The path has only to-one relationships, so the result is the element at the position among the ends of
            // all paths.
            let expression = BoundExpression.element(ends.collection, position)
            return .scalar(Scalar(expression: expression, type: ends.elementType, node: node))
        }
        // The path has a to-many relationship after the element, so the result is a collection again.
        let element = BoundExpression.element(many.collection, position)
        let variable = makeGeneratorVariable()
        origin.generators = [.init(variable: variable, source: .list([element]))]
        origin.filter = .constant(true)
        origin.entityName = origin.entity.name
        origin.root = variable
        origin.relationships = []
        return try follow(keys[...], of: keys, from: origin, node: node, at: offset)
    }

    private mutating func follow(
        _ keys: [String],
        of many: Collection,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let origin = origin(of: many)
        if keys[0].hasPrefix("@") {
            let operand = Operand.collection(many)
            return try apply(operators: keys[...], of: keys, to: operand, origin: origin, node: node, at: offset).folded
        }
        guard let origin else {
            throw fail(
                .typeMismatch,
                "key '\(keys[0])' cannot be used on '\(printed(many.node))', whose elements have no keys",
                at: offset
            )
        }
        return try follow(keys[...], of: keys, from: origin, node: node, at: offset)
    }

    /// Returns the origin of further keys from the objects of a collection; `nil` for other elements.
    private func origin(of many: Collection) -> Origin? {
        guard case .keyPath(let path) = many.collection.element, path.target == .object, !many.collection.isDistinct,
            let entity = model.entity(named: path.targetEntityName)
        else { return nil }
        return Origin(
            generators: many.collection.generators,
            filter: many.collection.filter,
            entityName: path.entityName,
            root: path.root,
            relationships: path.relationships,
            entity: entity
        )
    }

    // MARK: One and many

    /// Returns the operand as one value.
    func requireScalar(
        _ operand: Operand,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Scalar {
        switch operand {
        case .scalar(let scalar): return scalar
        case .collection(let many): throw typeMismatch(many, at: offset)
        case .value(let value):
            guard let type = ExpressionType(value) else { break }
            guard !value.isNotANumber else {
                throw fail(.typeMismatch, "a value is not a number (NaN); use another value", at: offset)
            }
            return Scalar(expression: .value(value), type: type, node: node)
        case .list: break
        case .variable(let name, let place):
            throw fail(
                .variable,
                "the type of '$\(name)' is unknown, because it is not compared with an expression that has a type; compare "
                    + "it with a property",
                at: place
            )
        }
        throw fail(.typeMismatch, "a list is used where one value is expected", at: offset)
    }

    /// Returns the operand as many values.
    mutating func requireCollection(
        of operand: Operand,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Collection {
        let parts: [Operand]
        switch operand {
        case .collection(let many): return many
        case .list(let operands): parts = operands
        case .value(.collection(let values)): parts = values.map { .value($0) }
        case .variable(let name, let place):
            throw fail(
                .variable,
                "the type of '$\(name)' is unknown, because it is not compared with an expression that has a type; compare "
                    + "it with a property",
                at: place
            )
        case .scalar(let scalar):
            throw fail(
                .typeMismatch,
                "a to-many key path, a SUBQUERY or a list is expected, but \(description(of: scalar))",
                at: offset
            )
        case .value(let value):
            throw fail(
                .typeMismatch,
                "a to-many key path, a SUBQUERY or a list is expected, found \(value.kindName)",
                at: offset
            )
        }
        var expressions: [BoundExpression] = []
        var type = ExpressionType.null
        for part in parts {
            let scalar = try requireScalar(part, node, at: offset)
            guard let merged = type.merged(with: scalar.type) else {
                throw fail(
                    .typeMismatch,
                    "the list has values of two kinds, \(type.description) and \(scalar.type.description)",
                    at: offset
                )
            }
            type = merged
            expressions.append(scalar.expression)
        }
        let variable = makeGeneratorVariable()
        var isObject = false
        if case .object = type { isObject = true }
        let collection = BoundCollection(
            generators: [.init(variable: variable, source: .list(expressions))],
            filter: .constant(true),
            element: .variable(variable, isObject: isObject),
            isDistinct: false
        )
        return Collection(collection: collection, elementType: type, node: node)
    }

    // MARK: Conditions and collections

    private mutating func choose(
        _ condition: BoundPredicate,
        _ operands: [Operand],
        _ nodes: [ExpressionNode],
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let first = try requireScalar(operands[0], nodes[0], at: offset)
        let second = try requireScalar(operands[1], nodes[1], at: offset)
        guard let type = first.type.merged(with: second.type), type != .opaque else {
            throw fail(
                .typeMismatch,
                "TERNARY needs two values of one kind, found \(name(of: first)) and \(name(of: second))",
                at: offset
            )
        }
        let expression = BoundExpression.conditional(condition, first.expression, second.expression)
        return .scalar(Scalar(expression: expression, type: type, node: node))
    }

    private mutating func resolveSubquery(
        _ operand: Operand,
        _ collection: ExpressionNode,
        _ variable: String,
        _ condition: PredicateNode,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        var many = try requireCollection(of: operand, collection, at: offset)
        // Either all or none of the equal elements meet the condition, so distinct elements are filtered like any
        // others.
        let (outer, outerGroupsRows) = (localVariables, groupsRows)
        // The condition is about an element, not about the rows of a group.
        groupsRows = false
        defer { (localVariables, groupsRows) = (outer, outerGroupsRows) }
        if case .keyPath(let path) = many.collection.element, path.target == .object {
            if path.relationships.isEmpty, let root = path.root {
                localVariables[variable] = .object(variable: root, entityName: path.entityName)
            } else {
                localVariables[variable] = .element(many.element)
            }
        } else {
            localVariables[variable] = .element(many.element)
        }
        let isMet = try bind(condition)
        many.collection.filter = .conjunction([many.collection.filter, isMet])
        many.node = node
        return .collection(many)
    }

    private mutating func element(
        of operand: Operand,
        _ collection: ExpressionNode,
        _ index: CollectionIndex,
        _ indexOperand: Operand?,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let many = try requireCollection(of: operand, collection, at: offset)
        guard many.collection.isOrdered else {
            throw fail(
                .typeMismatch,
                "'\(printed(collection))' is not ordered, so it has no element at an index",
                at: offset
            )
        }
        let position: BoundPosition
        switch index {
        case .first: position = .first
        case .last: position = .last
        case .at(let index):
            let scalar = try requireScalar(indexOperand ?? .value(.null), index, at: offset)
            guard scalar.type == .number || scalar.type == .null else {
                throw fail(.typeMismatch, "an index must be a number, but \(description(of: scalar))", at: offset)
            }
            position = .at(scalar.expression)
        }
        let expression = BoundExpression.element(many.collection, position)
        return .scalar(Scalar(expression: expression, type: many.elementType, node: node))
    }
}

extension PredicateBinder.Operand {
    /// The operand; a scalar whose expression is a constant becomes the constant.
    var folded: PredicateBinder.Operand {
        if case .scalar(let scalar) = self, case .value(let value) = scalar.expression { return .value(value) }
        return self
    }
}

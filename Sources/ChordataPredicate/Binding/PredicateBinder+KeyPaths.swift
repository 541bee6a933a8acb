import ChordataModel

extension PredicateBinder {
    /// Follows the keys from the entity to an attribute or an object.
    func resolveKeyPath(_ path: [String], at offset: Int) throws(PredicateError) -> BoundKeyPath {
        var current = entity
        var relationships: [RelationshipDescription] = []
        for (index, key) in path.enumerated() {
            let isLast = index == path.count - 1
            if let attribute = current.attribute(named: key) {
                return try resolveAttribute(
                    attribute,
                    from: index,
                    of: path,
                    after: relationships,
                    in: current,
                    at: offset
                )
            }
            if let relationship = current.relationship(named: key) {
                guard !relationship.isToMany else {
                    throw fail(
                        .unsupported,
                        "'\(key)' of '\(current.name)' is a to-many relationship, which predicates cannot use yet",
                        at: place(of: index, in: path, at: offset)
                    )
                }
                guard !relationship.isTransient else {
                    throw fail(
                        .unknownKey,
                        "relationship '\(key)' of '\(current.name)' is transient, so it is not stored",
                        at: place(of: index, in: path, at: offset)
                    )
                }
                relationships.append(relationship)
                // A model knows the destinations of all its relationships.
                if let destination = model.entity(named: relationship.destinationEntityName) { current = destination }
                continue
            }
            if key == "objectID", isLast { break }
            throw unknownKey(key, of: current, at: place(of: index, in: path, at: offset))
        }
        return BoundKeyPath(entityName: entity.name, relationships: relationships, target: .object)
    }

    private func resolveAttribute(
        _ attribute: AttributeDescription,
        from start: Int,
        of path: [String],
        after relationships: [RelationshipDescription],
        in entity: EntityDescription,
        at offset: Int
    ) throws(PredicateError) -> BoundKeyPath {
        var attribute = attribute
        for index in start..<path.count {
            if index > start {
                let key = path[index]
                guard !attribute.elements.isEmpty else {
                    throw fail(
                        .unknownKey,
                        "attribute '\(path[index - 1])' of '\(entity.name)' is \(attribute.typeName) and has no keys",
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
            guard !attribute.isTransient else {
                throw fail(
                    .unknownKey,
                    "attribute '\(path[index])' of '\(entity.name)' is transient, so it is not stored",
                    at: place(of: index, in: path, at: offset)
                )
            }
        }
        if let element = attribute.elements.first {
            let key = path[start...].joined(separator: ".")
            throw fail(
                .unfittingType,
                "'\(key)' is a composite; compare its elements, such as '\(key).\(element.name)'",
                at: place(of: path.count - 1, in: path, at: offset)
            )
        }
        guard ComparisonKind(attribute) != nil else {
            throw fail(
                .unknownKey,
                "attribute '\(attribute.name)' of '\(entity.name)' has no type, so it is not stored",
                at: place(of: path.count - 1, in: path, at: offset)
            )
        }
        return BoundKeyPath(
            entityName: self.entity.name,
            relationships: relationships,
            target: .attribute(attribute),
            attributePath: Array(path[start...])
        )
    }

    // MARK: Errors

    private func unknownKey(_ key: String, of entity: EntityDescription, at offset: Int) -> PredicateError {
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
                return fail(.unknownKey, message + "; its subentity '\(name)' has, so fetch that", at: offset)
            }
        }
        return unknownKey(message, key, among: names, at: offset)
    }

    private func unknownKey(
        _ message: String,
        _ key: String,
        among names: [String],
        at offset: Int
    ) -> PredicateError {
        let suggestion = nearestName(to: key, among: names)
        return PredicateError(
            .unknownKey,
            message + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
            at: offset,
            in: text,
            suggestion: suggestion
        )
    }

    /// Where one key of a path stands: the text is read again from the path on, because white space, `#` and `%K` make
    /// it longer or shorter than the keys.
    private func place(of index: Int, in path: [String], at offset: Int) -> Int {
        var lexer = PredicateLexer(text, at: offset)
        var found = -1
        while let token = try? lexer.next() {
            switch token.kind {
            case .word(let word, let isEscaped):
                if found < 0, !isEscaped, path[0] != word, word.uppercased() == "SELF" { continue }
                found += 1
                guard found < path.count, path[found] == word else { return offset }
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

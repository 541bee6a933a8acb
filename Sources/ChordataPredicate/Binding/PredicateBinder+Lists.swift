import ChordataModel

extension PredicateBinder {
    /// Binds BETWEEN; both ends belong to the range (P3).
    mutating func compareBetween(
        _ left: Operand,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        let bounds: [Operand]
        switch right {
        case .value(.collection(let values)): bounds = values.map { .value($0) }
        case .list(let operands): bounds = operands
        case .variable(let name, let place):
            if case .scalar(let scalar) = left {
                try requireOptions(options, fit: scalar, at: offset)
                try requireOrder(.less, fits: scalar, at: offset)
                try record(name, isCollection: true, allowsNil: false, scalar, at: place)
            }
            return .constant(true)
        case .value, .scalar, .collection:
            throw fail(.typeMismatch, "BETWEEN needs a list of two bounds: {lower, upper}", at: offset)
        }
        guard bounds.count == 2 else {
            throw fail(.typeMismatch, "BETWEEN needs a list of two bounds, not of \(bounds.count)", at: offset)
        }
        if case .scalar(let scalar) = left, case .value(let lower) = bounds[0], case .value(let upper) = bounds[1] {
            try requireOptions(options, fit: scalar, at: offset)
            try requireOrder(.less, fits: scalar, at: offset)
            let values = [try convert(lower, for: scalar, at: offset), try convert(upper, for: scalar, at: offset)]
            if values.contains(.null) { return .constant(false) }
            return .comparison(
                BoundComparison(
                    left: scalar.expression,
                    operator: .between,
                    options: options,
                    right: .value(.collection(values))
                )
            )
        }
        let once = computedOnce(left)
        return once.wrap(
            .conjunction([
                try compareScalars(once.operand, .greaterOrEqual, options, bounds[0], at: offset),
                try compareScalars(once.operand, .lessOrEqual, options, bounds[1], at: offset),
            ])
        )
    }

    /// Returns a side that occurs in several comparisons in a form that is computed once: as the only element of a
    /// list.
    ///
    /// Repeating it in the tree would double the work with each level of nested sides of this kind.
    private mutating func computedOnce(_ side: Operand) -> (operand: Operand, wrap: (BoundPredicate) -> BoundPredicate)
    {
        guard case .scalar(let scalar) = side else { return (side, { $0 }) }
        // A function of a group is not allowed in a sub-select, and SQLite computes equal functions only once.
        guard !scalar.expression.isOfGroup else { return (side, { $0 }) }
        switch scalar.expression {
        case .value, .keyPath, .variable: return (side, { $0 })
        case .function, .cast, .conditional, .aggregate, .element: break
        }
        let variable = makeGeneratorVariable()
        var element = scalar
        element.stand = scalar.expression
        element.expression = .variable(variable, isObject: scalar.expression.isObject)
        let collection = BoundCollection(
            generators: [.init(variable: variable, source: .list([scalar.expression]))],
            filter: .constant(true),
            element: element.expression,
            isDistinct: false
        )
        return (.scalar(element), { .exists(collection, where: $0) })
    }

    /// Binds IN; the right side is a list, a to-many relationship, or a string that contains the left side (P4).
    mutating func compareIn(
        _ left: Operand,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        if case .collection(let many) = left { throw typeMismatch(many, at: offset) }
        let candidates: [Operand]
        switch right {
        case .value(.collection(let values)):
            if case .scalar(let scalar) = left { return try compare(scalar, in: values, options, at: offset) }
            candidates = values.map { .value($0) }
        case .list(let operands): candidates = operands
        case .collection(let many):
            let isMet = try compareScalars(.scalar(many.element), .equal, options, left, at: offset)
            return .exists(many.collection, where: isMet)
        case .variable(let name, let place):
            if case .scalar(let scalar) = left {
                try requireOptions(options, fit: scalar, at: offset)
                try record(name, isCollection: true, allowsNil: true, scalar, at: place)
            }
            return .constant(true)
        case .value(.attribute(.string)):
            return try compareStrings(right, .contains, options, left, at: offset)
        case .scalar(let scalar) where scalar.type == .string:
            return try compareStrings(right, .contains, options, left, at: offset)
        case .scalar(let scalar):
            throw fail(
                .typeMismatch,
                "IN needs a list, a to-many key path or a string on its right, but \(description(of: scalar))",
                at: offset
            )
        case .value(let value):
            throw fail(
                .typeMismatch,
                "IN needs a list, a to-many key path or a string on its right, found \(value.kindName)",
                at: offset
            )
        }
        let once = computedOnce(left)
        var parts: [BoundPredicate] = []
        for candidate in candidates {
            if case .collection(let many) = candidate {
                // Its elements are candidates like the other elements of the list.
                let isMet = try compareScalars(.scalar(many.element), .equal, options, once.operand, at: offset)
                parts.append(.exists(many.collection, where: isMet))
            } else {
                parts.append(try compareScalars(once.operand, .equal, options, candidate, at: offset))
            }
        }
        return once.wrap(.disjunction(parts))
    }

    private func compare(
        _ scalar: Scalar,
        in values: [PredicateValue],
        _ options: ComparisonOptions,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        try requireOptions(options, fit: scalar, at: offset)
        var converted: [PredicateValue] = []
        converted.reserveCapacity(values.count)
        // Objects of one store are distinguished by their keys, other values by equality.
        var keys = Set<Int64>()
        var others = Set<ExactValue>()
        for value in values {
            let value = try convert(value, for: scalar, at: offset)
            if case .object(let reference) = value, store != nil {
                if keys.isEmpty { keys.reserveCapacity(values.count) }
                if keys.insert(reference.key).inserted { converted.append(value) }
            } else if others.insert(ExactValue(value)).inserted {
                converted.append(value)
            }
        }
        if converted.isEmpty { return .constant(false) }
        return .comparison(
            BoundComparison(
                left: scalar.expression,
                operator: .in,
                options: options,
                right: .value(.collection(converted))
            )
        )
    }
}

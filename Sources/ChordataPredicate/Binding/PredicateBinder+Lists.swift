import ChordataModel

extension PredicateBinder {
    /// P3: both ends belong to the range.
    mutating func compareBetween(
        _ left: Operand,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        let bounds: [Operand]
        switch right {
        case .value(.collection(let values)): bounds = values.map { .value($0) }
        case .list(let operands): bounds = operands
        case .variable(let name, let place):
            if case .keyPath(let path) = left {
                try requireOptions(options, fit: path, at: offset)
                try requireOrder(.less, fits: path, at: offset)
                try record(name, isCollection: true, path, at: place)
            }
            return .constant(true)
        case .value, .keyPath:
            throw fail(.unfittingType, "BETWEEN needs a list of two bounds: {lower, upper}", at: offset)
        }
        guard bounds.count == 2 else {
            throw fail(.unfittingType, "BETWEEN needs a list of two bounds, not of \(bounds.count)", at: offset)
        }
        if case .keyPath(let path) = left, case .value(let lower) = bounds[0], case .value(let upper) = bounds[1] {
            try requireOptions(options, fit: path, at: offset)
            try requireOrder(.less, fits: path, at: offset)
            let values = [try convert(lower, for: path, at: offset), try convert(upper, for: path, at: offset)]
            if values.contains(.null) { return .constant(false) }
            return .comparison(
                BoundComparison(
                    left: .keyPath(path),
                    operator: .between,
                    options: options,
                    right: .value(.collection(values))
                )
            )
        }
        return .conjunction([
            try compareScalars(left, .greaterOrEqual, options, bounds[0], at: offset),
            try compareScalars(left, .lessOrEqual, options, bounds[1], at: offset),
        ])
    }

    /// P4: the right side is a list, or a string that contains the left side.
    mutating func compareIn(
        _ left: Operand,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        let candidates: [Operand]
        switch right {
        case .value(.collection(let values)):
            if case .keyPath(let path) = left { return try compare(path, in: values, options, at: offset) }
            candidates = values.map { .value($0) }
        case .list(let operands): candidates = operands
        case .variable(let name, let place):
            if case .keyPath(let path) = left {
                try requireOptions(options, fit: path, at: offset)
                try record(name, isCollection: true, path, at: place)
            }
            return .constant(true)
        case .value(.attribute(.string)):
            return try compareStrings(right, .contains, options, left, at: offset)
        case .keyPath(let path) where kind(of: path) == .string:
            return try compareStrings(right, .contains, options, left, at: offset)
        case .keyPath(let path):
            throw fail(
                .unfittingType,
                "IN needs a list or a string on its right, but \(description(of: path))",
                at: offset
            )
        case .value(let value):
            throw fail(.unfittingType, "IN needs a list or a string on its right, found \(value.kindName)", at: offset)
        }
        var parts: [BoundPredicate] = []
        for candidate in candidates {
            parts.append(try compareScalars(left, .equal, options, candidate, at: offset))
        }
        return .disjunction(parts)
    }

    private func compare(
        _ path: BoundKeyPath,
        in values: [PredicateValue],
        _ options: ComparisonOptions,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        try requireOptions(options, fit: path, at: offset)
        var converted: [PredicateValue] = []
        var seen: Set<ExactValue> = []
        for value in values {
            let value = try convert(value, for: path, at: offset)
            if seen.insert(ExactValue(value)).inserted { converted.append(value) }
        }
        if converted.isEmpty { return .constant(false) }
        return .comparison(
            BoundComparison(
                left: .keyPath(path),
                operator: .in,
                options: options,
                right: .value(.collection(converted))
            )
        )
    }
}

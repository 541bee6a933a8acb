import ChordataPredicate

/// The functions that rendered SQL calls: a connection registers each of them, and no others, under its raw value.
///
/// All are deterministic and take UTF-8 text. ``SQLFunctionCall`` implements them.
package enum SQLFunction: String, Sendable, Hashable, CaseIterable {
    /// The beginning of the names of all functions, aggregates and collations.
    package static let prefix = "chordata_"

    /// `chordata_fold(text, options)`: the text without the differences that the options ignore.
    case fold = "chordata_fold"
    /// `chordata_contains(text, pattern, options)` and so on: 1 or 0, even if the text or the pattern is NULL.
    case contains = "chordata_contains"
    case begins = "chordata_begins"
    case ends = "chordata_ends"
    case like = "chordata_like"
    /// `chordata_matches(text, pattern, options)`: 1 if the whole text matches the regular expression, or else 0 (Q4).
    case matches = "chordata_matches"
    /// `chordata_list_element(list, index)`: an element of a list that was bound as one blob.
    case listElement = "chordata_list_element"
    /// `chordata_compute(function, forms, value)`, and the same with a second value: the result of a predicate function
    /// (Q8).
    ///
    /// Here and below, `forms` contains the letter of a ``ValueForm`` for each value, in upper case for a constant.
    case compute = "chordata_compute"
    /// `chordata_cast(type, forms, value)`
    case cast = "chordata_cast"
    /// `chordata_test(operator, options, forms, value, value)`: 1 or 0, even if a value is NULL.
    case test = "chordata_test"
    /// `chordata_between(options, forms, value, lower, upper)`: 1 or 0.
    case between = "chordata_between"
    /// `chordata_member(options, forms, value, list)`: 1 or 0; the list was bound as one blob, of computed values.
    case member = "chordata_member"

    /// The number of the function's arguments; -1 if it varies.
    package var argumentCount: Int32 {
        switch self {
        case .compute: -1
        case .fold, .listElement: 2
        case .contains, .begins, .ends, .like, .matches, .cast: 3
        case .member: 4
        case .test, .between: 5
        }
    }

    /// A Boolean value that indicates whether the function tests a text with a pattern that is not a regular
    /// expression.
    package var testsText: Bool {
        switch self {
        case .contains, .begins, .ends, .like: true
        case .matches, .fold, .listElement, .compute, .cast, .test, .between, .member: false
        }
    }

    /// The operator of predicates that the function tests.
    var comparisonOperator: ComparisonOperator? {
        switch self {
        case .fold, .listElement, .compute, .cast, .test, .between, .member: nil
        case .contains: .contains
        case .begins: .beginsWith
        case .ends: .endsWith
        case .like: .like
        case .matches: .matches
        }
    }
}

/// The aggregate functions that rendered SQL calls, one for each aggregate function of predicates: a connection
/// registers each of them under its raw value.
///
/// They are called as `chordata_sum(value, forms, isDistinct)`, for example; ``SQLAggregateCall`` implements them.
package enum SQLAggregate: String, Sendable, Hashable, CaseIterable {
    case count = "chordata_count"
    case sum = "chordata_sum"
    case average = "chordata_average"
    case min = "chordata_min"
    case max = "chordata_max"
    case median = "chordata_median"
    case mode = "chordata_mode"
    case stddev = "chordata_stddev"

    /// The number of arguments of each function.
    package static let argumentCount: Int32 = 3

    init(_ function: CollectionFunction) {
        switch function {
        case .count: self = .count
        case .sum: self = .sum
        case .average: self = .average
        case .min: self = .min
        case .max: self = .max
        case .median: self = .median
        case .mode: self = .mode
        case .stddev: self = .stddev
        }
    }

    var function: CollectionFunction {
        switch self {
        case .count: .count
        case .sum: .sum
        case .average: .average
        case .min: .min
        case .max: .max
        case .median: .median
        case .mode: .mode
        case .stddev: .stddev
        }
    }
}

/// The collations that rendered SQL names: a connection registers each of them under its raw value.
package enum SQLCollation: String, Sendable, Hashable, CaseIterable {
    /// Orders the texts of decimals by their numbers.
    case decimal = "chordata_decimal"
    /// These order text as the current locale does.
    case localized = "chordata_localized"
    case localizedCaseInsensitive = "chordata_localized_nocase"
    case localizedStandard = "chordata_localized_standard"

    /// Compares two texts: negative, 0 or positive.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
        switch self {
        case .decimal: Int32(compareDecimalTexts(left, right).rawValue)
        case .localized: compare(left, right, by: .localized)
        case .localizedCaseInsensitive: compare(left, right, by: .localizedCaseInsensitive)
        case .localizedStandard: compare(left, right, by: .localizedStandard)
        }
    }

    private func compare(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer,
        by comparison: StringComparison
    ) -> Int32 {
        let (left, right) = (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
        return Int32(compareStrings(left, right, by: comparison).rawValue)
    }
}

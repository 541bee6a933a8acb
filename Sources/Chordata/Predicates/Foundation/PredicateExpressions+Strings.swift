internal import ChordataPredicate
public import Foundation

// The macro supports these functions on all platforms, but only Apple's Foundation has the expressions that replace
// them.
#if canImport(Darwin)
    extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
        func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
            try context.containsText(root, other)
        }
    }

    extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatableExpression {
        func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
            .ordering(try context.value(root), try context.value(other))
        }
    }

    extension PredicateExpressions.StringLocalizedCompare: TranslatableExpression {
        func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
            .ordering(try context.value(root), try context.value(other))
        }
    }
#else
    extension PredicateExpressions {
        /// A predicate expression that tests whether a string contains another string, ignoring case and diacritics.
        public struct TextContains<Text: PredicateExpression, Part: PredicateExpression>: PredicateExpression
        where Text.Output: StringProtocol, Part.Output: StringProtocol {
            /// The result: a Boolean value that indicates whether the string contains the other string.
            public typealias Output = Bool

            let text: Text
            let part: Part

            /// Compares the strings by the same rules as a fetch.
            /// - Returns: `true` if the first string contains the second string; otherwise, `false`.
            /// - Throws: Any error from the evaluation of the strings.
            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
                let text = foldedForComparison(String(try self.text.evaluate(bindings)), options: options)
                let part = foldedForComparison(String(try self.part.evaluate(bindings)), options: options)
                return part.isEmpty || text.unicodeScalars.contains(part.unicodeScalars)
            }
        }

        /// A predicate expression that compares two strings, ignoring case.
        public struct TextOrder<Text: PredicateExpression, Other: PredicateExpression>: PredicateExpression
        where Text.Output: StringProtocol, Other.Output: StringProtocol {
            /// The result: the order of the strings.
            public typealias Output = ComparisonResult

            let text: Text
            let other: Other

            /// Compares the strings by the same rules as a fetch.
            /// - Returns: The order of the strings.
            /// - Throws: Any error from the evaluation of the strings.
            public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
                let text = foldedForComparison(String(try self.text.evaluate(bindings)), options: .caseInsensitive)
                let other = foldedForComparison(String(try self.other.evaluate(bindings)), options: .caseInsensitive)
                if text.utf8.elementsEqual(other.utf8) { return .orderedSame }
                return text.utf8.lexicographicallyPrecedes(other.utf8) ? .orderedAscending : .orderedDescending
            }
        }

        /// Returns the expression that `#Predicate` creates for `$0.name.localizedStandardContains("x")`.
        @_disfavoredOverload  // If Foundation adds the function, its own is used.
        public static func build_localizedStandardContains<Text, Part>(
            _ text: Text,
            _ part: Part
        ) -> TextContains<Text, Part> {
            TextContains(text: text, part: part)
        }

        /// Returns the expression that `#Predicate` creates for `$0.name.caseInsensitiveCompare("x")`.
        @_disfavoredOverload
        public static func build_caseInsensitiveCompare<Text, Other>(
            _ text: Text,
            _ other: Other
        ) -> TextOrder<Text, Other> {
            TextOrder(text: text, other: other)
        }

        /// Returns the expression that `#Predicate` creates for `$0.name.localizedCompare("x")`, which compares like
        /// `caseInsensitiveCompare`.
        @_disfavoredOverload
        public static func build_localizedCompare<Text, Other>(_ text: Text, _ other: Other) -> TextOrder<Text, Other> {
            TextOrder(text: text, other: other)
        }
    }

    extension PredicateExpressions.TextContains: Sendable where Text: Sendable, Part: Sendable {}
    extension PredicateExpressions.TextContains: Codable where Text: Codable, Part: Codable {}
    extension PredicateExpressions.TextContains: StandardPredicateExpression
    where Text: StandardPredicateExpression, Part: StandardPredicateExpression {}

    extension PredicateExpressions.TextOrder: Sendable where Text: Sendable, Other: Sendable {}
    extension PredicateExpressions.TextOrder: Codable where Text: Codable, Other: Codable {}
    extension PredicateExpressions.TextOrder: StandardPredicateExpression
    where Text: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.TextContains: TranslatableExpression {
        func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
            try context.containsText(text, part)
        }
    }

    extension PredicateExpressions.TextOrder: TranslatableExpression {
        func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
            .ordering(try context.value(text), try context.value(other))
        }
    }
#endif

extension TranslationContext {
    fileprivate mutating func containsText(
        _ text: some PredicateExpression,
        _ part: some PredicateExpression
    ) throws(FetchPredicateError) -> TranslatedExpression {
        let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        return .condition(.comparison(.init(try value(text), .contains, try value(part), options: options)))
    }
}

internal import ChordataPredicate
public import Foundation

extension PredicateExpressions {
    /// Asks whether a to-many relationship contains an object that was captured.
    ///
    /// Objects belong to their context and so cannot be part of a `Predicate`; what is kept is the object's identity.
    public struct ContainsObject<Objects: StandardPredicateExpression>: StandardPredicateExpression
    where Objects.Output: Sequence, Objects.Output.Element: ManagedObject {
        /// A Boolean value that indicates whether the object is there.
        public typealias Output = Bool

        let objects: Objects
        let object: PredicateArgumentValue

        init(_ objects: Objects, _ object: Objects.Output.Element) {
            self.objects = objects
            self.object = object.predicateArgumentValue
        }

        /// Compares the identities of the relationship's objects.
        /// - Returns: `true` if the relationship contains the object; otherwise, `false`.
        /// - Throws: Whatever evaluating the relationship throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try objects.evaluate(bindings).contains { $0.predicateArgumentValue == object }
        }

        /// Always fails: an object has no meaning outside of its store.
        /// - Throws: `DecodingError`, always.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an object cannot be decoded")
            )
        }

        /// Always fails: an object has no meaning outside of its store.
        /// - Throws: `EncodingError`, always.
        public func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                object,
                .init(codingPath: encoder.codingPath, debugDescription: "an object cannot be encoded")
            )
        }
    }

    /// The expression of `#Predicate` for `$0.players.contains(player)`.
    public static func build_contains<Objects: StandardPredicateExpression>(
        _ objects: Objects,
        _ object: Value<Objects.Output.Element>
    ) -> ContainsObject<Objects> where Objects.Output: Sequence, Objects.Output.Element: ManagedObject {
        ContainsObject(objects, object.value)
    }
}

extension PredicateExpressions.ContainsObject: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .condition(.isElement(.value(object.value), of: try context.value(objects)))
    }
}

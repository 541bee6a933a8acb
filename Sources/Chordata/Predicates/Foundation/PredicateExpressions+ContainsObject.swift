internal import ChordataPredicate
public import Foundation

extension PredicateExpressions {
    /// A predicate expression that tests whether a to-many relationship contains a captured object.
    ///
    /// A `Predicate` cannot contain managed objects, because they belong to their context; the expression contains the
    /// object ID.
    public struct ContainsObject<Objects: StandardPredicateExpression>: StandardPredicateExpression
    where Objects.Output: Sequence, Objects.Output.Element: ManagedObject {
        /// The result: a Boolean value that indicates whether the relationship contains the object.
        public typealias Output = Bool

        let objects: Objects
        let object: PredicateArgumentValue

        init(_ objects: Objects, _ object: Objects.Output.Element) {
            self.objects = objects
            self.object = object.predicateArgumentValue
        }

        /// Returns a Boolean value that indicates whether the relationship contains the object, by comparing object
        /// IDs.
        /// - Returns: `true` if the relationship contains the object; otherwise, `false`.
        /// - Throws: Any error from the evaluation of the relationship.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try objects.evaluate(bindings).contains { $0.predicateArgumentValue == object }
        }

        /// Always throws, because an object ID is valid only with its store.
        /// - Throws: `DecodingError`, always.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "a predicate with a managed object cannot be decoded, because an object ID is valid only with its store; create the predicate again"
                )
            )
        }

        /// Always throws, because an object ID is valid only with its store.
        /// - Throws: `EncodingError`, always.
        public func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                object,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        "a predicate with a managed object cannot be encoded, because an object ID is valid only with its store; compare an attribute that identifies the object instead"
                )
            )
        }
    }

    /// Returns the expression that `#Predicate` creates for `$0.players.contains(player)`.
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

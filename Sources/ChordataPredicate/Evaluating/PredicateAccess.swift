package import ChordataModel

/// The reader of objects of some kind for a predicate's evaluator.
///
/// The evaluator requests its readers once, when it is created, so that nothing is looked up by name for each object.
/// All readers receive objects of one class, which the access knows, and of the entity for which they were created or
/// one of its subentities.
///
/// The objects are `AnyObject`s here, and nothing is generic: generic closures of another module are not specialized,
/// and a comparison then takes ten times as long.
package protocol PredicateAccess {
    /// Reads an attribute, or an element of a composite; missing values are `nil`.
    func attribute(of path: BoundKeyPath) -> (AnyObject) -> AttributeValue?
    /// Reads an attribute of an integer type or a Boolean; `nil` when there is no faster way than ``attribute(of:)``.
    func integer(of path: BoundKeyPath) -> ((AnyObject) -> Int64?)?
    /// Reads a double, a float, or a date as its seconds; `nil` when there is no faster way than ``attribute(of:)``.
    func double(of path: BoundKeyPath) -> ((AnyObject) -> Double?)?
    /// Reads a string; `nil` when there is no faster way than ``attribute(of:)``.
    func string(of path: BoundKeyPath) -> ((AnyObject) -> String?)?
    /// Reads the object at the other end of a to-one relationship.
    func toOne(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> AnyObject?
    /// Reads the key of the object at the other end of a to-one relationship.
    func toOneKey(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> Int64?
    /// Reads the objects at the other end of a to-many relationship, in their order if it is ordered.
    func toMany(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> [AnyObject]
    /// Tests an object's texts as a full-text index would.
    func fullText(_ search: BoundFullText) -> (AnyObject) throws(FetchPredicateError) -> Bool
    /// Returns the name of an object's entity.
    func entityName(of object: AnyObject) -> String
    /// Returns the key of an object, which is unique in its hierarchy.
    func key(of object: AnyObject) -> Int64
}

/// The values of the variables of the enclosing collections while one object is evaluated.
final class EvaluationScope {
    enum Slot {
        case empty
        case object(AnyObject)
        case value(AttributeValue)
        case key(Int64)
    }

    var slots: [Slot]
    /// The number of elements visited for the one object.
    private var stepCount = 0
    /// The maximum number of elements, which takes some seconds; only nested lists and subqueries reach it.
    private static let maximumStepCount = 10_000_000

    init(count: Int) { slots = Array(repeating: .empty, count: count) }

    /// Counts an element.
    /// - Throws: ``FetchPredicateError`` if nested collections have too many elements.
    func countStep() throws(FetchPredicateError) {
        stepCount += 1
        guard stepCount <= Self.maximumStepCount else {
            throw FetchPredicateError(
                .tooComplex,
                "the evaluation of this predicate for one object visits more than \(Self.maximumStepCount) elements of collections; simplify the predicate, for example nest fewer collections",
                at: 0,
                in: ""
            )
        }
    }
}

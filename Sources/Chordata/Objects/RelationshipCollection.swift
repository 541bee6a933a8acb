public import Foundation

/// A collection class that is the type of a to-many property if the property's class was generated with the
/// [option](doc:Configuration) `"optionality": "coreData"`: `NSSet`, or `NSOrderedSet` for an ordered relationship.
///
/// The collection class does not specify the class of its elements, so the compiler cannot check that class in calls of
/// functions that take the key path of such a property.
public protocol RelationshipCollection: AnyObject {
    /// The elements, in order if the collection is ordered.
    var relationshipMembers: [Any] { get }
}

extension NSSet: RelationshipCollection {
    /// The elements in no particular order.
    public var relationshipMembers: [Any] { allObjects }
}

extension NSOrderedSet: RelationshipCollection {
    /// The elements in their order.
    public var relationshipMembers: [Any] { array }
}

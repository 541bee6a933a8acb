public import Foundation

/// A class of collections that a to-many property has if its class was generated with the [option](doc:Configuration)
/// `"optionality": "coreData"`: `NSSet`, or `NSOrderedSet` for an ordered relationship.
///
/// The class does not state the class of the elements, so the compiler cannot check it in calls of functions that take
/// the key path of such a property.
public protocol RelationshipCollection: AnyObject {
    /// The elements, in their order if they have one.
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

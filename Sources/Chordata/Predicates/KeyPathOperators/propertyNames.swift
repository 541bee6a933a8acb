internal import Foundation
internal import Synchronization

/// Returns the names of the properties in a key path from a generated class; `nil` if one of them is not in the model.
///
/// A key path of one step is found directly. A longer key path, such as `\.team?.city` or `\.team!.city`, cannot be
/// decomposed, so the key paths of properties are combined until a combination is equal; the result is kept.
/// - Complexity: O(1) for a key path that was passed before; otherwise, O(rᵈ·p) for p properties and r to-one
///   relationships of a class, at the distance d.
func keys(of keyPath: AnyKeyPath) -> [String]? {
    if let keys = propertyKeys(of: keyPath) { return keys }
    // The cast to the metatype of a protocol makes the functions below use the class itself instead of ManagedObject.
    guard let type = type(of: keyPath).rootType as? any FetchableObject.Type else { return nil }
    let wanted = HashableKeyPath(type.placed(keyPath))
    if let known = compositeKeys.withLock({ $0[wanted] }) { return known }
    let found = search(wanted.keyPath, of: keyPath, from: type)
    _ = compositeKeys.withLock { $0.updateValue(found, forKey: wanted) }
    return found
}

/// Returns the keys of the property at the end of a key path that does not cross a relationship; `nil` if the key path
/// does not end at a property of the model.
func propertyKeys(of keyPath: AnyKeyPath) -> [String]? {
    guard let type = type(of: keyPath).rootType as? ManagedObject.Type else { return nil }
    return properties(of: type).keys[keyPath]
}

/// Returns a Boolean value that indicates whether the property at the end of a key path returns the seconds of a Date
/// attribute, as in a class that was generated with the types of Core Data.
func givesSeconds(_ keyPath: AnyKeyPath) -> Bool {
    guard unwrapped(type(of: keyPath).valueType) == Double.self, let names = keys(of: keyPath),
        let last = names.last, var type = type(of: keyPath).rootType as? ManagedObject.Type
    else { return false }
    func property(_ name: String) -> PropertyKeyPaths.Property? {
        properties(of: type).all.first { $0.keys.count == 1 && $0.keys[0] == name }
    }
    for name in names.dropLast() {
        guard let destination = property(name)?.destination else { return false }
        type = destination
    }
    return property(last)?.isDate == true
}

/// The properties that a generated class declares, which are read only once.
private struct ClassProperties: @unchecked Sendable {  // Its key paths capture nothing.
    let all: [PropertyKeyPaths.Property]
    let keys: [AnyKeyPath: [String]]
    /// The properties that a subclass may override, by name; empty unless the class allows it.
    let overridable: [String: AnyKeyPath]
}

/// Returns the key path of a property that a class may override; `nil` for another property.
func overridableKeyPath(_ name: String, of type: ManagedObject.Type) -> AnyKeyPath? {
    properties(of: type).overridable[name]
}

private let propertiesOfClasses = Mutex<[ObjectIdentifier: ClassProperties]>([:])

private func properties(of type: ManagedObject.Type) -> ClassProperties {
    let id = ObjectIdentifier(type)
    if let known = propertiesOfClasses.withLock({ $0[id] }) { return known }
    let all = type.propertyKeyPaths().properties
    let keys = Dictionary(all.map { ($0.keyPath, $0.keys) }, uniquingKeysWith: { first, _ in first })
    var overridable: [String: AnyKeyPath] = [:]
    if type.hasOverridableProperties {
        for property in all where property.keys.count == 1 && isOverridable(property.keyPath) {
            overridable[property.keys[0]] = property.keyPath
        }
    }
    let properties = ClassProperties(all: all, keys: keys, overridable: overridable)
    return propertiesOfClasses.withLock { table in
        table[id] = properties
        return properties
    }
}

/// Returns a Boolean value that indicates whether a property has a type that overridable properties have.
private func isOverridable(_ keyPath: AnyKeyPath) -> Bool {
    // A property that is not generated has the key path `\.self`.
    guard type(of: keyPath).valueType != type(of: keyPath).rootType else { return false }
    let valueType = unwrapped(type(of: keyPath).valueType)
    return valueType is ManagedObject.Type || typesOfAttributes.contains(ObjectIdentifier(valueType))
        || valueType is any RelationshipCollection.Type
}

private let typesOfAttributes: Set<ObjectIdentifier> = {
    let types: [Any.Type] = [
        Int16.self, Int32.self, Int64.self, Double.self, Float.self, Bool.self, String.self, Date.self, Data.self,
        UUID.self, URL.self, NSNumber.self, NSDecimalNumber.self,
    ]
    return Set(types.map { ObjectIdentifier($0) })
}()

/// The maximum number of steps of a path.
private let maximumStepCount = 4

// A key path of properties does not capture anything, so it can be sent to any isolation.
private struct HashableKeyPath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
}

private let compositeKeys = Mutex<[HashableKeyPath: [String]?]>([:])

/// Returns the names in the shortest path, combined from properties, that equals a key path; `nil` if there is none.
private func search(_ wanted: AnyKeyPath, of original: AnyKeyPath, from type: any FetchableObject.Type) -> [String]? {
    let valueType = unwrapped(Swift.type(of: original).valueType)
    var starts: [Path] = []
    for property in properties(of: type).all {
        guard let destination = property.destination else { continue }
        starts.append(Path(keyPath: property.keyPath, names: property.keys, destination: destination))
    }
    for _ in 1..<maximumStepCount {
        var next: [Path] = []
        for start in starts {
            for property in properties(of: start.destination).all {
                let isEnd = unwrapped(Swift.type(of: property.keyPath).valueType) == valueType
                if !isEnd && property.destination == nil { continue }
                for keyPath in start.continuations(property) {
                    let names = start.names + property.keys
                    if isEnd && type.placed(keyPath) == wanted { return names }
                    guard let destination = property.destination else { continue }
                    next.append(Path(keyPath: keyPath, names: names, destination: destination))
                }
            }
        }
        starts = next
    }
    return nil
}

/// A path to an object.
private struct Path {
    let keyPath: AnyKeyPath
    let names: [String]
    let destination: any FetchableObject.Type

    /// Returns the paths that continue to a property, after `?` and after `!`.
    func continuations(_ property: PropertyKeyPaths.Property) -> [AnyKeyPath] {
        let chained = keyPath.appending(path: property.chainedKeyPath)
        let forced = keyPath.appending(path: destination.forcing)?.appending(path: property.keyPath)
        return [chained, forced].compactMap(\.self)
    }
}

private func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }

private protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

// A class whose property is the root of key paths that are compared. Two key paths that consist of the same steps are
// equal only if both or neither are writable through a reference. After a writable step, all key paths are writable, so
// the writability no longer makes a difference.
private final class Place<Object> {
    var object: Object
    init(_ object: Object) { self.object = object }
}

/// Returns a Boolean value that indicates whether a key path is `\.self` of a class, the object itself.
func isIdentity(_ keyPath: AnyKeyPath) -> Bool {
    (type(of: keyPath).rootType as? any FetchableObject.Type)?.hasIdentity(keyPath) == true
}

extension FetchableObject {
    fileprivate static func hasIdentity(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.self }

    fileprivate static func placed(_ keyPath: AnyKeyPath) -> AnyKeyPath {
        // The types match, because the key path begins at this class.
        (\Place<Self>.object as AnyKeyPath).appending(path: keyPath) ?? keyPath
    }

    /// The key path from an optional object to the object.
    fileprivate static var forcing: AnyKeyPath { \Self?.self! as AnyKeyPath }
}

/// Returns the key path in Swift's notation, where it is known.
///
/// Swift prints a computed property as the address of its code, which is not useful.
func text(of keyPath: AnyKeyPath) -> String {
    var text = ""
    var rest = Substring("\(keyPath)")
    while let start = rest.range(of: "<computed 0x"), let end = rest[start.upperBound...].range(of: ")>") {
        let type = rest[start.upperBound..<end.lowerBound].drop { $0 != "(" }.dropFirst()
        text += rest[..<start.lowerBound] + "<computed property of type \(type)>"
        rest = rest[end.upperBound...]
    }
    return text + rest
}

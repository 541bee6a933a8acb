internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import OrderedCollections

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Access to properties by their names in the model (S13). A name that the entity does not have and a value of another
// type are programming errors: they trap with a message, where Core Data throws an exception.

extension ManagedObject {
    /// Returns the value of a property in its stored form, such as the raw value of an enumeration or the bytes of a
    /// Transformable attribute.
    ///
    /// The type of an integer is `Int16`, `Int32` or `Int64`, as in the model. A composite attribute is a
    /// `[String: Any?]`; an element can be accessed with a key such as `"address.city"`. A to-many relationship is a
    /// `Set` of objects, or an `OrderedSet` if it is ordered, and a fetched property is an array.
    ///
    /// If the class was generated with the setting `"optionality": "coreData"`, so that its properties have the types
    /// that Xcode generates, and you override one of them, the method returns the value of your getter, in the form
    /// described above.
    /// - Parameter key: The name of a property of the entity, or an element of a composite such as `address.city`. Any
    ///   other name traps.
    /// - Returns: The value; `nil` when the property has none.
    public final func value(forKey key: String) -> Any? {
        if runtimeEntity.hasOverridableProperties, let field = runtimeEntity.field(named: key) {
            willAccess(field.index)
            return valueOfGetter(of: field)
        }
        return ownValue(forKey: key)
    }

    /// Returns the value of a property without calling an overridden getter.
    final func ownValue(forKey key: String) -> Any? {
        if let field = runtimeEntity.field(named: key) {
            willAccess(field.index)
            return value(of: field)
        }
        if let elements = runtimeEntity.elements(ofCompositeNamed: key) {
            return Dictionary(uniqueKeysWithValues: elements.map { ($0, value(forKey: key + "." + $0)) })
        }
        if runtimeEntity.entity.fetchedPropertiesByName[key] != nil {
            return fetchedObjects(of: key) as [ManagedObject]
        }
        unknownKey(key)
    }

    /// Sets the value of a property; for a relationship, also updates the inverse.
    ///
    /// An integer attribute accepts a number of any integer or floating-point type, or a `Decimal`, if the value is an
    /// integer in its range. A Double, Float or Decimal attribute accepts such numbers too, and rounds them if
    /// necessary. If a required attribute is set to `nil`, the object fails validation.
    ///
    /// If the class was generated with the [option](doc:Configuration) `"optionality": "coreData"` and you override one
    /// of its properties, the method calls your setter, unless the value is `nil` and the property is not optional.
    /// - Parameters:
    ///   - value: The value. A value of another type or out of the property's range traps.
    ///   - key: The name of an attribute or relationship, or an element of a composite such as `address.city`. Any
    ///     other name traps.
    public final func setValue(_ value: Any?, forKey key: String) {
        guard let field = runtimeEntity.field(named: key) else {
            guard let elements = runtimeEntity.elements(ofCompositeNamed: key) else { unknownKey(key) }
            let values = value as? [String: Any?]
            precondition(value == nil || values != nil, mismatch(value, key, "a dictionary of its elements"))
            for element in elements { setValue(values?[element] ?? nil, forKey: key + "." + element) }
            return
        }
        if runtimeEntity.hasOverridableProperties, setWithSetter(value, of: field) { return }
        switch field.kind.base {
        case .toOne: setToOne(destination(value, of: field), field.index)
        case .toMany: setMembers(destinations(value, of: field), field.index)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .external, .any, .objectID:
            precondition(
                setAttributeIfValid(value, of: field),
                mismatch(value, field.name, field.attribute?.attributeType.rawValue ?? "no attribute")
            )
        }
    }

    /// Sets the value of an attribute, unless it has another type or is out of range.
    /// - Returns: `true` if the value is valid; otherwise, `false`.
    final func setAttributeIfValid(_ value: Any?, of field: Field) -> Bool {
        willChange(field.index)
        guard setStoredValue(value, of: field) else { return false }
        if value == nil, field.isRequired, field.attribute?.isDerived == false { changes?.unset.insert(field.index) }
        return true
    }

    /// Returns the value of a property without reading the row of a fault.
    /// - Parameter key: The name of an attribute or relationship, or an element of a composite such as `address.city`.
    ///   Any other name, including the name of a composite attribute, traps.
    /// - Returns: The value in memory: for an attribute of a fault, an earlier value or an initial value such as 0;
    ///   `nil` for a relationship that is not loaded.
    public final func primitiveValue(forKey key: String) -> Any? {
        guard let field = runtimeEntity.field(named: key) else { unknownKey(key) }
        switch field.kind.base {
        case .toOne: return toOneReference(field).pointee.object
        case .toMany: return toManyReference(field).pointee.storage.map { collection(of: $0, field) }
        case .external:
            if !isFault { loadExternalData(field.index) }
            return storedValue(of: field)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .any, .objectID:
            return storedValue(of: field)
        }
    }

    /// Records that a property is about to change; call it before ``setPrimitiveValue(_:forKey:)``.
    ///
    /// Accessors and ``setValue(_:forKey:)`` record the change automatically. No call is needed after the change.
    /// - Parameter key: The name of an attribute or relationship, or an element of a composite such as `address.city`.
    ///   Any other name, including the name of a composite attribute, traps.
    public final func willChangeValue(forKey key: String) {
        guard let field = runtimeEntity.field(named: key) else { unknownKey(key) }
        willChange(field.index)
    }

    /// Sets the value of a property without recording a change.
    ///
    /// The value is saved only if the object was never saved, or if a change of this property is recorded.
    ///
    /// To record the change, call ``willChangeValue(forKey:)`` first. If the property is a relationship, its inverse is
    /// not updated; set the inverse too.
    /// - Parameters:
    ///   - value: The value, of a type that ``setValue(_:forKey:)`` accepts.
    ///   - key: The name of an attribute or relationship, or an element of a composite such as `address.city`. Any
    ///     other name, including the name of a composite attribute, traps.
    public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let field = runtimeEntity.field(named: key) else { unknownKey(key) }
        if state == .updated { changes?.keepCommittedValue(of: field.index, in: self) }
        managedObjectContext?.graph.recordUnsavedChange()
        switch field.kind.base {
        case .toOne:
            let object = destination(value, of: field)
            guard let context = contextForChange() else { return setDetachedToOne(object, field.index) }
            context.editor.setPrimitiveToOne(object.flatMap { $0.isDeletedAndDetached ? nil : $0 }, of: self, field)
        case .toMany:
            let objects = destinations(value, of: field)
            guard let context = contextForChange() else { return setDetachedMembers(objects, field.index) }
            context.editor.setPrimitiveToMany(objects.filter { !$0.isDeletedAndDetached }, of: self, field)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .external, .any, .objectID:
            precondition(
                setStoredValue(value, of: field),
                mismatch(value, field.name, field.attribute?.attributeType.rawValue ?? "no attribute")
            )
            if value == nil { changes?.unset.insert(field.index) } else { changes?.unset.remove(field.index) }
        }
    }

    /// Returns the value at the end of a key path across to-one relationships.
    /// - Parameter path: The names of the properties, separated by dots, such as `team.city`. Any other path traps.
    /// - Returns: The value; `nil` when the value or a relationship in the path is `nil`.
    public final func value(forKeyPath path: String) -> Any? {
        // An element of a composite has a dot in its name.
        if runtimeEntity.field(named: path) != nil { return value(forKey: path) }
        guard let dot = path.firstIndex(of: ".") else { return value(forKey: path) }
        let first = String(path[..<dot])
        guard let field = runtimeEntity.field(named: first), field.kind.base == .toOne else {
            preconditionFailure(
                "'\(first)' of '\(runtimeEntity.entity.name)' is not a to-one relationship, so key path '\(path)' cannot be followed"
            )
        }
        return (value(forKey: first) as? ManagedObject)?.value(forKeyPath: String(path[path.index(after: dot)...]))
    }

    // MARK: Changes

    /// Returns the properties whose values have changed since the last save.
    ///
    /// For an inserted object, these are all properties that were set by accessors or ``setValue(_:forKey:)``. A
    /// property that was set by a primitive accessor is included only if its value differs from that of a new object.
    /// - Returns: The current values, keyed by property name.
    @_disfavoredOverload  // The module `CoreData` has one with NSNull.
    public final func changedValues() -> [String: Any?] {
        var values: [String: Any?] = [:]
        for field in changedFields() { values[field.name] = value(of: field) }
        return values
    }

    /// A Boolean value that indicates whether the object has unsaved changes that would change a value in the store.
    public final var hasPersistentChangedValues: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: changedFields().contains { $0.isStored }
        case .clean, .detached: false
        }
    }

    /// Returns the values of properties as they were last read or saved.
    ///
    /// - Parameter keys: The names of attributes and to-one relationships; `nil` for all of these that are stored. Any
    ///   other name traps.
    /// - Returns: The values, keyed by property name. The values of an object that was never saved are `nil`.
    @_disfavoredOverload  // The module `CoreData` has one with NSNull.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any?] {
        readRowOfFault()
        let fields = keys.map { keys in
            keys.map { key in
                guard let field = runtimeEntity.field(named: key), field.kind.base != .toMany else { unknownKey(key) }
                return field
            }
        }
        var values: [String: Any?] = [:]
        for field in fields ?? runtimeEntity.columnFields {
            values.updateValue(committedValue(of: field), forKey: field.name)
        }
        return values
    }

    private final func committedValue(of field: Field) -> Any? {
        if state == .inserted { return nil }
        if let changes, changes.changed.contains(field.index), changes.committedUnset.contains(field.index) {
            return nil
        }
        guard let committed = changes?.committedValue(of: field) else { return value(of: field) }
        if let external = externalField(field.index) {
            return managedObjectContext?.editor.committedExternalData(of: self, external)
        }
        guard field.kind.base == .toOne else { return anyValue(field.kind, at: committed) }
        let key = committed.assumingMemoryBound(to: Int64.self).pointee
        guard key != 0, let relationship = runtimeEntity.relationships[field.index], let context = managedObjectContext
        else { return nil }
        return context.reader.object(forKey: key, type: context.schema.runtimeEntities[relationship.destination])
    }

    private final func changedFields() -> [Field] {
        guard let changes, state == .inserted || state == .updated else { return [] }
        return runtimeEntity.fields.filter { field in
            guard changes.changed.contains(field.index) else {
                // Primitive accessors do not record changes.
                return state == .inserted && !hasInitialValue(field, unset: changes.unset)
            }
            guard let committed = changes.committedValue(of: field) else { return true }
            if field.kind.base == .toOne {
                return committed.assumingMemoryBound(to: Int64.self).pointee != toOneReference(field).pointee.key
            }
            if let external = externalField(field.index) { return hasOtherExternalData(external, than: committed) }
            return !fieldsAreEqual(field.kind, committed, address(of: field))
        }
    }

    /// A Boolean value that indicates whether a property has the value that a new object has.
    private final func hasInitialValue(_ field: Field, unset: PropertyMask) -> Bool {
        if field.attribute?.isDerived == true || unset.contains(field.index) { return true }
        switch field.kind.base {
        case .toOne: return toOneReference(field).pointee.key == 0
        case .toMany: return toManyReference(field).pointee.storage?.array.isEmpty ?? true
        case .any: return anyValue(field.kind, at: address(of: field)) == nil
        case .external: return externalField(field.index)?.value(at: address(of: field)) == nil
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .objectID:
            let layout = field.kind.layout
            let initial = UnsafeMutableRawPointer.allocate(byteCount: layout.size, alignment: layout.alignment)
            initializeEmptyField(field.kind, at: initial)
            defer {
                destroyField(field.kind, at: initial)
                initial.deallocate()
            }
            if let value = field.attribute?.defaultValue { _ = setAttributeValue(value, field.kind, at: initial) }
            return fieldsAreEqual(field.kind, initial, address(of: field))
        }
    }

    // MARK: Values

    final func collection(of storage: ToManyStorage, _ field: Field) -> Any {
        guard let relationship = runtimeEntity.relationships[field.index] else { return storage.array }
        let objectClass = schema?.runtimeEntities[relationship.destination].objectClass ?? ManagedObject.self
        return objectClass.collection(of: storage)
    }

    final func value(of field: Field) -> Any? {
        switch field.kind.base {
        case .toOne: return toOneObject(toOneReference(field).pointee, field.index)
        case .toMany:
            let storage = readMembers(field.index) ?? toManyReference(field).pointee.storage
            let isOrdered = field.relationship?.isOrdered == true
            return collection(of: storage ?? ToManyStorage.make(isOrdered: isOrdered), field)
        case .external:
            loadExternalData(field.index)
            return changes?.unset.contains(field.index) == true ? nil : storedValue(of: field)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .any, .objectID:
            return changes?.unset.contains(field.index) == true ? nil : storedValue(of: field)
        }
    }

    final func storedValue(of field: Field) -> Any? {
        let address = address(of: field)
        return field.kind.base == .any
            ? address.assumingMemoryBound(to: Any?.self).pointee : anyValue(field.kind, at: address)
    }

    /// - Returns: Whether the value is valid.
    private final func setStoredValue(_ value: Any?, of field: Field) -> Bool {
        if field.kind.base == .any {
            address(of: field).assumingMemoryBound(to: Any?.self).pointee = value
            return true
        }
        let converted = value.flatMap { AttributeValue($0, for: field.kind.base) }
        return (value == nil || converted != nil) && setAttributeValue(converted, field.kind, at: address(of: field))
    }

    /// Returns a value as the destination of a relationship; traps if the value is not an object of the destination
    /// entity.
    final func destination(_ value: Any?, of field: Field) -> ManagedObject? {
        guard let value else { return nil }
        guard let relationship = runtimeEntity.relationships[field.index] else { unknownKey(field.name) }
        let entityName = relationship.description.destinationEntityName
        // The getter casts without a check. Without a schema the class of the value cannot be checked, so the value is
        // not set.
        guard let schema = contextForChange()?.schema ?? schema else { return nil }
        guard let object = value as? ManagedObject,
            schema.model.entity(object.runtimeEntity.entity.name, isKindOf: entityName)
        else { preconditionFailure(mismatch(value, field.name, "an object of '\(entityName)'")) }
        return object
    }

    final func destinations(_ value: Any?, of field: Field) -> [ManagedObject] {
        guard let value else { return [] }
        guard let sequence = value as? any Sequence else {
            preconditionFailure(mismatch(value, field.name, "a collection of objects"))
        }
        return objects(in: sequence).compactMap { destination($0, of: field) }
    }

    final func objects<Objects: Sequence>(in sequence: Objects) -> [Any] { sequence.map { $0 } }

    // MARK: Programming errors

    final func unknownKey(_ key: String) -> Never {
        let suggestion = nearestName(to: key, among: runtimeEntity.fields.map(\.name)).map { "; did you mean '\($0)'?" }
        preconditionFailure("entity '\(runtimeEntity.entity.name)' has no property '\(key)'\(suggestion ?? "")")
    }

    private final func mismatch(_ value: Any?, _ key: String, _ expected: String) -> String {
        let given = value.map { "\(type(of: $0))" } ?? "nil"
        return
            "'\(key)' of '\(runtimeEntity.entity.name)' expects \(expected), but got a value of type \(given) that does "
            + "not match or is out of range"
    }
}

extension RuntimeEntity {
    /// Returns the names of the elements of a composite, which are the keys of its dictionary; `nil` if there is no
    /// composite of this name.
    func elements(ofCompositeNamed name: String) -> [String]? {
        let prefix = name + "."
        var elements: [String] = []
        for field in fields where field.name.hasPrefix(prefix) {
            let rest = field.name.dropFirst(prefix.count)
            let element = String(rest.prefix { $0 != "." })
            if elements.last != element { elements.append(element) }
        }
        return elements.isEmpty ? nil : elements
    }
}

extension AttributeValue {
    /// Creates an attribute value from a value of any type; `nil` if an attribute of this kind cannot have the value.
    init?(_ value: Any, for kind: FieldKind.Base) {
        switch withoutNumberObject(value, for: kind) {
        case let value as Bool: self = .boolean(value)
        case let value as any BinaryInteger:
            guard let integer = Int64(exactly: value) else { return nil }
            switch kind {
            case .decimal: self = .decimal(Decimal(integer))
            case .double, .float: self = .double(Double(integer))
            default: self = .integer(integer)
            }
        case let value as Double:
            guard kind == .decimal else {
                self = .double(value)
                return
            }
            guard let decimal = Self.decimal(value) else { return nil }
            self = .decimal(decimal)
        case let value as Float: self.init(Double(value), for: kind)
        case let value as Decimal: self = .decimal(value)
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as UUID: self = .uuid(value)
        case let value as URL: self = .url(value)
        default: return nil
        }
    }

    /// Returns a number as a decimal; `nil` if the number is too large.
    private static func decimal(_ value: Double) -> Decimal? {
        if value.isNaN { return .nan }
        // `Decimal.init` traps for infinite numbers, and returns NaN for numbers that are too large.
        guard value.isFinite, case let decimal = Decimal(value), !decimal.isNaN else { return nil }
        return decimal
    }
}

// For the module `CoreData`, which has methods of the same names with other results.

extension ManagedObject {
    package final func unsavedValues() -> [String: Any?] { changedValues() }
    package final func storedValues(forKeys keys: [String]?) -> [String: Any?] { committedValues(forKeys: keys) }
    package final func plainValue(forKeyPath path: String) -> Any? { value(forKeyPath: path) }

    /// Returns a Boolean value that indicates whether the members of a to-many have not been read.
    package final func hasUnreadToMany(_ key: String) -> Bool {
        guard let field = runtimeEntity.field(named: key), field.kind.base == .toMany else { return false }
        return state != .inserted && toManyReference(at: field.index).pointee.storage == nil
    }
}

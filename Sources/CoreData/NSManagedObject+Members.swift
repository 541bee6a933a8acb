#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    // Members of Core Data's class that Chordata's objects do not have.

    extension ManagedObject {
        /// Returns the values of properties, keyed by name; `NSNull` for `nil`.
        public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
            Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
        }

        /// Sets properties to values, keyed by name; `NSNull` sets a property to `nil`.
        public func setValuesForKeys(_ keyedValues: [String: Any]) {
            for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
        }

        /// Returns the values of properties that were changed since the last save or fetch, keyed by name; `NSNull` for
        /// `nil`.
        public func changedValues() -> [String: Any] { unsavedValues().mapValues { $0 ?? NSNull() } }

        /// Returns the last fetched or saved values of properties, keyed by name; `NSNull` for `nil`.
        public func committedValues(forKeys keys: [String]?) -> [String: Any] {
            storedValues(forKeys: keys).mapValues { $0 ?? NSNull() }
        }

        /// Returns the value at a key path, which can end with an operator of a to-many relationship, such as
        /// `expenses.@sum.amount`.
        public func value(forKeyPath keyPath: String) -> Any? {
            guard keyPath.contains("@") else { return plainValue(forKeyPath: keyPath) }
            do {
                return try FetchExpression(format: "%K", keyPath).value(with: self)?.foundationValue
            } catch {
                preconditionFailure("\(error)")
            }
        }

        /// A Boolean value that indicates whether the object is a fault: the program has not accessed its values.
        ///
        /// As in Core Data, an object is a fault after a fetch, unless the request has
        /// `returnsObjectsAsFaults = false`, and so are the objects of a relationship. The values of such a fault are
        /// in memory, so an access reads no row, and `awakeFromFetch()` was called when they were read.
        public var isFault: Bool { isUnread }

        /// Returns a Boolean value that indicates whether the objects of a relationship have not been read.
        public func hasFault(forRelationshipNamed key: String) -> Bool { isFault || hasUnreadToMany(key) }

        /// The faulting state: 0 for an object whose values have been read, and 1 for a fault.
        public var faultingState: Int { isFault ? 1 : 0 }

        /// Reads the row of a fault, so that `primitiveValue(forKey:)` has the stored value.
        public func willAccessValue(forKey key: String?) {
            guard isFault else { return }
            _ = committedValues(forKeys: nil as [String]?)
            markAsRead()
        }
        /// Does nothing.
        public func didAccessValue(forKey key: String?) {}
        /// Does nothing, because setting a primitive value reports the change.
        public func didChangeValue(forKey key: String) {}

        /// Records that a to-many relationship is about to change; call it before `setPrimitiveValue(_:forKey:)`.
        /// - Parameters:
        ///   - key: The name of the relationship; any other name traps.
        ///   - mutation: The kind of change, which is not considered.
        ///   - objects: The objects of the change, which are not considered.
        public func willChangeValue(
            forKey key: String,
            withSetMutation mutation: NSKeyValueSetMutationKind,
            using objects: Set<AnyHashable>
        ) { willChangeValue(forKey: key) }

        /// Does nothing, because setting a primitive value reports the change.
        public func didChangeValue(
            forKey key: String,
            withSetMutation mutation: NSKeyValueSetMutationKind,
            using objects: Set<AnyHashable>
        ) {}

        /// Records that an ordered to-many relationship is about to change; call it before
        /// `setPrimitiveValue(_:forKey:)`.
        /// - Parameters:
        ///   - change: The kind of change, which is not considered.
        ///   - indexes: The indexes of the change, which are not considered.
        ///   - key: The name of the relationship; any other name traps.
        public func willChange(_ change: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
            willChangeValue(forKey: key)
        }

        /// Does nothing, because setting a primitive value reports the change.
        public func didChange(_ change: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {}

        /// Sets the property at the end of a key path over to-one relationships, such as `team.city`.
        ///
        /// If a relationship of the path is `nil`, the method has no effect.
        public func setValue(_ value: Any?, forKeyPath keyPath: String) {
            // An element of a composite attribute has a dot in its name.
            guard let dot = keyPath.lastIndex(of: "."), entity.attributesByName[keyPath] == nil else {
                return setValue(value, forKey: keyPath)
            }
            let owner = self.value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject
            owner?.setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
        }

        /// Checks whether a value is valid for a property; the value is not changed.
        /// - Throws: The error of the validation.
        public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
            let unchanged: Any? = value
            try throwingCocoaErrors { try validateValue(unchanged, forKey: key) }
        }

        /// Returns a Boolean value that indicates whether an object is this object.
        public func isEqual(_ object: Any?) -> Bool { object as? NSManagedObject === self }

        /// Returns a Boolean value that indicates whether the object is an instance of a class or of one of its
        /// subclasses.
        public func isKind(of aClass: AnyClass) -> Bool {
            sequence(first: type(of: self) as AnyClass) { _getSuperclass($0) }.contains { $0 == aClass }
        }

        /// A Boolean value that indicates whether properties that are not in the model are ignored by
        /// `hasChanges`; always `true`, because Chordata does not observe them.
        public static var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }
    }

    /// The kind of a change of a to-many relationship.
    public enum NSKeyValueSetMutationKind: UInt, Sendable {
        /// Objects are added.
        case union = 1
        /// Objects are removed.
        case minus
        /// All objects that are not in a given set are removed.
        case intersect
        /// All objects are replaced.
        case set
    }

    /// The kind of a change of an ordered to-many relationship.
    public enum NSKeyValueChange: UInt, Sendable {
        /// All objects are replaced.
        case setting = 1
        /// Objects are inserted.
        case insertion
        /// Objects are removed.
        case removal
        /// Objects are replaced.
        case replacement
    }

    extension ManagedObject {
        /// Returns a mutable collection that represents an ordered to-many relationship; any other name traps.
        public func mutableOrderedSetValue(forKey key: String) -> MutableSetValue { mutableSetValue(forKey: key) }

        /// Returns a mutable collection that represents the to-many relationship at the end of a key path of to-one
        /// relationships; any other key path, and a missing object on the path, trap.
        public func mutableSetValue(forKeyPath keyPath: String) -> MutableSetValue {
            guard let dot = keyPath.lastIndex(of: ".") else { return mutableSetValue(forKey: keyPath) }
            guard let object = value(forKeyPath: String(keyPath[..<dot])) as? ManagedObject else {
                preconditionFailure("the key path '\(keyPath)' has no object before its last name")
            }
            return object.mutableSetValue(forKey: String(keyPath[keyPath.index(after: dot)...]))
        }

        /// Returns a mutable collection that represents the ordered to-many relationship at the end of a key path; see
        /// ``mutableSetValue(forKeyPath:)``.
        public func mutableOrderedSetValue(forKeyPath keyPath: String) -> MutableSetValue {
            mutableSetValue(forKeyPath: keyPath)
        }
    }

    extension MutableSetValue {
        /// The objects, in order.
        public var array: [Any] { allObjects }

        /// Returns the object at an index.
        public func object(at index: Int) -> Any { allObjects[index] }

        /// Returns the index of an object; `NSNotFound` if it is not in the relationship.
        public func index(of object: Any) -> Int {
            (object as? NSManagedObject).flatMap { allObjects.firstIndex(of: $0) } ?? NSNotFound
        }

        /// Inserts an object at an index.
        public func insert(_ object: Any, at index: Int) { change { $0.insert(managed(object), at: index) } }

        /// Removes the object at an index.
        public func removeObject(at index: Int) { change { $0.remove(at: index) } }

        /// Replaces the object at an index.
        public func replaceObject(at index: Int, with object: Any) { change { $0[index] = managed(object) } }

        /// Moves objects to another index, which is counted without the moved objects.
        public func moveObjects(at indexes: IndexSet, to index: Int) {
            change { objects in
                let moved = indexes.map { objects[$0] }
                for place in indexes.reversed() { objects.remove(at: place) }
                objects.insert(contentsOf: moved, at: index)
            }
        }

        private func managed(_ object: Any) -> NSManagedObject {
            guard let object = object as? NSManagedObject else {
                preconditionFailure(
                    "a value of type \(type(of: object)) cannot be in a relationship; use managed objects"
                )
            }
            return object
        }

        private func change(_ body: (inout [NSManagedObject]) -> Void) {
            var objects = allObjects
            body(&objects)
            setSet(objects)
        }
    }
#endif

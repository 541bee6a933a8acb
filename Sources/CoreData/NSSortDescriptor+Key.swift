#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    extension NSSortDescriptor: FormatInitializable {
        /// The key path of the property by which objects are sorted; `nil` for a key path that is not from the model.
        public var key: String? { (self as? KeySortDescriptor)?.sortKey.path ?? SortKey.path(of: keyPath) }
    }

    extension FormatInitializable where Self: NSSortDescriptor {
        /// Creates a sort descriptor for a property, or a key path such as `team.name`.
        public init(key: String?, ascending: Bool) { self.init(key, ascending, .literal) }

        /// Creates a sort descriptor that compares strings.
        ///
        /// It replaces Core Data's initializer with `selector:`, which requires the Objective-C runtime.
        public init(key: String?, ascending: Bool, comparison: StringComparison) {
            self.init(key, ascending, comparison)
        }

        /// Creates a sort descriptor for a property of a managed object.
        public init<Root: ManagedObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
            self.init(SortKey(keyPath, order: ascending ? .ascending : .descending), keyPath)
        }

        private init(_ key: String?, _ ascending: Bool, _ comparison: StringComparison) {
            guard let key else {
                preconditionFailure(
                    "the key of NSSortDescriptor(key:ascending:) is nil, but a fetch cannot compare objects themselves; pass the name of a property"
                )
            }
            let sortKey = SortKey(key, order: ascending ? .ascending : .descending, comparison: comparison)
            self.init(sortKey, \ManagedObject.objectID)
        }

        private init<Root, Value>(_ sortKey: SortKey, _ keyPath: KeyPath<Root, Value>) {
            guard let made = KeySortDescriptor(sortKey, keyPath) as? Self else {
                preconditionFailure("\(Self.self) cannot be created with a key; use NSSortDescriptor(key:ascending:)")
            }
            self = made
        }
    }

    /// A sort descriptor of a property of the model.
    final class KeySortDescriptor: NSSortDescriptor {
        let sortKey: SortKey

        init<Root, Value>(_ sortKey: SortKey, _ keyPath: KeyPath<Root, Value>) {
            self.sortKey = sortKey
            super.init(keyPath: keyPath, ascending: sortKey.order == .ascending) { _, _ in .orderedSame }
        }

        required init?(coder: NSCoder) { nil }

        override func copy(with zone: NSZone? = nil) -> Any { self }
        override var reversedSortDescriptor: Any {
            let path = sortKey.path ?? ""
            return NSSortDescriptor(key: path, ascending: !ascending, comparison: sortKey.comparison)
        }

        override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            guard let first = object1 as? ManagedObject, let second = object2 as? ManagedObject else {
                let other = object1 is ManagedObject ? object2 : object1
                preconditionFailure(
                    "a sort descriptor with a key compares managed objects, not values of type \(type(of: other)); "
                        + "sort other values with a closure"
                )
            }
            do {
                return try sortKey.compare(first, second)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    extension NSSortDescriptor {
        /// The sort descriptor in the form that a fetch accepts.
        func sortKey() throws -> SortKey {
            if let descriptor = self as? KeySortDescriptor { return descriptor.sortKey }
            guard let path = SortKey.path(of: keyPath) else {
                throw UnsupportedFeatureError(
                    "\(keyPath) is not a property of the model, so objects cannot be fetched in this order; use "
                        + "NSSortDescriptor(key:ascending:), or sort the fetched objects"
                )
            }
            return SortKey(path, order: ascending ? .ascending : .descending)
        }
    }
#endif

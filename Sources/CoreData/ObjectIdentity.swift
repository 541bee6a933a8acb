#if !canImport(Darwin)
    public import Chordata

    /// A class whose objects are equal only to themselves, as subclasses of Core Data's superclass `NSObject` are.
    public protocol ObjectIdentity: AnyObject, Hashable, CustomStringConvertible {}

    extension ObjectIdentity {
        /// Returns a Boolean value that indicates whether two references are to the same object.
        public static func == (left: Self, right: Self) -> Bool { left === right }

        /// Adds the identity of the object to a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

        /// A text such as `<NSManagedObjectContext: 0x7f00c0de1230 'import'>`.
        func text(ofObject className: String, _ name: String?) -> String {
            let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
            return "<\(className): 0x\(address)\(name.map { " '\($0)'" } ?? "")>"
        }
    }

    extension ManagedObjectContext: ObjectIdentity {
        /// The class, the address and the name of the context.
        public var description: String { text(ofObject: "NSManagedObjectContext", name) }
    }

    extension PersistentStoreCoordinator: ObjectIdentity {
        /// The class and the address of the coordinator.
        public var description: String { text(ofObject: "NSPersistentStoreCoordinator", nil) }
    }

    extension PersistentStore: ObjectIdentity {
        /// The class, the address and the file of the store.
        public var description: String { text(ofObject: "NSPersistentStore", path) }
    }

    extension MergePolicy: ObjectIdentity {
        /// The class, the address and the kind of the policy.
        public var description: String {
            let name = "\(type(of: self))"
            return text(ofObject: name == "MergePolicy" ? "NSMergePolicy" : name, "\(mergeType)")
        }
    }

    extension NSPersistentContainer: ObjectIdentity {}
#endif

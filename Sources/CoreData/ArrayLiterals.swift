#if !canImport(Darwin)
    public import Foundation

    // On Apple's systems, sets of Foundation have array literals; here, only ordered sets do.

    extension NSSet: FormatInitializable, @retroactive ExpressibleByArrayLiteral {}

    extension FormatInitializable where Self: NSSet {
        /// Creates a set of the elements of an array literal.
        public init(arrayLiteral elements: Any...) {
            let set: NSSet = Self.self is NSMutableSet.Type ? NSMutableSet(array: elements) : NSSet(array: elements)
            guard let set = set as? Self else {
                preconditionFailure(
                    "\(Self.self) cannot be created from an array literal; create it with an initializer of the class"
                )
            }
            self = set
        }
    }
#endif

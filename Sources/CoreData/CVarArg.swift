#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    // On Apple's systems these types are bridged to classes, so that code can pass `id as CVarArg` to a format. Here,
    // only formats of predicates and expressions take them, which do not use the encoding.

    /// A value that a format string accepts for a placeholder of its type.
    public protocol FormatArgument: CVarArg {}

    extension FormatArgument {
        /// Traps, because a format string for text does not accept the value.
        public var _cVarArgEncoding: [Int] {
            preconditionFailure("a value of type \(Self.self) cannot be an argument of String(format:)")
        }
    }

    extension UUID: @retroactive CVarArg, FormatArgument {}
    extension Date: @retroactive CVarArg, FormatArgument {}
    extension URL: @retroactive CVarArg, FormatArgument {}
    extension Data: @retroactive CVarArg, FormatArgument {}
    extension ManagedObject: CVarArg, FormatArgument {}
    extension ManagedObjectID: CVarArg, FormatArgument {}
#endif

#if !canImport(Darwin)
    internal import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// A type whose instances are created by initializers of this module, which choose the class.
    ///
    /// The protocol is not class-constrained, because only an initializer in an extension of such a protocol can do
    /// this.
    public protocol FormatInitializable {}

    extension NSPredicate: FormatInitializable {}

    extension FormatInitializable where Self: NSPredicate {
        /// Creates a predicate from a format string.
        ///
        /// A format that is not valid traps. `FetchPredicate(format:)` throws an error instead.
        /// - Parameters:
        ///   - predicateFormat: The format, in the syntax of Core Data's predicates.
        ///   - arguments: The values of `%@`, `%K`, `%d` and other placeholders, in order.
        public init(format predicateFormat: String, _ arguments: Any?...) {
            self.init(format: predicateFormat, argumentArray: arguments.map { $0 ?? NSNull() })
        }

        /// Creates a predicate from a format string and an array with the values of its placeholders.
        public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            let predicate: FetchPredicate
            do {
                let (format, remaining) = try spliceFormat(predicateFormat, arguments ?? [])
                predicate = try FetchPredicate(
                    format: format,
                    argumentArray: remaining.map { try predicateArgument($0) }
                )
            } catch {
                preconditionFailure("NSPredicate(format: \"\(predicateFormat)\"): \(error)")
            }
            guard let made = FormatPredicate(predicate) as? Self else {
                preconditionFailure("\(Self.self) cannot be created from a format; use NSPredicate(format:)")
            }
            self = made
        }
    }

    /// A predicate that was created from a format string.
    final class FormatPredicate: NSPredicate {
        let predicate: FetchPredicate

        init(_ predicate: FetchPredicate) {
            self.predicate = predicate
            super.init(block: { _, _ in true })
        }

        required init?(coder: NSCoder) { nil }

        override var predicateFormat: String { predicate.description }
        override var description: String { predicate.description }
        override func isEqual(_ object: Any?) -> Bool { (object as? FormatPredicate)?.predicate == predicate }
        override var hash: Int { predicate.hashValue }
        override func copy(with zone: NSZone? = nil) -> Any { self }

        override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
            do {
                var predicate = predicate
                if let substitutionVariables {
                    predicate = try predicate.substituting(substitutionVariables.mapValues(predicateArgument))
                }
                guard let object = object as? ManagedObject else {
                    throw UnsupportedFeatureError(
                        "'\(predicate)' cannot be evaluated with \(object.map { "a value of type \(type(of: $0))" } ?? "nil"): "
                            + "predicates from a format are evaluated with managed objects; use NSPredicate(block:)"
                    )
                }
                return try predicate.evaluate(with: object)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    extension NSPredicate {
        /// Returns a predicate in which the variables of a format, such as `$name`, have values.
        ///
        /// A variable without a value traps.
        public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
            do {
                return FormatPredicate(try fetchPredicate().substituting(variables.mapValues(predicateArgument)))
            } catch {
                preconditionFailure("\(error)")
            }
        }

        /// The predicate in the form that a fetch accepts.
        /// - Throws: ``UnsupportedFeatureError`` when the predicate, or a part of it, is a block.
        func fetchPredicate() throws -> FetchPredicate {
            if let predicate = self as? FormatPredicate { return predicate.predicate }
            if let compound = self as? Foundation.NSCompoundPredicate {
                let parts = try compound.subpredicates.map { try $0.fetchPredicate().node }
                switch compound.compoundPredicateType {
                case .and: return FetchPredicate(parts.isEmpty ? .constant(true) : .and(parts))
                case .or: return FetchPredicate(parts.isEmpty ? .constant(false) : .or(parts))
                case .not: return FetchPredicate(.not(parts[0]))
                }
            }
            if let predicate = self as? any FetchPredicateConvertible { return try predicate.makeFetchPredicate() }
            // Foundation's own predicates are constants and blocks; only constants are equal to one.
            for value in [true, false] where isEqual(NSPredicate(value: value)) {
                return FetchPredicate(.constant(value))
            }
            throw UnsupportedFeatureError(
                "a predicate made of a block cannot be used in a fetch, because the store cannot call the block; use "
                    + "NSPredicate(format:), or "
                    + "filter the fetched objects"
            )
        }
    }

    /// A conjunction, disjunction or negation of predicates.
    ///
    /// Foundation's class with the same name does not know the format of its subpredicates on this platform.
    open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
        open override var predicateFormat: String {
            (try? fetchPredicate())?.description ?? subpredicates.map { $0.description }.description
        }
        open override var description: String { predicateFormat }
    }

    /// The value of a placeholder.
    func predicateArgument(_ argument: Any) throws(UnsupportedFeatureError) -> (any PredicateArgument)? {
        switch argument {
        case is NSNull: return nil
        case let argument as any PredicateArgument: return argument
        case let list as NSArray: return try ArgumentList(list.map { $0 })
        case let set as NSSet: return try ArgumentList(set.map { $0 })
        case let set as NSOrderedSet: return try ArgumentList(set.map { $0 })
        case let list as [Any]: return try ArgumentList(list)
        case let set as Set<AnyHashable>: return try ArgumentList(set.map(\.base))
        default:
            let mirror = Mirror(reflecting: argument)
            if mirror.displayStyle == .optional {
                guard let value = mirror.children.first?.value else { return nil }
                return try predicateArgument(value)
            }
            throw UnsupportedFeatureError(
                "a value of type \(type(of: argument)) cannot be the argument of a predicate's format; pass a string, number, "
                    + "date, UUID, URL, data, object, object ID, or a collection of them"
            )
        }
    }

    /// The elements of an array or a set, whose type is not known when the program is compiled.
    private struct ArgumentList: PredicateArgument {
        let predicateArgumentValue: PredicateArgumentValue

        init(_ elements: [Any]) throws(UnsupportedFeatureError) {
            var values: [PredicateValue] = []
            for element in elements {
                values.append(try predicateArgument(element)?.predicateArgumentValue.value ?? .null)
            }
            predicateArgumentValue = PredicateArgumentValue(.collection(values))
        }
    }
#endif

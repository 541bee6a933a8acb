// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    extension FetchRequest {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use sorted(by:), such as '.sorted(by: \\.name, .descending)', or 'sortKeys'"
        )
        public var sortDescriptors: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use 'request.dictionaries', 'request.objectIDs' or 'request.count'")
        public var resultType: NSFetchRequestResultType {
            get { .managedObjectResultType }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'propertiesToFetch' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var propertiesToFetch: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'propertiesToGroupBy' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var propertiesToGroupBy: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'havingPredicate' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var havingPredicate: FetchPredicate? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'returnsDistinctResults' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var returnsDistinctResults: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use ManagedObjectContext.fetch(_:)")
        public func execute() throws -> [Object] { [] }
    }
#endif

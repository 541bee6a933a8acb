// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    extension MergePolicyType {
        /// Core Data's name of `error`.
        @available(*, unavailable, renamed: "error")
        public static var errorMergePolicyType: MergePolicyType { .error }

        /// Core Data's name of `mergeByPropertyStoreTrump`.
        @available(*, unavailable, renamed: "mergeByPropertyStoreTrump")
        public static var mergeByPropertyStoreTrumpMergePolicyType: MergePolicyType { .mergeByPropertyStoreTrump }

        /// Core Data's name of `mergeByPropertyObjectTrump`.
        @available(*, unavailable, renamed: "mergeByPropertyObjectTrump")
        public static var mergeByPropertyObjectTrumpMergePolicyType: MergePolicyType { .mergeByPropertyObjectTrump }

        /// Core Data's name of `overwrite`.
        @available(*, unavailable, renamed: "overwrite")
        public static var overwriteMergePolicyType: MergePolicyType { .overwrite }

        /// Core Data's name of `rollback`.
        @available(*, unavailable, renamed: "rollback")
        public static var rollbackMergePolicyType: MergePolicyType { .rollback }
    }
#endif

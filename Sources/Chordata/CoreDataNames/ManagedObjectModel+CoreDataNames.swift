// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    extension ManagedObjectModel {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use 'definition' of the generated model, such as ShopModel.definition")
        public init?(contentsOf url: URL) { return nil }

        /// Core Data's name of `init(merging:)`.
        @available(*, unavailable, renamed: "init(merging:)")
        public init?(byMerging models: [ManagedObjectModel]?) { return nil }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "use 'definition' of the generated model, such as ShopModel.definition; ManagedObjectModel(merging:) merges models"
        )
        public static func mergedModel(from bundles: [Bundle]?) -> ManagedObjectModel? { nil }
    }
#endif

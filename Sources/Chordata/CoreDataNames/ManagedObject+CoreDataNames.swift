// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    extension ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use EntityDescription.entity(forEntityName:in:), or 'entity' of an object")
        public static func entity() -> EntityDescription { preconditionFailure("unavailable") }
    }

    // Because of their argument, these methods are not those of the hooks, so that hooks do not have to override them.
    // An overriding method usually calls the method of its superclass, and then the compiler finds these methods.
    extension ManagedObject {
        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt AwakeFromInsertHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func awakeFromInsert(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt AwakeFromFetchHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func awakeFromFetch(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt WillSaveHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func willSave(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt DidSaveHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func didSave(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt PrepareForDeletionHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func prepareForDeletion(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt WillTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func willTurnIntoFault(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt DidTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func didTurnIntoFault(_: Void = ()) {}
    }
#endif

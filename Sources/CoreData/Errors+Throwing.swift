#if !canImport(Darwin)
    public import Chordata
    internal import Foundation

    // Off Apple's platforms, `catch let error as NSError` catches no errors of Swift types, only `CocoaError` and
    // `NSError`.

    /// Runs a closure, and throws errors with a code of Core Data as `CocoaError`.
    func throwingCocoaErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw cocoaError(error) { $0 }
        }
    }

    /// Returns an error with a code of Core Data as `CocoaError`, and any other error as `NSError`.
    private func cocoaError(_ error: any Error, _ userInfo: ([String: Any]) -> [String: Any]) -> any Error {
        // An error about code that is not ported is not converted, because its type has the remedy.
        if error is UnsupportedFeatureError || error is CocoaError { return error }
        let bridged = error as NSError
        guard bridged.domain == NSCocoaErrorDomain else { return bridged }
        return CocoaError(CocoaError.Code(rawValue: bridged.code), userInfo: userInfo(bridged.userInfo))
    }

    extension ManagedObjectContext {
        /// Saves the unsaved changes.
        /// - Throws: ``UnsupportedFeatureError`` when the coordinator no longer has the store of the context; otherwise
        ///   `CocoaError` with Core Data's code, and with objects, not object IDs, in its user info. A merge
        ///   error has an array of `NSMergeConflict` for the key `NSPersistentStoreSaveConflictsErrorKey`, and the
        ///   error of a violated uniqueness constraint an array of `NSConstraintConflict`.
        public func save() throws {
            try requireStore()
            do {
                try saveChanges()
            } catch {
                throw cocoaError(error)
            }
        }

        /// Saves the unsaved changes; see the synchronous method.
        /// - Throws: Any error that the synchronous method throws.
        nonisolated(nonsending) public func save() async throws {
            try requireStore()
            do {
                try await saveChangesWhenAvailable()
            } catch {
                throw cocoaError(error)
            }
        }

        /// Returns the object with an object ID, and reads its row if necessary.
        /// - Returns: The object, which is not a fault.
        /// - Throws: `CocoaError` with the code `NSManagedObjectReferentialIntegrityError` when the object has no row,
        ///   and other codes when the store cannot be read.
        public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
            try throwingCocoaErrors { try findExistingObject(with: objectID, in: self) }
        }

        /// Throws an error if the context has changes of a store that its coordinator has removed: Core Data does not
        /// save anything in this case either.
        private func requireStore() throws {
            guard hasRemovedStore(self), hasChanges else { return }
            throw UnsupportedFeatureError(
                "the store of the context was removed from its coordinator or moved, so nothing was saved; create a new "
                    + "context, which uses the coordinator's current store"
            )
        }

        /// Returns an error with a code of Core Data as `CocoaError`, with objects in place of object IDs.
        private func cocoaError(_ error: any Error) -> any Error {
            CoreData.cocoaError(error) { userInfo in
                var userInfo = withObjects(userInfo)
                do {
                    userInfo[NSPersistentStoreSaveConflictsErrorKey] = try listedConflicts(of: error)
                } catch {
                    // The store could be written, but now it cannot be read.
                    userInfo[NSPersistentStoreSaveConflictsErrorKey] = nil
                    userInfo[NSUnderlyingErrorKey] = error
                }
                return userInfo
            }
        }

        /// Returns the conflicts of an error of a save: `NSMergeConflict` or `NSConstraintConflict`; `nil` for errors
        /// of another kind.
        private func listedConflicts(of error: any Error) throws -> [Any]? {
            switch error {
            case let error as SaveConflictError: try findConflicts(of: error, in: self)
            case let error as UniquenessConflictError: try findConflicts(of: error, in: self)
            default: nil
            }
        }

        private func withObjects(_ userInfo: [String: Any]) -> [String: Any] {
            userInfo.mapValues { value in
                switch value {
                case let id as NSManagedObjectID: object(with: id)
                case let ids as [NSManagedObjectID]: ids.map { object(with: $0) }
                case let errors as [NSError]:
                    errors.map { NSError(domain: $0.domain, code: $0.code, userInfo: withObjects($0.userInfo)) }
                default: value
                }
            }
        }
    }
#endif

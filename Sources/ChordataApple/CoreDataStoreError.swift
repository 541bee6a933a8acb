public import Foundation

/// An error in reading a store of Core Data or in converting it.
///
/// An error never contains values of a user's data.
public struct CoreDataStoreError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The file could not be opened or read.
        case cannotOpen
        /// The file is not a store of Core Data.
        case notACoreDataStore
        /// A part of the store is missing, damaged or larger than in any store that Core Data writes.
        case damagedStore
        /// The model of the store is not known: the store does not contain its model, and no given version of the model
        /// has its hashes or its tables.
        case unknownModel
        /// The store does not match the model or the other store of the conversion: it has other tables or another
        /// version, is another store, or has changes that would be lost.
        case incompatibleModel
        /// The store has values that the destination cannot represent and that the caller did not accept.
        case unrepresentableValues
        /// The destination exists already, or it cannot be written.
        case cannotWrite
        /// The task was cancelled; nothing was written.
        case cancelled
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the error and its remedy, in one sentence.
    public var message: String
    /// The path of the file.
    public var path: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, path: String = "") {
        self.code = code
        self.message = message
        self.path = path
    }
}

extension CoreDataStoreError: CustomStringConvertible {
    /// The path and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension CoreDataStoreError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The error code that Core Data uses for the ``code``, which may be an error code of Foundation.
    public var errorCode: Int {
        switch code {
        case .damagedStore: 259  // NSFileReadCorruptFileError
        case .cannotWrite: 512  // NSFileWriteUnknownError
        case .notACoreDataStore: 134_010
        case .cannotOpen: 134_080
        case .incompatibleModel, .unknownModel: 134_100
        case .unrepresentableValues: 134_110
        case .cancelled: 134_120
        }
    }

    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`, and the path for `NSFilePath` if
    /// there is one.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if !path.isEmpty { userInfo["NSFilePath"] = path }
        return userInfo
    }
}

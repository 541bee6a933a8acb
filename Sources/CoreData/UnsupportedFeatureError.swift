#if !canImport(Darwin)
    public import Foundation

    /// An error for the use of a feature of Core Data that this module does not support.
    public struct UnsupportedFeatureError: Error, Sendable, Hashable {
        /// A description of the feature, with a remedy.
        public let message: String

        init(_ message: String) { self.message = message }
    }

    extension UnsupportedFeatureError: CustomStringConvertible, LocalizedError {
        /// A description of the feature, with a remedy.
        public var description: String { message }
        /// A description of the feature, with a remedy.
        public var errorDescription: String? { message }
    }
#endif

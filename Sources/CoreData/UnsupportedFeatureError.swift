#if !canImport(Darwin)
    public import Foundation

    /// An error of code that uses a feature of Core Data which this module does not have.
    public struct UnsupportedFeatureError: Error, Sendable, Hashable {
        /// The feature and the remedy.
        public let message: String

        init(_ message: String) { self.message = message }
    }

    extension UnsupportedFeatureError: CustomStringConvertible, LocalizedError {
        /// The feature and the remedy.
        public var description: String { message }
        /// The feature and the remedy.
        public var errorDescription: String? { message }
    }
#endif

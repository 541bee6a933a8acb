/// Code that the tool leaves to the user, or an error, with its location.
package struct Report: Hashable, Sendable {
    /// The kinds of reports; their raw values are printed in brackets.
    package enum ID: String, Sendable, CaseIterable {
        /// A file or folder that cannot be read or written.
        case file
        /// A file that is not valid UTF-8.
        case encoding
        /// A file with syntax errors.
        case syntax
        /// A symbolic link, which is not followed.
        case link
        /// A model that cannot be read, or a setting that it needs.
        case model
        /// A class that cannot inherit from its generated class.
        case managedClass = "managed-class"
        /// An `@NSManaged` declaration that is not removed.
        case managedProperty = "managed-property"
        /// A comment that is removed with its declaration.
        case comment
        /// `@objc` and `@objcMembers`.
        case objc
        case keyPath = "key-path"
        case selector
        /// The URL of a compiled model in a bundle.
        case modelURL = "model-url"
        /// Property wrappers of SwiftUI.
        case swiftUI = "swiftui"
        /// `NSDiffableDataSourceSnapshotReference`.
        case snapshot
        /// Subclasses of `NSMigrationManager` and `NSEntityMigrationPolicy`.
        case migration
    }

    package enum Severity: String, Sendable {
        /// The command fails.
        case error
        /// The user has to change the code.
        case warning
        case note
    }

    package let id: ID
    package let severity: Severity
    package let path: String
    /// The line and the column in bytes, from 1; `nil` for a whole file or folder.
    package let location: Location?
    package let message: String

    package struct Location: Hashable, Comparable, Sendable {
        package let line: Int
        package let column: Int

        package static func < (left: Self, right: Self) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The report as a compiler prints it.
    package var text: String {
        let place = location.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(path)\(place): \(severity.rawValue): \(message) [\(id.rawValue)]"
    }
}

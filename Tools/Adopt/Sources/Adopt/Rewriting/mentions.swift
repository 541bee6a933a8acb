internal import Foundation

/// The texts of which a file has at least one if a rule can concern it, apart from the names of classes of the model.
let concernedTexts = [
    "@NSManaged", "NSManagedObject", "#keyPath", "#selector", "Selector(", "NSSelectorFromString", "@objc",
    "FetchRequest", "NSDiffableDataSourceSnapshotReference", "NSMigrationManager", "NSEntityMigrationPolicy",
    "\"momd\"", "\"mom\"",
]

/// Returns a Boolean value that indicates whether a file contains one of some texts.
///
/// Parsing takes long: a debug build of the parser reads about 50 kB in a second.
func mentions(_ bytes: [UInt8], _ texts: [String]) -> Bool {
    let file = Data(bytes)
    return texts.contains { file.range(of: Data($0.utf8)) != nil }
}

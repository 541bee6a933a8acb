internal import Foundation

/// Texts, at least one of which occurs in each file that a rule can concern, apart from the names of the model's
/// classes.
let concernedTexts = [
    "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression",
    "@NSManaged", "NSManagedObject", "#keyPath", "_kvcKeyPathString", "#selector", "Selector(", "NSSelectorFromString",
    "@objc", "FetchRequest", "NSDiffableDataSourceSnapshotReference", "NSMigrationManager", "NSEntityMigrationPolicy",
    "\"momd\"", "\"mom\"",
]

/// Returns a Boolean value that indicates whether a file contains one of some texts.
///
/// Parsing takes long: a debug build of the parser reads about 50 kB in a second.
func mentions(_ bytes: [UInt8], _ texts: [String]) -> Bool {
    let file = Data(bytes)
    return texts.contains { file.range(of: Data($0.utf8)) != nil }
}

import Foundation
import Testing

/// The names of Core Data in the left column of the manual's tables cause a compiler error that names the replacement.
struct CoreDataTableTests {
    /// The names that Chordata does not redirect, most of which Foundation declares.
    private static let otherNames: Set<String> = [
        "NSCocoaErrorDomain", "NSCoding", "NSCompoundPredicate", "NSComparisonPredicate", "NSDecimalNumber", "NSError",
        "NSExpression", "NSManaged", "NSNumber", "NSOrderedSet", "NSPredicate", "NSSet", "NSSortDescriptor",
        "NSSecureUnarchiveFromDataTransformer",
    ]

    @Test func everyNameOfTheTablesHasAReplacement() throws {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../Sources/Chordata/Chordata.docc/Coming-from-Core-Data.md").standardized
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let names = Set(rows.flatMap { $0.split(separator: " | ")[0].matches(of: /NS[A-Z]\w+/).map { String($0.0) } })
        #expect(names.count > 60)
        let typed = Snippet.coreDataNames.map(\.source).joined()
        for name in names.subtracting(Self.otherNames).sorted() {
            #expect(typed.firstMatch(of: try Regex("'\(name)' (has been renamed to|is unavailable)")) != nil, "\(name)")
        }
    }
}

import Testing

@testable import Adopt

extension RewriteCase {
    private static let objc = "'@objc' needs the Objective-C runtime; "
    private static let text = """
        @objcMembers class Cell: NSObject {
            @objc func show() {}
            @objc(other) dynamic var other = 1
        }
        @objc protocol Shown { @objc optional func hide() }
        @objc enum Kind: Int16 { case a }
        struct List: View {
            @FetchRequest(sortDescriptors: []) var books: FetchedResults<Book>
            @SwiftUI.SectionedFetchRequest<String?, Book> var sections: SectionedFetchResults<String?, Book>
        }
        func apply(_ snapshot: NSDiffableDataSourceSnapshotReference) {
            _ = snapshot as? CoreData.NSDiffableDataSourceSnapshotReference
        }
        final class Policy: NSEntityMigrationPolicy {}
        class Manager: NSMigrationManager, Sendable {}
        extension Book {
            @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            @objc func validated(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        }
        """
    private static let snapshot =
        "'NSDiffableDataSourceSnapshotReference' is a type of UIKit and AppKit; adopt Chordata's "
        + "'FetchedResultsSnapshotDelegate', whose 'FetchedResultsSnapshot' has the sections and object IDs [snapshot]"
    private static let swiftUI =
        "belongs to SwiftUI; fetch the objects with an 'NSFetchedResultsController', and update the view in its delegate "
        + "[swiftui]"
    private static let migration =
        "are not called; write a migration stage with the same changes, see 'chordata migrate mapping' for the SQL of a "
        + "mapping model [migration]"
    private static let other = "remove it, or put the declaration inside '#if canImport(ObjectiveC)' [objc]"

    static let reported: [RewriteCase] = [
        RewriteCase(
            name: "code that needs a decision",
            before: text,
            after: text,
            reports: [
                "1:1: warning: '@objcMembers' needs the Objective-C runtime; remove it [objc]",
                "2:5: warning: \(objc)\(other)",
                "3:5: warning: \(objc)\(other)",
                "5:1: warning: \(objc)remove it, and give 'optional' requirements a default in an extension [objc]",
                "5:24: warning: \(objc)\(other)",
                "6:1: warning: \(objc)remove it; an attribute of this type needs the user info 'RawType' in the model "
                    + "[objc]",
                "8:5: warning: '@FetchRequest' \(swiftUI)",
                "9:5: warning: '@SectionedFetchRequest' \(swiftUI)",
                "11:24: warning: \(snapshot)",
                "12:31: warning: \(snapshot)",
                "14:21: warning: subclasses of 'NSEntityMigrationPolicy' \(migration)",
                "15:16: warning: subclasses of 'NSMigrationManager' \(migration)",
                "17:5: warning: 'validateTitle(_:)' is not called, because there is no Objective-C runtime; adopt "
                    + "'ValidatePropertyHook', whose method validates the values of all properties [objc]",
                "18:5: warning: \(objc)\(other)",
            ]
        )
    ]
}

/// Code that is reported and not changed.
struct ReportTests {
    @Test(arguments: RewriteCase.reported)
    func reported(_ example: RewriteCase) throws { try check(example) }

    @Test func codeForApplesPlatformsIsNotReported() throws {
        let text = "#if canImport(SwiftUI)\n@objc class A: NSObject { let s = #selector(b) }\n#endif\n"
        #expect(try rewrite(text) == Rewritten(text: text, reports: []))
    }
}

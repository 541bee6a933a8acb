import Testing

extension RewriteCase {
    private static func unchanged(_ name: String, _ text: String) -> RewriteCase {
        RewriteCase(name: name, before: text, after: text)
    }

    static let imports: [RewriteCase] = [
        RewriteCase(
            name: "a type that Foundation has too",
            before: """
                // A report.
                import CoreData
                import Foundation
                import Dispatch

                let sum: NSExpression? = nil
                """,
            after: """
                // A report.
                import CoreData
                import Dispatch

                let sum: NSExpression? = nil
                """
        ),
        RewriteCase(
            name: "a cast to a type that Foundation has too",
            before: """
                import Foundation
                import CoreData

                let comparison = predicate as? NSComparisonPredicate
                func all(_ parts: [NSCompoundPredicate]) {}
                """,
            after: """
                import CoreData

                let comparison = predicate as? NSComparisonPredicate
                func all(_ parts: [NSCompoundPredicate]) {}
                """
        ),
        unchanged(
            "imports that stay",
            """
            import CoreData
            import Foundation

            let sum = NSExpression(forKeyPath: "sum")
            let all = NSCompoundPredicate(andPredicateWithSubpredicates: [])
            """
        ),
        RewriteCase(
            name: "a file that imports only Foundation, and names a type",
            before: """
                import Foundation
                import Dispatch
                import Foundation

                typealias Expression = NSExpression
                """,
            after: """
                import CoreData
                import Dispatch

                typealias Expression = NSExpression
                """
        ),
        RewriteCase(
            name: "a file that imports only Foundation, and calls an initializer",
            before: """
                import Foundation // Dates.

                let sum = NSExpression(forKeyPath: "sum")
                """,
            after: """
                import CoreData // Dates.

                let sum = NSExpression(forKeyPath: "sum")
                """
        ),
        RewriteCase(
            name: "two imports on one line",
            before: """
                import Foundation; import CoreData
                let sum: NSExpression? = nil
                """,
            after: """
                 import CoreData
                let sum: NSExpression? = nil
                """
        ),
        unchanged(
            "a file that imports only Foundation, whose class works",
            """
            import Foundation

            let all = NSCompoundPredicate(andPredicateWithSubpredicates: [])
            let none: NSCompoundPredicate? = nil
            """
        ),
        unchanged(
            "a file without Core Data",
            """
            import Foundation

            let all = NSPredicate(value: true)
            """
        ),
        unchanged(
            "conditional imports",
            """
            import CoreData
            #if canImport(Foundation)
            import Foundation
            #endif
            @preconcurrency import Foundation

            let sum: NSExpression? = nil
            """
        ),
    ]
}

/// `import Foundation` in a file that names a type that both Foundation and CoreData have.
struct ImportTests {
    @Test(arguments: RewriteCase.imports)
    func rewritten(_ example: RewriteCase) throws { try check(example) }
}

import Testing

@testable import Adopt

extension RewriteCase {
    private static let message =
        "warning: there are no compiled models in bundles; call 'NSManagedObjectModel.url(forModelNamed:)' with the name of "
        + "the generated model [model-url]"
    private static let kept = """
        let a = Bundle.main.url(forResource: "Shop", withExtension: "momd", subdirectory: "Models")
        let b = Bundle.url(forResource: "Shop", withExtension: "mom", subdirectory: nil, in: folder)
        let c = Bundle.main.url(forResource: nil, withExtension: "momd")
        let d = Bundle.main.url(forResource: "Shop" /* ours */, withExtension: "momd")
        let e = Bundle.main.url(forResource: "Shop", // Compiled.
            withExtension: "momd")
        let f = Bundle /* ours */ .main.url(forResource: "Shop", withExtension: "momd")
        let g = Bundle(identifier: "shop")?.url(forResource: "Shop", withExtension: "momd")!
        let h = bundle.url(forResource: "Shop", withExtension: "momd")
        let i = url(forResource: "Shop", withExtension: "mom")
        let j = Archive.main.url(forResource: "Shop", withExtension: "momd")
        """
    private static let unrelated = """
        let a = Bundle.main.url(forResource: "Shop", withExtension: "json") ?? url("momd")
        let b = Bundle.main.url(forResource: "Shop", withExtension: kind)
        let c = Bundle.main.url(forResource: "Shop", withExtension: "mo\\(m)d")
        let d = Bundle.main.path(forResource: "Shop", withExtension: "momd")
        let e = "Bundle.main.url(forResource: \\"Shop\\", withExtension: \\"momd\\")"
        // Bundle.main.url(forResource: "Shop", withExtension: "momd")
        #if os(iOS)
        let f = Bundle.main.url(forResource: "Shop", withExtension: "momd")
        #endif
        """

    static let modelURLs: [RewriteCase] = [
        RewriteCase(
            name: "URLs of models",
            before: """
                let a = Bundle.main.url(forResource: "Shop", withExtension: "momd")!
                let b = Bundle(for: Store.self).url(forResource: "Shop", withExtension: "mom")
                guard let c = Bundle.module.url(forResource: name ?? "A\\(x)", withExtension: #"momd"#) else { fatalError() }
                let d = Foundation.Bundle.main.url( forResource : (names.first { $0 > "a" })! , withExtension : "momd" )
                let e = Bundle(identifier: "shop")!.url(forResource: "Shop", withExtension: "momd")
                let f = Bundle(identifier: "shop")?.url(forResource: "Shop", withExtension: "momd")?.path
                let g = [Bundle.main, other].first
                """,
            after: """
                let a = NSManagedObjectModel.url(forModelNamed: "Shop")!
                let b = NSManagedObjectModel.url(forModelNamed: "Shop")
                guard let c = NSManagedObjectModel.url(forModelNamed: name ?? "A\\(x)") else { fatalError() }
                let d = NSManagedObjectModel.url( forModelNamed : (names.first { $0 > "a" })! )
                let e = NSManagedObjectModel.url(forModelNamed: "Shop")
                let f = NSManagedObjectModel.url(forModelNamed: "Shop")?.path
                let g = [Bundle.main, other].first
                """
        ),
        RewriteCase(
            name: "URL of a model on several lines",
            before: """
                let a = Bundle.main // The program.
                    .url(
                        forResource: #keyPath(Book.title), // The name.
                        withExtension: "json"
                    )
                let b = Bundle
                    .main
                    .url(
                        // The name.
                        forResource: #keyPath(Book.title),
                        withExtension: "momd", // Compiled.
                    )
                """,
            after: """
                let a = Bundle.main // The program.
                    .url(
                        forResource: Book.PropertyKey.title.name, // The name.
                        withExtension: "json"
                    )
                let b = NSManagedObjectModel
                    .url(
                        // The name.
                        forModelNamed: Book.PropertyKey.title.name, // Compiled.
                    )
                """
        ),
        RewriteCase(
            name: "URLs of models that need a decision",
            before: kept,
            after: kept,
            reports: ["1:9", "2:9", "3:9", "4:9", "5:9", "7:9", "8:9", "9:9", "10:9", "11:9"].map {
                "\($0): \(message)"
            }
        ),
        RewriteCase(name: "URLs of other files", before: unrelated, after: unrelated),
    ]
}

/// URLs of compiled models.
struct ModelURLTests {
    @Test(arguments: RewriteCase.modelURLs)
    func rewritten(_ example: RewriteCase) throws { try check(example) }
}

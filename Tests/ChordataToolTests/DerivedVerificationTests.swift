import ChordataFiles
import ChordataGeneration
import ChordataMigrationFiles
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// `chordata migrate verify` with random chains of versions with derived attributes: all inferred steps are correct.
///
/// The number of chains is a quarter of `CHORDATA_MIGRATION_PAIRS`, and `CHORDATA_MIGRATION_SEED` is the first seed.
struct DerivedVerificationTests {
    @Test func inferredStepsAreRight() async throws {
        let first = setting("CHORDATA_MIGRATION_SEED", small: UInt64(1))
        let count = setting("CHORDATA_MIGRATION_PAIRS", small: UInt64(100)) / 4
        print("seeds \(first) to \(first + count - 1)")
        var verified = 0
        for seed in first..<first + count { verified += try await verifyChain(seed: seed) }
        #expect(verified > Int(count), "hardly any chain was verified")
    }

    private func verifyChain(seed: UInt64) async throws -> Int {
        try await withWorkspace { workspace in
            var chain = DerivedChain(seed: seed)
            let last = 2 + chain.random.below(3)
            for version in 1...last {
                try workspace.write(chain.text, to: "M.xcdatamodeld/M \(version).xcdatamodel/contents")
                for _ in 0..<1 + chain.random.below(3) { chain.edit() }
            }
            try workspace.write(currentVersionFile("M \(last)"), to: "M.xcdatamodeld/.xccurrentversion")
            let loaded = loadModel(at: workspace.path("M.xcdatamodeld"), configuration: GeneratorConfiguration())
            let bundle = try #require(loaded.bundle, "seed \(seed): \(loaded.diagnostics)")
            let folder = workspace.path("stores")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var verified = 0
            try verifyMigrations(
                of: bundle,
                MigrationFiles(),
                objectsPerEntity: 1 + chain.random.below(12),
                in: folder
            ) { item in
                switch item.outcome {
                case .verified: verified += 1
                // A change of type that requires a stage.
                case .unverifiable: break
                case .failed, .acceptedGap, .needsStage:
                    Issue.record("seed \(seed), \(item.source) → \(item.destination): \(item.outcome)")
                }
            }
            return verified
        }
    }

    /// Attributes that are not derived are compared as usual, in an entity with derived attributes and in the same
    /// step.
    @Test func aWrongStepIsFound() async throws {
        try await withWorkspace { workspace in
            let derived =
                #"<attribute name="loud" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(title)"/>"#
            let old = modelFile(entity("Book", attribute("title"), attribute("note"), derived))
            let new = modelFile(entity("Book", attribute("title"), derived, attribute("page", "Integer 16")))
            try workspace.writeModel("M", old: old, new: new)
            #expect(try await workspace.chordata("migrate", "new", "M.xcdatamodeld").exitCode == 0)
            #expect(try await workspace.chordata("migrate", "verify", "M.xcdatamodeld").exitCode == 0)
            let file = "Migrations/M/M to M 2.sql"
            let text = try workspace.read(file)
            // For handwritten SQL, the command reports the values that differ from those of the inferred migration.
            try workspace.write(text + "UPDATE \"Book\" SET \"title\" = 'x', \"loud\" = 'y';\n", to: file)
            let remarks = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld").output
            #expect(
                remarks.contains(
                    "values of 'title' of 'Book' differ from those after the inferred migration in 6 of 6 objects"
                )
            )
            #expect(!remarks.contains("'loud'"))
            // Wrong tables are an error.
            try workspace.write(
                text.replacing("DROP COLUMN \"note\"", with: "RENAME COLUMN \"note\" TO \"notes\""),
                to: file
            )
            #expect(try await workspace.chordata("migrate", "verify", "M.xcdatamodeld").exitCode == 1)
        }
    }
}

/// A model with derived attributes of all kinds, and random edits that can be inferred.
private struct DerivedChain {
    var random: SeededNumbers
    /// The XML elements of the attributes, by entity.
    ///
    /// The relationships do not change.
    private var attributes: [String: [(name: String, element: String)]]
    private var count = 0

    private static let derivations = [
        ("Integer 64", "chapters.@count"), ("String", "uppercase:(title)"), ("String", "author.name"),
        ("Date", "now()"),
        ("Integer 64", "chapters.pages.@sum"), ("String", "canonical:(title)"),
    ]

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        attributes = [
            "Book": [("title", attribute("title"))], "Chapter": [("pages", attribute("pages", "Integer 64"))],
            "Author": [("name", attribute("name"))], "Other": [("a", attribute("a")), ("b", attribute("b"))],
        ]
        for (type, expression) in Self.derivations.shuffled(using: &random).prefix(3) { addDerived(type, expression) }
    }

    var text: String {
        func properties(_ name: String) -> String {
            attributes[name, default: []].map(\.element).joined(separator: "\n")
        }
        return modelFile(
            entity(
                "Book",
                properties("Book"),
                toMany("chapters", "Chapter", inverse: "book"),
                toOne("author", "Author", inverse: "books")
            ),
            entity("Chapter", properties("Chapter"), toOne("book", "Book", inverse: "chapters")),
            entity("Author", properties("Author"), toMany("books", "Book", inverse: "author")),
            entity("Other", properties("Other"))
        )
    }

    private func derived(_ name: String, _ type: String, _ expression: String, was: String? = nil) -> String {
        attribute(name, type, was: was)
            .replacing("/>", with: " derived=\"YES\" derivationExpression=\"\(expression)\"/>")
    }

    private func type(of element: String?) -> String {
        (element?.firstMatch(of: /attributeType="([^"]*)"/)?.output.1).map(String.init) ?? "String"
    }

    private mutating func fresh() -> String {
        count += 1
        return "p\(count)"
    }

    private mutating func addDerived(_ type: String, _ expression: String) {
        let name = fresh()
        attributes["Book", default: []].append((name, derived(name, type, expression)))
    }

    mutating func edit() {
        let names = ["Book", "Chapter", "Author", "Other"]
        let entityName = names[random.below(names.count)]
        // Attributes that derivations use are kept.
        let needed = ["title", "pages", "name"]
        let removable = attributes[entityName, default: []].indices.filter {
            !needed.contains(attributes[entityName]?[$0].name ?? "")
        }
        let derivation = Self.derivations[random.below(Self.derivations.count)]
        switch random.below(7) {
        case 0:
            let name = fresh()
            attributes[entityName, default: []].append(
                (name, attribute(name, random.below(2) == 0 ? "String" : "Double"))
            )
        case 1:
            guard !removable.isEmpty else { return edit() }
            attributes[entityName]?.remove(at: removable[random.below(removable.count)])
        case 2: addDerived(derivation.0, derivation.1)
        case 3:
            // A stored attribute becomes derived, a derived attribute becomes stored, or the derivation changes.
            guard let index = attributes["Book"]?.indices.last, let name = attributes["Book"]?[index].name,
                name != "title"
            else { return addDerived(derivation.0, derivation.1) }
            let old = attributes["Book"]?[index].element ?? ""
            let becomesDerived = !old.contains("derived") || random.below(2) == 0
            let new = becomesDerived ? derived(name, derivation.0, derivation.1) : attribute(name, type(of: old))
            attributes["Book"]?[index].element = new
        case 4:
            // A new name.
            guard let index = attributes["Book"]?.indices.last, let old = attributes["Book"]?[index] else { return }
            let name = fresh()
            guard old.name != "title" else { return }
            let element =
                old.element.contains("derived")
                ? derived(name, derivation.0, derivation.1, was: old.name)
                : attribute(name, type(of: old.element), was: old.name)
            attributes["Book"]?[index] = (name, element)
        case 5:
            guard let index = attributes["Chapter"]?.firstIndex(where: { $0.name == "pages" }) else { return }
            let type = random.below(2) == 0 ? "Double" : "Integer 64"
            attributes["Chapter"]?[index].element = attribute("pages", type)
        default: attributes[entityName]?.reverse()
        }
    }
}

/// Random numbers that are the same for the same seed.
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }

    mutating func below(_ count: Int) -> Int { Int((next() >> 16) % UInt64(count)) }
}

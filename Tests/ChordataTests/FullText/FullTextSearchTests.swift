import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPredicate

/// The results of fetches with a full-text query, for saved and unsaved objects.
@Suite(.onlySQLite(.fullText))
struct FullTextSearchTests {
    private func withNotes(_ body: (ManagedObjectContext, PersistentContainer) throws -> Void) throws {
        for path in ["file", ":memory:"] {
            try withStorePath { file in
                let container = try FullTextModel.definition().testContainer(at: path == "file" ? file : path)
                let context = container.newContext()
                context.note("Swift", "A language for data and servers")
                context.note("Data", "Swift data structures")
                context.note("Café", "Crème brûlée, e-mail, don't")
                context.note(nil, "database of languages")
                context.note("Paper", "about swift birds", entity: "Article")
                try body(context, container)
            }
        }
    }

    private static let expected: [(String, [String])] = [
        ("swift", ["Data", "Paper", "Swift"]), ("SWIFT", ["Data", "Paper", "Swift"]), ("swif", []),
        ("swif*", ["Data", "Paper", "Swift"]), ("swift data", ["Data", "Swift"]), ("\"swift data\"", ["Data"]),
        ("\"data swift\"", []), ("data*", ["", "Data", "Swift"]), ("swift NOT data", ["Paper"]),
        ("swift NOT data NOT birds", []), ("title:swift", ["Swift"]), ("text:swift", ["Data", "Paper"]),
        ("title:(swift OR data)", ["Data", "Swift"]), ("title: data", ["Data"]), ("cafe", ["Café"]),
        ("creme BRULEE", ["Café"]), ("e-mail", ["Café"]), ("mail", ["Café"]), ("don't", ["Café"]),
        ("birds OR brulee", ["Café", "Paper"]), ("birds OR brulee AND mail", ["Café", "Paper"]),
        ("(birds OR brulee) mail", ["Café"]), ("and", ["Swift"]), ("\"AND\"", ["Swift"]), ("languages", [""]),
        ("\"data str\"*", ["Data"]),
    ]

    @Test func findsSavedAndUnsavedObjects() throws {
        try withNotes { context, container in
            for (query, titles) in Self.expected {
                expectEqual(try context.titles(matching: query), titles, "unsaved: \(query)")
            }
            try context.save()
            let reader = container.newContext()
            for (query, titles) in Self.expected {
                expectEqual(try reader.titles(matching: query), titles, "saved: \(query)")
                let request = try FetchRequest<ManagedObject>(entityName: "Note").matching(query)
                expectEqual(try reader.count(for: request), titles.count, "counted: \(query)")
            }
            expectEqual(try reader.titles(matching: "swift", entity: "Article"), ["Paper"])
            expectEqual(try reader.titles(matching: "data", entity: "Article"), [])
        }
    }

    @Test func changesAreFoundBeforeAndAfterTheSave() throws {
        try withNotes { context, container in
            try context.save()
            let notes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "title"))
            let named = Dictionary(uniqueKeysWithValues: notes.map { ($0.value(forKey: "title") as? String, $0) })
            named["Swift"]?.setValue("Objective", forKey: "title")
            named["Data"]?.setValue(nil, forKey: "text")
            named["Café"]?.setValue(Int64(5), forKey: "stars")
            if let paper = named["Paper"] { context.delete(paper) }
            context.note("New", "swift")
            for step in ["unsaved", "saved"] {
                expectEqual(try context.titles(matching: "swift"), ["New"], "\(step)")
                expectEqual(try context.titles(matching: "objective OR data"), ["Data", "Objective"], "\(step)")
                expectEqual(try context.titles(matching: "cafe"), ["Café"], "\(step)")
                try context.save()
            }
            expectEqual(try container.newContext().titles(matching: "swift"), ["New"])
            try requireIntactIndexes(container)
        }
    }

    @Test func aPredicateAndAQueryBothApply() throws {
        try withNotes { context, container in
            try context.save()
            let request = try FetchRequest<ManagedObject>(entityName: "Note").where(format: "title BEGINSWITH 'S'")
                .matching("swift OR database")
            expectEqual(try container.newContext().fetch(request).count, 1)
            let crossing = try FetchRequest<ManagedObject>(entityName: "Note").where(format: "folder.name == 'F'")
                .matching("swift")
            #expect(try context.fetch(crossing).isEmpty)
            let folder = EntityDescription.insertNewObject(forEntityName: "Folder", into: context)
            folder.setValue("F", forKey: "name")
            let found = try context.fetch(
                FetchRequest<ManagedObject>(entityName: "Note").where(format: "title == 'Data'")
            )
            found[0].setValue(folder, forKey: "folder")
            expectEqual(try context.fetch(crossing).count, 1)
            try context.save()
            expectEqual(try container.newContext().fetch(crossing).count, 1)
        }
    }

    // MARK: Other kinds of fetches

    @Test func otherKindsOfFetchesFindTheSame() throws {
        try withNotes { context, container in
            try context.save()
            let reader = container.newContext()
            var request = try FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "title").matching("swift")
            expectEqual(try reader.fetch(ObjectIDFetchRequest(request)).count, 3)
            var dictionaries = request.dictionaries
            dictionaries.propertiesToFetch = ["title"]
            #expect(try reader.fetch(dictionaries).compactMap { $0["title"] as? String } == ["Data", "Paper", "Swift"])
            request.fetchBatchSize = 1
            #expect(
                try reader.fetch(request).map { $0.value(forKey: "title") as? String } == ["Data", "Paper", "Swift"]
            )
            request.fetchBatchSize = 0
            request.fetchLimit = 1
            request.fetchOffset = 1
            #expect(try reader.fetch(request).map { $0.value(forKey: "title") as? String } == ["Paper"])
            #expect(try reader.fetchOne(request.offset(0))?.value(forKey: "title") as? String == "Data")
        }
    }

    @Test func batchDeletionsUseTheQuery() throws {
        try withNotes { context, container in
            try context.save()
            let request = try FetchRequest<ManagedObject>(entityName: "Note").matching("swift NOT birds")
            try container.newContext().execute(BatchDeleteRequest(fetchRequest: request))
            expectEqual(try container.newContext().titles(matching: "swift"), ["Paper"])
            expectEqual(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Note")), 3)
        }
    }

    /// A list is updated when the texts of its objects change.
    @Test func resultsControllersFollowTexts() throws {
        try withNotes { context, container in
            try context.save()
            let list = container.newContext()
            list.automaticallyMergesChangesFromParent = true
            let controller = FetchedResultsController(
                fetchRequest: try FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "title").matching("swift"),
                managedObjectContext: list
            )
            try controller.performFetch()
            let table = ResultsTable<ManagedObject>()
            controller.delegate = table
            table.show(controller)
            func titles() -> [String?]? { controller.fetchedObjects?.map { $0.value(forKey: "title") as? String } }
            expectEqual(titles(), ["Data", "Paper", "Swift"])
            let request = FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "title")
            for note in try context.fetch(request) where note.value(forKey: "title") as? String == "Paper" {
                note.setValue("about birds", forKey: "text")
            }
            context.note("More", "swift")
            try context.save()
            list.processPendingChanges()
            expectEqual(titles(), ["Data", "More", "Swift"])
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        }
    }

    @Test func childContextsFindChangesOfTheirParent() throws {
        try withNotes { context, _ in
            try context.save()
            context.note("Unsaved", "swift")
            let child = ManagedObjectContext(isolation: nil)
            child.parent = context
            expectEqual(try child.titles(matching: "swift"), ["Data", "Paper", "Swift", "Unsaved"])
            expectEqual(try child.count(for: FetchRequest<ManagedObject>(entityName: "Note").matching("swift")), 4)
            child.note("Own", "swift")
            expectEqual(try child.titles(matching: "swift").count, 5)
            expectEqual(
                try child.fetchMatches(FetchRequest<ManagedObject>(entityName: "Note").matching("swift")).count,
                5
            )
        }
    }

    // MARK: Matches

    @Test func matchesHaveRanksAndMarks() throws {
        try withNotes { context, container in
            context.note("Swift swift", "swift swift swift")
            try context.save()
            let reader = container.newContext()
            var request = try FetchRequest<ManagedObject>(entityName: "Note").matching("swift data*")
            #expect(
                try reader.fetchMatches(request).map { $0.object.value(forKey: "title") as? String }
                    == ["Data", "Swift"]
            )
            request = try request.matching("swift")
            let matches = try reader.fetchMatches(request)
            expectEqual(matches.count, 4)
            #expect(matches[0].object.value(forKey: "title") as? String == "Swift swift")
            let ranks = matches.compactMap(\.rank)
            #expect(ranks.count == 4 && ranks == ranks.sorted() && Set(ranks).count > 1, "\(ranks)")
            expectEqual(try matches[0].highlighted("title"), "<b>Swift</b> <b>swift</b>")
            expectEqual(try matches[0].excerpt("text", maximumWordCount: 2, start: "[", end: "]"), "[swift] [swift]…")
            #expect(throws: FetchError.notInFullTextIndex("stars", entityName: "Note")) {
                try matches[0].highlighted("stars")
            }
            // The best two matches, and the matches after them.
            let best = try reader.fetchMatches(request.limit(2)).map(\.object.objectID)
            expectEqual(best, matches.prefix(2).map(\.object.objectID))
            let others = try reader.fetchMatches(request.limit(5).offset(2)).map(\.object.objectID)
            expectEqual(others, matches.suffix(2).map(\.object.objectID))
            let sorted = try reader.fetchMatches(request.sorted(by: "title", .descending).limit(2))
            #expect(sorted.map { $0.object.value(forKey: "title") as? String } == ["Swift swift", "Swift"])
            #expect(throws: FetchError.noFullTextQuery(entityName: "Note")) {
                try reader.fetchMatches(FetchRequest<ManagedObject>(entityName: "Note"))
            }
            // Matches of unsaved texts have no rank, but can be highlighted.
            reader.note("Unsaved", "a swift text")
            let withUnsaved = try reader.fetchMatches(request)
            #expect(withUnsaved.map(\.rank).prefix(4).allSatisfy { $0 != nil })
            #expect(withUnsaved.count == 5 && withUnsaved[4].rank == nil)
            expectEqual(try withUnsaved[4].highlighted("text", start: "*", end: "*"), "a *swift* text")
            expectEqual(try withUnsaved[4].highlighted("title", start: "*", end: "*"), "Unsaved")
        }
    }

    // MARK: Errors

    @Test func modelsWithoutAnIndexAreRefused() throws {
        for (fullText, reason) in [
            (nil, nil), ("titel", "'titel' is not an attribute"), ("title, stars", "'stars' is a 'Integer 64'"),
            ("title,", "a name is missing"), ("title, title", "'title' is duplicated"),
        ] as [(String?, String?)] {
            let container = try FullTextModel.definition(fullText: fullText).testContainer(at: ":memory:")
            let context = container.newContext()
            let error = try #require(throws: FetchError.self) { try context.titles(matching: "swift") }
            guard case .noFullTextIndex("Note", let found) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(reason == nil ? found == nil : found?.hasPrefix(reason ?? "") == true, "\(error)")
        }
        // The superentity of an entity with an index does not have one.
        let container = try FullTextModel.definition(fullText: "summary, title", entityName: "Article").testContainer(
            at: ":memory:"
        )
        let context = container.newContext()
        context.note("Swift", entity: "Article")
        context.note("Swift")
        for step in ["unsaved", "saved"] {
            expectEqual(try context.titles(matching: "title:swift", entity: "Article"), ["Swift"], "\(step)")
            try context.save()
        }
        #expect(throws: FetchError.noFullTextIndex(entityName: "Note", reason: nil)) {
            try context.titles(matching: "swift")
        }
    }

    private static let malformed: [(String, Int, String)] = [
        ("", 0, "no words"), ("  ", 2, "no words"), ("a OR", 4, "missing here"), ("OR a", 0, "missing before"),
        ("NOT a", 0, "missing before"), ("(a", 0, "no ')'"), ("a)", 1, "no '('"), ("\"a", 0, "no closing"),
        ("()", 1, "missing here"), ("a & b", 2, "no letter or digit in '&'"), ("ä *", 3, "no word before it"),
        ("title:", 6, "missing here"), ("\"\"", 0, "no letter or digit"), ("a AND AND b", 6, "missing before"),
        (String(repeating: "(", count: 101) + "a", 101, "100 levels"),
        ("a *", 2, "'*' has no word"), ("coffee ☕\u{FE0F}", 7, "no letter or digit"),
    ]

    @Test func malformedQueriesAreRefusedWithTheirPlace() throws {
        for (text, offset, part) in Self.malformed {
            let error = try #require(throws: FetchPredicateError.self) { try FullTextQuery(text) }
            #expect(
                error.offset == offset && error.message.contains(part),
                "\(text.prefix(20)): \(error.offset) \(error)"
            )
        }
        let context = try FullTextModel.definition().testContainer(at: ":memory:").newContext()
        let error = try #require(throws: FetchPredicateError.self) { try context.titles(matching: "swift titel:data") }
        #expect(error.kind == .unknownKey && error.offset == 6 && error.suggestion == "title", "\(error)")
    }

    /// Every query that is accepted is also valid for FTS5, regardless of its depth.
    @Test func deepQueriesAreAcceptedByTheIndexOrRefused() throws {
        try withNotes { context, _ in
            try context.save()
            let kinds: [(String) -> String] = [
                { "a OR b c NOT (\($0))" }, { "a AND (\($0))" }, { "a OR (\($0))" }, { "(\($0)) OR a" },
                { "title:(a OR b NOT \($0))" }, { "title:\($0)" }, { "((\($0))) NOT a" },
            ]
            for (number, kind) in kinds.enumerated() {
                var text = "swift"
                var isRefused = false
                for depth in 1...40 where !isRefused {
                    text = kind(text)
                    do throws(FetchPredicateError) {
                        _ = try FullTextQuery(text)
                    } catch {
                        isRefused = true
                        #expect(
                            depth > 5 && error.message.contains("inside one another"),
                            "\(number): \(depth) \(error)"
                        )
                        continue
                    }
                    _ = try context.titles(matching: text)
                    context.note("unsaved")
                    _ = try context.titles(matching: text)
                    context.rollback()
                }
                #expect(isRefused)
            }
            let long = (0..<2_000).map { "w\($0)" }
            expectEqual(try context.titles(matching: long.joined(separator: " OR ") + " OR birds"), ["Paper"])
            expectEqual(try context.titles(matching: long.joined(separator: " ")), [])
        }
    }

    /// Swift strings that are equal can have different words.
    @Test func canonicallyEquivalentTextsAreDifferent() throws {
        let context = try FullTextModel.definition().testContainer(at: ":memory:").newContext()
        let (one, two) = ("\u{AC00}", "\u{1100}\u{1161}")
        expectEqual(one, two)
        for text in [one, two, one] { context.note("n", text) }
        for _ in 0..<2 {
            expectEqual(try context.fetch(FetchRequest<ManagedObject>(entityName: "Note").matching(one)).count, 2)
            try context.save()
        }
    }

    /// The words of any text can be used as a query.
    @Test func wordsOfAnyTextAreAQuery() throws {
        try withNotes { context, container in
            func count(_ text: String, lastIsPrefix: Bool = true) throws -> Int {
                let query = FullTextQuery(words: text, lastIsPrefix: lastIsPrefix)
                let request = FetchRequest<ManagedObject>(entityName: "Note").matching(query)
                let unsaved = try context.fetch(request).count
                let saved = try container.newContext().fetch(request).count
                #expect(context.hasChanges || unsaved == saved, "\(text)")
                return unsaved
            }
            for _ in 0..<2 {
                expectEqual(try count("Swift, dat"), 2)
                expectEqual(try count("Swift, dat", lastIsPrefix: false), 0)
                expectEqual(try count("don't \""), 1)
                expectEqual(try count("AND"), 1)
                expectEqual(try count("swift ❤\u{FE0F}"), 3)
                for text in ["", " ", "\"()*:^-+", "\u{0}", "💥", "{title} : swift"] {
                    expectEqual(try count(text), 0, "\(text)")
                }
                expectEqual(try count("a\u{0}b"), 0)
                expectEqual(try count(String(repeating: "swift ", count: 10_000)), 3)
                try context.save()
            }
        }
    }

    // MARK: Law

    /// The index, the search in memory, and a simple evaluator give the same results for random texts and queries.
    @Test func indexMatchesMemory() throws {
        let first = setting("CHORDATA_FULLTEXT_SEED", small: UInt64(1))
        let count = setting("CHORDATA_FULLTEXT_SEEDS", small: UInt64(8))
        for seed in first..<first + count {
            var random = SeededGenerator(seed: seed)
            let words = ["swift", "data", "dat", "base", "ant", "or", "e"]
            func text() -> String? {
                Int.random(in: 0..<6, using: &random) == 0
                    ? nil
                    : (0..<Int.random(in: 0..<6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                        .joined(separator: [" ", "-", ", "].randomElement(using: &random) ?? " ")
            }
            func query(_ depth: Int) -> String {
                let kind = Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random)
                let word = words.randomElement(using: &random) ?? ""
                switch kind {
                case 0, 1: return word
                case 2: return "\(word.prefix(Int.random(in: 1...word.count, using: &random)))*"
                case 3: return "\"\(word) \(words.randomElement(using: &random) ?? "")\""
                case 4: return "(\(query(depth - 1)) OR \(query(depth - 1)))"
                case 5: return "(\(query(depth - 1)) \(query(depth - 1)))"
                case 6: return "(\(query(depth - 1)) NOT \(query(depth - 1)))"
                default: return "\(Bool.random(using: &random) ? "title" : "text"):\(query(depth - 1))"
                }
            }
            let container = try FullTextModel.definition().testContainer(at: ":memory:")
            let context = container.newContext()
            var notes: [ManagedObject] = []
            for step in 0..<12 {
                for _ in 0..<4 { notes.append(context.note(text(), text())) }
                for note in notes where Int.random(in: 0..<3, using: &random) == 0 {
                    note.setValue(text(), forKey: Bool.random(using: &random) ? "title" : "text")
                }
                for _ in 0..<5 {
                    let text = query(3)
                    let query = try FullTextQuery(text)
                    let request = FetchRequest<ManagedObject>(entityName: "Note").matching(query)
                    let found = Set(try context.fetch(request).map(\.objectID))
                    let expected = notes.filter { isMatch(query.node, $0) }.map(\.objectID)
                    expectEqual(found, Set(expected), "seed \(seed), step \(step): \(text)")
                }
                if step % 3 == 2 { try context.save() }
            }
            try context.save()
            try requireIntactIndexes(container)
        }
    }

    private func isMatch(_ node: FullTextNode, _ note: ManagedObject, _ attributes: [String] = ["title", "text"])
        -> Bool
    {
        switch node {
        case .phrase(let text, let isPrefix):
            let wanted = text.split { !$0.isLetter }.map(String.init)
            return attributes.contains { name in
                let words = (note.value(forKey: name) as? String ?? "").split { !$0.isLetter }.map(String.init)
                return words.indices.contains { start in
                    let part = words[start...].prefix(wanted.count)
                    guard part.count == wanted.count, let last = wanted.last, let found = part.last else {
                        return false
                    }
                    return part.dropLast().elementsEqual(wanted.dropLast())
                        && (isPrefix ? found.hasPrefix(last) : found == last)
                }
            }
        case .attribute(let name, _, let part):
            return isMatch(part, note, attributes.filter { $0 == name })
        case .and(let parts): return parts.allSatisfy { isMatch($0, note, attributes) }
        case .or(let parts): return parts.contains { isMatch($0, note, attributes) }
        case .not(let part, let excluded):
            return isMatch(part, note, attributes) && !isMatch(excluded, note, attributes)
        }
    }
}

/// Fails if an index does not have exactly the words of its table.
func requireIntactIndexes(_ container: PersistentContainer, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let store = container.persistentStoreCoordinator.persistentStores[0]
    let problems = try store.sqlite.write(changesContents: false) { try fullTextProblems(of: store.schema.mapping, $0) }
    #expect(problems.isEmpty, sourceLocation: sourceLocation)
}

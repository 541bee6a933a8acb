import ChordataDiagnostics
import ChordataModel
import ChordataModelFile
import ChordataTestSupport
import Foundation
import Testing

/// S1: text of a model never becomes code, neither in Swift nor in SQL.
///
/// Each text is tried in each slot, one at a time: it is rejected with a location, or the model contains it unchanged.
/// All accepted texts are then combined, with a model for each text, in one program that must compile and find each
/// text again. `CHORDATA_HOSTILE_TEXTS` is the number of texts, and of reserved words, evenly distributed over all of
/// them.
struct HostileTextTests {
    @Test func textStaysText() async throws {
        var outcomes = Outcomes()
        let numbers = Self.chosenIndices(of: HostileText.all)
        for number in numbers {
            let text = HostileText.all[number]
            let texts = Dictionary(uniqueKeysWithValues: TextSlot.allCases.map { ($0, text) })
            var model = outcomes.accepted(number, texts, together: TextSlot.tolerant)
            // A text that is a name conflicts with names that the program uses or with the same name in another slot,
            // or does not name an existing declaration.
            if text.split(separator: ",").contains(where: { $0.wholeMatch(of: /\.?[A-Za-z_][A-Za-z0-9_.<>]*/) != nil })
            {
                model.texts = model.texts.filter { !$0.key.becomesName }
            }
            outcomes.models.append(model)
        }
        #expect(HostileText.all.count >= 150)
        let isWhole = numbers.count == HostileText.all.count
        #expect(outcomes.acceptedCount > (isWhole ? 10_000 : 5 * numbers.count), "\(outcomes.counts)")
        #expect(outcomes.refusedCount > (isWhole ? 6_000 : 5 * numbers.count), "\(outcomes.counts)")
        try await compile(outcomes.models)
    }

    @Test func reservedWordsAreNames() async throws {
        var outcomes = Outcomes()
        let words = HostileText.reservedWords
        // A name that equals the name of its class, or of a sibling, is rejected.
        let shifts: [TextSlot: Int] = [
            .attributeName: 1, .compositeName: 2, .fetchRequestName: 3, .fetchedPropertyName: 4,
        ]
        let numbers = Self.chosenIndices(of: words)
        for number in numbers {
            let texts = TextSlot.allCases.filter(\.isName).map {
                ($0, words[(number + shifts[$0, default: 0]) % words.count])
            }
            let model = outcomes.accepted(
                number,
                Dictionary(uniqueKeysWithValues: texts),
                together: Set(texts.map(\.0))
            )
            outcomes.models.append(model)
        }
        #expect(words.count >= 200)
        #expect(outcomes.acceptedCount > 10 * numbers.count, "\(outcomes.counts)")
        #expect(outcomes.refusedCount > 30 || numbers.count < words.count, "\(outcomes.counts)")
        try await compile(outcomes.models)
    }

    /// Returns the indices of the texts of this run: the number in the setting, at equal distances from a random first
    /// index.
    private static func chosenIndices(of texts: [String]) -> [Int] {
        let count = min(texts.count, setting("CHORDATA_HOSTILE_TEXTS", small: 6))
        let first = setting("CHORDATA_HOSTILE_FIRST", small: Int.random(in: 0..<texts.count))
        print("\(count) of \(texts.count) texts, CHORDATA_HOSTILE_FIRST=\(first)")
        return (0..<count).map { (first + $0 * texts.count / count) % texts.count }.sorted()
    }

    private func compile(_ models: [HostileModel]) async throws {
        try await HostileProgram(models).check()
        try await HostileProgram(models).run()
    }

    private struct Outcomes {
        var acceptedCount = 0
        var refusedCount = 0
        var models: [HostileModel] = []

        var counts: String { "\(acceptedCount) accepted, \(refusedCount) refused" }

        /// Tries texts in their slots one at a time, or several together if the combination is not rejected.
        /// - Returns: A model with the texts that are not rejected.
        mutating func accepted(_ number: Int, _ texts: [TextSlot: String], together: Set<TextSlot>) -> HostileModel {
            var model = HostileModel(number: number)
            let isOneByOne = !accepts(texts.filter { together.contains($0.key) }, &model)
            for (slot, text) in texts where isOneByOne || !together.contains(slot) { _ = accepts([slot: text], &model) }
            return model
        }

        private mutating func accepts(_ texts: [TextSlot: String], _ model: inout HostileModel) -> Bool {
            let result = HostileModel(number: model.number, texts: texts).generate()
            guard !expectPlaces(of: result, texts) else {
                if texts.count == 1 { refusedCount += 1 }
                return false
            }
            for (slot, text) in texts {
                acceptedCount += 1
                expectText(text, in: result, slot)
                model.texts[slot] = text
            }
            return true
        }
    }
}

/// Checks that rejected texts are rejected with a location, without files, and with messages that the texts cannot
/// forge.
/// - Returns: Whether the texts are rejected.
private func expectPlaces(of result: HostileModel.Result, _ texts: [TextSlot: String]) -> Bool {
    let isRefused = result.diagnostics.hasErrors
    expectEqual(result.files.isEmpty, isRefused, "\(texts)")
    for diagnostic in result.diagnostics {
        let hasPlace = diagnostic.location.map { !$0.file.isEmpty && $0.line > 0 && $0.column > 0 } ?? false
        #expect(hasPlace, "\(texts): \(diagnostic.message)")
    }
    let lines = renderText(result.diagnostics).unicodeScalars.filter {
        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            || $0.properties.generalCategory == .lineSeparator || $0.properties.generalCategory == .paragraphSeparator
    }
    let expected = result.diagnostics.map { 1 + $0.notes.count + $0.fixIts.count }.reduce(0, +)
    #expect(lines.allSatisfy { $0 == "\n" } && lines.count == expected, "\(texts)")
    return isRefused
}

private func expectText(_ text: String, in result: HostileModel.Result, _ slot: TextSlot) {
    guard slot.isKept, let model = result.bundle?.currentVersion.model else { return }
    let found = allTexts(of: model).contains { $0.unicodeScalars.elementsEqual(text.unicodeScalars) }
    #expect(found, "\(slot) loses \(text.debugDescription)")
}

private func allTexts(of model: ManagedObjectModel) -> [String] {
    func texts(_ userInfo: [String: String]) -> [String] { userInfo.flatMap { [$0.key, $0.value] } }
    func texts(_ attribute: AttributeDescription) -> [String] {
        var found = [attribute.name, attribute.renamingIdentifier] + texts(attribute.userInfo)
        found += [
            attribute.versionHashModifier, attribute.regularExpression, attribute.valueTransformerName,
            attribute.compositeName,
        ].compactMap(\.self)
        if case .string(let text)? = attribute.defaultValue { found.append(text) }
        return found + attribute.elements.flatMap { texts($0) }
    }
    var found = [model.versionIdentifier] + model.fetchRequestTemplates.map(\.name) + model.configurations.map(\.name)
    for entity in model.entities {
        found += [entity.name, entity.renamingIdentifier] + texts(entity.userInfo)
        found += [entity.versionHashModifier, entity.managedObjectClassName].compactMap(\.self)
        found += entity.declaredAttributes.flatMap { texts($0) }
        for relationship in entity.declaredRelationships {
            found += [relationship.name, relationship.renamingIdentifier] + texts(relationship.userInfo)
            found += [relationship.versionHashModifier].compactMap(\.self)
        }
        for property in entity.declaredFetchedProperties { found += [property.name] + texts(property.userInfo) }
        for index in entity.declaredIndexes { found += [index.name] + [index.partialIndexPredicate].compactMap(\.self) }
    }
    return found
}

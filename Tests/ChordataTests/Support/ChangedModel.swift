import ChordataModel
import ChordataTestStores
import Foundation
import Testing

@testable import Chordata

/// A model for random changes of its objects.
struct ChangedModel: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let entityNames: [String]
    var ignoredAttributes: Set<String> = []
    var insertValues: (@Sendable (ManagedObjectContext, inout SeededGenerator) throws -> Void)?
    let definition: @Sendable () throws -> ModelDefinition

    static let all = [
        // Hierarchies, ordered relationships, one-to-ones, external data, and all delete rules except No Action.
        ChangedModel(
            testDescription: "Everything",
            entityNames: ["Author", "Book", "Chapter", "Shelf", "Tag"],
            ignoredAttributes: ["format", "mood"],
            insertValues: insertLibraryValues
        ) { EverythingModel.definition },
        // Relationships without an inverse, and uniqueness constraints.
        ChangedModel(testDescription: "Conflicts", entityNames: ["Group", "Item", "Owner", "Tag", "Text"]) {
            try ConflictModel.definition()
        },
        // Derived attributes.
        ChangedModel(testDescription: "Ledger", entityNames: ["Account", "Bank", "Entry"]) {
            try LedgerModel.definition()
        },
    ]

    func changes(_ random: SeededGenerator) throws -> RandomChanges {
        let model = try definition().model
        return RandomChanges(
            entities: entityNames.compactMap { model.entity(named: $0) },
            ignoredAttributes: ignoredAttributes,
            insertValues: insertValues,
            random: random
        )
    }

    /// Two equal stores with random objects: one for batch operations, and the other for the same changes of objects.
    func equalStores(at path: String, _ changes: inout RandomChanges) throws -> [PersistentContainer] {
        let definition = try definition()
        let options = StoreOptions(tracksPersistentHistory: true)
        do {
            let container = try definition.testContainer(at: path, options: options)
            let context = container.newContext()
            context.mergePolicy = .mergeByPropertyObjectTrump
            for _ in 0..<20 { _ = try changes.perform(.save, in: context) }
            if TestStore.isOnServer {
                let copy = try definition.testContainer(at: path + ".copy", options: options)
                try copy.store.copyContents(of: container.store)
            } else {
                try container.store.backUp(to: path + ".copy")
            }
        }
        // Both stores assign the same row keys.
        return try [path, path + ".copy"].map {
            try definition.testContainer(at: $0, options: options)
        }
    }

    private static func insertLibraryValues(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        let text = "\(Int.random(in: 0...5, using: &random))"
        func any<Object: ManagedObject>(_: Object.Type) throws -> ObjectID<Object>? {
            try context.fetch(FetchRequest<Object>()).randomElement(using: &random).map { ObjectID($0) }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try context.insertValues([Tag.Values(objectID: ObjectID(), word: text)])
        case 1:
            let author = Author.Values(
                objectID: ObjectID(),
                _address_place_city: text,
                _address_place_latitude: nil,
                _address_place_longitude: 1,
                _address_street: nil,
                _birthplace_city: nil,
                _birthplace_latitude: 0,
                _birthplace_longitude: 0,
                default: text,
                _favouriteColor: nil,
                name: text,
                mentor: try any(Author.self)
            )
            try context.insertValues([author, author])
        case 2:
            try context.insertValues([
                Chapter.Values(objectID: ObjectID(), heading: text, book: try any(Book.self)),
                Chapter.Values(objectID: ObjectID(), heading: text, book: try any(Book.self)),
            ])
        default:
            let book = Book.Values(
                objectID: ObjectID(),
                createdAt: Date(timeIntervalSinceReferenceDate: 3),
                isDeleted_: false,
                title: text,
                cover: ExternalData(Data(repeating: 3, count: 4)),
                _format: 1,
                isbn: text,
                _keywords: nil,
                _mood: nil,
                _pageCount: 3,
                searchTitle: nil,
                subtitle: text,
                shelf: try any(Shelf.self),
                sequel: try any(Book.self),
                prequel: nil
            )
            try context.insertValues([book])
        }
    }
}

import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Conflicts of external data in side tables.
struct ExternalConflictTests {
    private typealias Store = ExternalDataTests

    private static let mine = Data([1, 1])
    private static let theirs = Data([2, 2, 2])

    @Test(arguments: MergePolicyTests.resolving, [false, true])
    func bytesOnBothSides(type: MergePolicyType, areRead: Bool) throws {
        try Store.withStore { container, _ in
            let (here, there) = (container.newContext(), container.newContext())
            here.mergePolicy = MergePolicy(merge: type)
            let (documents, others) = (try Store.documents(here), try Store.documents(there))
            if areRead { for document in documents { _ = (document.contents, document.thumbnail) } }
            // The external data is changed by both contexts, only there, or only here.
            documents[0].contents = Self.mine
            documents[1].title = "mine"
            documents[2].contents = Self.mine
            others[0].contents = Self.theirs
            others[1].contents = Self.theirs
            others[2].title = "theirs"
            try there.save()
            try here.save()
            let fresh = container.newContext()
            let saved = try documents.map { try #require(try fresh.existingObject(with: $0.objectID) as? Document) }
            for (document, other) in zip(documents, saved) {
                #expect(document.contents == other.contents && document.thumbnail == other.thumbnail)
                expectEqual(document.title, other.title)
            }
            let isOurs = type == .overwrite || type == .mergeByPropertyObjectTrump
            expectEqual(saved[0].contents, isOurs ? Self.mine : Self.theirs)
            // External data that was not read keeps the store's value, even if the whole object is written.
            expectEqual(saved[1].contents, type == .overwrite && areRead ? Data() : Self.theirs)
            expectEqual(saved[2].contents, type == .rollback ? nil : Self.mine)
            expectEqual(saved[0].thumbnail, Data(Store.bytes.reversed()))
            withExtendedLifetime((here, there, fresh)) {}
        }
    }

    @Test(arguments: [false, true])
    func aRowThatIsInsertedAgainHasTheBytesThatWereRead(areRead: Bool) throws {
        try Store.withStore { container, _ in
            let (here, there) = (container.newContext(), container.newContext())
            here.mergePolicy = .overwrite
            let document = try Store.documents(here)[0]
            if areRead { _ = document.contents }
            document.title = "mine"
            there.delete(try Store.documents(there)[0])
            try there.save()
            try here.save()
            let fresh = container.newContext()
            let saved = try #require(try fresh.existingObject(with: document.objectID) as? Document)
            #expect(saved.contents == (areRead ? Store.bytes : nil) && saved.title == "mine")
            #expect(saved.thumbnail == nil && document.thumbnail == nil)
            withExtendedLifetime((here, there, fresh)) {}
        }
    }
}

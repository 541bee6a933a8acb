import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("Bookshelf-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
let storeURL = directory.appendingPathComponent("Bookshelf.sqlite")

print("== First release")
try runFirstRelease(storeURL: storeURL)

print("== Versions")
let old = ModelVersions.first
let new = ModelVersions.current
for model in [old, new] {
    print("identifiers: \(model.versionIdentifiers.compactMap { $0 as? String })")
}
print("old: \(old.entitiesByName.keys.sorted())")
print("new: \(new.entitiesByName.keys.sorted())")
for name in ["Book", "Publisher"] {
    let same = old.entityVersionHashesByName[name] == new.entityVersionHashesByName[name]
    print("hash of \(name) is the same: \(same)")
}
let attribute = new.entitiesByName["Book"]?.attributesByName["title"]
print("renaming identifier of title: \(attribute?.renamingIdentifier ?? "nil")")
print("plural: \(new.entitiesByName["Book"]?.userInfo?["plural"] as? String ?? "nil")")

print("== Second release without migration")
let careless = Library(storeURL: storeURL)
do {
    _ = try careless.open(migrating: false)
    print("opened")
} catch let error as NSError {
    print("domain is Cocoa: \(error.domain == NSCocoaErrorDomain)")
    print("incompatible: \(error.code == NSPersistentStoreIncompatibleVersionHashError), code \(error.code)")
}
print("stores: \(careless.coordinator.persistentStores.count)")

print("== Second release")
let library = Library(storeURL: storeURL)
print("needs migration: \(try library.needsMigration())")
let store = try library.open(migrating: true)
print("needs migration: \(try library.needsMigration()), type: \(store.type)")
for book in try library.books() {
    let publisher = book.publisher?.name ?? "no publisher"
    print("  \(book.title ?? "?") by \(book.author ?? "?"), \(book.pages) pages, \(publisher)")
    print("    in \(book.collection?.label ?? "?"), added by \(book.addedBy ?? "?")")
    print("    rating \(book.rating), note \(book.note ?? "?")")
}

print("== New features")
let moss = try library.book(titled: "Moss")
moss.pages = 40_000
let praise = library.addReview(5, "Slow and green", to: moss)
_ = library.addReview(4, nil, to: moss)
moss.updateRating()
try library.context.save()
print("\(moss.title ?? ""): \(moss.pages) pages, \(moss.reviews?.count ?? 0) reviews, \(moss.rating)")
print("long: \(try library.longBooks(minimum: 300))")
print("very long: \(try library.longBooks(minimum: 1000))")

print("== Validation")
praise.text = String(repeating: "so ", count: 20)
praise.stars = 0
do {
    try library.context.save()
} catch let error as NSError {
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    print("multiple: \(error.code == NSValidationMultipleErrorsError)")
    print(details.map { $0.code }.sorted())
    print("too long is \(NSValidationStringTooLongError), too small is \(NSValidationNumberTooSmallError)")
}
library.context.refresh(praise, mergeChanges: false)
print("stars: \(praise.stars), text: \(praise.text ?? "nil"), changes: \(library.context.hasChanges)")

print("== Delete rules")
let press = moss.publisher
if let press = press { library.context.delete(press) }
do {
    try library.context.save()
} catch let error as NSError {
    print("denied: \(error.code == NSValidationRelationshipDeniedDeleteError)")
}
library.context.rollback()
print("publisher: \(moss.publisher?.name ?? "nil"), deleted: \(press?.isDeleted ?? true)")
if let science = moss.collection { library.context.delete(science) }
try library.context.save()
print("collection: \(moss.collection?.label ?? "none")")
let reviews = NSFetchRequest<Review>(entityName: "Review")
print("reviews: \(try library.context.count(for: reviews))")
library.context.delete(moss)
try library.context.save()
print("reviews: \(try library.context.count(for: reviews))")
print("context of Moss is nil: \(moss.managedObjectContext == nil)")
print("saved deletions: \(deletedTitles.sorted())")

print("== A copy")
let copyURL = directory.appendingPathComponent("Copy.sqlite")
let copy = try library.coordinator.migratePersistentStore(
    store,
    to: copyURL,
    options: nil,
    withType: NSSQLiteStoreType
)
print("url: \(copy.url?.lastPathComponent ?? "nil"), stores: \(library.coordinator.persistentStores.count)")

print("== Read only")
let reader = Library(storeURL: copyURL)
let readOnlyStore = try reader.open(migrating: false, readOnly: true)
print("read only: \(readOnlyStore.isReadOnly)")
print(try reader.books().map { $0.title ?? "?" })
print("found: \(reader.coordinator.persistentStore(for: copyURL) === readOnlyStore)")

try? FileManager.default.removeItem(at: directory)

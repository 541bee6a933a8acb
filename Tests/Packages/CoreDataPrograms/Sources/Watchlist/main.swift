import CoreData
import Foundation

let container = PersistenceController.shared.container
let context = container.viewContext

/// Saves the context with permanent identifiers, so that they do not change in the snapshots.
func save() throws {
    try context.obtainPermanentIDs(for: Array(context.insertedObjects))
    if context.hasChanges { try context.save() }
}

print("== Start")
Film.add("Harbor Lights", 1998, "Drama", 7.5, day: 1, to: context)
Film.add("Night Ferry", 2004, "Thriller", 6.5, day: 2, to: context)
Film.add("Paper Crowns", 2011, "Comedy", 8, day: 3, to: context)
Film.add("Salt Road", 1987, "Drama", 9, day: 4, to: context)
try save()
let list = FilmListController(context: context)
try list.load()

print("== Add a film")
let orchard = Film.add("Glass Orchard", 2019, "Drama", 7, day: 5, to: context)
try save()
if let path = list.indexPath(of: orchard) { print("index path: \(path[0]).\(path[1])") }

print("== Another genre")
let ferry = Film.titled("Night Ferry", in: context)
ferry.genre = "Drama"
let committed = ferry.committedValues(forKeys: ["genre"])
print("changed: \(ferry.changedValues().keys.sorted()), was: \(committed["genre"] as? String ?? "nil")")
try save()

print("== Another rating")
let crowns = Film.titled("Paper Crowns", in: context)
crowns.rating = 8.5
try save()

print("== A rating that is too high")
crowns.rating = 11
do {
    try save()
} catch {
    print("code \((error as NSError).code), too large: \((error as NSError).code == NSValidationNumberTooLargeError)")
}
crowns.rating = 8.5
try save()

print("== Old dramas are watched")
let update = NSBatchUpdateRequest(entityName: "Film")
update.predicate = NSPredicate(format: "genre == %@ AND year < 2000", "Drama")
update.propertiesToUpdate = ["isWatched": true]
update.resultType = .updatedObjectIDsResultType
let updateResult = try context.execute(update) as? NSBatchUpdateResult
let updatedIDs = updateResult?.result as? [NSManagedObjectID] ?? []
print("updated in the store: \(updatedIDs.count)")
NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: updatedIDs], into: [context])
context.processPendingChanges()

print("== Delete a film")
context.delete(Film.titled("Salt Road", in: context))
try save()
list.draw()

print("== Search")
try list.search("NIGHT")
print("== All films")
try list.search("")
list.draw()
list.stop()

print("== Discard an edit")
crowns.rating = 1
context.refresh(crowns, mergeChanges: false)
print("fault: \(crowns.isFault), rating: \(crowns.rating), fault: \(crowns.isFault), changed: \(crowns.hasChanges)")

print("== Details")
crowns.cast = ["Mira Lane", "Jon Abe"]
crowns.poster = Data([1, 2, 3])
crowns.isSelected = true
try save()
print("cast: \(crowns.cast ?? []), selected: \(crowns.isSelected)")
context.refresh(crowns, mergeChanges: false)
print("cast: \(crowns.cast ?? []), poster: \(crowns.poster?.count ?? 0) bytes, selected: \(crowns.isSelected)")
let withPoster: NSFetchRequest<Film> = Film.fetchRequest()
withPoster.predicate = NSPredicate(format: "poster != nil")
print("with a poster: \(try context.fetch(withPoster).compactMap(\.title))")

print("== Tags")
let tag = Tag(context: context)
tag.name = "boats"
ferry.addToTags(tag)
let quiet = Tag(context: context)
quiet.name = "quiet"
quiet.addToFilms([ferry, orchard])
try save()
print("ferry: \(ferry.tagNames), orchard: \(orchard.tagNames)")
let tagged: NSFetchRequest<Film> = Film.fetchRequest()
tagged.predicate = NSPredicate(format: "ANY tags.name == %@", "quiet")
tagged.sortDescriptors = [NSSortDescriptor(keyPath: \Film.title, ascending: true)]
tagged.relationshipKeyPathsForPrefetching = ["tags"]
print("quiet: \(try context.fetch(tagged).compactMap(\.title))")
context.delete(quiet)
try save()
print("ferry: \(ferry.tagNames), orchard: \(orchard.tagNames)")

print("== Up next")
let upNext = try UpNextController(context: context)
print(upNext.titles)
ferry.isWatched = true
try save()
print(upNext.titles)
Film.add("Blue Static", 2021, "Comedy", 6, day: 0, to: context)
try save()
print(upNext.titles)
crowns.addedAt = Date(timeIntervalSinceReferenceDate: 9 * 86_400)
try save()
print(upNext.titles)

import Catalog
import Chordata
import Foundation

// Uses the classes, the requests and the model that another module generates.

let container = try CatalogModel.container(at: ":memory:")
let context = container.newContext()
let shelf = Shelf(context: context, room: "Attic")
shelf.stock("Frankenstein", in: context)
let pen = Article(context: context, keywords: ["ink"], name: "Pen")
pen.default = .fine
pen.finish = .matte
pen.origin = .init(city: "Ulm", latitude: 48.4)
pen.price = 20
pen.size = .init(depth: 1, width: 14)
pen.shelf = shelf
try context.save()

let cheap = try context.fetch(Article.cheap(limit: Decimal(10)))
let values: [Article.Values] = try context.fetchValues(Article.fetchRequest().where(\.shelf?.room == "Attic"))
guard cheap.map(\.name) == ["Frankenstein"], values.count == 2, cheap.first is Book else {
    fatalError("\(cheap.map(\.name)), \(values.map(\.name))")
}
// The values that this module creates equal the values that are read.
let shelfID = ObjectID<Shelf>(key: shelf.objectID.key)
let made = Article.Values(
    objectID: ObjectID(key: pen.objectID.key),
    default: .fine,
    finish: .matte,
    keywords: ["ink"],
    name: "Pen",
    origin: .init(city: "Ulm", latitude: 48.4),
    price: 20,
    size: .init(depth: 1, width: 14),
    shelf: shelfID
)
guard values.contains(made), made.default == .fine, made.keywords == ["ink"], made.origin?.city == "Ulm" else {
    fatalError("\(made) is not among \(values)")
}
let decoded = try JSONDecoder().decode(Article.Values.self, from: JSONEncoder().encode(made))
guard decoded == made, Set([decoded, made]).count == 1 else { fatalError("\(decoded) is not \(made)") }

// Optional values can be omitted; a subentity has the inherited values, and a transient element is not stored.
let book = Book.Values(
    objectID: ObjectID(key: 7),
    default: .standard,
    keywords: [],
    name: "Emma",
    price: 1.5,
    size: .init()
)
guard book.author == nil, book.finish == nil, book.origin == nil, book.shelf == nil, book.price == 1.5 else {
    fatalError("\(book) has a value that was never set")
}
let keepers = [
    Keeper.Values(objectID: ObjectID(key: 1), seat: .init(isTaken: true, number: 3)),
    Keeper.Values(objectID: ObjectID(key: 1), seat: .init(isTaken: false, number: 3)),
    Keeper.Values(objectID: ObjectID(key: 1)),
]
guard keepers[0] == keepers[1], keepers[1] != keepers[2] else { fatalError("\(keepers)") }

print("Catalog: \(values.count) articles")

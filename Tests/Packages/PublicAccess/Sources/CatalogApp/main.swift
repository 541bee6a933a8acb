import Catalog
import Chordata
import Foundation

// Uses the classes, the requests and the model that another module generates.

let container = try CatalogModel.container(at: ":memory:")
let context = container.newContext()
let shelf = Shelf(context: context, room: "Attic")
shelf.stock("Frankenstein", in: context)
let pen = Article(context: context, name: "Pen")
pen.price = 20
pen.shelf = shelf
try context.save()

let cheap = try context.fetch(Article.cheap(limit: Decimal(10)))
let values: [Article.Values] = try context.fetchValues(Article.fetchRequest().where(\.shelf?.room == "Attic"))
guard cheap.map(\.name) == ["Frankenstein"], values.count == 2, cheap.first is Book else {
    fatalError("\(cheap.map(\.name)), \(values.map(\.name))")
}
print("Catalog: \(values.count) articles")

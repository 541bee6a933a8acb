import CoreData
import Foundation

let directory = FileManager.default.temporaryDirectory
    .appending(path: "Recipes-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

let store = try await RecipeStore(directory: directory)
let identifiers = try await store.add(RecipeSample.all)
print("== \(identifiers.count) recipes, temporary: \(identifiers.contains { $0.isTemporaryID })")

let queries: [(String, RecipeQuery)] = [
    ("all", .all),
    ("contains creme", .titleContains("creme")),
    ("contains 100%", .titleContains("100%")),
    ("begins with C", .titleBeginsWith("C")),
    ("ends with STEW", .titleEndsWith("STEW")),
    ("like *cream*", .titleLike("*cream*")),
    ("like ?ad*", .titleLike("?ad*")),
    ("two words", .titleMatches("[A-Z][a-z]+ [A-Z][a-z]+")),
    ("30 to 60 minutes", .time(30...60)),
    ("Thai or Irish", .cuisines(["Thai", "Irish"])),
    ("neither", .not(.cuisines(["Thai", "Irish"]))),
    ("not rated", .unrated),
    ("rated 4.5", .rated(atLeast: 4.5)),
    ("autumn", .tagged("Autumn")),
    ("not autumn", .notTagged("autumn")),
    ("soup or stew", .taggedAny(["soup", "stew"])),
    ("no tags", .untagged),
    ("with cream", .uses("Cream")),
    ("three eggs", .usesAtLeast(3, of: "egg")),
    ("four ingredients", .complex(ingredients: 4)),
    ("quick and vegetarian", .and([.vegetarian, .not(.time(60...1000))])),
    ("long or Italian", .or([.time(100...1000), .cuisines(["Italian"])])),
    ("nothing of both", .not(.or([.vegetarian, .cuisines(["Thai"])]))),
    ("added on days 2 to 4", .added(days: 2..<5)),
    ("identifier", .identifier(RecipeSample.identifier(7))),
    ("object", .fixed(identifiers[2])),
]

print("== Search")
for (name, query) in queries {
    let titles = try await store.titles(query)
    print("\(name): \(titles.joined(separator: ", "))")
    // The predicate must select the same objects when it is evaluated in memory. Only the store finds object IDs.
    if case .fixed = query { continue }
    let inMemory = try await store.titlesInMemory(query)
    if inMemory != titles { print("  IN MEMORY: \(inMemory.joined(separator: ", "))") }
}

print("== Templates")
print(try await store.quickTitles(cuisine: "thai", minutes: 45))
print(try await store.quickTitles(cuisine: "French", minutes: 60))

print("== Formats")
let cuisine = "Thai"
print("constant: \(try await store.count("TRUEPREDICATE")), \(try await store.count("FALSEPREDICATE"))")
print("arithmetic: \(try await store.count("minutes * 2 <= %@", [60]))")
print("not equal: \(try await store.count("cuisine != %@", [cuisine]))")
print("symbols: \(try await store.count("(cuisine = %@ || isVegetarian == TRUE) && !(minutes > 50)", [cuisine]))")
print("list: \(try await store.count("minutes IN {10, 30, 40}"))")
print("quotes: \(try await store.count("title == 'Beef Stew' OR title == \"Pad Thai\""))")
print("nested: \(try await store.count("ANY ingredients.recipe.cuisine == %@", [cuisine]))")
print("sum: \(try await store.count("ingredients.@sum.quantity > 900"))")
print("keys: \(try await store.count("%K == %@ AND %K > %@", ["isVegetarian", true, "minutes", 100]))")

print("== A recipe")
let book = RecipeBook(container: store.container)
print("registered: \(book.isRegistered(identifiers[6]))")
for line in try book.card(identifiers[6]) { print("  \(line)") }
for line in try book.card(identifiers[5]) { print("  \(line)") }
print("restored: \(book.isRestored(identifiers[6]))")
print("empty title: \(try book.codeOfEmptyTitle(identifiers[6]) == NSValidationStringTooShortError)")
print("left: \(try book.delete(identifiers[6]))")
print("autumn: \(try await store.titles(.tagged("autumn")))")

try FileManager.default.removeItem(at: directory)

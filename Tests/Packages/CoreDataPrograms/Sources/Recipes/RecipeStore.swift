import CoreData
import Foundation

final class RecipeStore: Sendable {
    let container: NSPersistentContainer

    /// Loads the store, and waits until it is loaded.
    init(directory: URL) async throws {
        let container = NSPersistentContainer(name: "Recipes")
        let description = NSPersistentStoreDescription(url: directory.appending(path: "Recipes.sqlite"))
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            container.loadPersistentStores { _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
        self.container = container
    }

    /// Adds the recipes in one save, and returns their object IDs in the same order.
    func add(_ samples: [RecipeSample]) async throws -> [NSManagedObjectID] {
        try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            var tags: [String: Tag] = [:]
            let recipes = samples.map { sample in
                let recipe = Recipe(context: context)
                recipe.id = sample.id
                recipe.title = sample.title
                recipe.cuisine = sample.cuisine
                recipe.minutes = sample.minutes
                recipe.rating = sample.rating.map { NSNumber(value: $0) }
                recipe.isVegetarian = sample.isVegetarian
                recipe.createdAt = Date.day(sample.day)
                recipe.source = URL(string: "https://example.org/recipes/\(sample.day)")
                for part in sample.parts {
                    let ingredient = Ingredient(context: context)
                    ingredient.name = part.name
                    ingredient.quantity = part.quantity
                    ingredient.unit = part.unit
                    recipe.addToIngredients(ingredient)
                }
                for name in sample.tags {
                    let tag = tags[name] ?? Tag(context: context)
                    tag.name = name
                    tags[name] = tag
                    recipe.addToTags(tag)
                }
                return recipe
            }
            try context.obtainPermanentIDs(for: recipes)
            try context.save()
            return recipes.map(\.objectID)
        }
    }

    /// Returns the titles of the recipes, in the order of the titles.
    func titles(_ query: RecipeQuery) async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
            request.predicate = query.predicate
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.title, ascending: true)]
            request.returnsObjectsAsFaults = false
            return try context.fetch(request).compactMap(\.title)
        }
    }

    /// Returns the titles of the recipes whose objects match the query in memory.
    func titlesInMemory(_ query: RecipeQuery) async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform(schedule: .enqueued) {
            let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.title, ascending: true)]
            let predicate = query.predicate
            return try context.fetch(request).filter { predicate.evaluate(with: $0) }.compactMap(\.title)
        }
    }

    /// Returns the titles of recipes of a cuisine that take at most this time, the shortest first.
    func quickTitles(cuisine: String, minutes: Int) async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let template = NSPredicate(format: "cuisine ==[c] $CUISINE AND minutes <= $MAXIMUM")
            let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
            request.predicate = template.withSubstitutionVariables(["CUISINE": cuisine, "MAXIMUM": minutes])
            request.sortDescriptors = [
                NSSortDescriptor(keyPath: \Recipe.minutes, ascending: true),
                NSSortDescriptor(keyPath: \Recipe.title, ascending: true),
            ]
            return try context.fetch(request).compactMap(\.title)
        }
    }

    /// Runs a predicate in the format of the console, and returns the number of recipes.
    func count(_ format: String, _ arguments: [any Sendable] = []) async throws -> Int {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            return try context.count(for: request)
        }
    }
}

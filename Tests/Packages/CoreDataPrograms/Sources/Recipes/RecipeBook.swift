import CoreData
import Foundation

/// The screen of one recipe, on the main actor.
@MainActor
final class RecipeBook {
    private let context: NSManagedObjectContext

    init(container: NSPersistentContainer) {
        context = container.viewContext
        context.automaticallyMergesChangesFromParent = true
    }

    func card(_ objectID: NSManagedObjectID) throws -> [String] {
        guard let recipe = try context.existingObject(with: objectID) as? Recipe else { return [] }
        let ingredients = recipe.ingredients as? Set<Ingredient> ?? []
        let lines = ingredients.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { ingredient in
            let unit = ingredient.unit.map { " \($0)" } ?? ""
            return "\(ingredient.quantity.formattedAmount)\(unit) \(ingredient.name ?? "")"
        }
        let rating = recipe.rating.map { "\($0.doubleValue)" } ?? "not rated"
        return ["\(recipe.title ?? ""), \(recipe.minutes) min, \(rating), \(recipe.source?.host() ?? "nil")"] + lines
    }

    func isRegistered(_ objectID: NSManagedObjectID) -> Bool {
        context.registeredObject(for: objectID) != nil
    }

    /// Deletes the recipe, and returns the numbers of recipes, ingredients and tags that are left.
    func delete(_ objectID: NSManagedObjectID) throws -> [Int] {
        context.delete(context.object(with: objectID))
        try context.save()
        return try ["Recipe", "Ingredient", "Tag"].map { name in
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
        }
    }

    /// Returns the code of the error that an empty title causes.
    func codeOfEmptyTitle(_ objectID: NSManagedObjectID) throws -> Int {
        defer { context.rollback() }
        guard let recipe = try context.existingObject(with: objectID) as? Recipe else { return 0 }
        recipe.title = ""
        do {
            try context.save()
            return 0
        } catch {
            return (error as NSError).code
        }
    }

    /// Returns whether the object ID survives its conversion to a URI.
    func isRestored(_ objectID: NSManagedObjectID) -> Bool {
        let uri = objectID.uriRepresentation()
        let restored = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
        return uri.scheme == "x-coredata" && restored == objectID
    }
}

extension Double {
    var formattedAmount: String {
        self == rounded() ? "\(Int(self))" : "\(self)"
    }
}

import CoreData
import Foundation

extension Film {
    @discardableResult
    static func add(
        _ title: String,
        _ year: Int16,
        _ genre: String,
        _ rating: Double,
        day: Int,
        to context: NSManagedObjectContext
    ) -> Film {
        let film = Film(context: context)
        film.title = title
        film.year = year
        film.genre = genre
        film.rating = rating
        film.addedAt = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
        return film
    }

    static func titled(_ title: String, in context: NSManagedObjectContext) -> Film {
        let request: NSFetchRequest<Film> = Film.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", "title", title)
        request.fetchLimit = 1
        do {
            guard let film = try context.fetch(request).first else { fatalError("No film '\(title)'") }
            return film
        } catch {
            fatalError("Cannot fetch '\(title)': \(error)")
        }
    }

    var rowText: String {
        "\(title ?? "") (\(year)) \(rating)\(isWatched ? " watched" : "")"
    }

    var tagNames: [String] {
        (tags as? Set<Tag> ?? []).compactMap(\.name).sorted()
    }
}

import CoreData
import Foundation

@objc(Book)
class Book: NSManagedObject {
    @NSManaged var addedBy: String?
    @NSManaged var author: String?
    @NSManaged var note: String?
    @NSManaged var pages: Int32
    @NSManaged var rating: Double
    @NSManaged var title: String?
    @NSManaged var collection: BookCollection?
    @NSManaged var publisher: Publisher?
    @NSManaged var reviews: NSSet?

    /// The rating is the average of the stars of all reviews.
    func updateRating() {
        rating = (value(forKeyPath: "reviews.@avg.stars") as? NSNumber)?.doubleValue ?? 0
    }

    override func willSave() {
        super.willSave()
        if isDeleted { deletedTitles.insert(title ?? "?") }
    }
}

/// The titles of the books whose deletion is saved.
var deletedTitles: Set<String> = []

@objc(BookCollection)
class BookCollection: NSManagedObject {
    @NSManaged var label: String?
    @NSManaged var books: NSSet?
}

@objc(Publisher)
class Publisher: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var books: NSSet?
}

@objc(Review)
class Review: NSManagedObject {
    @NSManaged var stars: Int16
    @NSManaged var text: String?
    @NSManaged var book: Book?
}

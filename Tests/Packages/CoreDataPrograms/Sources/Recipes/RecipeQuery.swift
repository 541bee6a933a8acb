import CoreData
import Foundation

/// A search of the user, which can be sent to the context that runs it.
indirect enum RecipeQuery: Sendable {
    case all
    case titleContains(String)
    case titleBeginsWith(String)
    case titleEndsWith(String)
    case titleLike(String)
    case titleMatches(String)
    case time(ClosedRange<Int>)
    case cuisines([String])
    case unrated
    case rated(atLeast: Double)
    case tagged(String)
    case notTagged(String)
    case taggedAny([String])
    case untagged
    case uses(String)
    case usesAtLeast(Double, of: String)
    case complex(ingredients: Int)
    case vegetarian
    case added(days: Range<Int>)
    case identifier(UUID)
    case fixed(NSManagedObjectID)
    case and([RecipeQuery])
    case or([RecipeQuery])
    case not(RecipeQuery)

    var predicate: NSPredicate {
        switch self {
        case .all: NSPredicate(value: true)
        case .titleContains(let text): NSPredicate(format: "title CONTAINS[cd] %@", text)
        case .titleBeginsWith(let text): NSPredicate(format: "title BEGINSWITH %@", text)
        case .titleEndsWith(let text): NSPredicate(format: "title ENDSWITH[c] %@", text)
        case .titleLike(let pattern): NSPredicate(format: "title LIKE[cd] %@", pattern)
        case .titleMatches(let pattern): NSPredicate(format: "title MATCHES %@", pattern)
        case .time(let range):
            NSPredicate(format: "minutes BETWEEN %@", [range.lowerBound, range.upperBound])
        case .cuisines(let names): NSPredicate(format: "%K IN %@", "cuisine", names)
        case .unrated: NSPredicate(format: "rating == nil")
        case .rated(atLeast: let rating): NSPredicate(format: "rating >= %f", rating)
        case .tagged(let name): NSPredicate(format: "ANY tags.name ==[c] %@", name)
        case .notTagged(let name):
            NSPredicate(format: "SUBQUERY(tags, $tag, $tag.name ==[c] %@).@count == 0", name)
        case .taggedAny(let names): NSPredicate(format: "ANY tags.name IN %@", names)
        case .untagged: NSPredicate(format: "tags.@count == 0")
        case .uses(let name): NSPredicate(format: "ANY ingredients.name CONTAINS[c] %@", name)
        case .usesAtLeast(let quantity, of: let name):
            NSPredicate(
                format: "SUBQUERY(ingredients, $i, $i.name == %@ AND $i.quantity >= %lf).@count > 0",
                name,
                quantity
            )
        case .complex(ingredients: let count): NSPredicate(format: "ingredients.@count >= %ld", count)
        case .vegetarian: NSPredicate(format: "isVegetarian == YES")
        case .added(days: let days):
            NSPredicate(
                format: "createdAt >= %@ AND createdAt < %@",
                argumentArray: [Date.day(days.lowerBound), Date.day(days.upperBound)]
            )
        case .identifier(let id): NSPredicate(format: "id == %@", id as CVarArg)
        case .fixed(let objectID): NSPredicate(format: "SELF == %@", objectID)
        case .and(let queries): NSCompoundPredicate(andPredicateWithSubpredicates: queries.map(\.predicate))
        case .or(let queries): NSCompoundPredicate(orPredicateWithSubpredicates: queries.map(\.predicate))
        case .not(let query): NSCompoundPredicate(notPredicateWithSubpredicate: query.predicate)
        }
    }
}

extension Date {
    static func day(_ number: Int) -> Date {
        Date(timeIntervalSince1970: 1_735_689_600 + Double(number) * 86_400)
    }
}

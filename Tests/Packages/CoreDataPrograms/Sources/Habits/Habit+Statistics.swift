import CoreData
import Foundation

extension Habit {
    var summary: String {
        "\(name ?? "") \(entries?.count ?? 0)/\(goalPerWeek), streak \(streak)"
    }

    /// The number of consecutive days with an entry, up to the last entry.
    var streak: Int {
        let days = (entries as? Set<Entry> ?? []).compactMap(\.day).sorted(by: >)
        guard var expected = days.first else { return 0 }
        var length = 0
        for day in days {
            guard day == expected else { break }
            length += 1
            expected = day.addingTimeInterval(-86_400)
        }
        return length
    }

    @discardableResult
    static func add(
        _ name: String,
        goal: Int16,
        order: Int16,
        days: [Int],
        to context: NSManagedObjectContext
    ) -> Habit {
        let habit = Habit(context: context)
        habit.name = name
        habit.goalPerWeek = goal
        habit.sortOrder = order
        for day in days {
            let entry = Entry(context: context)
            entry.day = Date.day(day)
            habit.addToEntries(entry)
        }
        return habit
    }
}

extension Date {
    static func day(_ number: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: 757_382_400 + Double(number) * 86_400)
    }
}

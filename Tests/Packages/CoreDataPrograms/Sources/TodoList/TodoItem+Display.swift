import CoreData
import Foundation

extension TodoItem {
    static func make(
        _ title: String,
        priority: Int16,
        due: Date? = nil,
        in list: TaskList,
        context: NSManagedObjectContext
    ) -> TodoItem {
        let item = TodoItem(context: context)
        item.title = title
        item.priority = priority
        item.dueDate = due
        item.createdAt = Calendar.app.day(1, of: 4)
        item.list = list
        return item
    }

    var rowText: String {
        var text = isDone ? "[x] " : "[ ] "
        text += title ?? "(untitled)"
        if priority > 0 { text += " " + String(repeating: "!", count: Int(priority)) }
        if let due = dueDate { text += " due \(Calendar.app.label(due))" }
        if let notes = notes { text += " (\(notes))" }
        return text
    }
}

extension Calendar {
    /// The calendar of the app, which does not depend on the settings of the device.
    static let app: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar
    }()

    func day(_ day: Int, of month: Int) -> Date {
        return date(from: DateComponents(year: 2018, month: month, day: day)) ?? Date.distantPast
    }

    func label(_ date: Date) -> String {
        return "\(component(.month, from: date))/\(component(.day, from: date))"
    }
}

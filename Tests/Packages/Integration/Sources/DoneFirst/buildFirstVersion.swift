import Chordata
import Foundation

/// Builds a store as a release of the app with the first version of the model would.
public func buildFirstVersion(at path: String) throws {
    let container = try DoneModel.container(at: path)
    let context = container.newContext()
    let milk = TodoItem(context: context, name: "Buy milk", createdAt: Date(timeIntervalSinceReferenceDate: 100))
    milk.notes = "two litres"
    _ = TodoItem(context: context, name: "Call home", createdAt: Date(timeIntervalSinceReferenceDate: 200))
    try context.save()
}

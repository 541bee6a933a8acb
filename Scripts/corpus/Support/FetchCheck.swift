import Chordata

/// Compares the results of a model's fetch requests with the numbers of planned objects, if these are known.
public struct FetchCheck {
    private let world: World

    init(_ world: World) { self.world = world }

    /// Returns a planned object, whose values are arguments.
    public func row(_ number: Int) -> Row { world.rows[number] }

    /// Returns a planned object as an argument.
    public func object<Object: ManagedObject>(_ number: Int, in context: ManagedObjectContext) throws -> Object {
        try context.existingObject(with: ObjectID<Object>(key: world.rows[number].key))
    }

    /// Compares the row keys of the results.
    public func check(_ function: String, _ keys: [Int64], are numbers: [Int]?) {
        check(function, count: keys.count, of: numbers)
        guard let numbers else { return }
        let expected = numbers.map { world.rows[$0].key }
        world.report.expect(Set(keys) == Set(expected), "\(function): \(keys) instead of \(expected)")
    }

    /// Compares the number of results.
    public func check(_ function: String, count: Int, of numbers: [Int]?) {
        world.report.called(function)
        guard let numbers else { return }
        world.report.expect(count == numbers.count, "\(function): \(count) instead of \(numbers.count)")
    }
}

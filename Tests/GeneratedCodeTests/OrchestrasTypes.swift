import Foundation

// The class that the model 'Orchestras' leaves to the user, with getters that are overridden as in code for Core Data.

class Musician: _Musician {
    private(set) var renamingCount = 0

    override var name: String? {
        get { super.name.map { "Prof. \($0)" } }
        set {
            renamingCount += 1
            super.name = newValue.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    override var age: Int16 {
        get { super.age < 0 ? -super.age : super.age }
        set { super.age = min(newValue, 120) }
    }

    override var years: NSNumber? {
        get { super.years.map { NSNumber(value: $0.intValue + 1) } }
        set { super.years = newValue.map { NSNumber(value: $0.intValue - 1) } }
    }

    override var pupils: NSSet? {
        get { NSSet(array: (super.pupils?.allObjects ?? []).filter { ($0 as? Musician)?.age != 0 }) }
        set { super.pupils = newValue.map { NSSet(array: $0.allObjects.filter { ($0 as? Musician) !== self }) } }
    }
}

import Chordata

// The types that the model 'Everything' names, and the class that its codegen 'category' leaves to the user.

nonisolated enum BookFormat: Int16, PredicateArgument {
    case hardcover = 1
    case paperback, audio
}

nonisolated enum Mood: String {
    case cheerful, sad
}

nonisolated struct Color: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

nonisolated final class Event: _Event {}

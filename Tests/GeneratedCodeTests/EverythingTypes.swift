import Chordata

// The types that the model 'Everything' names, and the class that its codegen 'category' leaves to the user.

enum BookFormat: Int16, PredicateArgument {
    case hardcover = 1
    case paperback, audio
}

enum Mood: String {
    case cheerful, sad
}

struct Color: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

final class Event: _Event {}

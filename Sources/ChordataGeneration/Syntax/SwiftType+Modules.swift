internal import ChordataConfiguration

// Types of the modules that generated code always imports. They are written in full: a model may have an entity called
// `Data`.

extension SwiftType {
    static func swift(_ name: String, _ arguments: SwiftType...) -> SwiftType {
        .named(["Swift", name], arguments: arguments)
    }

    static func foundation(_ name: String) -> SwiftType { .named(["Foundation", name]) }

    static func chordata(_ name: String, _ arguments: SwiftType...) -> SwiftType {
        .named(["Chordata", name], arguments: arguments)
    }
}

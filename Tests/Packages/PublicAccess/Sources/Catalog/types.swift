// The types that the model names.

/// How well an article is made.
public enum Grade: Int16, Sendable {
    case standard = 1
    case fine
}

/// How an article shines.
public enum Finish: String, Sendable {
    case matte, glossy
}

// The types that the model names.

/// The quality of an article.
public enum Grade: Int16, Sendable {
    case standard = 1
    case fine
}

/// The gloss of an article.
public enum Finish: String, Sendable {
    case matte, glossy
}

/// The place of a node in the declarations around it.
struct Scope {
    /// A Boolean value that indicates whether declarations are at file level, also in `#if`.
    var isFileLevel = true
    /// A Boolean value that indicates whether declarations are members of a type, also in `#if`.
    var isMember = false
    /// The class of the model whose members these are, or whose members contain this code.
    var className: String?

    /// The scope of the members of a type; `nil` for a type that is not a class of a model.
    static func members(of className: String?) -> Scope {
        Scope(isFileLevel: false, isMember: true, className: className)
    }

    /// The scope of code in a declaration.
    var code: Scope { Scope(isFileLevel: false, isMember: false, className: className) }
}

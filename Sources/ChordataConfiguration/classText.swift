/// Returns the class that a model names, without whitespace around it and without the dot of the current module; `nil`
/// if the text does not name a class.
///
/// `representedClassName` and `customClassName` have the same rule: `Plan`, `.Plan` and `Module.Plan` name the class
/// `Plan`. A text that ends with a dot, such as `.` and `Module.`, names no class: Xcode writes it if only the module
/// was chosen.
package func classText(_ text: String?) -> (name: String, isOfCurrentModule: Bool)? {
    var rest = (text ?? "")[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    let isOfCurrentModule = rest.first == "."
    if isOfCurrentModule { rest.removeFirst() }
    guard let last = rest.last, last != "." else { return nil }
    return (String(rest), isOfCurrentModule)
}

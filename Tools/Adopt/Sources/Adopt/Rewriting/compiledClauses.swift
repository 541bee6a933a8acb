internal import SwiftSyntax

/// Returns the clauses of `#if` that platforms other than Apple's may compile.
func compiledClauses(_ declaration: IfConfigDeclSyntax) -> [IfConfigClauseSyntax] {
    var clauses: [IfConfigClauseSyntax] = []
    for clause in declaration.clauses {
        let value = clause.condition.map { evaluate($0) } ?? true
        if value != false { clauses.append(clause) }
        if value == true { break }
    }
    return clauses
}

/// Returns the value of a condition off Apple's platforms, or `nil` if it depends on the build.
private func evaluate(_ condition: ExprSyntax) -> Bool? {
    if let sequence = condition.as(SequenceExprSyntax.self) {
        return evaluate(Array(sequence.elements)[...])
    }
    if let not = condition.as(PrefixOperatorExprSyntax.self), not.operator.text == "!" {
        return evaluate(not.expression).map { !$0 }
    }
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
        return evaluate(element.expression)
    }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) { return literal.literal.text == "true" }
    guard let call = condition.as(FunctionCallExprSyntax.self),
        let function = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
        let argument = call.arguments.first?.expression.as(DeclReferenceExprSyntax.self)?.baseName.text
    else { return nil }
    switch function {
    case "os": return argument == "Linux" ? true : applePlatforms.contains(argument) ? false : nil
    case "canImport": return appleModules.contains(argument) ? false : nil
    case "targetEnvironment": return ["simulator", "macCatalyst"].contains(argument) ? false : nil
    case "_runtime": return argument != "_ObjC"
    case _: return nil
    }
}

/// Evaluates operands with `||` and `&&` between them.
private func evaluate(_ elements: ArraySlice<ExprSyntax>) -> Bool? {
    func isOperator(_ text: String) -> (ExprSyntax) -> Bool {
        { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == text }
    }
    let alternatives = elements.split(whereSeparator: isOperator("||")).map { operands in
        let values = operands.split(whereSeparator: isOperator("&&")).map {
            $0.count == 1 ? evaluate($0[$0.startIndex]) : nil
        }
        return values.contains(false) ? false : values.contains(nil) ? nil : true
    }
    return alternatives.contains(true) ? true : alternatives.contains(nil) ? nil : false
}

private let applePlatforms: Set<String> = [
    "macOS", "OSX", "iOS", "tvOS", "watchOS", "visionOS", "xrOS", "macCatalyst",
]

private let appleModules: Set<String> = [
    "AppKit", "Cocoa", "CloudKit", "Combine", "CoreSpotlight", "Darwin", "ObjectiveC", "SwiftData", "SwiftUI", "UIKit",
    "WatchKit", "WidgetKit",
]

internal import SwiftParser
internal import SwiftSyntax

/// Returns the comparison of strings that an argument `selector:` names, such as `localizedStandard`, or `nil`.
///
/// The forms are `#selector(NSString.compare(_:))`, with and without the label, and `Selector("compare:")`.
func stringComparison(_ expression: ExprSyntax) -> String? {
    var current = expression
    while let tuple = current.as(TupleExprSyntax.self), tuple.elements.count == 1, let element = tuple.elements.first {
        current = element.expression
    }
    if let macro = current.as(MacroExpansionExprSyntax.self), macro.macroName.text == "selector",
        macro.arguments.count == 1, let access = macro.arguments.first?.expression.as(MemberAccessExprSyntax.self),
        ["NSString", "Foundation.NSString"].contains(access.base?.trimmedDescription)
    {
        let labels = access.declName.argumentNames?.arguments.map(\.name.text)
        return labels == nil || labels == ["_"] ? comparisons[access.declName.baseName.text + ":"] : nil
    }
    if let call = current.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
        ["Selector", "NSSelectorFromString"].contains(
            call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        ),
        var argument = call.arguments.first?.expression
    {
        while let tuple = argument.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let element = tuple.elements.first
        {
            argument = element.expression
        }
        return argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue.flatMap { comparisons[$0] }
    }
    return nil
}

private let comparisons = [
    "compare:": "literal",
    "caseInsensitiveCompare:": "caseInsensitive",
    "localizedCompare:": "localized",
    "localizedCaseInsensitiveCompare:": "localizedCaseInsensitive",
    "localizedStandardCompare:": "localizedStandard",
]

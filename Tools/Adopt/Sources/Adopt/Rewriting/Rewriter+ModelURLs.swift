internal import SwiftParser
internal import SwiftSyntax

extension Rewriter {
    /// Replaces `Bundle.main.url(forResource: "Shop", withExtension: "momd")` with the URL of the generated model, and
    /// reports the same call on any other expression, such as a variable.
    func rewriteModelURL(_ call: FunctionCallExprSyntax) {
        let arguments = Array(call.arguments)
        let method = call.calledExpression.as(MemberAccessExprSyntax.self)
        guard let name = method?.declName ?? call.calledExpression.as(DeclReferenceExprSyntax.self),
            name.baseName.text == "url", name.argumentNames == nil,
            arguments.count >= 2, arguments.prefix(2).map(\.label?.text) == ["forResource", "withExtension"],
            let label = arguments[0].label,
            let literal = arguments[1].expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
            ["momd", "mom"].contains(literal)
        else { return }
        guard let bundle = method?.base, isBundle(bundle) else { return reportModelURL(call) }
        let removed = file.range(arguments[0].expression).upperBound..<file.range(arguments[1].expression).upperBound
        guard arguments.count == 2, call.trailingClosure == nil, !arguments[0].expression.is(NilLiteralExprSyntax.self),
            !isUnwrapped(call, bundle), !hasInnerComments(bundle), !hasComments(in: call, at: removed)
        else { return reportModelURL(call) }
        edit(.replace(file.range(bundle), with: "NSManagedObjectModel"))
        edit(.replace(file.range(label), with: "forModelNamed"))
        edit(.replace(removed, with: ""))
        // Its text is replaced.
        markHandled(bundle)
    }

    private func reportModelURL(_ call: FunctionCallExprSyntax) {
        report(
            .modelURL,
            at: file.range(call).lowerBound,
            "there are no compiled models in bundles; call 'NSManagedObjectModel.url(forModelNamed:)' with the name of the "
                + "generated model"
        )
    }

    /// Returns a Boolean value that indicates whether an expression starts with the type `Bundle`.
    private func isBundle(_ expression: ExprSyntax) -> Bool {
        var current = expression
        while true {
            if let access = current.as(MemberAccessExprSyntax.self), let base = access.base {
                let isFoundation = base.as(DeclReferenceExprSyntax.self)?.baseName.text == "Foundation"
                if isFoundation { return access.declName.baseName.text == "Bundle" }
                current = base
            } else if let call = current.as(FunctionCallExprSyntax.self) {
                current = call.calledExpression
            } else if let unwrapped = current.as(ForceUnwrapExprSyntax.self) {
                current = unwrapped.expression
            } else if let optional = current.as(OptionalChainingExprSyntax.self) {
                current = optional.expression
            } else if let tuple = current.as(TupleExprSyntax.self), tuple.elements.count == 1,
                let element = tuple.elements.first
            {
                current = element.expression
            } else {
                return current.as(DeclReferenceExprSyntax.self)?.baseName.text == "Bundle"
            }
        }
    }

    /// Returns a Boolean value that indicates whether `!` follows a call in an optional chain, whose value is optional
    /// only because of the chain.
    private func isUnwrapped(_ call: FunctionCallExprSyntax, _ bundle: ExprSyntax) -> Bool {
        call.parent?.is(ForceUnwrapExprSyntax.self) == true
            && bundle.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .postfixQuestionMark }
    }

    /// Returns a Boolean value that indicates whether comments are in a range.
    private func hasComments(in call: FunctionCallExprSyntax, at range: Range<Int>) -> Bool {
        call.tokens(viewMode: .sourceAccurate).contains { token in
            let text = file.range(token)
            return token.leadingTrivia.hasComments && range.contains(text.lowerBound)
                || token.trailingTrivia.hasComments && text.upperBound >= range.lowerBound
                    && text.upperBound < range.upperBound
        }
    }
}

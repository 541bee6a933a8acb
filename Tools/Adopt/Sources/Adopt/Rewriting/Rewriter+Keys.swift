internal import SwiftSyntax

extension Rewriter {
    /// Replaces `#keyPath(Item.team.name)` with the names of generated property keys.
    func rewriteKeyPath(_ macro: MacroExpansionExprSyntax, _ scope: Scope) {
        let range = file.range(macro)
        if !hasInnerComments(macro), let keys = propertyKeys(macro, scope) {
            let parts = keys.map { keys.count == 1 ? $0 : "\\(\($0))" }
            let text = parts.joined(separator: ".")
            edit(.replace(range, with: keys.count == 1 ? text : "\"\(text)\""))
            return
        }
        let path = macro.arguments.first.map { file.text($0.expression) } ?? ""
        report(
            .keyPath,
            at: range.lowerBound,
            "'#keyPath' needs the Objective-C runtime, and '\(path)' is not a path of properties of the models that were "
                + "read; write a string"
        )
    }

    /// Returns the code for the name of each property of the path, or `nil` if it is not a path of a model.
    private func propertyKeys(_ macro: MacroExpansionExprSyntax, _ scope: Scope) -> [String]? {
        guard macro.arguments.count == 1, let argument = macro.arguments.first, macro.trailingClosure == nil,
            let tokens = memberNames(argument.expression)
        else { return nil }
        var names = tokens.map(\.name)
        guard let first = names.first else { return nil }
        var className: String
        if names.count > 1, index.classes[first] != nil {
            className = first
            names.removeFirst()
        } else if let enclosing = scope.className {
            className = enclosing
        } else {
            return nil
        }
        var keys: [String] = []
        for (position, name) in names.enumerated() {
            guard let property = index.property(name, ofClass: className) else { return nil }
            keys.append(propertyKey(name, ofClass: className))
            guard position < names.count - 1 else { break }
            guard let destination = index.destination(of: property, ofClass: className) else { return nil }
            className = destination
        }
        return keys
    }

    /// Replaces the selector of a sort descriptor with a comparison.
    func rewriteSortDescriptor(_ call: FunctionCallExprSyntax) {
        let labels = call.arguments.map { $0.label?.text }
        guard labels == ["key", "ascending", "selector"], let argument = call.arguments.last,
            let label = argument.label, let comparison = stringComparison(argument.expression),
            isSortDescriptor(call.calledExpression), !hasInnerComments(argument)
        else { return }
        let range = file.range(label).lowerBound..<file.range(argument.expression).upperBound
        edit(.replace(range, with: "comparison: .\(comparison)"))
        markHandled(argument)
    }

    private func isSortDescriptor(_ called: ExprSyntax) -> Bool {
        if let reference = called.as(DeclReferenceExprSyntax.self) {
            return reference.baseName.text == "NSSortDescriptor"
        }
        guard let access = called.as(MemberAccessExprSyntax.self) else { return false }
        switch (access.base, access.declName.baseName.text) {
        case (nil, "init"): return true
        case (let base?, "init"): return isSortDescriptor(base)
        case (let base?, "NSSortDescriptor"):
            return base.as(DeclReferenceExprSyntax.self)?.baseName.text == "Foundation"
        case _: return false
        }
    }
}

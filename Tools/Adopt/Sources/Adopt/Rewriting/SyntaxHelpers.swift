internal import SwiftSyntax

extension AttributeListSyntax {
    /// Returns the first attribute with a name outside `#if`.
    func first(named name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.plainName == name }
    }
}

extension AttributeSyntax {
    /// The name of the attribute, or `nil` if it is not a plain or qualified name.
    var plainName: String? {
        if let type = attributeName.as(IdentifierTypeSyntax.self) { return type.name.text }
        return attributeName.as(MemberTypeSyntax.self)?.name.text
    }
}

extension TokenSyntax {
    /// The identifier without backticks.
    var name: String { text.filter { $0 != "`" } }
}

/// Returns the names of a chain such as `Item.team.name`, or `nil` for another expression.
func memberNames(_ expression: ExprSyntax) -> [TokenSyntax]? {
    var names: [TokenSyntax] = []
    var current = expression
    while let access = current.as(MemberAccessExprSyntax.self) {
        guard let base = access.base, access.declName.argumentNames == nil else { return nil }
        names.append(access.declName.baseName)
        current = base
    }
    guard let first = current.as(DeclReferenceExprSyntax.self), first.argumentNames == nil else { return nil }
    return (names + [first.baseName]).reversed()
}

/// Returns a Boolean value that indicates whether there are comments between the first and the last token of a node.
func hasInnerComments(_ node: some SyntaxProtocol) -> Bool {
    var last: TokenSyntax?
    for token in node.tokens(viewMode: .sourceAccurate) {
        if let last, last.trailingTrivia.hasComments || token.leadingTrivia.hasComments { return true }
        last = token
    }
    return false
}

extension Trivia {
    var hasComments: Bool { contains(where: \.isComment) }

    /// Returns the place of the comments that end directly before the token of this trivia.
    ///
    /// A comment is directly before the token, or before the next such comment, if no blank line is between them.
    /// - Parameters:
    ///   - end: The place of the token.
    ///   - matches: A Boolean value that indicates whether a comment is one of them.
    func startOfComments(before end: Int, where matches: (TriviaPiece) -> Bool) -> Int {
        var start = end
        var position = end
        var newlines = 0
        for piece in reversed() {
            position -= piece.sourceLength.utf8Length
            switch piece {
            case .spaces, .tabs: continue
            case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
                newlines += count
                if newlines > 1 { return start }
            case _:
                guard piece.isComment, matches(piece) else { return start }
                start = position
                newlines = 0
            }
        }
        return start
    }
}

extension TriviaPiece {
    var isDocComment: Bool {
        switch self {
        case .docLineComment, .docBlockComment: true
        case _: false
        }
    }
}

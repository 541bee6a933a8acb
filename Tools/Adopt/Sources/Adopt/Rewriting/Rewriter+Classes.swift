internal import SwiftSyntax

extension Rewriter {
    /// Makes a class inherit from its generated class, and removes its Objective-C name.
    func adoptClass(_ declaration: ClassDeclSyntax, _ found: ClassDeclaration) {
        let name = declaration.name.name
        guard adoptedClasses.contains(name) else { return }
        if case .inherit(let range) = found.change { edit(.replace(range, with: found.modelClass.baseName)) }
        guard let attribute = declaration.attributes.first(named: "objc") else { return }
        // Another name would be that of another class.
        guard attribute.arguments == nil || attribute.arguments.map({ file.text($0) }) == name else { return }
        markHandled(attribute)
        edit(.remove(removalRange(of: attribute)))
    }

    /// Returns the range of an attribute and of the spaces after it.
    private func removalRange(of attribute: AttributeSyntax) -> Range<Int> {
        let range = file.range(attribute)
        return range
            .lowerBound..<(attribute.trailingTrivia.hasComments
            ? range.upperBound : attribute.endPosition.utf8Offset)
    }

    /// Returns the range of an extension if no member remains and it declares nothing else.
    func emptiedExtension(_ declaration: ExtensionDeclSyntax, _ className: String) -> Range<Int>? {
        let block = declaration.memberBlock
        guard declaration.inheritanceClause == nil, declaration.genericWhereClause == nil,
            declaration.attributes.isEmpty, !block.members.isEmpty,
            !block.leftBrace.trailingTrivia.hasComments, !block.rightBrace.leadingTrivia.hasComments,
            !declaration.trailingTrivia.hasComments, !block.leftBrace.leadingTrivia.hasComments,
            !declaration.extensionKeyword.trailingTrivia.hasComments,
            !declaration.extendedType.trailingTrivia.hasComments
        else { return nil }
        for item in block.members {
            guard canRemoveMember(item, ofClass: className),
                !item.leadingTrivia.contains(where: { $0.isComment && !$0.isDocComment }),
                !item.trailingTrivia.hasComments
            else { return nil }
        }
        for item in block.members { _ = removedMember(item, ofClass: className) }
        let start = declaration.positionAfterSkippingLeadingTrivia.utf8Offset
        let mark = declaration.leadingTrivia.startOfComments(before: start) { piece in
            if case .lineComment(let text) = piece {
                text.hasPrefix("// MARK: Generated accessors for ")
            } else {
                false
            }
        }
        return mark..<declaration.endPosition.utf8Offset
    }
}

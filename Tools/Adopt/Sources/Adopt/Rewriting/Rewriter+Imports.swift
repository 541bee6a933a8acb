internal import SwiftSyntax

/// The imports of a file that matter for the types that both Foundation and the module `CoreData` declare.
struct Imports {
    /// The plain imports of Foundation, without attributes and outside of `#if`.
    private(set) var foundation: [ImportDeclSyntax] = []
    private(set) var hasCoreData = false
    private(set) var namesAmbiguousType = false

    mutating func add(_ declaration: ImportDeclSyntax) {
        let path = declaration.path.map(\.name.text)
        if path.first == "CoreData" { hasCoreData = true }
        let isPlain =
            declaration.attributes.isEmpty && declaration.modifiers.isEmpty
            && declaration.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        if path == ["Foundation"], isPlain { foundation.append(declaration) }
    }

    mutating func addType(_ name: String) {
        let ambiguous = ["NSCompoundPredicate", "NSComparisonPredicate", "NSExpression"]
        if ambiguous.contains(name) { namesAmbiguousType = true }
    }
}

extension Rewriter {
    /// Removes `import Foundation` if the name of a type would be ambiguous.
    ///
    /// Foundation has classes with the same names, which do not work on platforms other than Apple's. The module
    /// `CoreData` exports Foundation.
    func removeAmbiguousImports(_ imports: Imports) {
        guard imports.hasCoreData, imports.namesAmbiguousType else { return }
        for declaration in imports.foundation { edit(.remove(file.range(declaration))) }
    }
}

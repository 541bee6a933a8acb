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
        if ["NSExpression", "NSComparisonPredicate"].contains(name) { namesAmbiguousType = true }
    }
}

extension Rewriter {
    /// Removes `import Foundation` if the name of a type would be ambiguous: Foundation has classes of these names,
    /// which programs cannot use on other platforms than Apple's.
    ///
    /// The module `CoreData` exports the rest of Foundation.
    func removeAmbiguousImports(_ imports: Imports) {
        guard imports.hasCoreData, imports.namesAmbiguousType else { return }
        for declaration in imports.foundation { edit(.remove(file.range(declaration))) }
    }
}

internal import SwiftSyntax

/// The imports of a file that matter for the types that both Foundation and the module `CoreData` declare.
struct Imports {
    /// The plain imports of Foundation, without attributes and outside of `#if`.
    private(set) var foundation: [ImportDeclSyntax] = []
    private(set) var hasCoreData = false
    private(set) var namesAmbiguousType = false
    private(set) var usesAmbiguousName = false

    mutating func add(_ declaration: ImportDeclSyntax) {
        let path = declaration.path.map(\.name.text)
        if path.first == "CoreData" { hasCoreData = true }
        let isPlain =
            declaration.attributes.isEmpty && declaration.modifiers.isEmpty
            && declaration.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        if path == ["Foundation"], isPlain { foundation.append(declaration) }
    }

    mutating func addType(_ name: String) {
        if ambiguousNames.contains(name) { namesAmbiguousType = true }
    }

    /// Adds a name in an expression, such as that of an initializer, which is not ambiguous.
    mutating func addReference(_ name: String) {
        if ambiguousNames.contains(name) { usesAmbiguousName = true }
    }
}

private let ambiguousNames: Set = ["NSCompoundPredicate", "NSComparisonPredicate", "NSExpression"]

extension Rewriter {
    /// Removes `import Foundation` if the name of a type would be ambiguous.
    ///
    /// In a file that uses such a name and does not import CoreData, `import CoreData` replaces it.
    /// Foundation has classes with the same names, which do not work on platforms other than Apple's. The module
    /// `CoreData` exports Foundation.
    func changeImports(_ imports: Imports) {
        if imports.hasCoreData {
            guard imports.namesAmbiguousType else { return }
            for declaration in imports.foundation { edit(.remove(file.range(declaration))) }
        } else if imports.namesAmbiguousType || imports.usesAmbiguousName {
            guard let first = imports.foundation.first?.path.first else { return }
            edit(.replace(file.range(first), with: "CoreData"))
            for declaration in imports.foundation.dropFirst() { edit(.remove(file.range(declaration))) }
        }
    }
}

internal import SwiftSyntax

/// The imports of a file that matter for the types that both Foundation and the module `CoreData` declare.
struct Imports {
    /// The plain imports of Foundation, without attributes and outside of `#if`.
    private(set) var foundation: [ImportDeclSyntax] = []
    private(set) var hasCoreData = false
    private(set) var namesAmbiguousType = false
    /// A Boolean value that indicates whether the file uses a class that cannot be instantiated with Foundation.
    private(set) var usesUnusableClass = false

    mutating func add(_ declaration: ImportDeclSyntax) {
        let path = declaration.path.map(\.name.text)
        if path.first == "CoreData" { hasCoreData = true }
        let isPlain =
            declaration.attributes.isEmpty && declaration.modifiers.isEmpty
            && declaration.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        if path == ["Foundation"], isPlain { foundation.append(declaration) }
    }

    mutating func addType(_ name: String) {
        if name == "NSCompoundPredicate" { namesAmbiguousType = true }
        guard unusableClasses.contains(name) else { return }
        namesAmbiguousType = true
        usesUnusableClass = true
    }

    /// Adds a name in an expression, such as that of an initializer, which is not ambiguous.
    mutating func addReference(_ name: String) {
        if unusableClasses.contains(name) { usesUnusableClass = true }
    }
}

private let unusableClasses: Set = ["NSComparisonPredicate", "NSExpression"]

extension Rewriter {
    /// Removes `import Foundation` if the name of a type would be ambiguous.
    ///
    /// In a file that does not import CoreData and uses a class that cannot be instantiated with Foundation,
    /// `import CoreData` replaces it. The module `CoreData` exports Foundation.
    func changeImports(_ imports: Imports) {
        if imports.hasCoreData {
            if imports.namesAmbiguousType { imports.foundation.forEach(remove) }
        } else if imports.usesUnusableClass, let first = imports.foundation.first, let name = first.path.first {
            edit(.replace(file.range(name), with: "CoreData"))
            imports.foundation.dropFirst().forEach(remove)
        }
    }

    /// Removes an import with its semicolon.
    private func remove(_ declaration: ImportDeclSyntax) {
        edit(.remove(declaration.parent.map { file.range($0) } ?? file.range(declaration)))
    }
}

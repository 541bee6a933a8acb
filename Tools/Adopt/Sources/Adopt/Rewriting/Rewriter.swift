internal import SwiftSyntax

/// Finds the changes of one file, and the code that its author has to change.
final class Rewriter {
    let file: ParsedFile
    let index: ClassIndex
    /// The classes that inherit from their generated class after the change.
    let adoptedClasses: Set<String>
    /// The classes that are not changed, for a reason that is reported at their declaration.
    let keptClasses: Set<String>
    /// The declarations in this file, by the place of their name.
    private let declarations: [Int: ClassDeclaration]
    private(set) var edits: [Edit] = []
    private(set) var reports: [Report] = []
    /// The settings of the model that the types of removed properties need.
    private(set) var scalarSettings: [ScalarSetting] = []
    /// Nodes that a rule for their parent has handled.
    private var handled: Set<SyntaxIdentifier> = []
    /// The types whose `@NSManaged` declarations are reported only once, for all of them together.
    private var reportedTypes: Set<String> = []
    /// The imports of the file, and whether a type that Foundation has too is named.
    private var imports = Imports()

    init(
        _ file: ParsedFile,
        _ index: ClassIndex,
        _ declarations: [ClassDeclaration],
        adoptedClasses: Set<String>,
        keptClasses: Set<String>
    ) {
        self.file = file
        self.index = index
        self.declarations = Dictionary(declarations.map { ($0.offset, $0) }, uniquingKeysWith: { first, _ in first })
        self.adoptedClasses = adoptedClasses
        self.keptClasses = keptClasses
    }

    func run() {
        walk(file.tree) { visit($0, $1) }
        changeImports(imports)
    }

    func edit(_ edit: Edit) { edits.append(edit) }

    func need(_ setting: ScalarSetting) { scalarSettings.append(setting) }

    func report(_ id: Report.ID, _ severity: Report.Severity = .warning, at offset: Int, _ message: String) {
        reports.append(
            Report(id: id, severity: severity, path: file.path, location: file.location(offset), message: message)
        )
    }

    func markHandled(_ node: some SyntaxProtocol) { handled.insert(node.id) }

    /// Returns `true` on the first call for each type.
    func isFirstReport(of type: String) -> Bool { reportedTypes.insert(type).inserted }

    // MARK: Visiting

    private func visit(_ node: Syntax, _ scope: Scope) -> Scope? {
        if handled.contains(node.id) { return nil }
        switch node.kind {
        case .token: return nil
        case .classDecl: return node.as(ClassDeclSyntax.self).flatMap { visit($0, scope) }
        case .extensionDecl: return node.as(ExtensionDeclSyntax.self).flatMap { visit($0, scope) }
        case .structDecl, .enumDecl, .actorDecl, .protocolDecl: return .members(of: nil)
        case .memberBlockItem:
            return node.as(MemberBlockItemSyntax.self).flatMap { visit($0, scope) }
        case .variableDecl, .functionDecl:
            reportManaged(node, scope)
            return scope.code
        case .attribute:
            if let attribute = node.as(AttributeSyntax.self) { visit(attribute) }
        case .macroExpansionExpr:
            return node.as(MacroExpansionExprSyntax.self).flatMap { visit($0, scope) }
        case .functionCallExpr:
            if let call = node.as(FunctionCallExprSyntax.self) {
                rewriteSortDescriptor(call)
                rewriteModelURL(call)
            }
            return scope.code
        case .importDecl:
            if let declaration = node.as(ImportDeclSyntax.self) { imports.add(declaration) }
        case .identifierType:
            if let type = node.as(IdentifierTypeSyntax.self) {
                visitName(type.name)
                imports.addType(type.name.text)
            }
        case .memberType:
            if let type = node.as(MemberTypeSyntax.self) { visitName(type.name) }
        case .declReferenceExpr:
            if let reference = node.as(DeclReferenceExprSyntax.self) {
                visitName(reference.baseName)
                imports.addReference(reference.baseName.text)
            }
        case .codeBlock, .closureExpr, .initializerDecl, .subscriptDecl, .deinitializerDecl:
            return scope.code
        case _: break
        }
        return scope
    }

    private func visit(_ declaration: ClassDeclSyntax, _ scope: Scope) -> Scope? {
        reportMigrationClass(declaration)
        let name = declaration.name.name
        guard scope.isFileLevel, index.classes[name] != nil else { return .members(of: nil) }
        if let found = declarations[file.range(declaration.name).lowerBound] { adoptClass(declaration, found) }
        return .members(of: name)
    }

    private func visit(_ declaration: ExtensionDeclSyntax, _ scope: Scope) -> Scope? {
        guard scope.isFileLevel, let type = declaration.extendedType.as(IdentifierTypeSyntax.self),
            index.classes[type.name.name] != nil
        else { return .members(of: nil) }
        let name = type.name.name
        if let range = emptiedExtension(declaration, name) {
            edit(.remove(range))
            return nil
        }
        return .members(of: name)
    }

    private func visit(_ item: MemberBlockItemSyntax, _ scope: Scope) -> Scope? {
        guard scope.isMember, let name = scope.className, let range = removedMember(item, ofClass: name) else {
            return scope
        }
        edit(.remove(range))
        return nil
    }

    private func visit(_ macro: MacroExpansionExprSyntax, _ scope: Scope) -> Scope? {
        let offset = file.range(macro).lowerBound
        switch macro.macroName.text {
        case "keyPath":
            rewriteKeyPath(macro, scope)
            return nil
        case "selector":
            report(.selector, at: offset, selectorMessage(macro))
            return nil
        case _:
            return scope.code
        }
    }

    private func selectorMessage(_ macro: MacroExpansionExprSyntax) -> String {
        let comparison = stringComparison(ExprSyntax(macro)).map {
            "in a sort descriptor, use 'comparison: .\($0)'; elsewhere, "
        }
        return
            "'#selector' needs the Objective-C runtime; \(comparison ?? "")call the method in a closure, or put the code inside "
            + "'#if canImport(ObjectiveC)'"
    }

    private func visitName(_ name: TokenSyntax) {
        let offset = file.range(name).lowerBound
        switch name.text {
        case "NSDiffableDataSourceSnapshotReference":
            report(
                .snapshot,
                at: offset,
                "'NSDiffableDataSourceSnapshotReference' is a type of UIKit and AppKit; adopt Chordata's "
                    + "'FetchedResultsSnapshotDelegate', whose 'FetchedResultsSnapshot' has the sections and object IDs"
            )
        case "_kvcKeyPathString":
            report(
                .keyPath,
                at: offset,
                "'_kvcKeyPathString' is 'nil' without the Objective-C runtime; write the name of the property as a string"
            )
        case _: break
        }
    }

    // MARK: Attributes

    private func visit(_ attribute: AttributeSyntax) {
        let offset = file.range(attribute).lowerBound
        switch attribute.plainName {
        case "objc":
            report(.objc, at: offset, objcMessage(attribute))
        case "objcMembers":
            report(.objc, at: offset, "'@objcMembers' needs the Objective-C runtime; remove it")
        case "FetchRequest", "SectionedFetchRequest":
            let name = attribute.plainName ?? ""
            report(
                .swiftUI,
                at: offset,
                "'@\(name)' belongs to SwiftUI; fetch the objects with an 'NSFetchedResultsController', and update the "
                    + "view in its delegate"
            )
        case _: break
        }
    }

    private func objcMessage(_ attribute: AttributeSyntax) -> String {
        let declaration = attribute.parent?.parent
        if let type = declaration?.as(ClassDeclSyntax.self), let arguments = attribute.arguments,
            let named = index.classes[file.text(arguments)], index.classes[type.name.name] == nil
        {
            return "class '\(type.name.text)' has the Objective-C name '\(named.name)', which is the class of entity "
                + "'\(named.entity.name)'; set the 'class' of the entity to '\(type.name.text)' in the configuration "
                + "file of the model"
        }
        if let function = declaration?.as(FunctionDeclSyntax.self), function.validatesProperty {
            return "'\(function.name.text)(_:)' is not called, because there is no Objective-C runtime; adopt "
                + "'ValidatePropertyHook', whose method validates the values of all properties"
        }
        let remedy =
            switch declaration?.kind {
            case .protocolDecl: "remove it, and give 'optional' requirements a default in an extension"
            case .enumDecl: "remove it; an attribute of this type needs the user info 'RawType' in the model"
            case _: "remove it, or put the declaration inside '#if canImport(ObjectiveC)'"
            }
        return "'@objc' needs the Objective-C runtime; \(remedy)"
    }

    private func reportMigrationClass(_ declaration: ClassDeclSyntax) {
        let policies = ["NSMigrationManager", "NSEntityMigrationPolicy"]
        for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
            guard let name = inherited.type.as(IdentifierTypeSyntax.self)?.name.text, policies.contains(name) else {
                continue
            }
            report(
                .migration,
                at: file.range(inherited.type).lowerBound,
                "subclasses of '\(name)' are not called; write a migration stage with the same changes, see "
                    + "'chordata migrate mapping' for the SQL of a mapping model"
            )
        }
    }
}

extension FunctionDeclSyntax {
    /// A Boolean value that indicates whether Core Data calls the function to validate a property: `validate<Key>(_:)`.
    fileprivate var validatesProperty: Bool {
        let key = name.text.dropFirst("validate".count)
        return name.text.hasPrefix("validate") && key.first?.isUppercase == true
            && signature.parameterClause.parameters.count == 1
            && signature.parameterClause.parameters.first?.type.trimmedDescription
                .hasPrefix("AutoreleasingUnsafeMutablePointer") == true
    }
}

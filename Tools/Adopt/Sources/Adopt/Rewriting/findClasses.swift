internal import SwiftSyntax

/// The declaration of a class of a model.
struct ClassDeclaration {
    enum Change {
        /// The class inherits from the generated class already.
        case none
        /// The class is not one of Core Data.
        case unrelated
        /// The superclass in a range becomes the generated class.
        case inherit(Range<Int>)
        /// The class is not changed, and neither are its `@NSManaged` declarations.
        case stays(reason: String)
    }

    let modelClass: ModelClass
    let change: Change
    /// The place of its name.
    let offset: Int
    let isPublic: Bool
}

/// Finds the declarations of classes of the models at file level.
func findClasses(_ file: ParsedFile, _ index: ClassIndex) -> [ClassDeclaration] {
    var found: [ClassDeclaration] = []
    walk(file.tree) { node, scope in
        if let declaration = node.as(ClassDeclSyntax.self) {
            if scope.isFileLevel, let modelClass = index.classes[declaration.name.name], !isGenerated(declaration) {
                found.append(makeDeclaration(declaration, modelClass, file))
            }
            return nil
        }
        return node.is(SourceFileSyntax.self) || node.is(CodeBlockItemListSyntax.self)
            || node.is(CodeBlockItemSyntax.self) || node.is(IfConfigClauseSyntax.self) ? scope : nil
    }
    return found
}

/// Returns a Boolean value that indicates whether Chordata generated a class; generated files can be in the sources.
private func isGenerated(_ declaration: ClassDeclSyntax) -> Bool {
    declaration.memberBlock.members.contains { $0.decl.as(StructDeclSyntax.self)?.name.text == "_Level" }
}

private func makeDeclaration(
    _ declaration: ClassDeclSyntax,
    _ modelClass: ModelClass,
    _ file: ParsedFile
) -> ClassDeclaration {
    ClassDeclaration(
        modelClass: modelClass,
        change: change(of: declaration, modelClass, file),
        offset: file.range(declaration.name).lowerBound,
        isPublic: declaration.modifiers.contains { ["public", "open"].contains($0.name.text) }
    )
}

private func change(
    of declaration: ClassDeclSyntax,
    _ modelClass: ModelClass,
    _ file: ParsedFile
) -> ClassDeclaration.Change {
    let name = modelClass.name
    let entity = modelClass.entity.name
    let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type
    let inherited = superclass.map { file.text($0) }
    if inherited == modelClass.baseName { return .none }
    let isOfCoreData = ["NSManagedObject", "CoreData.NSManagedObject"].contains(inherited)
    switch modelClass.generation {
    case .classDefinition where isOfCoreData:
        return .stays(
            reason: "class '\(name)' is generated, because the codegen of entity '\(entity)' is Class Definition; move "
                + "the members into an extension and delete the class, or set the codegen to Category/Extension"
        )
    case .none where isOfCoreData:
        return .stays(
            reason: "no code is generated for entity '\(entity)' according to the configuration file, so class "
                + "'\(name)' has no generated superclass; remove the setting, or replace the '@NSManaged' properties"
        )
    case .classDefinition, .none: return .unrelated
    case .category, .categoryToConfigure: break
    }
    guard let superclass, let inherited else {
        return .stays(
            reason: "class '\(name)' of entity '\(entity)' has no superclass; let it inherit from "
                + "'\(modelClass.baseName)', which is generated"
        )
    }
    if declaration.genericParameterClause != nil {
        return .stays(reason: "class '\(name)' of entity '\(entity)' is generic; remove its generic parameters")
    }
    let last = inherited.split(separator: ".").last.map(String.init) ?? ""
    if isOfCoreData || modelClass.parent != nil && last == modelClass.parent { return .inherit(file.range(superclass)) }
    return .stays(
        reason:
            "class '\(name)' of entity '\(entity)' inherits from '\(inherited)', which is not the class of its parent "
            + "entity; let '\(name)' inherit from '\(modelClass.baseName)', and move the members of '\(inherited)' into "
            + "a protocol extension"
    )
}

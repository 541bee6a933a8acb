internal import SwiftSyntax

extension Rewriter {
    /// Returns the range of a member that the generated class has, with its doc comment and the comment on its line.
    func removedMember(_ item: MemberBlockItemSyntax, ofClass className: String) -> Range<Int>? {
        guard canRemoveMember(item, ofClass: className) else { return nil }
        let start = item.positionAfterSkippingLeadingTrivia.utf8Offset
        let first = item.leadingTrivia.startOfComments(before: start, where: \.isDocComment)
        if first < start || item.trailingTrivia.hasComments || hasInnerComments(item),
            let name = propertyNames(item.decl)?.first
        {
            report(
                .comment,
                .note,
                at: start,
                "the comment of '\(name)' is removed with the property; to keep it, add it to the model as the user "
                    + "info 'documentation'"
            )
        }
        needScalars(item.decl, ofClass: className)
        return first..<item.endPosition.utf8Offset
    }

    /// Records the settings of the model that the types of removed properties need.
    private func needScalars(_ declaration: DeclSyntax, ofClass className: String) {
        guard let names = propertyNames(declaration), let variable = declaration.as(VariableDeclSyntax.self) else {
            return
        }
        for (name, binding) in zip(names, variable.bindings) {
            guard let type = binding.typeAnnotation?.type,
                let (owner, property) = index.declaration(of: name, ofClass: className),
                let isScalar = property.needsScalar(forType: file.text(type))
            else { continue }
            need(ScalarSetting(model: owner.model, entity: owner.entity.name, attribute: name, isScalar: isScalar))
        }
    }

    /// Returns a Boolean value that indicates whether the generated class, or the layer of Core Data's names, has a
    /// member.
    func canRemoveMember(_ item: MemberBlockItemSyntax, ofClass className: String) -> Bool {
        guard adoptedClasses.contains(className), let modelClass = index.classes[className] else { return false }
        if isFetchRequestFunction(item.decl, modelClass) { return true }
        return isManaged(item.decl) && managedProblem(item.decl, modelClass) == nil
    }

    /// Reports an `@NSManaged` declaration that is not removed.
    func reportManaged(_ node: Syntax, _ scope: Scope) {
        guard let declaration = node.as(DeclSyntax.self), isManaged(declaration) else { return }
        let offset = file.range(declaration).lowerBound
        guard scope.isMember, let name = scope.className, let modelClass = index.classes[name] else {
            let type = enclosingTypeName(node)
            guard isFirstReport(of: type) else { return }
            report(
                .managedProperty,
                at: offset,
                "'@NSManaged' needs the Objective-C runtime, and '\(type)' is not the class of an entity of the models "
                    + "that were read; add its model with '--model'"
            )
            return
        }
        // The class is reported at its declaration.
        guard !keptClasses.contains(name) else { return }
        if let problem = managedProblem(declaration, modelClass) {
            report(.managedProperty, at: offset, problem)
        } else if isFirstReport(of: name) {
            let isGenerated =
                switch modelClass.generation {
                case .category, .categoryToConfigure: true
                case .classDefinition, .none: false
                }
            report(
                .managedProperty,
                at: offset,
                isGenerated
                    ? "'@NSManaged' stays, because class '\(name)' is not in the sources that were read; run the command "
                        + "on a folder that contains the class"
                    : "'@NSManaged' stays, because '\(name)' has no generated superclass with its settings in the model and "
                        + "the configuration file; set its codegen to Category/Extension"
            )
        }
    }

    private func isManaged(_ declaration: DeclSyntax) -> Bool {
        let attributes =
            declaration.as(VariableDeclSyntax.self)?.attributes
            ?? declaration.as(FunctionDeclSyntax.self)?.attributes
        return attributes?.first(named: "NSManaged") != nil
    }

    private func enclosingTypeName(_ node: Syntax) -> String {
        var parent = node.parent
        while let current = parent {
            if let type = current.as(ClassDeclSyntax.self) { return type.name.text }
            if let type = current.as(ExtensionDeclSyntax.self) { return file.text(type.extendedType) }
            parent = current.parent
        }
        return file.path
    }

    /// The names that a declaration of properties declares, or `nil` for another declaration.
    private func propertyNames(_ declaration: DeclSyntax) -> [String]? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return nil }
        let names = variable.bindings.map { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.name }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }

    /// Returns the reason why the generated class does not replace an `@NSManaged` declaration, or `nil`.
    private func managedProblem(_ declaration: DeclSyntax, _ modelClass: ModelClass) -> String? {
        let entity = modelClass.entity.name
        if let function = declaration.as(FunctionDeclSyntax.self) {
            guard !isAccessor(function, ofClass: modelClass.name) else { return nil }
            return "entity '\(entity)' has no to-many relationship whose generated functions include "
                + "'\(function.name.text)'; replace the function, or add the relationship to the model"
        }
        guard let names = propertyNames(declaration), let variable = declaration.as(VariableDeclSyntax.self) else {
            return "the form of this '@NSManaged' declaration is unknown; write one property with its type"
        }
        for (name, binding) in zip(names, variable.bindings) {
            guard let property = index.property(name, ofClass: modelClass.name) else {
                if let attribute = attributeOfPrimitive(name, modelClass) {
                    return "'\(name)' has no generated property; call 'primitiveValue(forKey: \"\(attribute)\")' and "
                        + "'setPrimitiveValue(_:forKey:)' in a computed property without '@NSManaged'"
                }
                return
                    "entity '\(entity)' has no property '\(name)'; add it to the model, or replace '@NSManaged' by a "
                    + "computed property"
            }
            let type = (binding.typeAnnotation?.type).map { file.text($0) } ?? ""
            if let problem = typeProblem(type, property, entity) { return problem }
        }
        return nil
    }

    /// Returns the name of the property whose primitive value Core Data stores in `primitiveName`.
    private func attributeOfPrimitive(_ name: String, _ modelClass: ModelClass) -> String? {
        guard name.hasPrefix("primitive") else { return nil }
        let rest = name.dropFirst("primitive".count)
        return [rest.prefix(1).lowercased() + rest.dropFirst(), String(rest)].first {
            index.property($0, ofClass: modelClass.name) != nil
        }
    }

    /// Returns a problem if an attribute has a user's type, which the generated property has only if user info
    /// specifies it.
    private func typeProblem(_ text: String, _ property: ModelProperty, _ entity: String) -> String? {
        guard case .attribute(let modelType) = property.kind, scalarTypes.contains(modelType) else { return nil }
        let type = text.filter { !"?! ".contains($0) }
        let plain = type.split(separator: ".").last.map(String.init) ?? type
        let chosen = ["RawType", "attributeValueScalarType", "attributeValueClassName"].compactMap {
            property.userInfo[$0]
        }
        if chosen.contains(type) { return nil }
        if let problem = scalarProblem(text, property, modelType, entity) { return problem }
        if standardTypes.contains(plain) { return nil }
        return
            "'\(property.name)' has type '\(type)', but the attribute of entity '\(entity)' has type '\(modelType)'; add "
            + "the user info 'RawType' with the value '\(type)' to the attribute, and run the command again"
    }

    /// Returns a problem if a property has a scalar type that the generated property cannot have.
    private func scalarProblem(
        _ text: String,
        _ property: ModelProperty,
        _ modelType: String,
        _ entity: String
    ) -> String? {
        let type = unqualifiedType(text)
        guard let generated = scalarTypesByAttributeType[modelType], !generated.contains(type),
            scalarTypesByAttributeType.values.contains(where: { $0.contains(type) })
        else { return nil }
        let isInteger = type.hasPrefix("Int") && modelType.hasPrefix("Integer")
        let remedy =
            isInteger
            ? "add the user info 'attributeValueScalarType' with the value '\(type)' to the attribute"
            : "declare the property with the type of the attribute"
        return
            "'\(property.name)' has type '\(type)', but the attribute of entity '\(entity)' has type '\(modelType)'; "
            + "\(remedy), and run the command again"
    }

    /// Returns a Boolean value that indicates whether a function is one that Xcode generates for a relationship.
    private func isAccessor(_ function: FunctionDeclSyntax, ofClass className: String) -> Bool {
        guard function.body == nil else { return false }
        let labels = function.signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined()
        let signature = "\(function.name.name)(\(labels))"
        return index.toManyRelationships(ofClass: className).contains { relationship in
            guard case .relationship(_, _, let isOrdered) = relationship.kind else { return false }
            let name = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
            let functions = ["addTo\(name)(_:)", "removeFrom\(name)(_:)"]
            let ordered = ["insertInto\(name)(_:at:)", "removeFrom\(name)(at:)", "replace\(name)(at:with:)"]
            return (isOrdered ? functions + ordered : functions).contains(signature)
        }
    }

    /// Returns a Boolean value that indicates whether a declaration is the function `fetchRequest()` in exactly the
    /// forms that versions of Xcode generate, apart from whitespace.
    private func isFetchRequestFunction(_ declaration: DeclSyntax, _ modelClass: ModelClass) -> Bool {
        guard declaration.is(FunctionDeclSyntax.self) else { return false }
        let text = file.text(declaration).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let request = "NSFetchRequest<\(modelClass.name)>"
        let body = "return \(request)(entityName: \"\(modelClass.entity.name)\")"
        return ["public ", ""].contains { access in
            ["", ";"].contains { end in
                text == "@nonobjc \(access)class func fetchRequest() -> \(request) { \(body)\(end) }"
            }
        }
    }
}

/// The attribute types of the model whose Swift type does not depend on the user.
private let scalarTypes: Set<String> = [
    "Binary", "Boolean", "Date", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64", "String",
    "URI",
    "UUID",
]

/// The types that properties of these attributes have in code for Core Data.
private let standardTypes: Set<String> = [
    "Any", "Bool", "CGFloat", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Int8",
    "NSData", "NSDate", "NSDecimalNumber", "NSNumber", "NSObject", "NSString", "NSURL", "NSUUID", "String",
    "TimeInterval", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
]

internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate

/// Finds attributes whose type in Swift is not the type that the model specifies, and keys for other tools that have no
/// meaning in Chordata.
func checkStyles(_ version: ModelVersion, _ context: GenerationContext) -> [Diagnostic] {
    var checker = StyleChecker(version: version, context: context)
    for entity in context.model.entities {
        checker.check(entity.userInfo, of: "entity '\(entity.name)'", nil, entity.name)
        checker.checkImports(of: entity)
        checker.checkFullText(of: entity)
        for attribute in entity.declaredAttributes { checker.check(attribute, of: entity.name) }
        for relationship in entity.declaredRelationships {
            checker.check(
                relationship.userInfo,
                of: "'\(relationship.name)' of '\(entity.name)'",
                relationship.name,
                entity.name
            )
        }
    }
    checker.checkSortKeys()
    return checker.diagnostics
}

private struct StyleChecker {
    let version: ModelVersion
    let context: GenerationContext
    private(set) var diagnostics: [Diagnostic] = []

    init(version: ModelVersion, context: GenerationContext) {
        self.version = version
        self.context = context
    }

    mutating func check(_ attribute: AttributeDescription, of entity: String) {
        let place = version.locations.property(attribute.name, of: entity)
        check(attribute.userInfo, of: "'\(attribute.name)' of '\(entity)'", attribute.name, entity)
        for leaf in GeneratedAttribute(attribute, firstField: 0, context).leaves {
            let name = "'\(leaf.path.joined(separator: "."))' of '\(entity)'"
            switch leaf.style.problem {
            case nil: break
            case .unknownClass(let type):
                report(
                    .untypedTransformable,
                    "\(name) has the custom class '\(type)', for which Chordata knows no Swift type, so the generated property has type 'Data'; set the Swift type of this class under "
                        + "'types' in \(context.configuration.fileName)",
                    at: place
                )
            case .optionalClass(let type):
                report(
                    .untypedTransformable,
                    "\(name) has the class '\(type)', an optional type, so the property is 'Data'; remove the "
                        + "question mark, because 'optional' of the attribute decides whether the value may be nil",
                    at: place
                )
            case .invalid(let key, let value):
                report(
                    .invalidUserInfo,
                    "'\(key.rawValue)' of \(name) is '\(value)', which is not a valid type for a "
                        + "'\(attribute.attributeType.rawValue)'; use a String or Integer attribute and an enumeration or "
                        + "another type with a raw value, or remove the key",
                    at: version.locations.userInfo(
                        key.spelling(in: attribute.userInfo) ?? key.rawValue,
                        of: attribute.name,
                        in: entity
                    )
                )
            }
        }
    }

    mutating func checkImports(of entity: EntityDescription) {
        for name in additionalImports(of: entity) where !Namer.isModuleName(name) {
            report(
                .invalidUserInfo,
                "'\(UserInfoKey.additionalImports.rawValue)' of entity '\(entity.name)' has '\(name)', which is not "
                    + "a module name; write module names separated by commas",
                at: version.locations.userInfo(UserInfoKey.additionalImports.rawValue, in: entity.name)
            )
        }
    }

    mutating func checkFullText(of entity: EntityDescription) {
        do throws(FullTextProblem) {
            _ = try context.model.declaredFullText(of: entity)
        } catch {
            let key = FullTextDeclaration.userInfoKey
            report(
                .invalidUserInfo,
                "'\(key)' of entity '\(entity.name)' gives no full-text index: \(error.message)",
                at: version.locations.userInfo(key, in: entity.name)
            )
        }
    }

    /// Finds keys of mogenerator that Chordata does not support.
    mutating func check(_ userInfo: [String: String], of subject: String, _ property: String?, _ entity: String) {
        guard !userInfo.isEmpty else { return }
        func place(_ key: UserInfoKey) -> SourceLocation? {
            version.locations.userInfo(key.spelling(in: userInfo) ?? key.rawValue, of: property, in: entity)
        }
        let reasons: [(UserInfoKey, String)] = [
            (.customBaseClass, "every class is a 'ManagedObject'"),
            (.attributeTransformableProtocols, "generated code has no Objective-C protocols"),
            (.additionalHeaderFileName, "generated code has no headers"),
        ]
        for (key, reason) in reasons where key.value(in: userInfo) != nil {
            report(
                .invalidUserInfo,
                "'\(key.rawValue)' of \(subject) has no effect: \(reason); remove it",
                at: place(key)
            )
        }
        if UserInfoKey.usesScalarAttributeType.flag(in: userInfo) == false {
            let rule =
                switch context.configuration.optionality {
                case .model: "numbers are always scalars"
                case .coreData: "'Use Scalar Type' of the attribute decides"
                }
            report(
                .invalidUserInfo,
                "'\(UserInfoKey.usesScalarAttributeType.rawValue)' of \(subject) has no effect: \(rule); remove it",
                at: place(.usesScalarAttributeType)
            )
        }
    }

    /// Finds sort keys of fetch requests and fetched properties that are not valid key paths.
    mutating func checkSortKeys() {
        for template in context.model.fetchRequestTemplates {
            guard let text = sortKeysText(of: template, in: context.model) else { continue }
            let name = sortKeysName(of: template)
            checkSortKeys(
                text,
                of: template.entityName,
                "'\(name)' of entity '\(template.entityName)'",
                at: version.locations.userInfo(name, in: template.entityName)
            )
        }
        for entity in context.model.entities {
            for property in entity.declaredFetchedProperties {
                let name = FetchedPropertyDescription.sortKeysName
                guard let text = property.userInfo[name] else { continue }
                checkSortKeys(
                    text,
                    of: property.fetchRequest.entityName,
                    "'\(name)' of fetched property '\(property.name)' of '\(entity.name)'",
                    at: version.locations.userInfo(name, of: property.name, in: entity.name)
                )
            }
        }
    }

    private mutating func checkSortKeys(
        _ text: String,
        of entityName: String,
        _ subject: String,
        at place: SourceLocation?
    ) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ").map(String.init)
            guard let path = words.first, words.count < 3,
                ["ASC", "DESC"].contains(words.dropFirst().first?.uppercased() ?? "ASC")
            else {
                report(
                    .unknownSortKey,
                    "\(subject) has the invalid sort key '\(part)'; write a key path, optionally followed by ASC or DESC",
                    at: place
                )
                continue
            }
            do throws(FetchPredicateError) {
                _ = try bindSortKeyPath(path, to: entityName, in: context.model)
            } catch {
                report(.unknownSortKey, "user info key \(subject): \(error.message)", at: place)
            }
        }
    }

    private mutating func report(_ id: DiagnosticID, _ message: String, at place: SourceLocation?) {
        diagnostics.append(Diagnostic(id, message, at: place))
    }
}

/// Finds entities that the configuration names but the model does not have.
func checkConfiguration(_ context: GenerationContext) -> [Diagnostic] {
    let names = Set(context.model.entities.map(\.name))
    return context.configuration.entities.filter { !names.contains($0.key) }.map { name, entity in
        Diagnostic(
            .unknownConfigurationKey,
            "there is no entity '\(name)' in the model; remove its settings, or correct the name",
            at: entity.location
        )
    }
}

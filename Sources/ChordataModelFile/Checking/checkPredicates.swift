internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

extension ModelChecker {
    /// Checks the predicates of fetch requests and fetched properties, and the expressions of derived attributes, and
    /// reports where in the file their problems are.
    mutating func checkPredicates() {
        for template in model.fetchRequestTemplates {
            check(
                template,
                "predicate of fetch request '\(template.name)'",
                at: locations.fetchRequestElement(template.name)?.attribute(.predicateString)
            )
        }
        // Few files have derived attributes, and there may be thousands of attributes to search.
        if locations.hasAttribute(.derived) {
            for entity in model.entities {
                for attribute in entity.declaredAttributes where attribute.isDerived {
                    checkDerivation(attribute, of: entity.name)
                }
            }
        }
        if locations.hasAttribute(.partialIndexPredicate) {
            for entity in entities(where: { !$0.declaredIndexes.isEmpty }) { checkIndexConditions(of: entity) }
        }
        for entity in entities(where: { !$0.declaredFetchedProperties.isEmpty }) {
            for property in entity.declaredFetchedProperties {
                let request = locations.propertyElement(property.name, of: entity.name)?.children(named: .fetchRequest)
                check(
                    property.fetchRequest,
                    "predicate of fetched property '\(property.name)' of '\(entity.name)'",
                    at: request?.first?.attribute(.predicateString),
                    source: (entity.name, property),
                    hasVariables: false
                )
            }
        }
    }

    private mutating func checkIndexConditions(of entity: EntityDescription) {
        for element in locations.entityElement(entity.name)?.children(named: .fetchIndex) ?? [] {
            guard let attribute = element.attribute(.partialIndexPredicate), attribute.valueLength > 0 else { continue }
            let name = element[.name] ?? ""
            check(
                FetchRequestTemplate(name: name, entityName: entity.name, predicateFormat: attribute.value),
                "condition of index '\(name)' of '\(entity.name)'",
                at: attribute,
                hasVariables: false
            )
        }
    }

    private mutating func checkDerivation(_ attribute: AttributeDescription, of entity: String) {
        guard let format = attribute.derivationExpression else { return }
        do throws(FetchPredicateError) {
            try FetchExpression(format: format).checkValue(of: attribute, of: entity, in: model)
        } catch {
            let element = locations.propertyElement(attribute.name, of: entity)
            report(
                error,
                "derivation of attribute '\(attribute.name)' of '\(entity)'",
                at: element?.attribute(.derivationExpression)
            )
        }
    }

    /// - Parameters:
    ///   - source: The entity of `$FETCH_SOURCE`, and the fetched property.
    ///   - hasVariables: A Boolean value that indicates whether variables get values.
    private mutating func check(
        _ template: FetchRequestTemplate,
        _ subject: String,
        at attribute: AttributeSyntax?,
        source: (entityName: String, property: FetchedPropertyDescription)? = nil,
        hasVariables: Bool = true
    ) {
        guard let format = template.predicateFormat else { return }
        do throws(FetchPredicateError) {
            var predicate = try FetchPredicate(format: format)
            if let source {
                predicate = predicate.replacingFetchedProperty(with: source.property)
                // The values of the source are known only when the property is read, but its key paths can be checked
                // now.
                var paths: [String] = []
                predicate = predicate.replacing(variable: "FETCH_SOURCE", with: .null) { keys in
                    paths.append(keys.joined(separator: "."))
                    return .null
                }
                for path in paths { _ = try bindKeyPath(path, to: source.entityName, in: model) }
            }
            if !hasVariables, let variable = predicate.variables.sorted().first {
                let remedy =
                    variable == "FETCHED_PROPERTY"
                    ? "it must be followed by 'name', or by 'userInfo' and a key of the user info of the fetched property"
                    : "write a constant instead"
                report(
                    .conflictingVariable,
                    "\(subject): variable '$\(variable)' has no value here; \(remedy)",
                    at: attribute?.valueLocation
                )
                return
            }
            _ = try inferVariableTypes(of: predicate, entityName: template.entityName, model: model)
        } catch {
            report(error, subject, at: attribute, isOfRequest: true)
        }
    }

    private mutating func report(
        _ error: FetchPredicateError,
        _ subject: String,
        at attribute: AttributeSyntax?,
        isOfRequest: Bool = false
    ) {
        let id: DiagnosticID =
            switch error.kind {
            case .malformed, .unsupported, .tooComplex: .malformedPredicate
            case .unknownKey: .unknownKey
            case .typeMismatch: .typeMismatch
            case .variable: .conflictingVariable
            }
        // Older versions cannot be changed; a request that cannot work in an older version is left out.
        report(
            id,
            "\(subject): \(error.message)",
            at: attribute?.location(ofByte: error.offset),
            severity: isHistory && isOfRequest ? .warning : nil
        )
    }
}

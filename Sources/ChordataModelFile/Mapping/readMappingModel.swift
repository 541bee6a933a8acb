package import ChordataDiagnostics

/// Reads the `xcmapping.xml` of an `.xcmappingmodel`.
package func readMappingModel(_ file: ModelSourceFile) -> (mapping: MappingModel?, diagnostics: [Diagnostic]) {
    switch parseSyntax(file) {
    case .failure(let failure): return (nil, [failure.diagnostic])
    case .success(let tree):
        return withExtendedLifetime(tree) { () -> (mapping: MappingModel?, diagnostics: [Diagnostic]) in
            guard let mapping = MappingReader(tree.root).read() else {
                let message =
                    "the file is not a mapping model: it has no object of type XDDEVMAPPINGMODEL with the paths of "
                    + "two versions; give the path of an '.xcmappingmodel'"
                return (nil, [Diagnostic(.notAModel, message, at: tree.root.location)])
            }
            return (mapping, [])
        }
    }
}

/// A reader of the file, which is an XML store of Core Data: objects with attributes, and with the IDs of other
/// objects.
private struct MappingReader {
    private struct Object {
        var type: String
        var attributes: [String: String] = [:]
        var references: [String: [String]] = [:]
    }

    private var objects: [String: Object] = [:]

    init(_ root: ElementSyntax) {
        for element in root.children where element.nameText == "object" {
            guard let type = element.attribute("type"), let number = element.attribute("id") else { continue }
            var object = Object(type: type)
            for child in element.children {
                guard let name = child.attribute("name") else { continue }
                if child.nameText == "attribute" {
                    // An expression that was emptied in Xcode still exists.
                    let text = child.text
                    if !text.isEmpty { object.attributes[name] = text }
                } else if child.nameText == "relationship" {
                    let numbers = child.attribute("idrefs") ?? ""
                    object.references[name] = numbers.split(separator: " ").map(String.init)
                }
            }
            objects[number] = object
        }
    }

    func read() -> MappingModel? {
        guard let model = objects.values.first(where: { $0.type == "XDDEVMAPPINGMODEL" }),
            let source = model.attributes["sourcemodelpath"], let destination = model.attributes["destinationmodelpath"]
        else { return nil }
        let entities = referred(model, "entitymappings").sorted { left, right in
            let numbers = [left, right].map { Int($0.attributes["mappingnumber"] ?? "") ?? 0 }
            return (numbers[0], name(of: left)) < (numbers[1], name(of: right))
        }
        return MappingModel(
            sourceVersionName: versionName(source),
            destinationVersionName: versionName(destination),
            entities: entities.map(entity)
        )
    }

    private func referred(_ object: Object, _ relationship: String) -> [Object] {
        (object.references[relationship] ?? []).compactMap { objects[$0] }
    }

    private func versionName(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.hasSuffix(".xcdatamodel") ? String(last.dropLast(".xcdatamodel".count)) : last
    }

    private func name(of object: Object) -> String {
        object.attributes["name"]
            ?? "\(object.attributes["sourcename"] ?? "")To\(object.attributes["destinationname"] ?? "")"
    }

    private func entity(_ object: Object) -> MappingModel.EntityMapping {
        func properties(_ relationship: String) -> [MappingModel.PropertyMapping] {
            referred(object, relationship).compactMap { property in
                property.attributes["name"].map { name in
                    MappingModel.PropertyMapping(
                        name: name,
                        expression: property.attributes["valueexpressiondata"].map { MappedExpression(archive: $0) },
                        sourceKeyPath: property.attributes["sourcekeypath"],
                        sourceMappingName: property.attributes["sourcemappingname"]
                    )
                }
            }.sorted { $0.name < $1.name }
        }
        return MappingModel.EntityMapping(
            name: name(of: object),
            sourceName: object.attributes["sourcename"],
            destinationName: object.attributes["destinationname"],
            policyClassName: object.attributes["migrationpolicyclassname"],
            predicate: object.attributes["sourcefilterpredicatestring"],
            attributes: properties("attributemappings"),
            relationships: properties("relationshipmappings")
        )
    }
}

extension ElementSyntax {
    /// An attribute that model files do not have.
    fileprivate func attribute(_ name: String) -> String? { attributes.first { $0.nameText == name }?.value }
}

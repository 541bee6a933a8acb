internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// The reason why a model cannot be read.
struct DataModelError: Error {
    let path: String
    let message: String
}

/// Reads the current version of a model and its configuration.
/// - Parameter path: An `.xcdatamodeld` or `.xcdatamodel`.
/// - Throws: `DataModelError`.
func readDataModel(at path: String) throws(DataModelError) -> DataModel {
    let version = try currentVersion(ofModelAt: path)
    let contents = version.appendingPathComponent("contents")
    guard let data = try? Data(contentsOf: contents) else {
        throw DataModelError(
            path: path,
            message: "'\(version.lastPathComponent)' has no readable file 'contents'; check that it is a model"
        )
    }
    guard let entities = readEntities(data) else {
        throw DataModelError(
            path: path,
            message: "'\(version.lastPathComponent)/contents' is not a valid model; run 'chordata validate' to see why"
        )
    }
    let configuration: ModelConfiguration
    do {
        configuration = try ModelConfiguration(besideModelAt: path)
    } catch {
        throw DataModelError(
            path: path,
            message: "the configuration file of the model is not valid; run 'chordata validate' to see why"
        )
    }
    let shown = path.hasSuffix("/") ? String(path.dropLast()) : path
    let isBundle = URL(fileURLWithPath: path).pathExtension == "xcdatamodeld"
    return DataModel(
        path: path,
        entities: entities,
        configuration: configuration,
        contents: ModelContents(
            path: shown + (isBundle ? "/\(version.lastPathComponent)" : "") + "/contents",
            bytes: [UInt8](data),
            isLinked: isBundle && isSymbolicLink(version) || isSymbolicLink(contents)
        )
    )
}

private func isSymbolicLink(_ file: URL) -> Bool {
    // The file was read, so this fails only if it was removed since then; writing it reports that.
    let type = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
    return type == .typeSymbolicLink
}

/// Returns the entities of the XML of a model, or `nil` if it is not a model.
func readEntities(_ contents: Data) -> [ModelEntity]? {
    let reader = EntityReader()
    let parser = XMLParser(data: contents)
    parser.delegate = reader
    // Off Apple's platforms, 'parse()' also returns true for texts that are not well-formed.
    return parser.parse() && parser.parserError == nil && reader.isModel ? reader.entities : nil
}

private func currentVersion(ofModelAt path: String) throws(DataModelError) -> URL {
    let bundle = URL(fileURLWithPath: path)
    if bundle.pathExtension == "xcdatamodel" { return bundle }
    guard bundle.pathExtension == "xcdatamodeld" else {
        throw DataModelError(
            path: path,
            message: "this is not the path of a model; give a path that ends with '.xcdatamodeld' or '.xcdatamodel'"
        )
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: bundle.path) else {
        throw DataModelError(
            path: path,
            message: "there is no readable model at this path; correct the path, or run 'chordata validate' to see why"
        )
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") && !$0.hasPrefix(".") }.map { String($0.dropLast(12)) }
    if let data = try? Data(contentsOf: bundle.appendingPathComponent(".xccurrentversion")),
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
        let name = list["_XCCurrentVersionName"] as? String
    {
        let wanted = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(12)) : name
        guard versions.contains(wanted) else {
            throw DataModelError(path: path, message: "the current version '\(name)' is not in the bundle")
        }
        return bundle.appendingPathComponent(wanted + ".xcdatamodel")
    }
    // As in Chordata, the last version is used if no version is named; 'Shop 10' comes after 'Shop 9'.
    let last = versions.max { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
    guard let last else {
        throw DataModelError(path: path, message: "the bundle has no version; add an '.xcdatamodel'")
    }
    return bundle.appendingPathComponent(last + ".xcdatamodel")
}

/// Collects the entities of a model file.
private final class EntityReader: NSObject, XMLParserDelegate {
    private(set) var entities: [ModelEntity] = []
    private(set) var isModel = false
    /// The names of the open elements.
    private var path: [String] = []
    private var entity: [String: String] = [:]
    private var properties: [String: ModelProperty] = [:]
    private var property: ModelProperty?

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        path.append(name)
        if path == ["model"] { isModel = true }
        if path == ["model", "entity"] {
            entity = attributes
            properties = [:]
        } else if path.count == 3, path.starts(with: ["model", "entity"]) {
            property = makeProperty(name, attributes)
        } else if path.count == 5, path.suffix(2) == ["userInfo", "entry"], let key = attributes["key"] {
            property?.userInfo[key] = attributes["value"] ?? ""
        }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        if path == ["model", "entity"], let name = entity["name"] {
            entities.append(
                ModelEntity(
                    name: name,
                    representedClassName: entity["representedClassName"],
                    parent: entity["parentEntity"],
                    codegen: ModelCodegen(text: entity["codeGenerationType"]),
                    properties: properties
                )
            )
        } else if path.count == 3, let property {
            properties[property.name] = property
            self.property = nil
        }
        _ = path.popLast()
    }

    private func makeProperty(_ element: String, _ attributes: [String: String]) -> ModelProperty? {
        guard let name = attributes["name"] else { return nil }
        switch element {
        case "attribute":
            return ModelProperty(
                name: name,
                kind: .attribute(type: attributes["attributeType"] ?? ""),
                isScalar: ["YES", "true", "1"].contains(attributes["usesScalarValueType"])
            )
        case "relationship":
            return ModelProperty(
                name: name,
                kind: .relationship(
                    destination: attributes["destinationEntity"] ?? "",
                    isToMany: attributes["toMany"] == "YES",
                    isOrdered: attributes["ordered"] == "YES"
                )
            )
        case "fetchedProperty":
            return ModelProperty(name: name, kind: .fetchedProperty)
        case _:
            return nil
        }
    }
}

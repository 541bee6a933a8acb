internal import CChordataXML
package import ChordataDiagnostics
internal import Synchronization

/// The places of a model's parts, for passes that find mistakes after the file was read.
package struct ModelLocations: Sendable {
    private let tree: SyntaxTree
    /// Where the entities stand in ``elements``.
    private let positions: [String: Int]
    /// The numbers of the entities' elements.
    private let elements: [Int]

    private let tables = ElementTables()

    init(_ resolver: ModelResolver) {
        tree = resolver.tree
        positions = resolver.positions
        elements = resolver.entities.map(\.element.index)
    }

    /// The model element.
    package var model: SourceLocation { tree.root.location }

    /// The name of an entity.
    package func entity(_ name: String) -> SourceLocation? { entityElement(name)?.place(.name) }

    /// The name of an attribute, relationship or fetched property.
    /// - Complexity: O(n) in the number of the entity's properties the first time, O(1) later.
    package func property(_ name: String, of entity: String) -> SourceLocation? {
        tables.properties(of: entity) { propertyElements(of: entity).mapValues(\.index) }[name]
            .map { tree.element($0).place(.name) }
    }

    /// The name of a fetch request of the model.
    package func fetchRequest(_ name: String) -> SourceLocation? {
        tables.fetchRequests { fetchRequestElements().mapValues(\.index) }[name].map { tree.element($0).place(.name) }
    }

    /// The version of the Xcode tools that wrote the file; `nil` when it does not say.
    var toolsVersion: Double? { tree.root[.lastSavedToolsVersion].flatMap { Double($0) } }

    /// Whether any element of the file has an attribute.
    func hasAttribute(_ name: ModelName) -> Bool {
        let present = tree.storage.pointee.document.present
        let bits = name.rawValue < 64 ? present.0 : present.1
        return bits & (1 << UInt64(name.rawValue % 64)) != 0
    }

    /// The elements of an entity's properties by name.
    /// - Complexity: O(n) in the number of the entity's properties.
    func propertyElements(of entity: String) -> [String: ElementSyntax] {
        guard let element = entityElement(entity) else { return [:] }
        let properties = element.children.filter { child in
            switch child.name {
            case .attribute, .relationship, .fetchedProperty: true
            default: false
            }
        }
        return Dictionary(properties.map { ($0[.name] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The elements of the model's fetch requests by name.
    func fetchRequestElements() -> [String: ElementSyntax] {
        Dictionary(
            tree.root.children(named: .fetchRequest).map { ($0[.name] ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func entityElement(_ name: String) -> ElementSyntax? { positions[name].map { tree.element(elements[$0]) } }
}

/// The numbers of elements by name, made when they are first asked for.
private final class ElementTables: Sendable {
    private let propertyTables = Mutex<[String: [String: Int]]>([:])
    private let requestTable = Mutex<[String: Int]?>(nil)

    func properties(of entity: String, make: () -> [String: Int]) -> [String: Int] {
        propertyTables.withLock { tables in
            if let table = tables[entity] { return table }
            let table = make()
            tables[entity] = table
            return table
        }
    }

    func fetchRequests(make: () -> [String: Int]) -> [String: Int] {
        requestTable.withLock { table in
            if let table { return table }
            let made = make()
            table = made
            return made
        }
    }
}

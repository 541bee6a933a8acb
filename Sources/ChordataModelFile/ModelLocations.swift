internal import CChordataXML
package import ChordataDiagnostics
internal import ChordataModel
internal import Synchronization

/// The locations of a model's elements in its file, for passes that find mistakes after the file was read.
package struct ModelLocations: Sendable {
    private let tree: SyntaxTree
    /// The indexes of the entities in ``elements``.
    private let positions: [String: Int]
    /// The indexes of the entities' elements in the tree.
    private let elements: [Int]
    private let tables = ElementTables()

    init(_ resolver: ModelResolver) {
        tree = resolver.tree
        positions = resolver.positions
        elements = resolver.entities.map(\.element.index)
    }

    /// The location of the `model` element.
    package var model: SourceLocation { tree.root.location }

    /// Returns the location of the name of an entity.
    package func entity(_ name: String) -> SourceLocation? { entityElement(name)?.place(.name) }

    /// Returns the location of the name of an attribute, relationship or fetched property.
    /// - Complexity: O(n) in the number of the entity's properties the first time, O(1) later.
    package func property(_ name: String, of entity: String) -> SourceLocation? {
        propertyElement(name, of: entity)?.place(.name)
    }

    /// Returns the location of the value of a user info entry of an entity or one of its properties; the location of
    /// the name of the entity or property if there is no such entry.
    package func userInfo(_ key: String, of property: String? = nil, in entity: String) -> SourceLocation? {
        let element = property.map { propertyElement($0, of: entity) } ?? entityElement(entity)
        guard let element else { return nil }
        let entries = element.children.filter { $0.name == .userInfo }.flatMap(\.children)
        // If the key is duplicated, the last value is used.
        return entries.last { $0.name == .entry && $0[.key] == key }?.place(.value) ?? element.place(.name)
    }

    /// Returns the location of the name of a fetch request of the model.
    package func fetchRequest(_ name: String) -> SourceLocation? { fetchRequestElement(name)?.place(.name) }

    /// Returns the fix-it that sets the renaming identifier of an entity or property to an earlier name; `nil` if it
    /// already has an identifier.
    package func renaming(_ property: String?, of entity: String, identifier: String) -> FixIt? {
        let element = property.map { propertyElement($0, of: entity) } ?? entityElement(entity)
        guard let element, element.attribute(.elementID) == nil, element.attribute(.renamingIdentifier) == nil else {
            return nil
        }
        var place = element.location
        place.column += 1 + element.nameText.utf8.count
        return FixIt(
            "set the renaming identifier to '\(identifier)'",
            at: place,
            length: 0,
            replacement: " elementID=\"\(escape(identifier, with: .xmlAttribute))\""
        )
    }

    /// The version of the Xcode tools that wrote the file; `nil` if the file does not name it.
    var toolsVersion: Double? { tree.root[.lastSavedToolsVersion].flatMap { Double($0) } }

    /// Returns a Boolean value that indicates whether any element of the file has an attribute.
    func hasAttribute(_ name: ModelName) -> Bool {
        let present = tree.storage.pointee.document.present
        let bits = name.rawValue < 64 ? present.0 : present.1
        return bits & (1 << UInt64(name.rawValue % 64)) != 0
    }

    /// Returns the element of an attribute, relationship or fetched property.
    /// - Complexity: O(n) in the number of the entity's properties the first time, O(1) later.
    func propertyElement(_ name: String, of entity: String) -> ElementSyntax? {
        tables.property(name, of: entity) {
            entityElement(entity).map { $0.children.filter { isProperty($0) } } ?? []
        }
        .map { tree.element($0) }
    }

    /// Returns the element of a fetch request of the model.
    /// - Complexity: O(n) in the number of fetch requests the first time, O(1) later.
    func fetchRequestElement(_ name: String) -> ElementSyntax? {
        tables.fetchRequest(name) { tree.root.children(named: .fetchRequest) }.map { tree.element($0) }
    }

    private func isProperty(_ element: ElementSyntax) -> Bool {
        element.name == .attribute || element.name == .relationship || element.name == .fetchedProperty
    }

    func entityElement(_ name: String) -> ElementSyntax? { positions[name].map { tree.element(elements[$0]) } }
}

/// The indexes of elements by name, computed on first use.
private final class ElementTables: Sendable {
    private let properties = Mutex<[String: [String: Int]]>([:])
    private let fetchRequests = Mutex<[String: Int]?>(nil)

    func property(_ name: String, of entity: String, elements: () -> [ElementSyntax]) -> Int? {
        properties.withLock { tables in
            if tables[entity] == nil { tables[entity] = Self.table(of: elements()) }
            return tables[entity]?[name]
        }
    }

    func fetchRequest(_ name: String, elements: () -> [ElementSyntax]) -> Int? {
        fetchRequests.withLock { table in
            if table == nil { table = Self.table(of: elements()) }
            return table?[name]
        }
    }

    private static func table(of elements: [ElementSyntax]) -> [String: Int] {
        Dictionary(elements.map { ($0[.name] ?? "", $0.index) }, uniquingKeysWith: { first, _ in first })
    }
}

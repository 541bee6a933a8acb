import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Each field of each description has a row.
///
/// A test fails if the comparison ignores a field, or if a field has no row.
struct CompareFieldsTests {
    /// A model in which one field has another value, and the changes that the comparison must report.
    struct Row: Sendable, CustomTestStringConvertible {
        var field: String
        var changed: ManagedObjectModel
        var expected: [String]

        var testDescription: String { field }
    }

    static let attribute = AttributeDescription(name: "name", attributeType: .string)
    static let relationship = RelationshipDescription(name: "boss", destinationEntityName: "Person")
    static let request = FetchRequestTemplate(name: "request", entityName: "Person")
    static let property = FetchedPropertyDescription(name: "friends", fetchRequest: request)
    static let index = FetchIndexDescription(name: "byName", elements: [.init(propertyName: "name")])
    static let configuration = ManagedObjectModel.Configuration(name: "Cloud", entityNames: ["Person"])

    static let base = EntityDescription(name: "Base")
    static let person = EntityDescription(
        name: "Person",
        attributes: [attribute],
        relationships: [relationship],
        fetchedProperties: [property],
        indexes: [index],
        uniquenessConstraints: [["name"]]
    )

    static func model(
        _ person: EntityDescription = person,
        request: FetchRequestTemplate = request,
        configuration: ManagedObjectModel.Configuration = configuration,
        version: String = ""
    ) -> ManagedObjectModel {
        do {
            return try ManagedObjectModel(
                versionIdentifier: version,
                entities: [person, base],
                fetchRequestTemplates: [request],
                configurations: [configuration]
            )
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func row<T>(
        _ field: String,
        _ value: T,
        _ expected: [String],
        _ change: (inout T) -> Void,
        _ model: (T) -> ManagedObjectModel
    ) -> Row {
        var value = value
        change(&value)
        return Row(field: field, changed: model(value), expected: expected)
    }

    // MARK: Rows

    private static func entity(
        _ field: String,
        _ expected: String...,
        change: (inout EntityDescription) -> Void
    ) -> Row {
        row(field, person, expected, change) {
            model($0, configuration: .init(name: configuration.name, entityNames: [$0.name]))
        }
    }

    private static func attribute(
        _ field: String,
        _ expected: String...,
        change: (inout AttributeDescription) -> Void
    ) -> Row {
        row(field, attribute, expected, change) {
            var entity = person
            entity.declaredAttributes = [$0]
            return model(entity)
        }
    }

    private static func relationship(
        _ field: String,
        _ expected: String...,
        change: (inout RelationshipDescription) -> Void
    ) -> Row {
        row(field, relationship, expected, change) {
            var entity = person
            entity.declaredRelationships = [$0]
            return model(entity)
        }
    }

    private static func property(
        _ field: String,
        _ expected: String...,
        change: (inout FetchedPropertyDescription) -> Void
    ) -> Row {
        row(field, property, expected, change) {
            var entity = person
            entity.declaredFetchedProperties = [$0]
            return model(entity)
        }
    }

    private static func request(
        _ field: String,
        _ expected: String...,
        change: (inout FetchRequestTemplate) -> Void
    ) -> Row {
        row(field, request, expected, change) { model(request: $0) }
    }

    private static func index(
        _ field: String,
        _ expected: String...,
        change: (inout FetchIndexDescription) -> Void
    ) -> Row {
        row(field, index, expected, change) {
            var entity = person
            entity.declaredIndexes = [$0]
            return model(entity)
        }
    }

    static let entityRows = [
        entity(
            "name",
            "~ renamed from Person",
            "~ relationship boss: destination Person → Human",
            change: {
                $0.name = "Human"
                $0.declaredRelationships[0].destinationEntityName = "Human"
            }
        ),
        entity("managedObjectClassName", "~ class name none → P") { $0.managedObjectClassName = "P" },
        entity("isAbstract", "~ concrete → abstract (may lose data)") { $0.isAbstract = true },
        entity("superentityName", "~ superentity none → Base") { $0.superentityName = "Base" },
        entity("codeGeneration", "~ code generation none → category") { $0.codeGeneration = .category },
        entity("renamingIdentifier", "~ renaming identifier Person → P") { $0.renamingIdentifier = "P" },
        entity("versionHashModifier", "~ hash modifier none → 2") { $0.versionHashModifier = "2" },
        entity("userInfo", "~ user info k none → v") { $0.userInfo = ["k": "v"] },
        entity("declaredAttributes", "- attribute name (may lose data)") { $0.declaredAttributes = [] },
        entity("declaredRelationships", "- relationship boss (may lose data)") { $0.declaredRelationships = [] },
        entity("declaredFetchedProperties", "- fetched property friends") {
            $0.declaredFetchedProperties = []
        },
        entity("declaredIndexes", "- index byName") { $0.declaredIndexes = [] },
        entity("declaredUniquenessConstraints", "- uniqueness constraint name") {
            $0.declaredUniquenessConstraints = []
        },
    ]

    static let attributeRows = [
        attribute("name", "- attribute name (may lose data)", "+ attribute title: String") {
            $0 = AttributeDescription(name: "title", attributeType: .string)
        },
        attribute("attributeType", "~ attribute name: String → Date (may lose data)") { $0.attributeType = .date },
        attribute("isOptional", "~ attribute name: required → optional") { $0.isOptional = true },
        attribute("isTransient", "~ attribute name: stored → transient (may lose data)") { $0.isTransient = true },
        attribute("defaultValue", "~ attribute name: default none → \"a\\n\"") {
            $0.defaultValue = .string("a\n")
        },
        attribute("usesScalarValueType", "~ attribute name: no scalar type → scalar type") {
            $0.usesScalarValueType = true
        },
        attribute("minimumValue", "~ attribute name: minimum none → 1") { $0.minimumValue = .integer(1) },
        attribute("maximumValue", "~ attribute name: maximum none → 1.5") { $0.maximumValue = .double(1.5) },
        attribute("regularExpression", "~ attribute name: regular expression none → .*") {
            $0.regularExpression = ".*"
        },
        attribute(
            "allowsExternalBinaryDataStorage",
            "~ attribute name: inline storage → external storage",
            change: { $0.allowsExternalBinaryDataStorage = true }
        ),
        attribute("valueTransformerName", "~ attribute name: transformer none → T") {
            $0.valueTransformerName = "T"
        },
        attribute("attributeValueClassName", "~ attribute name: value class none → V") {
            $0.attributeValueClassName = "V"
        },
        attribute("compositeName", "~ attribute name: composite none → C") { $0.compositeName = "C" },
        attribute("elements", "+ attribute name.first: Boolean") {
            $0.elements = [AttributeDescription(name: "first", attributeType: .boolean)]
        },
        attribute("derivationExpression", "~ attribute name: derivation none → now() (may lose data)") {
            $0.derivationExpression = "now()"
        },
        attribute("isIndexed", "~ attribute name: not indexed → indexed") { $0.isIndexed = true },
        attribute(
            "preservesValueInHistoryOnDeletion",
            "~ attribute name: not preserved in history → preserved in history",
            change: { $0.preservesValueInHistoryOnDeletion = true }
        ),
        attribute("allowsCloudEncryption", "~ attribute name: not encrypted in CloudKit → encrypted in CloudKit") {
            $0.allowsCloudEncryption = true
        },
        attribute("isIndexedBySpotlight", "~ attribute name: not in Spotlight → in Spotlight") {
            $0.isIndexedBySpotlight = true
        },
        attribute("isStoredInExternalRecord", "~ attribute name: not in external records → in external records") {
            $0.isStoredInExternalRecord = true
        },
        attribute("renamingIdentifier", "~ attribute name: renaming identifier name → n") {
            $0.renamingIdentifier = "n"
        },
        attribute("versionHashModifier", "~ attribute name: hash modifier none → 2") {
            $0.versionHashModifier = "2"
        },
        attribute("userInfo", "~ attribute name: user info k none → v") { $0.userInfo = ["k": "v"] },
    ]

    static let relationshipRows = [
        relationship("name", "- relationship boss (may lose data)", "+ relationship chief: to-one Person") {
            $0.name = "chief"
            $0.renamingIdentifier = "chief"
        },
        relationship("destinationEntityName", "~ relationship boss: destination Person → Base (may lose data)") {
            $0.destinationEntityName = "Base"
        },
        relationship("inverseName", "~ relationship boss: inverse none → staff") { $0.inverseName = "staff" },
        relationship("isToMany", "~ relationship boss: to-one → to-many") { $0.isToMany = true },
        relationship("isOrdered", "~ relationship boss: unordered → ordered") { $0.isOrdered = true },
        relationship("isOptional", "~ relationship boss: optional → required") { $0.isOptional = false },
        relationship("isTransient", "~ relationship boss: stored → transient (may lose data)") {
            $0.isTransient = true
        },
        relationship("minimumCount", "~ relationship boss: minimum count 0 → 1") { $0.minimumCount = 1 },
        relationship("maximumCount", "~ relationship boss: maximum count 1 → 9") { $0.maximumCount = 9 },
        relationship("deleteRule", "~ relationship boss: delete rule Nullify → Cascade") {
            $0.deleteRule = .cascade
        },
        relationship("renamingIdentifier", "~ relationship boss: renaming identifier boss → b") {
            $0.renamingIdentifier = "b"
        },
        relationship("versionHashModifier", "~ relationship boss: hash modifier none → 2") {
            $0.versionHashModifier = "2"
        },
        relationship("userInfo", "~ relationship boss: user info k none → v") { $0.userInfo = ["k": "v"] },
    ]

    static let propertyRows = [
        property("name", "+ fetched property fans: Person", "- fetched property friends") {
            $0.name = "fans"
        },
        property("fetchRequest", "~ fetched property friends: predicate none → TRUEPREDICATE") {
            $0.fetchRequest.predicateFormat = "TRUEPREDICATE"
        },
        property("isOptional", "~ fetched property friends: optional → required") { $0.isOptional = false },
        property("userInfo", "~ fetched property friends: user info k none → v") { $0.userInfo = ["k": "v"] },
    ]

    static let requestRows = [
        request("name", "+ fetch request all: Person", "- fetch request request") { $0.name = "all" },
        request("entityName", "~ fetch request request: entity Person → Base") { $0.entityName = "Base" },
        request("predicateFormat", "~ fetch request request: predicate none → x == 1") {
            $0.predicateFormat = "x == 1"
        },
        request("resultType", "~ fetch request request: result type managed objects → count") {
            $0.resultType = .count
        },
        request("fetchLimit", "~ fetch request request: limit 0 → 1") { $0.fetchLimit = 1 },
        request("fetchBatchSize", "~ fetch request request: batch size 0 → 1") { $0.fetchBatchSize = 1 },
        request("includesSubentities", "~ fetch request request: with subentities → without subentities") {
            $0.includesSubentities = false
        },
        request("includesPropertyValues", "~ fetch request request: with property values → without property values") {
            $0.includesPropertyValues = false
        },
        request("includesPendingChanges", "~ fetch request request: with pending changes → without pending changes") {
            $0.includesPendingChanges = false
        },
        request("returnsObjectsAsFaults", "~ fetch request request: as faults → as full objects") {
            $0.returnsObjectsAsFaults = false
        },
        request("returnsDistinctResults", "~ fetch request request: with duplicates → distinct") {
            $0.returnsDistinctResults = true
        },
    ]

    static let indexRows = [
        index("name", "- index byName", "+ index other: name ascending") { $0.name = "other" },
        index("elements", "~ index byName: name ascending → name descending") {
            $0.elements[0].isAscending = false
        },
        index("partialIndexPredicate", "~ index byName: predicate none → age > 1") {
            $0.partialIndexPredicate = "age > 1"
        },
    ]

    static let elementRows = [
        index("propertyName", "~ index byName: name ascending → age ascending") { $0.elements[0].propertyName = "age" },
        index("isAscending", "~ index byName: name ascending → name descending") { $0.elements[0].isAscending = false },
        index("collationType", "~ index byName: name ascending → name ascending by space") {
            $0.elements[0].collationType = .rTree
        },
    ]

    static let configurationRows = [
        Row(
            field: "name",
            changed: model(configuration: .init(name: "Local", entityNames: ["Person"])),
            expected: ["- configuration Cloud", "+ configuration Local: Person"]
        ),
        Row(
            field: "entityNames",
            changed: model(configuration: .init(name: "Cloud", entityNames: ["Base"])),
            expected: [
                "~ configuration Cloud: entity Base added", "~ configuration Cloud: entity Person removed",
            ]
        ),
    ]

    static let modelRows = [
        Row(
            field: "versionIdentifier",
            changed: model(version: "2"),
            expected: ["~ version identifier none → 2"]
        ),
        entity("entities", "~ class name none → P") { $0.managedObjectClassName = "P" },
        request("fetchRequestTemplates", "~ fetch request request: limit 0 → 1") { $0.fetchLimit = 1 },
        Row(
            field: "configurations",
            changed: model(configuration: .init(name: "Cloud", entityNames: [])),
            expected: ["~ configuration Cloud: entity Person removed"]
        ),
    ]

    // MARK: Tests

    static let rows =
        entityRows + attributeRows + relationshipRows + propertyRows + requestRows + indexRows + elementRows
        + configurationRows + modelRows

    @Test(arguments: rows)
    func everyFieldIsCompared(_ row: Row) throws {
        let plain = Self.model()
        let changes = compareModels(plain, row.changed)
        let lines = renderText(changes, oldName: "1", newName: "2").split(separator: "\n")
            .filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        expectEqual(lines, row.expected)
        expectEqual(changes.requireMigration, plain.versionHash != row.changed.versionHash)
        expectEqual(compareModels(row.changed, plain).count, changes.count)
        #expect(compareModels(row.changed, row.changed).isEmpty)
    }

    @Test func everyFieldHasARow() {
        func check(_ description: Any, _ rows: [Row], derived: Set<String> = []) {
            let fields = Set(Mirror(reflecting: description).children.compactMap(\.label)).subtracting(derived)
            #expect(fields.isEmpty == false)
            expectEqual(Set(rows.map(\.field)), fields, "\(type(of: description))")
        }
        check(
            Self.person,
            Self.entityRows,
            derived: [
                "attributes", "relationships", "fetchedProperties", "indexes", "uniquenessConstraints",
                "subentityNames",
                "rootEntityName",
            ]
        )
        check(Self.attribute, Self.attributeRows)
        check(Self.relationship, Self.relationshipRows)
        check(Self.property, Self.propertyRows)
        check(Self.request, Self.requestRows)
        check(Self.index, Self.indexRows)
        check(Self.index.elements[0], Self.elementRows)
        check(Self.configuration, Self.configurationRows)
        check(Self.model(), Self.modelRows, derived: ["indexByName"])
    }

    /// A fetched property's request is compared field by field as well.
    @Test(arguments: requestRows)
    func everyFieldOfAFetchedPropertysRequestIsCompared(_ row: Row) {
        var entity = Self.person
        entity.declaredFetchedProperties[0].fetchRequest = row.changed.fetchRequestTemplates[0]
        let changes = compareModels(Self.model(), Self.model(entity))
        expectEqual(changes.count, 1)
        expectEqual(changes.first?.subject, .fetchedProperty)
        expectEqual(changes.first?.aspect?.rawValue, row.field == "name" ? "fetchRequestName" : row.field)
    }

    /// An element of a composite is an attribute, so its fields are compared too.
    @Test(arguments: attributeRows.filter { $0.field != "elements" })
    func everyFieldOfAnElementIsCompared(_ row: Row) {
        func address(_ element: AttributeDescription) -> ManagedObjectModel {
            var entity = Self.person
            entity.declaredAttributes.append(
                AttributeDescription(name: "address", attributeType: .composite, elements: [element])
            )
            return Self.model(entity)
        }
        let (old, new) = (address(Self.attribute), address(row.changed.entities[0].declaredAttributes[0]))
        let changes = compareModels(old, new)
        expectEqual(changes.count, row.expected.count)
        #expect(changes.allSatisfy { $0.name?.hasPrefix("address.") == true })
        expectEqual(changes.requireMigration, old.versionHash != new.versionHash)
    }
}

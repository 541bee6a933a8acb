import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

struct AttributeValueCodableTests {
    private func json(_ value: AttributeValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func value(_ json: String) throws -> AttributeValue {
        try JSONDecoder().decode(AttributeValue.self, from: Data(json.utf8))
    }

    private func copy(_ value: AttributeValue) throws -> AttributeValue {
        // Strategies for dates, data and numbers are ignored if they would lose information.
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .deferredToData
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .deferredToData
        let copy = try decoder.decode(AttributeValue.self, from: encoder.encode(value))
        let list = try PropertyListEncoder().encode([value])
        expectEqual(try PropertyListDecoder().decode([AttributeValue].self, from: list), [copy])
        return copy
    }

    @Test(arguments: [0, 1, -1, .min, .max, 1 << 53 + 1] as [Int64])
    func integers(_ integer: Int64) throws { expectEqual(try copy(.integer(integer)), .integer(integer)) }

    private static let doubles: [Double] = [
        0, -0.0, 0.1, -1, 1e300, 5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, .pi, 1 / 3, 0x1p53 + 2, 1e23, .infinity, -.infinity,
    ]

    @Test(arguments: doubles) func doublesAndDates(_ double: Double) throws {
        guard case .double(let copied) = try copy(.double(double)) else {
            Issue.record("not a double")
            return
        }
        expectEqual(copied.bitPattern, double.bitPattern)
        guard case .date(let date) = try copy(.date(Date(timeIntervalSinceReferenceDate: double))) else {
            Issue.record("not a date")
            return
        }
        expectEqual(date.timeIntervalSinceReferenceDate.bitPattern, double.bitPattern)
    }

    @Test func notANumber() throws {
        guard case .double(let copied) = try value(json(.double(.nan))) else {
            Issue.record("not a double")
            return
        }
        #expect(copied.isNaN)
        expectEqual(try copy(.decimal(.nan)), .decimal(.nan))
    }

    @Test(arguments: [
        "0", "1.5", "-0.1", "99999999999999999999999999999999999999", "-12345678901234567890.123456789012345678",
        "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999e90", "1e127", "1e-127",
        "3.4028236692093846346337460743176821145", "1.10",
    ])
    func decimals(_ text: String) throws {
        let decimal = try #require(Decimal(string: text))
        expectEqual(try copy(.decimal(decimal)), .decimal(decimal))
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "A",
                attributes: [
                    AttributeDescription(name: "a", attributeType: .decimal, defaultValue: .decimal(decimal))
                ]
            )
        ])
        expectEqual(try ManagedObjectModel(serialized: model.serialized()), model)
    }

    @Test(arguments: [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .pi])
    func extremeDecimals(_ decimal: Decimal) throws { expectEqual(try copy(.decimal(decimal)), .decimal(decimal)) }

    @Test(arguments: ["", "a", "\0", "tab\t\"quote\"\\ \u{2028} é e\u{301} 😀", "nan"])
    func strings(_ string: String) throws {
        guard case .string(let copied) = try copy(.string(string)) else {
            Issue.record("not a string")
            return
        }
        expectEqual(Array(copied.utf8), Array(string.utf8))
    }

    @Test func otherKinds() throws {
        let url = try #require(URL(string: "https://example.org/a%20b?c=d&e=%C3%A9#f"))
        let relative = try #require(URL(string: "a/b"))
        let values: [AttributeValue] = [
            .boolean(true), .boolean(false), .data(Data()), .data(Data(0...255)), .uuid(UUID()), .url(url),
            .url(relative),
        ]
        for value in values { expectEqual(try copy(value), value) }
    }

    /// The encoded form is stable, because files contain it.
    @Test(
        arguments: [
            (.integer(-5), #"{"integer":-5}"#), (.double(0.5), #"{"double":0.5}"#),
            (.double(-.infinity), #"{"double":"-inf"}"#),
            (.decimal(Decimal(sign: .minus, exponent: -1, significand: 15)), #"{"decimal":"-1.5"}"#),
            (.string("5"), #"{"string":"5"}"#), (.boolean(true), #"{"boolean":true}"#),
            (.date(Date(timeIntervalSinceReferenceDate: 0.25)), #"{"date":0.25}"#),
            (.data(Data([0, 255])), #"{"data":"AP8="}"#),
        ] as [(AttributeValue, String)]
    )
    func form(_ value: AttributeValue, _ text: String) throws {
        expectEqual(try json(value), text)
        expectEqual(try self.value(text), value)
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"integer":5,"string":"5"}"#, #"{"number":5}"#, #"{"integer":5.5}"#, #"{"integer":"5"}"#,
        #"{"integer":9223372036854775808}"#, #"{"double":"five"}"#, #"{"decimal":"1.5x"}"#, #"{"decimal":""}"#,
        #"{"decimal":1.5}"#, #"{"decimal":"1e999"}"#, #"{"uuid":"x"}"#, #"{"data":"*"}"#, #"{"boolean":1}"#,
        #"{"date":"now"}"#,
    ])
    func nonsense(_ json: String) { #expect(throws: DecodingError.self) { try value(json) } }
}

struct ModelCodableTests {
    private func encode(_ model: ManagedObjectModel) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(model)
    }

    @Test func everythingComesBack() throws {
        let model = try ManagedObjectModel.withEverything()
        let data = try encode(model)
        let copy = try JSONDecoder().decode(ManagedObjectModel.self, from: data)
        expectEqual(copy, model)
        expectEqual(copy.serialized(), model.serialized())
        expectEqual(try encode(copy), data)
    }

    @Test func onlyDeclaredPropertiesAreEncoded() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "A",
                attributes: [AttributeDescription(name: "a", attributeType: .integer16, defaultValue: .integer(1))],
                uniquenessConstraints: [["a"]]
            ),
            EntityDescription(
                name: "B",
                superentityName: "A",
                relationships: [RelationshipDescription(name: "r", destinationEntityName: "A", isToMany: true)]
            ),
        ])
        #expect(
            String(decoding: try encode(model), as: UTF8.self)
                == #"{"entities":[{"attributes":[{"attributeType":"Integer 16","defaultValue":{"integer":1},"name":"a"}],"#
                + #""name":"A","uniquenessConstraints":[["a"]]},"#
                + #"{"name":"B","relationships":[{"destinationEntityName":"A","isToMany":true,"name":"r"}],"#
                + #""superentityName":"A"}]}"#
        )
    }

    @Test func omittedKeysHaveDefaults() throws {
        let json = """
            {"entities": [
              {"name": "A", "attributes": [{"name": "a", "attributeType": "String"}],
               "relationships": [{"name": "r", "destinationEntityName": "A"}],
               "fetchedProperties": [{"name": "f", "fetchRequest": {"name": "f", "entityName": "A"}}],
               "indexes": [{"name": "i", "elements": [{"propertyName": "a"}]}]}
            ]}
            """
        let expected = EntityDescription(
            name: "A",
            attributes: [AttributeDescription(name: "a", attributeType: .string)],
            relationships: [RelationshipDescription(name: "r", destinationEntityName: "A")],
            fetchedProperties: [
                FetchedPropertyDescription(name: "f", fetchRequest: FetchRequestTemplate(name: "f", entityName: "A"))
            ],
            indexes: [FetchIndexDescription(name: "i", elements: [.init(propertyName: "a")])]
        )
        let model = try JSONDecoder().decode(ManagedObjectModel.self, from: Data(json.utf8))
        try expectEqual(model, ManagedObjectModel(entities: [expected]))
    }

    @Test(arguments: [
        (#"[{"name": "A"}, {"name": "A"}]"#, "two entities are called 'A'"),
        (#"[{"name": "A", "superentityName": "A"}]"#, "entity 'A' inherits from itself"),
        (
            #"[{"name": "A", "uniquenessConstraints": [], "superentityName": "B"}]"#,
            "entity 'A' inherits from 'B', which does not exist"
        ),
    ])
    func invalidModelsAreNotDecoded(_ entities: String, _ message: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ManagedObjectModel.self, from: Data(#"{"entities": \#(entities)}"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        expectEqual(context.debugDescription, message)
        #expect(context.underlyingError is ManagedObjectModelError)
    }

    /// An entity that was taken out of a model is encoded without inherited properties.
    @Test func anEntityAlone() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(name: "A", attributes: [AttributeDescription(name: "a", attributeType: .string)]),
            EntityDescription(name: "B", superentityName: "A"),
        ])
        let b = try #require(model.entity(named: "B"))
        let copy = try JSONDecoder().decode(EntityDescription.self, from: JSONEncoder().encode(b))
        expectEqual(copy, EntityDescription(name: "B", superentityName: "A"))
    }
}

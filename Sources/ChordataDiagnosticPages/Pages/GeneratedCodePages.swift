internal import ChordataDiagnostics

extension DiagnosticPage {
    static let generatedNameConflict = DiagnosticPage(
        .generatedNameConflict,
        title: "conflict of generated names",
        meaning: """
            Two elements of the model would have the same name in generated Swift, which would not compile.

            Classes have the class name of their entity, or the entity's name. The model itself is a type too:
            `ShopModel` for `Shop`. An entity with code generation Category/Extension has a second class with an
            underscore in front. Functions of fetch requests begin with a small letter, and characters that are invalid
            in a name become underscores.

            Some words cannot be class names in Swift, such as `Self`, and generated code has names of its own, such as
            `definition` in the model's type. A member of a class cannot have the name of the class.
            """,
        remedy: """
            - Give one of the entities another class name, in Xcode's Data Model inspector or as `representedClassName` in the
              XML; stores do not depend on it.
            - Rename one of the fetch requests or properties.
            """,
        example: .model(
            """
            <entity name="Customer" codeGenerationType="category"/>
            <entity name="_Customer"/>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer" codeGenerationType="category"/>
            <entity name="_Customer" representedClassName="FormerCustomer"/>
            """
        )
    )

    static let nameConflict = DiagnosticPage(
        .nameConflict,
        title: "property with the name of an object's member",
        meaning: """
            A property has the name of a member that every managed object has.

            The property would hide this member or clash with it, so the generated Swift property has a trailing underscore. The column in the
            store and the key in predicates keep the name from the model.
            """,
        remedy: """
            - In Swift code, use the name with the underscore that the message shows.
            - Or rename the property, in Xcode's Data Model inspector or as `name` in the XML. If stores exist, write the old
              name as Renaming ID (`elementID`) in a new version.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="isDeleted" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="isRemoved" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        )
    )

    static let untypedTransformable = DiagnosticPage(
        .untypedTransformable,
        title: "transformable of an unknown class",
        meaning: """
            The class of a Transformable attribute is one of Apple's classes, or a type that cannot be `Codable`.

            Chordata cannot decode what Core Data archives with `NSCoding`. The property is `Data`, the bytes of the
            column, and your code has to decode them.

            `Plan`, `.Plan` and `.UIColor` are types of your module; `UIColor` and `UIKit.UIColor` are Apple's. `.` and `Module.` do not name
            a class, and the property is `Data` without a warning. An optional type such as `Plan?` is reported, and the property is
            `Data`: remove the question mark, because the Optional setting of the attribute decides whether the value may be nil.
            """,
        remedy: """
            - Name the Swift type that replaces the class in `chordata.json`:
              `{ "types": { "NSArray": "[String]", "UIColor": "MyModule.Color" } }`. It must be `Codable` and `Sendable`;
              it is stored as JSON, or by the transformer that the model names.
            - Or write that type as Custom Class (`customClassName`) in the model, with a dot before it if your class
              has the name of one of Apple's.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="tags" optional="YES"
                    attributeType="Transformable" customClassName="NSArray"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="tags" optional="YES"
                    attributeType="Transformable" customClassName="[String]"/>
            </entity>
            """
        )
    )

    static let invalidUserInfo = DiagnosticPage(
        .invalidUserInfo,
        title: "user info without effect",
        meaning: """
            A user info key of mogenerator or SwiftGen is ignored.

            Either its value is not valid for the attribute or entity, or it concerns Objective-C. The code is generated without
            it.
            """,
        remedy: """
            - For String and Integer attributes, set `RawType` or `attributeValueScalarType` to an enumeration or another type with a raw
              value; for Integer attributes, an integer type of Swift is also valid.
            - Remove keys for headers, base classes and protocols of Objective-C.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="since" optional="YES" attributeType="Date">
                    <userInfo>
                        <entry key="RawType" value="Season"/>
                    </userInfo>
                </attribute>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="since" optional="YES" attributeType="String">
                    <userInfo>
                        <entry key="RawType" value="Season"/>
                    </userInfo>
                </attribute>
            </entity>
            """
        )
    )

    static let shadowedType = DiagnosticPage(
        .shadowedType,
        title: "class that hides a type",
        meaning: """
            The class of an entity has the name of a type of Swift or Foundation.

            In your module the name then refers to the entity's class, so your own code that uses the other type no
            longer compiles, or uses the wrong type. Generated code is not affected.
            """,
        remedy: """
            - In Xcode's editor, write another name under Class in the Data Model inspector; the entity keeps its name.
            - In the XML, write another name as `representedClassName`.
            - Or write the other type with its module: `Foundation.Notification`.
            """,
        example: .model(#"<entity name="Notification"/>"#),
        correctedExample: .model(#"<entity name="Notification" representedClassName="Notice"/>"#)
    )

    static let keywordName = DiagnosticPage(
        .keywordName,
        title: "name that is a keyword",
        meaning: """
            An entity or a property has the name of a Swift keyword.

            It works, but your code has to write the name in backticks in many places.
            """,
        remedy: """
            - In Xcode's editor, rename it in the Data Model inspector. For an entity it is enough to write another name under
              Class.
            - In the XML, change `name`, or `representedClassName` of an entity.
            - If stores exist, write the old name of a property as Renaming ID (`elementID`) in a new version.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="default" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="isDefault" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        )
    )
}

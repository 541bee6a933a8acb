internal import ChordataDiagnostics

extension DiagnosticPage {
    static let generatedNameConflict = DiagnosticPage(
        .generatedNameConflict,
        title: "conflict of generated names",
        meaning: """
            Two things of the model would have one name in generated Swift, which does not compile.

            Classes take the class name of their entity, or the entity's name. The model itself is a type too: `Shop` gives
            `ShopModel`. An entity with code generation Category/Extension has a second class with an underscore in front.
            Functions of fetch requests begin with a small letter, and what cannot stand in a name becomes an underscore.
            """,
        mend: """
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
        mendedExample: .model(
            """
            <entity name="Customer" codeGenerationType="category"/>
            <entity name="_Customer" representedClassName="FormerCustomer"/>
            """
        )
    )

    static let nameConflict = DiagnosticPage(
        .nameConflict,
        title: "property named as a member of every object",
        meaning: """
            A property has the name of a member that every managed object has.

            The member would hide it, so the Swift property gets an underscore at its end. The column in the store and the
            keys of predicates keep the name.
            """,
        mend: """
            - Use the name with the underscore, which the message gives.
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
        mendedExample: .model(
            """
            <entity name="Customer">
                <attribute name="isRemoved" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        )
    )

    static let unsupportedFeature = DiagnosticPage(
        .unsupportedFeature,
        title: "feature that cannot be generated yet",
        meaning: """
            The model uses something that Core Data has and Chordata cannot generate yet.

            The message names it. Nothing is generated, because code without it would lose data without a word.
            """,
        mend: """
            - Instead of a composite attribute, declare the elements of the composite as attributes of the entity.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="Composite"
                    composite="Address"/>
            </entity>
            <composite name="Address">
                <attribute name="city" optional="YES" attributeType="String"/>
            </composite>
            """
        ),
        mendedExample: .model(
            """
            <entity name="Customer">
                <attribute name="homeCity" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )

    static let hiddenType = DiagnosticPage(
        .hiddenType,
        title: "class that hides a type",
        meaning: """
            The class of an entity has the name of a type of Swift or Foundation.

            In your module the name means the entity's class then, so your own code that uses the other type no longer
            compiles, or means something else. Generated code is not affected.
            """,
        mend: """
            - In Xcode's editor, write another name under Class in the Data Model inspector; the entity keeps its name.
            - In the XML, write another name as `representedClassName`.
            - Or write the other type with its module: `Foundation.Notification`.
            """,
        example: .model(#"<entity name="Notification"/>"#),
        mendedExample: .model(#"<entity name="Notification" representedClassName="Notice"/>"#)
    )

    static let keywordName = DiagnosticPage(
        .keywordName,
        title: "name that is a keyword",
        meaning: """
            An entity or a property has the name of a Swift keyword.

            It works, but your code has to write the name in backticks in many places.
            """,
        mend: """
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
        mendedExample: .model(
            """
            <entity name="Customer">
                <attribute name="isDefault" optional="YES" attributeType="Boolean"/>
            </entity>
            """
        )
    )
}

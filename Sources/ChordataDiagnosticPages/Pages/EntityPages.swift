internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unknownSuperentity = DiagnosticPage(
        .unknownSuperentity,
        title: "unknown parent entity",
        meaning: """
            An entity inherits from an entity that the model does not have.

            The inherited properties are unknown, so neither its class nor its table can be generated.
            """,
        remedy: """
            - In Xcode's editor, select the entity and choose its Parent Entity in the Data Model inspector.
            - In the XML, correct `parentEntity`, or remove it if the entity has no parent.
            - If the parent was lost in a merge, restore it.
            """,
        example: .model(
            """
            <entity name="Customer"/>
            <entity name="LoyalCustomer" parentEntity="Custmer"/>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer"/>
            <entity name="LoyalCustomer" parentEntity="Customer"/>
            """
        )
    )

    static let cyclicInheritance = DiagnosticPage(
        .cyclicInheritance,
        title: "cyclic inheritance",
        meaning: """
            An entity inherits from itself, directly or through other entities.

            No class and no table can be generated for the entities of such a cycle.
            """,
        remedy: """
            - Find the entity that should be at the top, and remove its parent: in Xcode's editor choose No Parent
              Entity in the Data Model inspector, in the XML remove `parentEntity`.
            """,
        example: .model(#"<entity name="Customer" parentEntity="Customer"/>"#),
        correctedExample: .model(#"<entity name="Customer"/>"#)
    )

    static let redeclaredProperty = DiagnosticPage(
        .redeclaredProperty,
        title: "inherited property of another type",
        meaning: """
            An entity declares a property that it inherits, with another type.

            An entity hierarchy is one table, and a class inherits its properties, so a name can belong to only one property. If both have the
            same type, or the same destination and are both to-one or both to-many, they are one property, as in Xcode. If their other
            settings differ, the settings of the parent entity are used, and the diagnostic is a warning.
            """,
        remedy: """
            - Remove the property from the entity if the inherited one is sufficient.
            - Otherwise rename one of the two, in Xcode's Data Model inspector or as `name` in the XML.
            - If only some entities have the property, declare it in these and not in their parent.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="code" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Shop" parentEntity="Customer">
                <attribute name="code" optional="YES" attributeType="Integer 64"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="code" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Shop" parentEntity="Customer">
                <attribute name="number" optional="YES" attributeType="Integer 64"/>
            </entity>
            """
        )
    )

    static let childlessAbstractEntity = DiagnosticPage(
        .childlessAbstractEntity,
        title: "abstract entity without subentities",
        meaning: """
            An abstract entity has no entity that inherits from it.

            Only the subentities of an abstract entity can have objects. Without subentities its class and its table are
            unused.
            """,
        remedy: """
            - In Xcode's editor, switch off Abstract Entity in the Data Model inspector, or choose the entity as Parent Entity
              of another one.
            - In the XML, remove `isAbstract`, or write `parentEntity` at another entity.
            """,
        example: .model(#"<entity name="Customer" isAbstract="YES"/>"#),
        correctedExample: .model(
            """
            <entity name="Customer" isAbstract="YES"/>
            <entity name="LoyalCustomer" parentEntity="Customer"/>
            """
        )
    )

    static let unknownMemberEntity = DiagnosticPage(
        .unknownMemberEntity,
        title: "unknown entity in a configuration",
        meaning: """
            A configuration has a member that is not an entity of the model.

            A configuration is a named set of entities. With a name that does not exist, the set is incomplete.
            """,
        remedy: """
            - In Xcode's editor, select the configuration and drag the entities that belong to it into its list.
            - In the XML, correct the `name` of the `memberEntity`, or remove it.
            """,
        example: .model(
            """
            <entity name="Customer"/>
            <configuration name="Cloud">
                <memberEntity name="Custmer"/>
            </configuration>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer"/>
            <configuration name="Cloud">
                <memberEntity name="Customer"/>
            </configuration>
            """
        )
    )

    static let unknownValue = DiagnosticPage(
        .unknownValue,
        title: "unknown value of a setting",
        meaning: """
            A setting in the file has a value that is not one of its possible values.

            The default value of the setting is used, or the setting is ignored; the message says which. Settings that are on or off are
            written `YES` and `NO`; other ones have a list of words, such as `ascending` and `descending` for the order of an index.
            """,
        remedy: """
            - In Xcode's editor, set the value again in the Data Model inspector.
            - In the XML, write one of the values that the message names.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="email" optional="yes" attributeType="String"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )
}

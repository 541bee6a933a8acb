internal import ChordataDiagnostics

extension DiagnosticPage {
    static let missingName = DiagnosticPage(
        .missingName,
        title: "missing name",
        meaning: """
            An element that needs a name has none.

            That can be an entity, a property, a composite, a fetch request or a configuration without `name`; an index without `name`; a
            member of a configuration or of a uniqueness constraint that names nothing; or a user info entry without `key`. An index over an
            expression is reported as `CD0222`: only properties can be indexed.
            """,
        remedy: """
            - In Xcode's editor, select the element and give it a name in the Data Model inspector.
            - In the XML, add `name`; for a constraint `value`, for user info `key`.
            - Remove elements without a name that are no longer needed.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute optional="YES" attributeType="String"/>
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

    static let invalidName = DiagnosticPage(
        .invalidName,
        title: "name that cannot be used",
        meaning: """
            The name of an entity, property or composite is not valid in Swift and in SQL.

            Names become types and properties in Swift, and tables and columns in the store. They consist of ASCII letters,
            digits and underscores, do not begin with a digit, and have at most 128 characters.
            """,
        remedy: """
            - In Xcode's editor, change the name in the Data Model inspector. Xcode adapts inverses and parent entities; change
              predicates yourself.
            - In the XML, change `name` and every place that refers to it.
            - If stores exist, write the old name as Renaming ID (`elementID` in the XML) in a new version, so that data is kept.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="e-mail" optional="YES" attributeType="String"/>
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

    static let duplicateName = DiagnosticPage(
        .duplicateName,
        title: "duplicate name",
        meaning: """
            Two elements of the same kind have the same name.

            Entities, composites, fetch requests and configurations must have different names in a model; the properties of an entity, which
            are its attributes, relationships and fetched properties together, must have different names, and so must its indexes. Most often
            a merge has put both sides into the file.
            """,
        remedy: """
            - Compare the two places, which the message and its note give, and remove one of them.
            - If both are meant, rename one, in Xcode's Data Model inspector or as `name` in the XML.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
                <attribute name="email" optional="YES" attributeType="String"/>
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

    static let caseClash = DiagnosticPage(
        .caseClash,
        title: "names that differ only in case",
        meaning: """
            Two elements of the same kind have names that differ only in case.

            This concerns entities, composites, and the properties of one entity or composite. SQLite and many file
            systems treat such names as equal. Inherited properties are compared too.
            """,
        remedy: """
            - Rename one, in Xcode's Data Model inspector or as `name` in the XML.
            - If stores exist, write the old name as Renaming ID (`elementID` in the XML) in a new version, so that data is kept.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="postCode" optional="YES" attributeType="String"/>
                <attribute name="postcode" optional="YES" attributeType="String"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="postCode" optional="YES" attributeType="String"/>
                <attribute name="oldCode" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )

    static let duplicateUserInfoKey = DiagnosticPage(
        .duplicateUserInfoKey,
        title: "duplicate user info key",
        meaning: """
            A user info dictionary has two entries with the same key.

            The last value is used, and the other one is lost.
            """,
        remedy: """
            - In Xcode's editor, remove one of the entries under User Info in the Data Model inspector.
            - In the XML, remove one of the `entry` elements.
            """,
        example: .model(
            """
            <entity name="Customer">
                <userInfo>
                    <entry key="owner" value="sales"/>
                    <entry key="owner" value="billing"/>
                </userInfo>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <userInfo>
                    <entry key="owner" value="billing"/>
                </userInfo>
            </entity>
            """
        )
    )

    static let unknownRenamingIdentifier = DiagnosticPage(
        .unknownRenamingIdentifier,
        title: "unknown renaming identifier",
        meaning: """
            A renaming identifier does not name anything in an earlier version.

            A renaming identifier is the earlier name of an entity or property. If it is misspelt, the migration treats
            the entity or property as new, and drops the data under the old name.
            """,
        remedy: """
            - In Xcode's editor, correct the Renaming ID under Versioning in the Data Model inspector, or make it empty.
            - In the XML, correct or remove `elementID`.
            - Use the name, or the renaming identifier, that the entity or property has in the version before.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
                <attribute name="phone" optional="YES" attributeType="String"
                    elementID="fone"/>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
                <attribute name="phone" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )
}

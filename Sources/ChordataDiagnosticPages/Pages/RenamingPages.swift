internal import ChordataDiagnostics

extension DiagnosticPage {
    static let duplicateRenamingIdentifier = DiagnosticPage(
        .duplicateRenamingIdentifier,
        title: "renaming identifier claimed twice",
        meaning: """
            Two properties of an entity, or two entities, have the same renaming identifier.

            Only one of them can get the values of the old one, so the migration cannot be inferred.
            """,
        remedy: """
            - In Xcode's editor, make the Renaming ID under Versioning empty for all but one of them.
            - In the XML, remove `elementID` from all but one of them.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"
                    elementID="email"/>
                <attribute name="secondMail" optional="YES" attributeType="String"
                    elementID="email"/>
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
                <attribute name="mail" optional="YES" attributeType="String"
                    elementID="email"/>
                <attribute name="secondMail" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )
}

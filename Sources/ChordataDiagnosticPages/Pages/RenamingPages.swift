internal import ChordataDiagnostics

extension DiagnosticPage {
    static let duplicateRenamingIdentifier = DiagnosticPage(
        .duplicateRenamingIdentifier,
        title: "renaming identifier claimed twice",
        meaning: """
            Two properties of an entity, or two entities, say that they had the same name in an earlier version.

            The values of the old one can go to one of them only, so no migration can be made.
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

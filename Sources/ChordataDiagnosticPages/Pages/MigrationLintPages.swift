internal import ChordataDiagnostics

extension DiagnosticPage {
    static let riskyConversion = DiagnosticPage(
        .riskyConversion,
        title: "conversion that may change values",
        meaning: """
            An attribute changes to a type that cannot represent all of its values.

            Fractions are truncated, large integers lose precision in a Float or Double, and a value outside the range of the new type makes
            the migration fail, which leaves the store unchanged.
            """,
        remedy: """
            - Use a type that can represent all values: Integer 16 may become Integer 32 or 64, Double or Decimal, Float
              may become Double.
            - Or keep the attribute, add a second one with another name, and set its values in your code.
            - If no store has such values, ignore the diagnostic in `chordata.json`.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 64"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 16"/>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 64"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Decimal"/>
            </entity>
            """
        )
    )

    static let migrationDependsOnData = DiagnosticPage(
        .migrationDependsOnData,
        title: "migration that depends on the data",
        meaning: """
            Whether the step succeeds, or which references it keeps, depends on the objects of a store.

            A new uniqueness constraint stops the migration of a store whose objects have the same values; the store stays unchanged. If
            several objects reference the same one, a new to-one inverse keeps one of them: the one with the lowest row key.
            """,
        remedy: """
            - First ship a version of the app whose code makes the values unique, then add the constraint.
            - Make the new inverse to-many.
            - `chordata migrate run --dry-run` shows the result for one store.
            - If no store has such objects, ignore the diagnostic in `chordata.json`.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="mail"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
                <fetchIndex name="byMail">
                    <fetchIndexElement property="mail" type="Binary"/>
                </fetchIndex>
            </entity>
            """
        )
    )

    static let likelyRenaming = DiagnosticPage(
        .likelyRenaming,
        title: "renaming without a renaming identifier",
        meaning: """
            An element was removed and a similar one is new, so it looks like a renaming.

            Without a renaming identifier they are two elements: the values of the old one are dropped, which `CD0402`
            reports, and the new one is empty.
            """,
        remedy: """
            - Write the old name as Renaming ID: under Versioning in Xcode's Data Model inspector, as `elementID` in the XML.
            - If they are different elements, ignore the diagnostic in `chordata.json`.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"/>
            </entity>
            """
        ) + .configuration(#"{ "diagnostics": { "CD0402": "ignore" } }"#),
        correctedExample: .versions(
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="email" optional="YES" attributeType="String"
                    elementID="mail"/>
            </entity>
            """
        )
    )

    static let migrationBreaksReaders = DiagnosticPage(
        .migrationBreaksReaders,
        title: "migration that breaks other readers",
        meaning: """
            An entity or property was removed or renamed, and so was its table or column.

            Programs that use Chordata are not affected. Reports, scripts and other programs that read the store by SQL do not find the old
            name any more. `chordata migrate lint` reports it, a build does not.
            """,
        remedy: """
            - Change those programs together with the model.
            - Or create a view with the old name: migrations keep views that Chordata did not create.
            """,
        example: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Client" elementID="Customer"/>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Customer" representedClassName="Client"/>
            """
        )
    )

    static let indistinguishableVersions = DiagnosticPage(
        .indistinguishableVersions,
        title: "versions with the same version hash",
        meaning: """
            Rows would have to change, but the two versions have the same version hash, so a store is not migrated.

            The version hash does not include renaming identifiers, as in Core Data. If two properties of the same type
            swap names and nothing else changes, the values of each would be read as those of the other.
            """,
        remedy: """
            - Give the entity a hash modifier in the newer version: under Versioning in Xcode's Data Model inspector, as
              `versionHashModifier` in the XML.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="String"/>
                <attribute name="work" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="String"
                    elementID="work"/>
                <attribute name="work" optional="YES" attributeType="String"
                    elementID="home"/>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="String"/>
                <attribute name="work" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer" versionHashModifier="2">
                <attribute name="home" optional="YES" attributeType="String"
                    elementID="work"/>
                <attribute name="work" optional="YES" attributeType="String"
                    elementID="home"/>
            </entity>
            """
        )
    )
}

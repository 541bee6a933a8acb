internal import ChordataDiagnostics

extension DiagnosticPage {
    static let migrationNotInferred = DiagnosticPage(
        .migrationNotInferred,
        title: "migration that cannot be inferred",
        meaning: """
            The migration from one version to the next cannot be inferred from the models.

            Rows of the older version have no value for a new required attribute, or values that cannot be converted automatically. If the
            step is to the current version, this is an error that stops the build. For a step to a version before the current one it is a
            warning, also without `migrations.lock`, because older versions with stores must not change; a store of a version before the step
            is refused when it is opened, and left unchanged.
            """,
        remedy: """
            - If a required attribute is new, or became required, give it a default: Default Value in Xcode's Data Model
              inspector, `defaultValueString` in the XML. Or make it optional.
            - If the type changed, or a to-many became a to-one, keep the old property and add a new one under another name;
              copy the values in your code.
            - If the property was only renamed, write the old name as Renaming ID (`elementID`).
            - Or write the SQL of the step by hand: `chordata migrate new` creates the file.
            - If no stores of older versions need to be kept, make the diagnostic a warning in `chordata.json`.
            - Make these changes in the newer version only. Never change a version that has stores.
            """,
        example: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Customer">
                <attribute name="points" attributeType="Integer 64"/>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Customer"/>
            """,
            """
            <entity name="Customer">
                <attribute name="points" attributeType="Integer 64"
                    defaultValueString="0"/>
            </entity>
            """
        )
    )

    static let migrationLosesData = DiagnosticPage(
        .migrationLosesData,
        title: "migration that loses data",
        meaning: """
            The step from one version to the next drops values or rows.

            An entity or property of the older version has no counterpart in the newer one, or a relationship has another destination than
            before. The migration is generated, and dropped data is lost.
            """,
        remedy: """
            - If it was renamed, write the old name as Renaming ID: under Versioning in Xcode's Data Model inspector, as
              `elementID` in the XML.
            - If the values are still needed, keep the property.
            - If they are not, make the diagnostic a remark in `chordata.json`, or ignore it.
            """,
        example: .versions(
            """
            <entity name="Customer">
                <attribute name="mail" optional="YES" attributeType="String"/>
            </entity>
            """,
            """
            <entity name="Customer"/>
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
                <attribute name="phone" optional="YES" attributeType="String"/>
            </entity>
            """
        )
    )

    static let migrationLeavesInvalid = DiagnosticPage(
        .migrationLeavesInvalid,
        title: "migration that leaves invalid objects",
        meaning: """
            A required relationship is new, became required or has another destination, and the migration cannot set its objects.

            The migration is generated and loses nothing. Existing objects have no destination, though, and once changed
            they cannot be saved until it is set. Core Data migrates such stores too.
            """,
        remedy: """
            - Make the relationship optional.
            - Or set the destination of existing objects before your app edits them: fetch those where it is `nil`,
              once, after the store was opened.
            - If it is an older relationship under another name, write that name as Renaming ID (`elementID`).
            """,
        example: .versions(
            """
            <entity name="Order"/>
            <entity name="Shop"/>
            """,
            """
            <entity name="Order">
                <relationship name="shop" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Shop"
                    inverseName="orders" inverseEntity="Shop"/>
            </entity>
            <entity name="Shop">
                <relationship name="orders" optional="YES" toMany="YES"
                    deletionRule="Cascade" destinationEntity="Order"
                    inverseName="shop" inverseEntity="Order"/>
            </entity>
            """
        ),
        correctedExample: .versions(
            """
            <entity name="Order"/>
            <entity name="Shop"/>
            """,
            """
            <entity name="Order">
                <relationship name="shop" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Shop"
                    inverseName="orders" inverseEntity="Shop"/>
            </entity>
            <entity name="Shop">
                <relationship name="orders" optional="YES" toMany="YES"
                    deletionRule="Cascade" destinationEntity="Order"
                    inverseName="shop" inverseEntity="Order"/>
            </entity>
            """
        )
    )
}

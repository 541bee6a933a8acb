internal import ChordataDiagnostics

extension DiagnosticPage {
    static let missingDestination = DiagnosticPage(
        .missingDestination,
        title: "relationship without destination",
        meaning: """
            A relationship has no destination entity.

            In Xcode's editor a new relationship has No Value as its destination until one is chosen. Without a destination
            it has neither a Swift type nor a column.
            """,
        remedy: """
            - In Xcode's editor, choose the Destination in the Data Model inspector.
            - In the XML, add `destinationEntity`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <relationship name="inviter" optional="YES" maxCount="1"
                    deletionRule="Nullify" inverseName="invited"/>
                <relationship name="invited" optional="YES" toMany="YES"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="inviter"/>
            </entity>
            """
        ),
        correctedExample: .model(invitations)
    )

    static let unknownDestination = DiagnosticPage(
        .unknownDestination,
        title: "unknown destination",
        meaning: """
            A relationship has a destination that is not an entity of the model.

            The entity was renamed or removed outside Xcode's editor, it was lost in a merge, or its name is misspelled.
            """,
        remedy: """
            - In Xcode's editor, choose the Destination in the Data Model inspector.
            - In the XML, correct `destinationEntity`, and `inverseEntity` with it.
            """,
        example: .model(invitations.replacing("Entity=\"Customer\"", with: "Entity=\"Custmer\"", maxReplacements: 1)),
        correctedExample: .model(invitations)
    )

    static let unknownInverse = DiagnosticPage(
        .unknownInverse,
        title: "unknown inverse",
        meaning: """
            The inverse of a relationship is not a relationship of the destination.

            Setting a relationship also updates its inverse, which is impossible if the inverse does not exist. If the
            level is lowered, the relationship is generated without an inverse.
            """,
        remedy: """
            - In Xcode's editor, choose the Inverse in the Data Model inspector of the relationship.
            - In the XML, correct `inverseName`, at both relationships.
            - If the inverse was removed on purpose, remove `inverseName` here too; `CD0217` then reports the missing
              inverse.
            """,
        example: .model(
            invitations.replacing("inverseName=\"inviter\"", with: "inverseName=\"invitor\"")
                .replacing("inverseName=\"invited\"", with: "inverseName=\"invitee\"")
        ),
        correctedExample: .model(invitations)
    )

    static let missingInverse = DiagnosticPage(
        .missingInverse,
        title: "relationship without inverse",
        meaning: """
            A relationship has no inverse.

            When the referenced object is deleted or assigned to another object, this relationship is not updated and keeps its reference.
            Only the delete rule of this relationship is applied, because the destination has none.
            """,
        remedy: """
            - In Xcode's editor, add a relationship to the destination and choose it as Inverse in the Data Model inspector. Add it even if
              it is never used; it costs little.
            - In the XML, add the relationship and write `inverseName` and `inverseEntity` at both ends.
            - If you need only one direction, ignore the warning in `chordata.json`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <relationship name="inviter" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Customer"/>
            </entity>
            """
        ),
        correctedExample: .model(invitations)
    )

    static let oneSidedInverse = DiagnosticPage(
        .oneSidedInverse,
        title: "one-sided inverse",
        meaning: """
            A relationship names an inverse that does not name it in return.

            Two relationships are each other's inverse only if each names the other. Otherwise a change at one end would
            not update the other. If the level is lowered, the relationship is generated without an inverse.
            """,
        remedy: """
            - In Xcode's editor, choose the Inverse in the Data Model inspector of both relationships.
            - In the XML, write `inverseName` and `inverseEntity` at both ends.
            - If two relationships have the same inverse, give one of them an inverse of its own.
            """,
        example: .model(
            """
            <entity name="Customer">
                <relationship name="inviter" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="invited"/>
                <relationship name="adviser" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="invited"/>
                <relationship name="invited" optional="YES" toMany="YES"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="inviter"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <relationship name="inviter" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="invited"/>
                <relationship name="adviser" optional="YES" maxCount="1"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="advised"/>
                <relationship name="invited" optional="YES" toMany="YES"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="inviter"/>
                <relationship name="advised" optional="YES" toMany="YES"
                    deletionRule="Nullify" destinationEntity="Customer"
                    inverseName="adviser"/>
            </entity>
            """
        )
    )

    static let optionalLooksRequired = DiagnosticPage(
        .optionalLooksRequired,
        title: "optional to-one that looks required",
        meaning: """
            A to-one relationship is optional, though its minimum count is 1.

            Only `optional` is used for a to-one, so the relationship may be `nil`, although the count suggests that it
            is required. Models with a `lastSavedToolsVersion` below 21000 are not checked, because older versions of
            Xcode wrote the count for every to-one.
            """,
        remedy: """
            - In Xcode's editor, set Optional in the Data Model inspector as you mean it, and save.
            - If the warning stays, change the XML: remove `minCount` if the relationship may be `nil`, or `optional` if
              it may not.
            """,
        example: .model(
            invitations.replacing("maxCount=\"1\"\n", with: "minCount=\"1\"\n        maxCount=\"1\"\n")
        ),
        correctedExample: .model(invitations)
    )

    /// A model that nothing is wrong with.
    private static let invitations = """
        <entity name="Customer">
            <relationship name="inviter" optional="YES" maxCount="1"
                deletionRule="Nullify" destinationEntity="Customer"
                inverseName="invited"/>
            <relationship name="invited" optional="YES" toMany="YES"
                deletionRule="Nullify" destinationEntity="Customer"
                inverseName="inviter"/>
        </entity>
        """
}

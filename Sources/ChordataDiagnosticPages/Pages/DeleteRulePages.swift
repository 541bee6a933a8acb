internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unknownDeleteRule = DiagnosticPage(
        .unknownDeleteRule,
        title: "unknown delete rule",
        meaning: """
            The delete rule of a relationship is not one of Core Data's.

            The rules are `Nullify`, `Cascade`, `Deny` and `No Action`. What happens to other objects when one is deleted must
            not be guessed.
            """,
        remedy: """
            - In Xcode's editor, choose the Delete Rule in the Data Model inspector.
            - In the XML, correct `deletionRule`.
            """,
        example: .model(orders(deletionRule: "cascade")),
        correctedExample: .model(orders(deletionRule: "Cascade"))
    )

    static let denyUnderCascade = DiagnosticPage(
        .denyUnderCascade,
        title: "Deny under Cascade",
        meaning: """
            A relationship cascades to objects that have a relationship with the rule Deny.

            Cascade deletes the objects at the other end too. If Deny prevents the deletion of one of them, the whole
            deletion fails at save, and it is hard to see why.
            """,
        remedy: """
            - If the objects belong together, choose Cascade or Nullify at the relationship that denies.
            - If the deletion should be denied, choose Deny at the relationship that cascades, so that this relationship denies it directly.
            - The Delete Rule is in the Data Model inspector, and is `deletionRule` in the XML. If you check before you delete, ignore the
              warning in `chordata.json`.
            """,
        example: .model(invoices(deletionRule: "Deny")),
        correctedExample: .model(invoices(deletionRule: "Cascade"))
    )

    static let nullifiedRequiredInverse = DiagnosticPage(
        .nullifiedRequiredInverse,
        title: "required inverse that is nullified",
        meaning: """
            Deleting an object nullifies a required relationship.

            The delete rule is Nullify, and the inverse is a required to-one. After a deletion the objects at the other
            end have no value for it, so the save fails until they are deleted or assigned to another object.
            """,
        remedy: """
            - If the objects at the other end cannot be without this one, choose Cascade as Delete Rule.
            - If this object must not be deleted while they exist, choose Deny.
            - If they can be without it, make the inverse optional: Optional in the Data Model inspector, `optional="YES"` in
              the XML.
            """,
        example: .model(orders(deletionRule: "Nullify", inverse: "")),
        correctedExample: .model(orders(deletionRule: "Cascade", inverse: ""))
    )

    static let ineffectiveDeleteRule = DiagnosticPage(
        .ineffectiveDeleteRule,
        title: "delete rule that does nothing",
        meaning: """
            A relationship has the delete rule No Action and an inverse, or is to-many and has no delete rule.

            With No Action the objects at the other end keep dangling references to a deleted object. A to-many
            relationship without a rule uses Nullify, which is rarely intended for the parts of a whole.
            """,
        remedy: """
            - In Xcode's editor, choose the Delete Rule in the Data Model inspector: Nullify to clear the references,
              Cascade to delete the objects at the other end too, Deny to refuse the deletion while there are any.
            - In the XML, write the rule as `deletionRule`.
            """,
        example: .model(orders(deletionRule: "No Action")),
        correctedExample: .model(orders(deletionRule: "Nullify"))
    )

    /// Customers with orders.
    ///
    /// - Parameter inverse: what makes the customer of an order optional.
    private static func orders(deletionRule: String, inverse: String = " optional=\"YES\"") -> String {
        """
        <entity name="Customer">
            <relationship name="orders" optional="YES" toMany="YES"
                deletionRule="\(deletionRule)" destinationEntity="Order"
                inverseName="customer"/>
        </entity>
        <entity name="Order">
            <relationship name="customer"\(inverse) maxCount="1"
                deletionRule="Nullify" destinationEntity="Customer"
                inverseName="orders"/>
        </entity>
        """
    }

    /// Customers with orders, which are deleted with their customer, and whose invoices have a rule of their own.
    private static func invoices(deletionRule: String) -> String {
        """
        <entity name="Customer">
            <relationship name="orders" optional="YES" toMany="YES"
                deletionRule="Cascade" destinationEntity="Order"
                inverseName="customer"/>
        </entity>
        <entity name="Order">
            <relationship name="customer" optional="YES" maxCount="1"
                deletionRule="Nullify" destinationEntity="Customer"
                inverseName="orders"/>
            <relationship name="invoices" optional="YES" toMany="YES"
                deletionRule="\(deletionRule)" destinationEntity="Invoice"
                inverseName="order"/>
        </entity>
        <entity name="Invoice">
            <relationship name="order" optional="YES" maxCount="1"
                deletionRule="Nullify" destinationEntity="Order"
                inverseName="invoices"/>
        </entity>
        """
    }
}

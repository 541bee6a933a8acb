internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unknownConstraintProperty = DiagnosticPage(
        .unknownConstraintProperty,
        title: "unknown property in a uniqueness constraint",
        meaning: """
            A uniqueness constraint names a property that the entity does not have.

            The constraint would have no effect. Inherited properties can be named too.
            """,
        remedy: """
            - In Xcode's editor, correct the names under Constraints in the Data Model inspector of the entity.
            - In the XML, correct the `value` of the `constraint`.
            """,
        example: .model(constraint("emial")),
        correctedExample: .model(constraint("email"))
    )

    static let invalidConstraintProperty = DiagnosticPage(
        .invalidConstraintProperty,
        title: "property that cannot be unique",
        meaning: """
            A uniqueness constraint names a property that the store cannot compare.

            The store compares values in a table. A transient property is not in it, nor are the bytes of an attribute that
            allows external storage; a composite is several columns, and a to-many relationship references any number of objects.
            """,
        remedy: """
            - Name attributes that are stored, and to-one relationships, only: under Constraints in Xcode's Data Model
              inspector of the entity, or as `value` of the `constraint` in the XML.
            - Instead of a transient attribute, name the stored ones that it is made from.
            """,
        example: .model(constraint("email", isTransient: true)),
        correctedExample: .model(constraint("email"))
    )

    static let unknownIndexProperty = DiagnosticPage(
        .unknownIndexProperty,
        title: "unknown property in an index",
        meaning: """
            An index names a property that the entity does not have.

            The index could not be created, and fetches that rely on it would be slow. Inherited properties can be named
            too.
            """,
        remedy: """
            - In Xcode's editor, open the entity, select the index under its name, and choose the property again.
            - In the XML, correct the `property` of the `fetchIndexElement`, or the `value` of the `index`.
            """,
        example: .model(index(#"<fetchIndexElement property="emial" type="Binary"/>"#)),
        correctedExample: .model(index(#"<fetchIndexElement property="email" type="Binary"/>"#))
    )

    static let invalidIndexProperty = DiagnosticPage(
        .invalidIndexProperty,
        title: "property that cannot be indexed",
        meaning: """
            An index names an attribute that allows external storage, which is left out of the index.

            An index that names nothing else is not created. The bytes of such an attribute are in a side table that is
            not searched: a predicate can only test whether they exist.
            """,
        remedy: """
            - In Xcode's editor, remove the attribute from the index, or turn off Allows External Storage.
            - In the XML, remove the `fetchIndexElement`, the `index` or `indexed="YES"`, or
              `allowsExternalBinaryDataStorage`.
            - To search for bytes, store a digest of them in a separate attribute, and index that.
            """,
        example: .model(picture(#"<fetchIndexElement property="image" type="Binary"/>"#)),
        correctedExample: .model(picture(#"<fetchIndexElement property="digest" type="Binary"/>"#))
    )

    static let emptyGroup = DiagnosticPage(
        .emptyGroup,
        title: "empty index or uniqueness constraint",
        meaning: """
            An index or a uniqueness constraint has no properties, or an index has an element that names no property.

            The whole index or constraint is ignored. Most often its last property was removed, and the index or constraint was left behind.
            """,
        remedy: """
            - In Xcode's editor, add properties to it, or select and delete it.
            - In the XML, remove the empty `fetchIndex`, `compoundIndex` or `uniquenessConstraint`, or add its elements.
            """,
        example: .model(index("")),
        correctedExample: .model(index(#"<fetchIndexElement property="email" type="Binary"/>"#))
    )

    /// Pictures with an index.
    private static func picture(_ element: String) -> String {
        """
        <entity name="Picture">
            <attribute name="digest" optional="YES" attributeType="Binary"/>
            <attribute name="image" optional="YES" attributeType="Binary"
                allowsExternalBinaryDataStorage="YES"/>
            <fetchIndex name="byImage">
                \(element)
            </fetchIndex>
        </entity>
        """
    }

    /// Customers with a uniqueness constraint over a property.
    private static func constraint(_ property: String, isTransient: Bool = false) -> String {
        """
        <entity name="Customer">
            <attribute name="email" optional="YES" attributeType="String"\(isTransient ? "\n        transient=\"YES\"" : "")/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="\(property)"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        """
    }

    /// Customers with an index.
    private static func index(_ element: String) -> String {
        """
        <entity name="Customer">
            <attribute name="email" optional="YES" attributeType="String"/>
            <fetchIndex name="byEmail">
        \(element.isEmpty ? "" : "        \(element)\n")    </fetchIndex>
        </entity>
        """
    }
}

internal import ChordataDiagnostics

extension DiagnosticPage {
    static let unknownAttributeType = DiagnosticPage(
        .unknownAttributeType,
        title: "unknown attribute type",
        meaning: """
            The type of an attribute is not one of Core Data's types.

            The types are written with a space before the number, as in `Integer 16`, `Integer 32` and `Integer 64`; the
            other ones are `Boolean`, `Double`, `Float`, `Decimal`, `String`, `Date`, `Binary`, `UUID`, `URI`,
            `Transformable` and `Composite`.
            """,
        remedy: """
            - In Xcode's editor, choose the Attribute Type in the Data Model inspector.
            - In the XML, correct `attributeType`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 64"/>
            </entity>
            """
        )
    )

    static let missingAttributeType = DiagnosticPage(
        .missingAttributeType,
        title: "attribute without a type",
        meaning: """
            An attribute that is stored has no type.

            In Xcode's editor the type of a new attribute is Undefined until one is chosen. Without a type it has
            neither a column nor a Swift type. Only a transient attribute may have no type.
            """,
        remedy: """
            - In Xcode's editor, choose the Attribute Type in the Data Model inspector.
            - In the XML, add `attributeType`.
            - If the value should not be stored, switch on Transient (`transient="YES"`).
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="email" optional="YES"/>
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

    static let unknownComposite = DiagnosticPage(
        .unknownComposite,
        title: "unknown composite",
        meaning: """
            The composite of a composite attribute is missing, is not in the model, or contains itself.

            A composite attribute is stored in one column for each element of its composite, so the elements must be declared and their number
            must be finite.
            """,
        remedy: """
            - In Xcode's editor, choose the composite in the Data Model inspector of the attribute.
            - In the XML, correct `composite` at the attribute.
            - Where a composite would contain itself, use a relationship instead.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="Composite"
                    composite="Adress"/>
            </entity>
            <composite name="Address">
                <attribute name="city" optional="YES" attributeType="String"/>
            </composite>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="home" optional="YES" attributeType="Composite"
                    composite="Address"/>
            </entity>
            <composite name="Address">
                <attribute name="city" optional="YES" attributeType="String"/>
            </composite>
            """
        )
    )

    static let invalidDefault = DiagnosticPage(
        .invalidDefault,
        title: "default or bound of another type",
        meaning: """
            A default value, a minimum or a maximum is not a value of the attribute's type.

            Xcode keeps the old text when the type of an attribute is changed. A text that can be converted to the new
            type, such as `NO` for a number, is converted; any other text is ignored, as if it were missing. The message
            shows which of the two applies.
            """,
        remedy: """
            - In Xcode's editor, write the value again under Default Value or Validation in the Data Model inspector.
            - In the XML, correct or remove `defaultValueString`, `minValueString` or `maxValueString`.
            - A default beyond the range of the type, such as 99999 for `Integer 16`, needs a larger type.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 16"
                    defaultValueString="many"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 16"
                    defaultValueString="100"/>
            </entity>
            """
        )
    )

    static let malformedNumber = DiagnosticPage(
        .malformedNumber,
        title: "malformed number",
        meaning: """
            A count in the file is not a whole number from 0 to 2147483647.

            Counts are the minimum and maximum of a relationship, and the limit and batch size of a fetch request. A malformed count is not
            read as 0, because 0 means that there is no limit.
            """,
        remedy: """
            - In Xcode's editor, write the number again: Count in the Data Model inspector of a relationship, Fetch Limit or
              Batch Size in that of a fetch request.
            - In the XML, correct or remove the attribute that the message names.
            """,
        example: .model(
            """
            <entity name="Customer"/>
            <fetchRequest name="newest" entity="Customer" fetchLimit="ten"/>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer"/>
            <fetchRequest name="newest" entity="Customer" fetchLimit="10"/>
            """
        )
    )

    static let contradictoryBounds = DiagnosticPage(
        .contradictoryBounds,
        title: "minimum above the maximum",
        meaning: """
            The bounds of an attribute or of a relationship's count cannot be met, or a default value violates the attribute's rules.

            The rules are the minimum, the maximum and the regular expression. If no value is between the bounds, an optional attribute can
            only be `nil`, an optional relationship can only be empty, and a required one cannot be saved.
            """,
        remedy: """
            - In Xcode's editor, correct Validation of the attribute, or Count of the relationship, in the Data Model
              inspector.
            - In the XML, exchange or correct `minValueString` and `maxValueString`, `minDateTimeInterval` and
              `maxDateTimeInterval`, or `minCount` and `maxCount`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 16"
                    minValueString="100" maxValueString="0"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="points" optional="YES" attributeType="Integer 16"
                    minValueString="0" maxValueString="100"/>
            </entity>
            """
        )
    )

    static let malformedRegularExpression = DiagnosticPage(
        .malformedRegularExpression,
        title: "malformed regular expression",
        meaning: """
            The regular expression of a String attribute is malformed.

            A value is saved only if the regular expression matches the whole of it. A malformed one matches nothing, so no
            value can be saved.
            """,
        remedy: """
            - In Xcode's editor, correct Reg. Ex. under Validation in the Data Model inspector.
            - In the XML, correct or remove `regularExpressionString`.
            - Write a backslash before a literal bracket or dot.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="code" optional="YES" attributeType="String"
                    regularExpressionString="[A-Z"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="code" optional="YES" attributeType="String"
                    regularExpressionString="[A-Z]+"/>
            </entity>
            """
        )
    )
}

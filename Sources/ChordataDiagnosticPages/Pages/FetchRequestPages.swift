internal import ChordataDiagnostics

extension DiagnosticPage {
    static let missingFetchRequest = DiagnosticPage(
        .missingFetchRequest,
        title: "fetched property without a fetch request",
        meaning: """
            A fetched property has no fetch request.

            The value of a fetched property is the result of its fetch request, so it cannot have a value without one.
            """,
        remedy: """
            - In Xcode's editor, choose the Destination and write the Predicate in the Data Model inspector of the fetched
              property.
            - In the XML, add a `fetchRequest` with `entity` and `predicateString` in the `fetchedProperty`.
            - If the property is unused, remove it.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="city" optional="YES" attributeType="String"/>
                <fetchedProperty name="bernese" optional="YES"/>
            </entity>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="city" optional="YES" attributeType="String"/>
                <fetchedProperty name="bernese" optional="YES">
                    <fetchRequest name="bernese" entity="Customer"
                        predicateString="city == 'Bern'"/>
                </fetchedProperty>
            </entity>
            """
        )
    )

    static let unknownFetchEntity = DiagnosticPage(
        .unknownFetchEntity,
        title: "fetch request for an unknown entity",
        meaning: """
            A fetch request has no entity, or one that the model does not have.

            The entity determines the class of the fetched objects, and the keys of the predicate.
            """,
        remedy: """
            - In Xcode's editor, select the fetch request and choose the entity after Fetch all.
            - In the XML, correct or add `entity`.
            """,
        example: .model(
            """
            <entity name="Customer"/>
            <fetchRequest name="everybody" entity="Custmer"/>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer"/>
            <fetchRequest name="everybody" entity="Customer"/>
            """
        )
    )

    static let malformedPredicate = DiagnosticPage(
        .malformedPredicate,
        title: "malformed predicate or expression",
        meaning: """
            A predicate, or the expression of a derived attribute, has a syntax error or is not supported.

            The line and column of the message are the position in the file where the error in the predicate or expression is, and the message
            says what is expected there. Parts of Core Data's format strings that Chordata does not support are reported here too, and so are
            predicates that are too complex, and derived attributes without an expression.
            """,
        remedy: """
            - In Xcode's editor, correct the predicate of the fetch request or fetched property, or the Derivation of the
              attribute, in the Data Model inspector.
            - In the XML, correct `predicateString` or `derivationExpression`. Remember that `<`, `&` and quotation marks are
              written `&lt;`, `&amp;` and `&quot;` there.
            - Texts are in quotation marks, names of properties are not. The page Predicates of the manual describes the language.
            """,
        example: .model(request("city ==")),
        correctedExample: .model(request("city == $city"))
    )

    static let unknownKey = DiagnosticPage(
        .unknownKey,
        title: "unknown key in a predicate",
        meaning: """
            A predicate or expression names a property that the entity does not have.

            In Core Data such a fetch raises an exception when it runs. Chordata finds it when the code is generated. A
            property of a subentity is unknown too, because not every object that is fetched has it.
            """,
        remedy: """
            - Correct the key. The message suggests the nearest one.
            - If it is a property of a subentity, fetch that entity.
            - Write strings in quotation marks: `city == 'Bern'`.
            """,
        example: .model(request("cty == $city")),
        correctedExample: .model(request("city == $city"))
    )

    static let typeMismatch = DiagnosticPage(
        .typeMismatch,
        title: "types that cannot be compared",
        meaning: """
            A predicate or expression combines values whose types do not match.

            Such a comparison has no meaning: a text is neither equal to a number nor less than it. The expression of a
            derived attribute must also give a value of the attribute's type.
            """,
        remedy: """
            - Compare with a value of the property's type: a text in quotation marks, a number without them.
            - Compare objects with objects, or compare a property of theirs.
            - For a conversion, write `CAST(number, 'NSString')`.
            """,
        example: .model(request("city == 3000")),
        correctedExample: .model(request("city == 'Bern'"))
    )

    static let conflictingVariable = DiagnosticPage(
        .conflictingVariable,
        title: "variable with two types",
        meaning: """
            A variable of a predicate has no single type, or is used where it has no value.

            Each variable, such as `$text`, becomes an argument of a Swift function, so it has one type. It gets the type of the properties it
            is compared with. The expression of a derived attribute and the condition of an index cannot have variables, and the predicate of
            a fetched property can have only `$FETCH_SOURCE`.
            """,
        remedy: """
            - Use two variables with different names.
            - If the attributes should have the same type, correct one of them.
            - In a derivation, write the value instead of the variable.
            """,
        example: .model(request("city == $value OR points > $value")),
        correctedExample: .model(request("city == $city OR points > $points"))
    )

    /// Customers with a fetch request.
    private static func request(_ predicate: String) -> String {
        """
        <entity name="Customer">
            <attribute name="city" optional="YES" attributeType="String"/>
            <attribute name="points" optional="YES" attributeType="Integer 64"/>
        </entity>
        <fetchRequest name="chosen" entity="Customer"
            predicateString="\(predicate.replacing(">", with: "&gt;"))"/>
        """
    }

    static let unknownSortKey = DiagnosticPage(
        .unknownSortKey,
        title: "invalid sort key",
        meaning: """
            The user info of an entity has sort keys of a fetch request that are malformed, or by which nothing can be sorted.

            Xcode's editor cannot sort fetch requests. Chordata reads the sort keys from the user info of the entity, under the key
            `sortKeys.<name of the request>`: key paths separated by commas, each optionally followed by `ASC` (the default) or `DESC`.
            """,
        remedy: """
            - Use attributes of the entity, or key paths through to-one relationships: `list.title, createdAt DESC`.
            """,
        example: .model(
            """
            <entity name="Customer">
                <attribute name="city" optional="YES" attributeType="String"/>
                <userInfo>
                    <entry key="sortKeys.everybody" value="town"/>
                </userInfo>
            </entity>
            <fetchRequest name="everybody" entity="Customer"/>
            """
        ),
        correctedExample: .model(
            """
            <entity name="Customer">
                <attribute name="city" optional="YES" attributeType="String"/>
                <userInfo>
                    <entry key="sortKeys.everybody" value="city DESC"/>
                </userInfo>
            </entity>
            <fetchRequest name="everybody" entity="Customer"/>
            """
        )
    )
}

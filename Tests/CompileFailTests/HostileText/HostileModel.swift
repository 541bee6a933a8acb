import ChordataConfiguration
import ChordataDiagnostics
import ChordataGeneration
import ChordataMigrationFiles
import ChordataModelFile
import Foundation

/// A model with two versions that uses each text slot once, with harmless text if no other text is given.
struct HostileModel {
    /// A number that distinguishes the names of the model's types from those of the other models in the program.
    var number: Int
    var texts: [TextSlot: String] = [:]
    /// A Boolean value that indicates whether the model has more than the running program uses, which takes the
    /// compiler most of its time.
    var isWhole = true

    private var entity: String { "E\(number)" }
    /// The name of the class of the objects, in Swift.
    var className: String { "`\(texts[.entityName] ?? entity)`" }

    /// A Boolean value that indicates whether the composite and its element have names that the program knows.
    var hasOwnElement: Bool { texts[.compositeName] == nil && texts[.elementName] == nil }

    /// The result of generating the code of the model.
    struct Result {
        var bundle: ModelBundle?
        var files: [GeneratedFile] = []
        var diagnostics: [Diagnostic]
    }

    /// Generates the code as `chordata-generate` does, without reading or writing files.
    func generate() -> Result {
        let (configuration, found) = readConfiguration(path: "chordata.json", contents: Array(configurationText.utf8))
        var result = Result(diagnostics: found)
        let (bundle, diagnostics) = readModelBundle(source)
        result.diagnostics += diagnostics.applying(configuration ?? Configuration(), isStrict: false)
        guard let configuration, let bundle, !result.diagnostics.hasErrors else { return result }
        let generated = generateFiles(of: bundle, configuration: GeneratorConfiguration(configuration: configuration))
        result.bundle = bundle
        result.files = generated.files
        result.diagnostics += generated.diagnostics
        return result
    }

    // MARK: Files

    private func text(_ slot: TextSlot, _ harmless: String) -> String { texts[slot] ?? harmless }

    /// Returns the value of an XML attribute.
    private func value(_ slot: TextSlot, _ harmless: String) -> String { escaped(text(slot, harmless)) }

    private func attribute(_ name: String, _ slot: TextSlot) -> String {
        texts[slot].map { " \(name)=\"\(escaped($0))\"" } ?? ""
    }

    private func entry(_ key: String, _ slot: TextSlot) -> String {
        texts[slot].map { "<entry key=\"\(key)\" value=\"\(escaped($0))\"/>" } ?? ""
    }

    private var source: ModelBundleSource {
        // The versions are in the order of their names.
        let names = ["1 " + text(.oldVersionName, "Model"), "2 " + text(.versionName, "Model")]
        let bodies = [oldVersion, newVersion]
        let current = texts[.currentVersionName].map(escaped) ?? escaped(names[1] + ".xcdatamodel")
        var source = ModelBundleSource(
            path: "models/\(text(.bundleName, "Hostile")).xcdatamodeld",
            versions: zip(names, bodies).map { name, body in
                .init(name: name, file: ModelSourceFile(path: "contents", contents: Array(body.utf8)))
            },
            currentVersionFile: ModelSourceFile(
                path: ".xccurrentversion",
                contents: Array(
                    "<plist><dict><key>_XCCurrentVersionName</key><string>\(current)</string></dict></plist>".utf8
                )
            )
        )
        // This puts the list into the generated code.
        source.versionOrder = names
        return source
    }

    private var oldVersion: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model>
            <entity name="\(value(.entityName, entity))" codeGenerationType="class"\(attribute("elementID", .entityRenaming))>
                <attribute name="number" optional="YES" attributeType="Integer 64"/>
            </entity>
        </model>
        """
    }

    private var newVersion: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model\(attribute("userDefinedModelVersionIdentifier", .versionIdentifier))\(attribute("sourceLanguage", .sourceLanguage)) \
        \(attribute("canary", .unknownAttribute))>
        <!-- \(comment) --><![CDATA[\(characterData)]]>
        \(mainEntity)
        \(isWhole ? otherEntities : "")
        <configuration name="\(value(.configurationName, "Cloud"))">
            <memberEntity name="\(texts[.configurationMember].map(escaped) ?? value(.entityName, entity))"/>
        </configuration>
        <composite name="\(value(.compositeName, "C\(number)"))">
            <attribute name="\(value(.elementName, "element"))" attributeType="String" \
        defaultValueString="\(value(.elementDefault, "element"))">
                <userInfo>\(entry("documentation", .elementDocumentation))</userInfo>
            </attribute>
        </composite>
        </model>
        """
    }

    /// The entity whose objects the program creates.
    private var mainEntity: String {
        let composite = texts[.compositeReference].map(escaped) ?? value(.compositeName, "C\(number)")
        let predicate = text(.predicate, "number == $\(text(.predicateVariable, "variable"))")
        return """
            <entity name="\(value(.entityName, entity))" codeGenerationType="\(value(.codeGeneration, "class"))"\
            \(attribute("versionHashModifier", .entityModifier))\(attribute("elementID", .entityRenaming))\
            \(attribute("coreSpotlightDisplayNameExpression", .spotlightExpression))\(attribute("representedClassName", .className))>
                <attribute name="text" attributeType="String" defaultValueString="\(value(.stringDefault, "text"))"\
            \(attribute("versionHashModifier", .attributeModifier))\
            \(attribute("elementID", .attributeRenaming))>
                    <userInfo>
                        <entry key="\(value(.attributeInfoKey, "key"))" value="\(value(.attributeInfoValue, "value"))"/>
                        \(entry("documentation", .attributeDocumentation))
                    </userInfo>
                </attribute>
                <attribute name="pattern" optional="YES" attributeType="String"\
            \(attribute("regularExpressionString", .regularExpression))/>
                <attribute name="number" optional="YES" attributeType="\(value(.attributeType, "Integer 64"))"\
            \(attribute("defaultValueString", .numberDefault))\(attribute("minValueString", .minimum))\
            \(attribute("maxValueString", .maximum))/>
                <attribute name="\(value(.attributeName, "name"))" attributeType="String" defaultValueString="name"/>
                <attribute name="coded" optional="YES" attributeType="Transformable" customClassName="Coded" \
            valueTransformerName="\(value(.transformerName, "NSSecureUnarchiveFromData"))"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="\(composite)"/>
                <fetchIndex name="\(value(.indexName, "byText"))"\(attribute("partialIndexPredicate", .partialIndexPredicate))>
                    <fetchIndexElement property="\(value(.indexProperty, "text"))" type="Binary" \
            order="\(value(.indexOrder, "ascending"))"/>
                </fetchIndex>
                <userInfo>
                    <entry key="\(value(.entityInfoKey, "key"))" value="\(value(.entityInfoValue, "value"))"/>
                    \(entry("documentation", .entityDocumentation))
                    \(entry("discussion", .entityDiscussion))
                    \(entry("additionalImports", .additionalImports))
                    \(entry("sortKeys.byNumber", .sortKeys))
                </userInfo>
            </entity>
            <fetchRequest name="byText" entity="\(value(.entityName, entity))" \
            predicateString="text == \(escaped(predicateLiteral(text(.predicateLiteral, "text"))))"/>
            <fetchRequest name="byNumber" entity="\(value(.entityName, entity))" predicateString="\(escaped(predicate))" fetchLimit="7"/>
            <fetchRequest name="\(value(.fetchRequestName, "named"))" \
            entity="\(texts[.fetchRequestEntity].map(escaped) ?? value(.entityName, entity))" \
            predicateString="text == $text" resultType="\(value(.resultType, "0"))" fetchLimit="\(value(.fetchLimit, "0"))"/>
            """
    }

    /// Entities whose code only has to compile.
    private var otherEntities: String {
        let literal = predicateLiteral(text(.fetchedPropertyLiteral, "text"))
        let derivation = texts[.derivation] ?? texts[.derivationLiteral].map(predicateLiteral) ?? "uppercase:(text)"
        return """
            <entity name="F\(number)"\(attribute("parentEntity", .parentEntity)) codeGenerationType="class">
                <attribute name="text" attributeType="String"/>
                <attribute name="derived" optional="YES" attributeType="String" derived="YES" \
            derivationExpression="\(escaped(derivation))"/>
                <attribute name="price" optional="\(value(.flag, "YES"))" attributeType="Decimal"\(attribute("defaultValueString", .decimalDefault))/>
                <attribute name="moment" optional="YES" attributeType="Date"\(attribute("defaultDateTimeInterval", .dateDefault))/>
                <attribute name="identifier" optional="YES" attributeType="UUID"\(attribute("defaultValueString", .uuidDefault))/>
                <attribute name="link" optional="YES" attributeType="URI"\(attribute("defaultValueString", .urlDefault))/>
                <attribute name="typed" optional="YES" attributeType="Transformable"\(attribute("customClassName", .customClass))/>
                <attribute name="styled" optional="YES" attributeType="String">
                    <userInfo>\(entry("RawType", .rawType))\(entry("attributeValueScalarType", .scalarType))</userInfo>
                </attribute>
                <attribute name="classed" optional="YES" attributeType="Transformable">
                    <userInfo>\(entry("attributeValueClassName", .valueClassName))</userInfo>
                </attribute>
                <relationship name="others" optional="YES" toMany="YES" deletionRule="\(value(.deleteRule, "Nullify"))" \
            destinationEntity="\(value(.destinationEntity, "F\(number)"))" inverseName="\(value(.inverseName, "owner"))" \
            inverseEntity="\(value(.inverseEntity, "F\(number)"))"\(attribute("versionHashModifier", .relationshipModifier))>
                    <userInfo>
                        <entry key="key" value="\(value(.relationshipInfoValue, "value"))"/>
                        \(entry("documentation", .relationshipDocumentation))
                    </userInfo>
                </relationship>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="F\(number)" \
            inverseName="others" inverseEntity="F\(number)"\(attribute("elementID", .relationshipRenaming))/>
                <relationship name="\(value(.relationshipName, "friends"))" optional="YES" toMany="YES" deletionRule="Nullify" \
            ordered="YES" destinationEntity="F\(number)" inverseName="\(value(.relationshipName, "friends"))" \
            inverseEntity="F\(number)"/>
                <fetchedProperty name="\(value(.fetchedPropertyName, "fetched"))" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="F\(number)" \
            predicateString="text == \(escaped(literal))"/>
                    <userInfo>\(entry("documentation", .fetchedPropertyDocumentation))</userInfo>
                </fetchedProperty>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="\(value(.constraint, "identifier"))"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            """
    }

    /// XML does not allow two hyphens in a comment.
    private var comment: String { text(.comment, "").replacing("-", with: "- ") }
    private var characterData: String { text(.characterData, "").replacing("]]>", with: "]] >") }

    private var configurationText: String {
        func member(_ key: TextSlot?, _ harmless: String, _ value: TextSlot?, _ word: String) -> String? {
            guard key.map({ texts[$0] != nil }) ?? value.map({ texts[$0] != nil }) ?? true else { return nil }
            return
                "\(quoted(key.map { text($0, harmless) } ?? harmless)): \(quoted(value.map { text($0, word) } ?? word))"
        }
        func object(_ members: [String?]) -> String { "{\(members.compactMap(\.self).joined(separator: ", "))}" }
        let settings = object([
            member(nil, "codegen", .jsonEntityCodeGeneration, ""), member(nil, "class", .jsonClass, ""),
            member(nil, "module", .jsonModule, ""), member(.jsonEntityKey, "", nil, "x"),
        ])
        return object([
            "\"name\": \(quoted(text(.jsonName, "B\(number)")))",
            member(nil, "$schema", .jsonSchema, ""),
            member(nil, "access", .jsonAccess, ""),
            texts[.jsonImport].map { "\"imports\": [\(quoted($0))]" },
            member(nil, "codegen", .jsonCodeGeneration, ""),
            member(nil, "optionality", .jsonOptionality, ""),
            "\"entities\": {\(quoted(texts[.jsonEntity] ?? text(.entityName, entity))): \(settings)}",
            "\"types\": \(object([member(.jsonTypeKey, "", nil, "Coded"), member(nil, "NSObject", .jsonType, "")]))",
            "\"diagnostics\": \(object([member(.jsonDiagnostic, "", nil, "warning"), member(nil, "CD0212", .jsonLevel, "")]))",
            member(.jsonKey, "", nil, "x"),
        ])
    }
}

/// Returns text as a value of an XML attribute or as text between tags, with numeric references for all characters that
/// XML would change.
private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "$", " ", "=", "(", ")", ":": String(scalar)
        default: "&#x\(String(scalar.value, radix: 16));"
        }
    }.joined()
}

/// Returns text as a JSON string.
private func quoted(_ text: String) -> String {
    let characters = text.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(characters.joined())\""
}

/// Returns text as a string literal of a predicate.
private func predicateLiteral(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }
    return "\"\(scalars.joined())\""
}

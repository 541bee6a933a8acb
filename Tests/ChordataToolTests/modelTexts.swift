/// A model file as Xcode writes it; the entities begin at line 3.
func modelFile(_ entities: String...) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23231" \
    systemVersion="24C101" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    \(entities.joined(separator: "\n"))
    </model>
    """
}

func entity(_ name: String, parent: String? = nil, _ properties: String...) -> String {
    let lines = properties.map { "        \($0)\n" }.joined()
    let parent = parent.map { #" parentEntity="\#($0)""# } ?? ""
    let tag = #"<entity name="\#(name)" representedClassName="\#(name)"\#(parent) syncable="YES">"#
    return "    \(tag)\n\(lines)    </entity>"
}

func attribute(_ name: String, _ type: String = "String", defaultValue: String? = nil, was: String? = nil) -> String {
    let value = defaultValue.map { #" defaultValueString="\#($0)""# } ?? ""
    let identifier = was.map { #" elementID="\#($0)""# } ?? ""
    return #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)"\#(value)\#(identifier)/>"#
}

/// A relationship from `Node` to `Node`.
func relationship(_ name: String, inverse: String? = nil) -> String {
    let inverse = inverse.map { #" inverseName="\#($0)" inverseEntity="Node""# } ?? ""
    let attributes = #"optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Node""#
    return #"<relationship name="\#(name)" \#(attributes)\#(inverse)/>"#
}

func currentVersionFile(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
    """
}

/// Models by their diagnostics.
enum ModelText {
    static let good = modelFile(entity("Node", attribute("name")))
    /// CD0217, a warning of the checks, in line 5.
    static let loose = modelFile(entity("Node", attribute("name"), relationship("next")))
    /// CD0212, a warning of the reading, in line 4.
    static let invalid = modelFile(entity("Node", attribute("name", "Integer 16", defaultValue: "x")))
    /// CD0207, an error that cannot be lowered, in line 3.
    static let cyclic = modelFile(entity("Node", parent: "Node", attribute("name")))
    /// CD0218, an error that a configuration may lower, in line 4; CD0217 in line 5.
    static let oneSided = modelFile(entity("Node", relationship("next", inverse: "back"), relationship("back")))
    /// CD0103, in line 3 of a file that no command can read.
    static let malformed = "<?xml version=\"1.0\"?>\n<model>\n<entity"
    /// A model whose XML attributes Xcode would write in another order, with the name first.
    static let unordered = good.replacing(
        #"name="name" optional="YES" attributeType="String""#,
        with: #"attributeType="String" optional="YES" name="name""#
    )
}

func toOne(_ name: String, _ destination: String, inverse: String) -> String {
    #"<relationship name="\#(name)" optional="YES" maxCount="1" deletionRule="Nullify" "#
        + #"destinationEntity="\#(destination)" inverseName="\#(inverse)" inverseEntity="\#(destination)"/>"#
}

func toMany(
    _ name: String,
    _ destination: String,
    inverse: String,
    isOrdered: Bool = false,
    was: String? = nil
) -> String {
    #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + (isOrdered ? #"ordered="YES" "# : "") + (was.map { #"elementID="\#($0)" "# } ?? "")
        + #"destinationEntity="\#(destination)" inverseName="\#(inverse)" inverseEntity="\#(destination)"/>"#
}

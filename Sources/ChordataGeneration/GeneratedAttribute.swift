internal import ChordataConfiguration
internal import ChordataModel

/// An attribute as generated code represents it: the fields that store it, the type of its property, and the conversion
/// between them.
struct GeneratedAttribute {
    /// A stored value.
    struct Leaf {
        let path: [String]
        let style: AttributeStyle
        let zero: String
        /// The name of the storage.
        let name: String
        /// A Boolean value that indicates whether a snapshot has the value.
        let isInValues: Bool

        /// The name of the storage in a snapshot if the property is computed.
        var valuesName: String { "_" + name.filter { $0 != "`" } }
    }

    private indirect enum Node {
        case leaf(Leaf)
        case composite(type: SwiftType, isOptional: Bool, members: [(label: String, node: Node)])
    }

    let attribute: AttributeDescription
    /// The name of the property.
    let name: String
    let leaves: [Leaf]
    /// The numbers of the leaves' fields.
    let fields: Range<Int>
    private let node: Node

    init(_ attribute: AttributeDescription, firstField: Int, _ context: GenerationContext) {
        self.attribute = attribute
        name = context.namer.propertyName(attribute.name)
        var leaves: [Leaf] = []
        node = Self.makeNode(
            attribute,
            path: [attribute.name],
            isBelowOptional: false,
            isBelowTransient: false,
            context,
            &leaves
        )
        self.leaves = leaves
        fields = firstField..<firstField + leaves.count
    }

    private static func makeNode(
        _ attribute: AttributeDescription,
        path: [String],
        isBelowOptional: Bool,
        isBelowTransient: Bool,
        _ context: GenerationContext,
        _ leaves: inout [Leaf]
    ) -> Node {
        let isStorageOptional = isBelowOptional || attribute.isOptional
        let isTransient = isBelowTransient || attribute.isTransient
        guard attribute.attributeType == .composite else {
            let leaf = Leaf(
                path: path,
                style: AttributeStyle(attribute, isStorageOptional: isStorageOptional, context.configuration),
                zero: attribute.isStoredExternally ? "Chordata.ExternalData()" : attribute.attributeType.swiftZero,
                name: path.count == 1 ? context.namer.propertyName(path[0]) : path.joined(separator: "_"),
                isInValues: !isTransient && attribute.isInValues
            )
            leaves.append(leaf)
            return .leaf(leaf)
        }
        let members = attribute.elements.map { element in
            var element = element
            element.allowsExternalBinaryDataStorage = false  // All elements of a composite are in the row.
            return (
                label: context.namer.elementName(element.name),
                node: makeNode(
                    element,
                    path: path + [element.name],
                    isBelowOptional: isStorageOptional,
                    isBelowTransient: isTransient,
                    context,
                    &leaves
                )
            )
        }
        let name = context.namer.compositeName(attribute.compositeName ?? attribute.name)
        return .composite(type: .named([context.modelType, name]), isOptional: attribute.isOptional, members: members)
    }

    // MARK: The property

    /// The type of the property.
    var type: SwiftType {
        switch node {
        case .leaf(let leaf): leaf.style.type
        case .composite(let type, let isOptional, _): type.optional(if: isOptional)
        }
    }

    /// The type that an initializer requires.
    var requiredType: SwiftType {
        switch node {
        case .leaf(let leaf): leaf.style.base
        case .composite(let type, _, _): type
        }
    }

    /// A Boolean value that indicates whether a new object requires a value for the attribute.
    var isInitializerArgument: Bool {
        guard !attribute.isTransient, !attribute.isDerived, !isIgnored else { return false }
        if UserInfoKey.nonOptionalInit.flag(in: attribute.userInfo) == true { return true }
        guard !attribute.isOptional, attribute.defaultValue == nil, !attribute.attributeType.hasNoType else {
            return false
        }
        return attribute.leaves.isEmpty || attribute.leaves.contains { $0.attribute.defaultValue == nil }
    }

    /// A Boolean value that indicates whether the bytes are in a side table, so that an accessor has to read them.
    var isExternal: Bool { leaves.contains { $0.style.isExternal } }

    /// A Boolean value that indicates whether the model specifies that there is no accessor.
    var isIgnored: Bool { UserInfoKey.ignore.flag(in: attribute.userInfo) == true }

    /// The property's name in a message of the runtime.
    private var label: String { swiftLiteral(attribute.name) }

    // MARK: Expressions

    /// Returns the value of the property.
    /// - Parameters:
    ///   - isInPlace: Whether the storage can be changed, so that the decoded value is kept.
    ///   - storage: The expression for the storage of a leaf.
    func getter(isInPlace: Bool, storage: (Leaf) -> String) -> String {
        getter(node, isInPlace, storage)
    }

    private func getter(_ node: Node, _ isInPlace: Bool, _ storage: (Leaf) -> String) -> String {
        switch node {
        case .leaf(let leaf):
            return leaf.style.getter(of: storage(leaf), label, zero: leaf.zero, isInPlace: isInPlace)
        case .composite(let type, let isOptional, let members):
            let arguments = members.map {
                "\(Namer.argumentLabel($0.label)): \(getter($0.node, isInPlace, storage))"
            }
            let value = "\(type)(\(arguments.joined(separator: ", ")))"
            guard isOptional else { return value }
            let isMissing = leaves(below: node).map { "\(storage($0)) == nil" }
            return "\(isMissing.isEmpty ? "true" : isMissing.joined(separator: " && ")) ? nil : \(value)"
        }
    }

    private func leaves(below node: Node) -> [Leaf] {
        switch node {
        case .leaf(let leaf): [leaf]
        case .composite(_, _, let members): members.flatMap { leaves(below: $0.node) }
        }
    }

    /// Returns the assignments that store a value of the property.
    /// - Parameter storage: The expression for the storage of a leaf; `nil` for a leaf that is not stored here.
    func setter(value: String, storage: (Leaf) -> String?) -> [String] {
        setter(node, value, isChained: false, storage)
    }

    private func setter(
        _ node: Node,
        _ value: String,
        isChained: Bool,
        _ storage: (Leaf) -> String?
    ) -> [String] {
        switch node {
        case .leaf(let leaf):
            let isMissing = isChained || leaf.style.isOptional
            guard let storage = storage(leaf) else { return [] }
            return ["\(storage) = \(leaf.style.storage(of: value, label, isMissing: isMissing))"]
        case .composite(_, let isOptional, let members):
            // One question mark is enough for a chain in Swift, unless a member of the chain is also optional.
            let step = isOptional ? "?." : "."
            return members.flatMap {
                setter($0.node, value + step + $0.label, isChained: isChained || isOptional, storage)
            }
        }
    }
}

extension AttributeDescription {
    /// A value that an attribute stores: the attribute itself, or an element that its composite has at any depth.
    package struct Leaf: Sendable, Hashable {
        /// The attribute's name, and the names of the elements down to this one.
        package var path: [String]
        /// The attribute or element, with changes that its composites cause: it is optional, transient, or preserved in
        /// the history if one of them is, and it is always stored in the row.
        package var attribute: AttributeDescription
    }

    /// The stored parts of the attribute, in the order of the model: itself, or the elements of its composite.
    package var leaves: [Leaf] {
        guard attributeType == .composite else { return [Leaf(path: [name], attribute: self)] }
        return elements.flatMap { element in
            element.leaves.map { leaf in
                var leaf = leaf
                leaf.path.insert(name, at: 0)
                leaf.attribute.isOptional = leaf.attribute.isOptional || isOptional
                leaf.attribute.isTransient = leaf.attribute.isTransient || isTransient
                leaf.attribute.preservesValueInHistoryOnDeletion =
                    leaf.attribute.preservesValueInHistoryOnDeletion || preservesValueInHistoryOnDeletion
                leaf.attribute.allowsExternalBinaryDataStorage = false
                return leaf
            }
        }
    }
}

extension AttributeDescription {
    /// A Boolean value that indicates whether the `Values` of an object contain the attribute, which they do if it is
    /// stored.
    package var isInValues: Bool { !isTransient && attributeType != .undefined && attributeType != .composite }
}

extension RelationshipDescription {
    /// A Boolean value that indicates whether the `Values` of an object contain the row key of the relationship.
    package var isInValues: Bool { !isToMany && !isTransient }
}

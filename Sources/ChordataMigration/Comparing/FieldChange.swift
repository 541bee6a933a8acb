internal import ChordataModel

/// A field whose values differ in two descriptions.
struct FieldChange {
    var aspect: ModelChange.Aspect
    var key: String?
    var oldValue: String?
    var newValue: String?
    /// A Boolean value that indicates whether the version hash covers the field.
    var isHashed: Bool
}

/// Collects the fields that differ.
///
/// Texts are compared by their bytes, as in the version hash: for `==`, letters and their decomposed forms are equal.
struct FieldComparison {
    private(set) var changes: [FieldChange] = []

    mutating func compare(
        _ aspect: ModelChange.Aspect,
        key: String? = nil,
        _ old: String?,
        _ new: String?,
        isHashed: Bool = false
    ) {
        guard !isIdentical(old, new) else { return }
        changes.append(FieldChange(aspect: aspect, key: key, oldValue: old, newValue: new, isHashed: isHashed))
    }

    mutating func compare(_ aspect: ModelChange.Aspect, _ old: Bool, _ new: Bool, isHashed: Bool = false) {
        compare(aspect, String(old), String(new), isHashed: isHashed)
    }

    mutating func compare(_ aspect: ModelChange.Aspect, _ old: Int, _ new: Int, isHashed: Bool = false) {
        compare(aspect, String(old), String(new), isHashed: isHashed)
    }

    mutating func compare(_ aspect: ModelChange.Aspect, _ old: AttributeValue?, _ new: AttributeValue?) {
        let (oldText, newText) = (old.map(describe), new.map(describe))
        guard old.map(kind) != new.map(kind) || !isIdentical(oldText, newText) else { return }
        changes.append(FieldChange(aspect: aspect, oldValue: oldText, newValue: newText, isHashed: false))
    }

    /// The hash treats an empty modifier as a missing one.
    mutating func compare(modifier old: String?, _ new: String?) {
        compare(.versionHashModifier, old, new, isHashed: !isIdentical(old ?? "", new ?? ""))
    }

    mutating func compare(userInfo old: [String: String], _ new: [String: String]) {
        for key in Set(old.keys).union(new.keys).sorted() { compare(.userInfo, key: key, old[key], new[key]) }
    }
}

/// Returns a Boolean value that indicates whether two texts have the same bytes.
func isIdentical(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    default: false
    }
}

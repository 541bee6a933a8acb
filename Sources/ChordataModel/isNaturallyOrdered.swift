/// Returns a Boolean value that indicates whether one name comes before another when runs of digits count as numbers,
/// which is the order of the versions of a model.
package func isNaturallyOrdered(_ left: String, before right: String) -> Bool {
    var a = Array(left.unicodeScalars)[...]
    var b = Array(right.unicodeScalars)[...]
    func takeNumber(_ text: inout ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        let digits = text.prefix { ("0"..."9").contains($0) }
        text = text.dropFirst(digits.count)
        return Array(digits.drop { $0 == "0" })
    }
    while let x = a.first, let y = b.first {
        if ("0"..."9").contains(x), ("0"..."9").contains(y) {
            let (m, n) = (takeNumber(&a), takeNumber(&b))
            if m.count != n.count { return m.count < n.count }
            if m != n { return m.lexicographicallyPrecedes(n) { $0.value < $1.value } }
        } else {
            if x != y { return x.value < y.value }
            a = a.dropFirst()
            b = b.dropFirst()
        }
    }
    // `Model` comes before `Model 2`; names that differ only in leading zeros are compared as text.
    return a.isEmpty == b.isEmpty ? left < right : a.isEmpty
}

/// Returns a Boolean value that indicates whether a name is another name with a higher number, as Xcode names new
/// versions: `Done 3` and `Done 10` after `Done 2`.
package func isNumbered(_ name: String, after other: String) -> Bool {
    name.filter(\.isLetter) == other.filter(\.isLetter) && isNaturallyOrdered(other, before: name)
}

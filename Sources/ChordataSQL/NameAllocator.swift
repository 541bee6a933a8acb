/// Allocates names that are distinct for SQLite.
///
/// SQLite folds the case of ASCII letters, and only of those, so `Name` and `name` are the same name in SQLite.
struct NameAllocator {
    private var taken: Set<String> = []

    /// Takes the first candidate that is free, or the last one with the lowest number from 2 on that makes it free.
    ///
    /// - Precondition: There is at least one candidate.
    mutating func allocate(_ candidates: String...) -> String {
        for candidate in candidates where take(candidate) { return candidate }
        var number = 2
        while true {
            let candidate = "\(candidates[candidates.count - 1])_\(number)"
            if take(candidate) { return candidate }
            number += 1
        }
    }

    /// Takes a name that is free with each of some endings, or the name with the lowest number from 2 on.
    mutating func allocate(_ name: String, endings: [String]) -> String {
        var candidate = name
        var number = 2
        while endings.contains(where: { taken.contains(foldedName(candidate + $0)) }) {
            candidate = "\(name)_\(number)"
            number += 1
        }
        for ending in endings { _ = take(candidate + ending) }
        return candidate
    }

    /// Takes a name if it is free.
    mutating func take(_ name: String) -> Bool { taken.insert(foldedName(name)).inserted }
}

/// Returns a name with its ASCII letters in lower case: the results for two names are equal exactly if the names are
/// equal for SQLite.
package func foldedName(_ name: String) -> String {
    var folded = ""
    for scalar in name.unicodeScalars {
        folded.unicodeScalars.append(
            ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
        )
    }
    return folded
}

#if !canImport(Darwin)
    import CoreData
    import Foundation
    import Testing

    /// A file that imports Foundation too can name the types of predicates and sort descriptors.
    struct ImportTests {
        private func count(_ predicate: NSPredicate) -> Int? {
            (predicate as? NSCompoundPredicate)?.subpredicates.count
        }

        @Test func typesOfFoundation() {
            let parts: [NSPredicate] = [NSPredicate(format: "a == 1"), NSPredicate(value: true)]
            let both: NSCompoundPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
            let order: [NSSortDescriptor] = [NSSortDescriptor(key: "a", ascending: true)]
            #expect(count(both) == 2 && count(parts[0]) == nil && both.compoundPredicateType == .and)
            #expect(order[0].ascending)
        }
    }
#endif

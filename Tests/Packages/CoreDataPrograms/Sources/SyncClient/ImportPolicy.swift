import CoreData
import Foundation

/// The merge policy of imports, in which the received values win.
///
/// It remembers which notes existed already.
final class ImportPolicy: NSMergePolicy {
    private(set) var replacedIDs: [String] = []

    init() {
        super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list where conflict.databaseObject != nil {
            if let remoteID = conflict.constraintValues["remoteID"] as? String { replacedIDs.append(remoteID) }
        }
        try super.resolve(constraintConflicts: list)
    }
}

/// The measured work.
enum Workload: String, CaseIterable {
    case insertObjects = "insert-objects"
    case insertValues = "insert-values"
    case fetchObjects = "fetch-objects"
    case fetchValues = "fetch-values"
    case save
    case saveUnrecorded = "save-unrecorded"
    case saveSame = "save-same"
    case batches
    case graph

    /// The greatest ratio of the time of Chordata to that of the bare program.
    var target: Double {
        switch self {
        case .insertObjects: 1.2
        case .insertValues, .fetchValues, .saveUnrecorded: 1.1
        case .fetchObjects, .graph: 1.25
        case .save, .saveSame, .batches: 1.3
        }
    }

    /// The description in the legend.
    var title: String {
        switch self {
        case .insertObjects: "insert all players as objects in one save"
        case .insertValues: "insert all players as values in one transaction"
        case .fetchObjects: "fetch all players as objects in the order of an index, and read every property"
        case .fetchValues: "fetch all players as values in the order of an index, and read every property"
        case .save: "save one changed player at a time"
        case .saveUnrecorded: "save one changed player at a time, with recordsChanges = false"
        case .saveSame: "the same as 'save', but libpq sends the statements that Chordata sends"
        case .batches: "fetch all players in batches of 20, and read every property"
        case .graph: "fetch all teams with their players, and visit each player from its team"
        }
    }

    /// Prepares the comparison.
    func comparison(_ stores: Stores) throws -> Comparison {
        switch self {
        case .insertObjects, .insertValues: try compareInserting(self, stores)
        case .fetchObjects, .fetchValues: try compareFetching(self, stores)
        case .save, .saveSame: try compareSaving(self, stores, recordsChanges: true)
        case .saveUnrecorded: try compareSaving(self, stores, recordsChanges: false)
        case .batches: try compareBatches(stores)
        case .graph: try compareGraph(stores)
        }
    }
}

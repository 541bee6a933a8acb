import Chordata

// Properties that are not in the model.
extension Player {
    var shout: String { name.uppercased() }
    var tags: [String: Int] { [:] }
    var anything: any Sendable { 1 }
}

extension Team {
    var town: String? { city }
}

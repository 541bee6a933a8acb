import Harness

/// The plans of several writers that save at the same time; for a single writer, its plan.
public struct WriterPlans: Sendable, RandomAccessCollection {
    /// The seed of all plans.
    public let seed: UInt64
    private let plans: [Plan]

    /// The first writer.
    public var startIndex: Int { plans.startIndex }
    /// The number of writers.
    public var endIndex: Int { plans.endIndex }
    /// The plan of a writer.
    public subscript(writer: Int) -> Plan { plans[writer] }

    /// Plans a number of saves for each writer.
    public init(seed: UInt64, writers: Int, count: Int) {
        self.seed = seed
        plans = (0..<writers).map { Plan(seed: $0 == 0 ? seed : mix(seed &+ UInt64($0)) >> 32, count: count) }
    }

    /// The plans of one writer.
    public init(_ plan: Plan) {
        seed = plan.seed
        plans = [plan]
    }

    /// Returns the value of the shared counter after the given numbers of saves.
    public func counter(after counts: [Int]) -> Int {
        zip(plans, counts).reduce(0) { sum, each in
            sum + (1..<each.1 + 1).count { each.0.increments($0) }
        }
    }
}

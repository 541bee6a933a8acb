/// The medians of one contestant, in microseconds per row or save.
struct Figure {
    let name: String
    let time: Double
    /// The CPU time of the process, without that of the server.
    let processorTime: Double
}

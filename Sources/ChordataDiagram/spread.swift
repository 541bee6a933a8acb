/// Places items along a line as near to their desired positions as their distances allow.
///
/// The result minimizes the weighted sum of squares. After subtracting the distances this is isotonic regression, which
/// pooling adjacent violators solves exactly: M. Ayer et al., "An Empirical Distribution Function for Sampling with
/// Incomplete Information", 1955.
/// - Parameters:
///   - desired: The desired position of each item, in the order that the items keep.
///   - weights: The weight of each desired position; positive.
///   - distances: The minimum distance between an item and the next one; one fewer than items.
///   - bounds: The outermost positions of the first and the last item; they must have room for all distances.
/// - Complexity: O(n).
func spread(
    _ desired: [Double],
    weights: [Double],
    distances: [Double],
    within bounds: ClosedRange<Double>? = nil
) -> [Double] {
    var offsets = [0.0]
    for distance in distances { offsets.append(offsets[offsets.count - 1] + distance) }
    var pools: [(sum: Double, weight: Double, count: Int)] = []
    for index in desired.indices {
        pools.append(((desired[index] - offsets[index]) * weights[index], weights[index], 1))
        while pools.count > 1 {
            let last = pools[pools.count - 1]
            let previous = pools[pools.count - 2]
            guard previous.sum / previous.weight > last.sum / last.weight else { break }
            pools.removeLast(2)
            pools.append((previous.sum + last.sum, previous.weight + last.weight, previous.count + last.count))
        }
    }
    var places: [Double] = []
    for pool in pools {
        var place = pool.sum / pool.weight
        if let bounds, let total = offsets.last {
            place = min(max(place, bounds.lowerBound), max(bounds.lowerBound, bounds.upperBound - total))
        }
        for _ in 0..<pool.count { places.append(place + offsets[places.count]) }
    }
    return places
}

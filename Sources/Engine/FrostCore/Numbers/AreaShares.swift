/// Divides `count` pixels into `parts` equal parts, for averages over areas.
///
/// - Returns: for each part, its pixels with weights that add up to 1. A pixel that lies only partly in a part counts in
///   proportion.
package func areaShares(of count: Int, among parts: Int) -> [[(index: Int, share: Double)]] {
    let size = Double(count) / Double(parts)
    return (0..<parts).map { part in
        let (low, high) = (Double(part) * size, Double(part + 1) * size)
        return (Int(low)..<min(count, Int(high.rounded(.up)))).map { index in
            (index, (min(high, Double(index + 1)) - max(low, Double(index))) / size)
        }
    }
}

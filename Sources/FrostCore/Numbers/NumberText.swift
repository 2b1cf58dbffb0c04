/// A number as people write it: as short as can be, and without a fraction where there is none.
///
/// - Parameter decimals: rounds to so many; nil keeps every digit.
func numberText(_ value: Double, decimals: Int? = nil) -> String {
    var value = value
    if let decimals, abs(value) < 1e9 {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        value = (value * scale).rounded() / scale
    }
    return abs(value) < 1e15 && value == value.rounded() ? "\(Int(value))" : "\(value)"
}

/// Returns a number as text in its shortest form, without a fraction if it is an integer.
///
/// - Parameter decimals: the number of decimals to round to; nil keeps every digit.
package func numberText(_ value: Double, decimals: Int? = nil) -> String {
    var value = value
    if let decimals, abs(value) < 1e9 {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        value = (value * scale).rounded() / scale
    }
    return abs(value) < 1e15 && value == value.rounded() ? "\(Int(value))" : "\(value)"
}

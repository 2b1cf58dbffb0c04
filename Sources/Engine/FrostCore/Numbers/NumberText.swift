/// Returns a number as text in its shortest form, without a fraction if it is an integer.
///
/// - Parameter decimals: the number of decimals to round to; nil keeps every digit.
package func numberText(_ value: Double, decimals: Int? = nil) -> String {
    let value = decimals.map { value.rounded(toDecimals: $0) } ?? value
    return abs(value) < 1e15 && value == value.rounded() ? "\(Int(value))" : "\(value)"
}

extension Double {
    /// Returns the number rounded to a number of decimals. Numbers from 10^9 on stay as they are.
    func rounded(toDecimals decimals: Int) -> Double {
        guard abs(self) < 1e9 else { return self }
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}

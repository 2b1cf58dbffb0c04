/// Returns a number with a fixed number of decimals, rounded to nearest. The result does not depend on the locale.
package func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (abs(value) * scale).rounded()
    let whole = Int(rounded / scale)
    let fraction = Int(rounded - Double(whole) * scale)
    let sign = value < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction)
    return "\(sign)\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
}

/// A colour with straight alpha. Its components are in 0...1, and have the encoding of the images on which the colour
/// is used.
public struct Color: Sendable, Hashable {
    /// The components, each in 0...1. Red, green and blue are not multiplied by alpha.
    public let red, green, blue, alpha: Double

    /// Creates a colour from its components.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a component outside 0...1, or NaN.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) throws(ParameterError) {
        for (name, value) in [("red", red), ("green", green), ("blue", blue), ("alpha", alpha)]
        where !(0...1).contains(value) {
            throw .outOfRange(parameter: name, value: value, allowed: 0...1)
        }
        self.init(unchecked: red, green, blue, alpha)
    }

    init(unchecked red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Returns a grey. The built-in tables of effects use this function.
    static func white(_ white: Double, _ alpha: Double) -> Color { Color(unchecked: white, white, white, alpha) }

    /// Returns the same colour with another alpha.
    func covering(_ alpha: Double) -> Color { Color(unchecked: red, green, blue, alpha) }
}

extension Color: CustomStringConvertible {
    /// The colour as "#rrggbbaa", rounded to 8 bits. ``init(parsing:)`` reads this form.
    public var description: String {
        "#"
            + [red, green, blue, alpha].map { value in
                let byte = Int((value * 255).rounded())
                return (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
    }

    /// The forms of a colour that ``init(parsing:)`` reads, in words.
    public static let forms =
        "a CSS colour name, NAME,ALPHA, #rgb, #rgba, #rrggbb, #rrggbbaa, GREY,ALPHA or RED,GREEN,BLUE,ALPHA with numbers from 0 to 1"

    /// Reads a colour in one of these forms: the name of a CSS colour, alone or as "name,alpha"; "#rgb", "#rgba",
    /// "#rrggbb" or "#rrggbbaa" (the # is optional); "grey,alpha", "red,green,blue" or "red,green,blue,alpha". Numbers are 0...1.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)``, or an error for a number out of range.
    public init(parsing text: String) throws(ParameterError) {
        let malformed = ParameterError.malformed(parameter: "colour", value: text, expected: Self.forms)
        if let named = Color(named: text) {
            self = named
            return
        }
        if text.contains(",") {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            if parts.count == 2, let named = Color(named: String(parts[0])), let alpha = Double(decimal: parts[1]) {
                try self.init(red: named.red, green: named.green, blue: named.blue, alpha: alpha)
                return
            }
            let values = parts.map { Double(decimal: $0) }
            let known = values.compactMap { $0 }
            guard known.count == values.count else { throw malformed }
            switch known.count {
            case 2: try self.init(red: known[0], green: known[0], blue: known[0], alpha: known[1])
            case 3: try self.init(red: known[0], green: known[1], blue: known[2])
            case 4: try self.init(red: known[0], green: known[1], blue: known[2], alpha: known[3])
            default: throw malformed
            }
            return
        }
        var digits = text.hasPrefix("#") ? Array(text.dropFirst()) : Array(text)
        if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
        let nibbles = digits.compactMap(\.hexDigitValue)
        guard nibbles.count == digits.count, digits.count == 6 || digits.count == 8 else { throw malformed }
        let bytes = stride(from: 0, to: nibbles.count, by: 2).map { (at: Int) -> Double in
            Double(nibbles[at] * 16 + nibbles[at + 1]) / 255
        }
        self.init(unchecked: bytes[0], bytes[1], bytes[2], bytes.count == 4 ? bytes[3] : 1)
    }
}

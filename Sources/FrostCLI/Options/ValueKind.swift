package import Frost

/// The kind of an option's value. Frost derives checks, completions and help from it.
package indirect enum ValueKind: Sendable, Hashable {
    case anything
    case file
    /// One of the given words.
    case word([String])
    /// The name of an effect.
    case effect
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>, unit: String = "")
    case color
    /// A size in the form WxH. The range contains the allowed widths and heights.
    case size(ClosedRange<Int>)
    /// A rectangle in the form X,Y,W,H or GRAVITY,WxH.
    case rect
    /// One of N parts of the work. The form I/N selects part I.
    case shard
    /// A list of up to `maximum` values of one kind, separated by commas.
    case list(ValueKind, maximum: Int = .max)

    package static func word<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> ValueKind
    where Value.RawValue == String { .word(type.allCases.map(\.rawValue)) }

    package static func list<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> ValueKind
    where Value.RawValue == String { .list(.word(type)) }

    /// The allowed values as text, for example "1 to 256" or "clamp, mirror, repeat, clear". Nil if every value of the
    /// kind is allowed.
    package var allowed: String? {
        switch self {
        case .anything, .file, .effect, .rect, .shard: nil
        case .word(let words): words.joined(separator: ", ")
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range, let unit):
            "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))"
                + (unit.isEmpty || unit == "fraction" ? "" : " \(unit)")
        case .color: Color.forms
        case .size(let sides): "sides of \(sides.lowerBound) to \(sides.upperBound)"
        case .list(let kind, _): kind.allowed
        }
    }
}

/// A type that can be parsed from the value of an option.
///
/// ``Arguments`` first checks each value against the ``ValueKind`` of its option, so parsing a checked value succeeds.
package protocol OptionValue {
    init?(written text: String)
}

extension OptionValue where Self: RawRepresentable, RawValue == String {
    package init?(written text: String) { self.init(rawValue: text) }
}

extension Backend: OptionValue {}
extension EdgeMode: OptionValue {}
extension Vibrancy.Kind: OptionValue {}
extension ContentMode: OptionValue {}

extension Color: OptionValue {
    package init?(written text: String) {
        guard let color = try? Color(parsing: text) else { return nil }
        self = color
    }
}

extension String: OptionValue {
    package init?(written text: String) { self = text }
}

extension FilePath: OptionValue {
    package init?(written text: String) { self.init(text) }
}

extension Int: OptionValue {
    package init?(written text: String) { self.init(text) }
}

extension Double: OptionValue {
    package init?(written text: String) {
        guard let number = Double(text), number.isFinite else { return nil }
        self = number
    }
}

extension Rect {
    /// The maximum absolute value of a number in `--rect`. Sums of such numbers do not overflow.
    static let limit = 1 << 30
}

/// The size of a picture, in the form 3840x2160.
package struct PictureSize: Hashable, CustomStringConvertible, OptionValue {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var pixels: Int { width * height }
    package var description: String { "\(width)x\(height)" }
}

extension PictureSize {
    package init?(written text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height)
    }
}

package import Frost
import FrostImages
import FrostPipeline

/// The kind of an option's value. Frost derives checks, completions and help from it.
package indirect enum ValueKind: Sendable, Hashable {
    case anything
    case file
    /// One of the given words.
    case word([String])
    /// The name of an effect.
    case effect
    /// The name of an effect, that of a family of effects, or "all".
    case effectGroup
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>, unit: String = "")
    /// A number of bytes, as ``ByteCount`` parses it.
    case bytes(ClosedRange<Int>)
    case color
    /// A colour, or one of the given words.
    case colorOr([String])
    /// Stops of a gradient, as ``EffectParameter/parse(_:)`` reads them.
    case stops
    /// A size in the form WxH. The range contains the allowed widths and heights.
    case size(ClosedRange<Int>)
    /// A rectangle, as ``RectPlace`` parses it.
    case rect
    /// A radius in pixels or in percent, as ``CornerRadius`` parses it.
    case cornerRadius
    /// A size that a picture is resized to, as ``ResizeRequest/Size`` parses it.
    case resize
    /// The name of a preset.
    case preset
    /// One of N parts of the work. The form I/N selects part I; `auto` reads both from the environment.
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
        case .anything, .file, .effect, .effectGroup, .rect, .preset, .shard: nil
        case .resize: "sides of 1 to \(ImageLimits.largestSide)"
        case .cornerRadius: "0 to \(numberText(CornerRadius.maximum)), or with the suffix % for percent"
        case .word(let words): words.joined(separator: ", ")
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range, let unit):
            "\(numberText(range.lowerBound)) to \(numberText(range.upperBound))"
                + (unit.isEmpty || unit == "fraction" ? "" : " \(unit)")
        case .bytes(let range):
            "\(ByteCount(range.lowerBound)) to \(ByteCount(range.upperBound)), with the suffix K, M, G or T for powers of 1024"
        case .color: Color.forms
        case .colorOr(let words): words.joined(separator: ", ") + ", " + Color.forms
        case .stops: "none, or 2 to \(Mask.Ramp.stopLimit) stops POSITION:VALUE, separated by commas"
        case .size(let sides): "sides of \(sides.lowerBound) to \(sides.upperBound)"
        case .list(let kind, _): kind.allowed
        }
    }

    /// Text about the ``Synonyms`` of the allowed words, or nil.
    var synonyms: String? {
        switch self {
        case .word(let words): Synonyms.list(for: words).map { "also \($0)" }
        case .anything, .file, .effect, .effectGroup, .integer, .number, .bytes, .color, .colorOr, .stops, .size, .rect,
            .resize, .cornerRadius, .preset, .shard,
            .list:
            nil
        }
    }
}

/// A type that can be parsed from the value of an option.
///
/// ``Arguments`` first checks each value against the ``ValueKind`` of its option, so parsing a checked value succeeds.
package protocol OptionValue {
    init?(written text: String)
}

extension OptionValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Parses a word or one of its ``Synonyms``.
    package init?(written text: String) {
        self.init(rawValue: Synonyms.name(for: text, among: Self.allCases.lazy.map(\.rawValue)))
    }
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
        self.init(decimal: text)
    }
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

/// A number of bytes. Its text is a whole number with a suffix for a power of 1024: K, M, G or T, also written as KiB
/// or KB and so on, in capitals or small letters.
package struct ByteCount: Hashable, CustomStringConvertible, OptionValue {
    package let bytes: Int

    package init(_ bytes: Int) { self.bytes = bytes }

    package init?(written text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let shift = Self.shift(text.dropFirst(digits.count).uppercased()) else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    private static let letters = ["K", "M", "G", "T"]

    /// Returns the power of two that a suffix stands for; nil if the suffix is unknown.
    private static func shift(_ suffix: String) -> Int? {
        if suffix.isEmpty || suffix == "B" { return 0 }
        guard let index = letters.firstIndex(where: { [$0, $0 + "B", $0 + "IB"].contains(suffix) }) else { return nil }
        return 10 * (index + 1)
    }

    /// The number with the largest suffix that keeps it whole, for example "1G".
    package var description: String {
        let index = bytes == 0 ? 0 : min(bytes.trailingZeroBitCount / 10, Self.letters.count)
        return "\(bytes >> (10 * index))" + (index == 0 ? "" : Self.letters[index - 1])
    }
}

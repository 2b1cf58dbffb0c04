import FrostCore

/// The curves of colour numbers. Their values are those of the constants DECODE_… and ENCODE_… of convert.glsl.
enum ConversionCurve: Int, CaseIterable, Sendable {
    case linear, sRGB, gamma22, pq, hlg

    init(_ transfer: ColorEncoding.Transfer) {
        switch transfer {
        case .linear, .scRGB: self = .linear
        case .sRGB: self = .sRGB
        case .gamma22: self = .gamma22
        case .pq: self = .pq
        case .hlg: self = .hlg
        }
    }
}

/// What a conversion writes. The values are the constants KIND_… of convert.glsl.
enum ConversionKind: Int, CaseIterable, Sendable {
    /// Premultiplied floats of 32 bits, for the pipeline's own textures.
    case floats
    /// Floats of 16 bits.
    case halves
    /// Normalised integers.
    case steps
    /// The texture of a content layer: see ``ContentAtlas/bytes()``.
    case content
}

/// Identifies the GPU program of a conversion. The key contains everything in which the sources of two programs can
/// differ.
package struct ConversionKey: Hashable, Sendable {
    /// The curves by which colours are decoded and encoded; nil if the colours keep their numbers.
    var curves: Curves?
    var isExternal = false
    /// Whether the input's colour is straight.
    var loadsStraight = false
    /// Whether the input's alpha counts as 1.
    var isOpaque = false
    var kind: ConversionKind
    /// Whether the output's colour is straight.
    var isStraight = false
    var isDithered = false
    /// Whether the input's texture stores rows as columns.
    var inputSwaps = false
    /// Whether the target stores rows as columns.
    var outputSwaps = false

    struct Curves: Hashable, Sendable {
        var decode: ConversionCurve
        var encode: ConversionCurve
    }

    /// The preprocessor switches of convert.glsl.
    var switches: [(name: String, value: Int)] {
        let curves = curves ?? Curves(decode: .linear, encode: .linear)
        let flags: [(String, Bool)] = [
            ("CONVERTS", self.curves != nil), ("LOAD_STRAIGHT", loadsStraight), ("OPAQUE", isOpaque),
            ("INPUT_EXTERNAL", isExternal), ("STRAIGHT", isStraight), ("DITHER", isDithered),
            ("INPUT_SWAPS", inputSwaps), ("OUTPUT_SWAPS", outputSwaps),
        ]
        return [("DECODE", curves.decode.rawValue), ("ENCODE", curves.encode.rawValue), ("KIND", kind.rawValue)]
            + flags.map { ($0.0, $0.1 ? 1 : 0) }
    }
}

extension ProgramSource {
    /// The enumerations that convert.glsl uses.
    static let conversionLists = [
        SharedList("DECODE", ConversionCurve.self) { $0.rawValue },
        SharedList("ENCODE", ConversionCurve.self) { $0.rawValue },
        SharedList("KIND", ConversionKind.self) { $0.rawValue },
    ]

    /// Returns the source of a shader.
    package static func source(_ key: ConversionKey, _ entry: ShaderEntry, _ limits: DrawLimits) -> ShaderSource {
        assemble(
            entry, limits, extensionLine: key.isExternal ? externalExtension : "",
            constants: (key.switches + conversionLists.flatMap(\.cases) + commonConstants).texts,
            ["common.glsl", "convert.glsl"])
    }
}

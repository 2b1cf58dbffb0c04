import CFrost
import Frost

/// The constants of the header, beside what they stand for.
enum Constants {
    static let backends: [(Int, Backend)] = [
        (FROST_BACKEND_AUTO, .auto), (FROST_BACKEND_CPU, .cpu), (FROST_BACKEND_GPU, .gpu),
        (FROST_BACKEND_EXACT, .exact),
    ]
    static let channels: [(Int, ChannelLayout)] = [
        (FROST_CHANNELS_RGBA, .rgba), (FROST_CHANNELS_BGRA, .bgra), (FROST_CHANNELS_RGB, .rgb),
        (FROST_CHANNELS_GREY, .grey), (FROST_CHANNELS_GREY_ALPHA, .greyAlpha),
    ]
    static let samples: [(Int, SampleType)] = [
        (FROST_SAMPLE_U8, .u8), (FROST_SAMPLE_U16, .u16), (FROST_SAMPLE_F32, .f32),
    ]
    static let alphas: [(Int, AlphaMode)] = [
        (FROST_ALPHA_STRAIGHT, .straight), (FROST_ALPHA_PREMULTIPLIED, .premultiplied),
    ]
    static let edges: [(Int, EdgeMode)] = [
        (FROST_EDGE_CLAMP, .clamp), (FROST_EDGE_MIRROR, .mirror), (FROST_EDGE_REPEAT, .repeat),
        (FROST_EDGE_CLEAR, .clear),
    ]

    /// What a caller's constant stands for.
    static func value<Value>(
        _ constant: Int32, of table: [(Int, Value)], _ name: String
    ) throws(Failure) -> Value {
        guard let entry = table.first(where: { $0.0 == Int(constant) }) else {
            throw .argument("\(name) \(constant) is none: allowed are 0 to \(table.count - 1)")
        }
        return entry.1
    }

    /// The constant for a value.
    static func constant<Value: Equatable>(_ value: Value, of table: [(Int, Value)]) -> Int32 {
        Int32(table.first { $0.1 == value }?.0 ?? 0)
    }
}

import FrostCore

/// How a program without output stages writes its result: the shader's constants STORE_….
enum OutputEncoding: Int32, CaseIterable {
    /// As computed.
    case value
    /// Rounded to 8 bits.
    case premultiplied
    /// Divided by the rounded alpha, and rounded to 8 bits.
    case straight

    init(_ format: PixelFormat) {
        switch format.sample {
        case .u8: self = format.needsPremultiplication ? .straight : .premultiplied
        case .u16, .f32: self = .value
        }
    }
}

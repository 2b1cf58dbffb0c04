import FrostCore

/// How a program without output stages writes its result. The values are the shader's constants STORE_….
enum OutputEncoding: Int32, CaseIterable {
    /// Writes values as computed, without rounding.
    case value
    /// Writes premultiplied colour, rounded to 8 bits.
    case premultiplied
    /// Writes straight colour: divided by the rounded alpha, and rounded to 8 bits.
    case straight

    init(_ format: PixelFormat) {
        switch format.sample {
        case .u8: self = format.needsPremultiplication ? .straight : .premultiplied
        case .u16, .f32: self = .value
        }
    }
}

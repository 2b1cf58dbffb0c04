import Frost
import FrostCLI

/// The formats that `frost bench --format` knows.
///
/// Opaque RGBA is passed as premultiplied. For opaque pixels the bytes are the same, and blurs without alpha support
/// treat them so.
enum BenchFormat: String, CaseIterable, OptionValue {
    case rgba8, rgb8, grey8, rgba16
    case softAlpha = "rgba8-straight"

    var pixels: PixelFormat {
        switch self {
        case .rgba8: PixelFormat(.rgba, alpha: .premultiplied)
        case .rgb8: PixelFormat(.rgb)
        case .grey8: PixelFormat(.grey)
        case .rgba16: PixelFormat(.rgba, .u16, alpha: .premultiplied)
        case .softAlpha: PixelFormat(.rgba, alpha: .straight)
        }
    }

    /// The largest error that Frost promises after rounding, in 8-bit steps.
    var promise: Double { pixels.sample == .u8 ? 1 : 4 / 257.0 }
}

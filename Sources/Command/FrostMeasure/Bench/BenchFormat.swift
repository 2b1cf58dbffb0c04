import Frost
import FrostCLI

/// The pixel formats of `frost bench --format`.
///
/// Opaque RGBA is passed to Frost as premultiplied RGBA, because opaque pixels have the same bytes in both formats.
/// A blur that does not support alpha blurs the four channels alike, which is correct for premultiplied RGBA, too.
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

    /// The maximum error after rounding that Frost guarantees, in 8-bit steps.
    var promise: Double { pixels.sample.guaranteedError }
}

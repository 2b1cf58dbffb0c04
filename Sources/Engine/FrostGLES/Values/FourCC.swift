/// The code of a pixel format in the kernel's drm_fourcc.h. It consists of four characters, for example "XR24" for bytes of
/// blue, green, red and padding in memory order.
public struct FourCC: RawRepresentable, Sendable, Hashable {
    /// The code as a number, with the first character in the lowest byte.
    public let rawValue: UInt32

    /// Creates a code from the number that EGL, GBM and Wayland use.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from its characters. Missing characters become spaces: "R8" means "R8  ".
    public init(_ characters: StaticString) {
        var code: UInt32 = 0x2020_2020
        for (index, byte) in "\(characters)".utf8.prefix(4).enumerated() {
            code &= ~(0xff << (8 * UInt32(index)))
            code |= UInt32(byte) << (8 * UInt32(index))
        }
        rawValue = code
    }

    /// Four bytes per pixel, in memory order: blue, green, red, alpha.
    public static let argb8888 = FourCC("AR24")
    /// Four bytes per pixel, in memory order: blue, green, red, padding.
    public static let xrgb8888 = FourCC("XR24")
    /// Four bytes per pixel, in memory order: red, green, blue, alpha.
    public static let abgr8888 = FourCC("AB24")
    /// Four bytes per pixel, in memory order: red, green, blue, padding.
    public static let xbgr8888 = FourCC("XB24")
    /// One channel of 8 bits per pixel.
    public static let r8 = FourCC("R8")
    /// Two channels of 8 bits per pixel.
    public static let gr88 = FourCC("GR88")
    /// One channel of 16 bits per pixel.
    public static let r16 = FourCC("R16")
    /// Two channels of 16 bits per pixel.
    public static let gr1616 = FourCC("GR32")
    /// A plane of luma, and a plane with both chroma channels at half the size.
    public static let nv12 = FourCC("NV12")
}

extension FourCC: CustomStringConvertible {
    /// The characters of the code, for example "XR24"; in hexadecimal if there are unprintable characters.
    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return "0x" + String(rawValue, radix: 16) }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix(text.utf8.count - text.reversed().prefix { $0 == " " }.count))
    }
}

/// A vendor's number for the memory layout of a buffer's pixels, for example tiling or compression.
public struct DRMModifier: RawRepresentable, Sendable, Hashable {
    /// The value DRM_FORMAT_MOD_… in drm_fourcc.h.
    public let rawValue: UInt64

    /// Creates a modifier from the number that EGL, GBM and Wayland use.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Rows of pixels, one after the other.
    public static let linear = DRMModifier(rawValue: 0)
    /// DRM_FORMAT_MOD_INVALID: the layout is not stated. The driver must know the layout by itself, as drivers do for their
    /// own buffers.
    public static let implicit = DRMModifier(rawValue: 0x00ff_ffff_ffff_ffff)
}

extension DRMModifier: CustomStringConvertible {
    /// The modifier in hexadecimal, for example "0x0 (linear)" or "0x100000000000002".
    public var description: String {
        let name =
            switch self {
            case .linear: " (linear)"
            case .implicit: " (implicit)"
            default: ""
            }
        return "0x" + String(rawValue, radix: 16) + name
    }
}

/// A pixel format as the kernel's drm_fourcc.h names it: four characters, "XR24" for 8 bits of blue, green, red and
/// padding in the order of memory.
public struct FourCC: RawRepresentable, Sendable, Hashable {
    /// The first character is in the lowest byte.
    public let rawValue: UInt32

    /// A code as EGL, GBM and Wayland pass it.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A code by its characters, of which the missing ones are blanks: "R8" is "R8  ".
    public init(_ characters: StaticString) {
        var code: UInt32 = 0x2020_2020
        for (index, byte) in "\(characters)".utf8.prefix(4).enumerated() {
            code &= ~(0xff << (8 * UInt32(index)))
            code |= UInt32(byte) << (8 * UInt32(index))
        }
        rawValue = code
    }

    /// Bytes of blue, green, red, alpha.
    public static let argb8888 = FourCC("AR24")
    /// Bytes of blue, green, red, nothing.
    public static let xrgb8888 = FourCC("XR24")
    /// Bytes of red, green, blue, alpha.
    public static let abgr8888 = FourCC("AB24")
    /// Bytes of red, green, blue, nothing.
    public static let xbgr8888 = FourCC("XB24")
    /// One byte.
    public static let r8 = FourCC("R8")
    /// Two bytes.
    public static let gr88 = FourCC("GR88")
    /// 16 bits.
    public static let r16 = FourCC("R16")
    /// Twice 16 bits.
    public static let gr1616 = FourCC("GR32")
    /// A plane of luma, one of both chromas at half the size.
    public static let nv12 = FourCC("NV12")
}

extension FourCC: CustomStringConvertible {
    /// "XR24"; in hexadecimal if it has unprintable characters.
    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return "0x" + String(rawValue, radix: 16) }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix(text.utf8.count - text.reversed().prefix { $0 == " " }.count))
    }
}

/// How the pixels of a buffer are arranged in memory, beyond rows of a stride: tiles and compression, by the vendor's
/// own number.
public struct DRMModifier: RawRepresentable, Sendable, Hashable {
    /// DRM_FORMAT_MOD_…
    public let rawValue: UInt64

    /// A modifier as EGL, GBM and Wayland pass it.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Row after row.
    public static let linear = DRMModifier(rawValue: 0)
    /// DRM_FORMAT_MOD_INVALID: the driver has to know, as it does for its own buffers.
    public static let implicit = DRMModifier(rawValue: 0x00ff_ffff_ffff_ffff)
}

extension DRMModifier: CustomStringConvertible {
    /// "0x0 (linear)", "0x100000000000002".
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

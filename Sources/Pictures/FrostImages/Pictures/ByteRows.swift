import FrostCore

/// Converts rows of 8-bit samples to rows of 8-bit samples in integers. The bytes are those of the conversion in floats:
///
/// - Without a background, a sample s keeps its value, because s / 255 · 255 rounds to s.
/// - Over a background of b steps, a colour of s steps with alpha a becomes (s · a + b · (255 − a)) / 255, rounded to the
///   nearest integer. The quotient differs from every half by at least 1/510, because 255 is odd. Floats differ from
///   the quotient by less than 1/5000.
struct ByteRows: Sendable {
    private let from, to: ChannelLayout
    private let background: Background?

    /// A colour in steps, as the parts of an RGBA pixel that are computed together: 0x00BB00RR and 0x00GG.
    fileprivate struct Background {
        let redBlue, green: UInt32
    }

    /// Prepares a conversion. Returns nil for other sample types, and for a background that has no whole number of steps.
    ///
    /// - Parameter background: the colour behind transparent pixels; nil keeps alpha, or drops the alpha of opaque pixels.
    init?(_ input: PixelFormat, to output: PixelFormat, over background: SIMD4<Float>?) {
        guard input.sample.isEightBit, output.sample.isEightBit else { return nil }
        (from, to) = (input.channels, output.channels)
        guard let background, from.hasAlpha else {
            self.background = nil
            return
        }
        let exact = background * 255
        let steps = exact.rounded(.toNearestOrEven)
        // The bound allows for the rounding of a colour's components to floats.
        guard all((exact - steps) * (exact - steps) .< 1e-8) else { return nil }
        self.background = Background(redBlue: UInt32(steps.x) | UInt32(steps.z) << 16, green: UInt32(steps.y))
    }

    /// Converts `count` pixels. Input and output must not overlap.
    @unsafe func convert(_ row: UnsafePointer<UInt8>, count: Int, into out: UnsafeMutablePointer<UInt8>) {
        // SAFETY: the caller guarantees that both rows have the samples of `count` pixels, and the temporary row has them.
        if to == .rgba { return unsafe expand(row, count, into: out) }
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * count) { rgba in
            guard let rgba = rgba.baseAddress else { return }
            unsafe expand(row, count, into: rgba)
            unsafe to.narrow(rgba, count: count, into: out)
        }
    }

    private func expand(_ row: UnsafePointer<UInt8>, _ count: Int, into rgba: UnsafeMutablePointer<UInt8>) {
        unsafe from.expand(row, count: count, opaque: 255, into: rgba)
        guard let background else { return }
        let pixels = UnsafeMutableRawPointer(rgba)
        for i in 0..<count {
            let pixel = unsafe UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
            unsafe pixels.storeBytes(of: background.under(pixel).littleEndian, toByteOffset: 4 * i, as: UInt32.self)
        }
    }
}

extension ByteRows.Background {
    /// Returns the opaque pixel that shows an RGBA pixel, 0xAABBGGRR, over this colour.
    @inline(__always) fileprivate func under(_ pixel: UInt32) -> UInt32 {
        // Red and blue are computed together, each in 16 bits. No sum exceeds 255 · 255 + 127, so none reaches the other
        // half. For such sums, (t + 1 + (t >> 8)) >> 8 is the integer part of t / 255.
        let pair: UInt32 = 0x00FF_00FF
        let alpha = pixel >> 24
        let rest = 255 &- alpha
        var outer = (pixel & pair) &* alpha &+ redBlue &* rest &+ 0x007F_007F
        outer = ((outer &+ 0x0001_0001 &+ ((outer >> 8) & pair)) >> 8) & pair
        var middle = ((pixel >> 8) & 0xFF) &* alpha &+ green &* rest &+ 0x7F
        middle = (middle &+ 1 &+ (middle >> 8)) >> 8
        return outer | middle << 8 | 0xFF00_0000
    }
}
